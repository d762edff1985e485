"""Pictures of a piece, for people."""
