"""Finding copies among very many songs: marks of songs, an index of them on the disk, and a search in two steps."""

from libretto.corpus.vectors.large import LargeIndex, open_large
from libretto.corpus.vectors.marks import Marks, kept_marks, marks_of

__all__ = ["LargeIndex", "Marks", "kept_marks", "marks_of", "open_large"]
