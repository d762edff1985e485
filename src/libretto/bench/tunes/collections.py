"""Collections of real tunes, a gzipped file of JSON lines each, read as ``Tune`` values.

The folder is the one that ``--tunes`` names; its own page says what the fields mean. Nothing of it is shipped.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from libretto.bench.tunes.figures import NO_ROOT, Tune
from libretto.errors import FormatError, ScoreError
from libretto.score import Key, parse_chord

__all__ = ["KINDS", "RealTune", "real_tunes"]

#: The kinds of tunes and the collections that show what is usual of each.
KINDS = {
    "dance": ("oneill", "ryan", "nottingham", "aird"),
    "chorale": ("chorales",),
    "song": ("pop909",),
}
_HELD = 5  # one group of tunes in so many is held back, to try what was measured on the others
_MOST_LINE = 4_000_000  # characters of one tune
_DAMAGED = (
    OSError,
    EOFError,
    zlib.error,
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


class RealTune(NamedTuple):
    """A tune of a collection; ``held`` where ranges are not measured on it."""

    name: str
    tune: Tune
    held: bool


def real_tunes(folder: Path, collection: str) -> Iterator[RealTune]:
    """Every tune of a collection in a folder, in the order of its file."""
    path = folder / f"{collection}.jsonl.gz"
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            while line := file.readline(_MOST_LINE):
                yield _tune(json.loads(line))
    except _DAMAGED as error:
        raise FormatError(f"{path} is not a collection of tunes: {str(error) or type(error).__name__}") from None


def _tune(data: dict[str, Any]) -> RealTune:
    notes = np.asarray(data["notes"], dtype=np.int64).reshape(-1, 3)
    lines = np.asarray([*data["bars"], data["end"]], dtype=np.int64)
    group = str(data.get("group") or data["id"])
    tune = Tune(notes[:, 0], notes[:, 1], notes[:, 2], lines, _roots(data.get("chords") or [], lines), _tonic(data))
    return RealTune(str(data["id"]), tune, sha256(group.encode()).digest()[0] % _HELD == 0)


def _roots(chords: list[Any], lines: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The root of the chord under each bar line."""
    starts = np.asarray([start for start, _ in chords], dtype=np.int64)
    read = [parse_chord(str(symbol)) if symbol else None for _, symbol in chords]
    classes = np.asarray([NO_ROOT if chord is None else chord.root_class for chord in read], dtype=np.int64)
    place = np.searchsorted(starts, lines[:-1], side="right") - 1
    roots = np.full(len(lines) - 1, NO_ROOT, dtype=np.int64)
    roots[place >= 0] = classes[place[place >= 0]]
    return roots


def _tonic(data: dict[str, Any]) -> int | None:
    """The tonic at the tune's end."""
    changes = data.get("keys") or []
    try:
        return Key.parse(str(changes[-1][1] if changes else data["key"])).tonic_class
    except ScoreError:
        return None
