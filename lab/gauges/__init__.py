"""What fills, parts and morphs are judged by, measured on real songs: ``python -m lab.gauges.fills FOLDER``, ..."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.score import Score

__all__ = ["RealSong", "songs_below"]


class RealSong(NamedTuple):
    """A song that can be read, and the sub-folder it lies in, which names its genre."""

    genre: str
    score: Score


def songs_below(folder: Path, every: int) -> Iterator[RealSong]:
    """Every so-many-th MIDI file in sub-folders of a folder; what cannot be read is passed over."""
    for path in sorted(folder.glob("*/*.mid"))[::every]:
        try:
            yield RealSong(path.parent.name, read(path))
        except LibrettoError:
            continue
