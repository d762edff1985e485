"""What chords do to notes, learnt from real tunes with their own chords."""
