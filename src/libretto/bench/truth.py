"""How near the bars of a fill come to those that were there: five likenesses, each from 0 to 1.

Conventions: places are sixteenths of a quarter's fourth, rounded from what was played; voices are told apart; a measure
of two silences is 1, of a silence and a sound 0. ``chroma`` is the cosine of what sounds by half bar, ``onsets`` the F1
of places by voice, ``notes`` the F1 of places and pitches by voice, ``moves`` the overlap of pairs of pitches that
follow each other in a voice, ``density`` one less the relative difference of notes by bar.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.score import QUARTER, Score
from libretto.score.table import Floats

__all__ = ["Nearness", "nearness"]

_SIXTEENTH = QUARTER // 4
_NOTHING = 1e-12


class Nearness(NamedTuple):
    """How near bars come to others, from 0 to 1 each."""

    chroma: float
    onsets: float
    notes: float
    moves: float
    density: float

    @property
    def mean(self) -> float:
        """The mean of the five."""
        return sum(self) / len(self)


def nearness(answer: Score, song: Score, span: tuple[int, int]) -> Nearness:
    """How near the bars (indices, both ends included) of an answer come to those of the song itself."""
    one, two = _region(answer, span), _region(song, span)
    drums = {index for index, voice in enumerate(song.voices) if voice.drums}
    return Nearness(
        _chroma(one, two, song, span, drums),
        _f1(_places(one), _places(two)),
        _f1(_places(one, pitches=True), _places(two, pitches=True)),
        _f1(_moves(one), _moves(two)),
        _density(one, two, span),
    )


def _region(score: Score, span: tuple[int, int]) -> NDArray[Any]:
    rows = score.table[(score.table["bar"] >= span[0]) & (score.table["bar"] <= span[1])]
    return np.asarray(np.sort(rows, order=["voice", "onset", "pitch"]))


def _f1(one: Counter[Any], two: Counter[Any]) -> float:
    total = one.total() + two.total()
    return 2 * (one & two).total() / total if total else 1.0


def _places(rows: NDArray[Any], *, pitches: bool = False) -> Counter[Any]:
    place = np.round(rows["onset"] / _SIXTEENTH).astype(np.int64).tolist()
    voices = rows["voice"].tolist()
    if pitches:
        return Counter(set(zip(voices, place, rows["pitch"].tolist(), strict=True)))
    return Counter(set(zip(voices, place, strict=True)))


def _moves(rows: NDArray[Any]) -> Counter[Any]:
    same = rows["voice"][1:] == rows["voice"][:-1]
    pairs: Iterable[Any] = zip(
        rows["voice"][1:][same].tolist(), rows["pitch"][:-1][same].tolist(), rows["pitch"][1:][same].tolist(),
        strict=True,
    )  # fmt: skip
    return Counter(pairs)


def _chroma(one: NDArray[Any], two: NDArray[Any], song: Score, span: tuple[int, int], drums: set[int]) -> float:
    lines = np.asarray(song.bar_lines[span[0] : span[1] + 2], dtype=np.int64)
    edges = np.empty(2 * len(lines) - 1, dtype=np.int64)
    edges[0::2], edges[1::2] = lines, (lines[:-1] + lines[1:]) // 2
    first, second = (_sounding(rows, edges, drums) for rows in (one, two))
    sizes = np.linalg.norm(first, axis=1), np.linalg.norm(second, axis=1)
    product = (first * second).sum(axis=1)
    both = (sizes[0] > _NOTHING) & (sizes[1] > _NOTHING)
    like = np.where(both, product / np.maximum(sizes[0] * sizes[1], _NOTHING), 0.0)
    return float(np.where((sizes[0] <= _NOTHING) & (sizes[1] <= _NOTHING), 1.0, like).mean())


def _sounding(rows: NDArray[Any], edges: NDArray[np.int64], drums: set[int]) -> Floats:
    """How long every pitch class sounds between the edges."""
    rows = rows[~np.isin(rows["voice"], sorted(drums))]
    mass = np.zeros((len(edges) - 1, 12))
    onset, end = rows["onset"], rows["onset"] + rows["duration"]
    for half in range(len(edges) - 1):
        held = np.minimum(end, edges[half + 1]) - np.maximum(onset, edges[half])
        np.add.at(mass[half], rows["pitch"] % 12, np.maximum(held, 0))
    return mass


def _density(one: NDArray[Any], two: NDArray[Any], span: tuple[int, int]) -> float:
    bars = range(span[0], span[1] + 1)
    counts = [(int((one["bar"] == bar).sum()), int((two["bar"] == bar).sum())) for bar in bars]
    return float(np.mean([1 - abs(a - b) / max(a, b, 1) for a, b in counts]))
