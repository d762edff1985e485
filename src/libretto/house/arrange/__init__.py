"""Model pieces made into new ones: what their players do, over other chords, in other hands."""
