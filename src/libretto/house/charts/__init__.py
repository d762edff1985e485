"""Charts: parts written for any chords, and how a band plays them."""
