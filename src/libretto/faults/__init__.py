"""Faults in a piece, where they are, how they are heard and what to do."""
