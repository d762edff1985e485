"""Songs alike as a whole: their codes, 1,024 bits each, compared one by one where they lie on the disk (faiss).

A code says how many marks two songs share. All codes are looked at: for a million songs that takes 14 ms of one core,
and nothing is missed. Graphs (usearch's and faiss's HNSW) and cells (faiss's IVF, Lance) were measured beside it: they
are quicker still, but lose a third to a half of the songs that share half of their marks, because codes of unrelated
songs are all equally far from each other.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.corpus.vectors.marks import CODE_BYTES
from libretto.errors import MissingExtra
from libretto.score.table import Bools, Ints

__all__ = ["nearest_codes", "open_codes", "same_music"]

_LEAST_BINS, _SAME = 32, 0.5  # bins that both together must fill, and the share of them that is equal in copies


def _library() -> Any:
    try:
        return import_module("faiss")
    except ImportError:
        raise MissingExtra("an index of many songs", "scale") from None


def open_codes(path: Path, count: int) -> NDArray[np.uint8]:
    """The codes of so many songs, one a row, read where they lie."""
    if not count:
        return np.zeros((0, CODE_BYTES), dtype=np.uint8)
    return np.memmap(path, dtype=np.uint8, mode="r", shape=(count, CODE_BYTES))


def nearest_codes(codes: NDArray[np.uint8], code: bytes, k: int) -> Ints:
    """The songs whose codes differ least from one, the closest first."""
    most = min(k, len(codes))
    if not most or not any(code):
        return np.zeros(0, dtype=np.int64)
    wanted = np.frombuffer(code, dtype=np.uint8)[None, :]
    _, order = _library().knn_hamming(wanted, codes, most)
    return np.asarray(order[0], dtype=np.int64)


def same_music(ours: NDArray[np.uint8], theirs: NDArray[np.uint8]) -> Bools:
    """Whether rows of codes are those of the same music: half of what either has, both have."""
    either = ((ours != 0) | (theirs != 0)).sum(axis=1)
    equal = ((ours == theirs) & (ours != 0)).sum(axis=1)
    return np.asarray((either >= _LEAST_BINS) & (equal >= _SAME * either))
