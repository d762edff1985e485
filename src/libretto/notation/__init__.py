"""What a copyist decides: clefs, hands, staves, beams, note values, lengths that can be read, paper."""
