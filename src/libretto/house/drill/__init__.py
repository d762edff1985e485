"""Drills: from a concept's conditions where they say what the notes are, else from its example."""
