"""Revisions: wishes granted by moving notes, or by writing bars anew."""
