"""Tunes beside real tunes: what a tune does in figures, who has the tune in a piece, and what is usual of a kind."""
