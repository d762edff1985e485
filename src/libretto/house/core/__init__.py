"""What every writer of the house shares: dice, styles, patterns, lines, voicings, basses, drums."""
