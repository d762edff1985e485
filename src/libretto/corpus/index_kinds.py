"""The kinds of index that find what a piece shares with songs, and how each is kept as bytes.

A kind is made song by song (``piece_of``, which runs in many processes), joined into one file (``join``), and read back
with the songs' names (``open``); the first bytes of the file (``magic``) tell which kind it is. To add a kind is to
register one. ``exact`` is what users' corpora get.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from libretto.corpus.overlap import Index
from libretto.errors import FormatError
from libretto.registry import Registry
from libretto.score import Score

__all__ = ["IndexKind", "index_kinds", "kind_of", "open_index"]


@dataclass(frozen=True)
class IndexKind:
    """One kind of index; its functions belong to a module, so that other processes find them.

    ``open`` takes bytes that nobody vouches for, and the names of the songs or none; it raises a FormatError for what
    is damaged.
    """

    name: str
    magic: bytes
    piece_of: Callable[[Score], bytes]
    join: Callable[[Sequence[bytes]], bytes]
    open: Callable[[bytes, Sequence[str]], Index]


index_kinds: Registry[IndexKind] = Registry("index kind")


def kind_of(data: bytes) -> IndexKind:
    """The kind whose bytes begin like these."""
    for kind in index_kinds.values():
        if data.startswith(kind.magic):
            return kind
    raise FormatError("it is no index that this version knows")


def open_index(data: bytes, names: Sequence[str] = (), songs: int | None = None) -> Index:
    """An index from its bytes; ``songs`` is how many it must hold."""
    try:
        index = kind_of(data).open(data, names)
    except (ValueError, LookupError, ArithmeticError, MemoryError) as error:
        raise FormatError(f"it is damaged: {' '.join(str(error).split())}") from None
    if songs is not None and len(index) != songs:
        raise FormatError(f"it holds {len(index):,} songs, and its cloud {songs:,}")
    return index
