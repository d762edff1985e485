"""What a tune does, in eleven figures: moves, range, roots, rhythms, returns, the high point and the end.

Conventions: a *move* is from one note to the next, rests between them or not; 0 semitones repeat, 1 or 2 are a step, 3
or 4 a third, 5 and more a leap. The *rhythm* of a bar is where its notes start; bars in which none starts are left out.
A bar *returns* where the same notes (starts, lengths, pitches) stood in an earlier bar. The *peak* is the first of the
highest notes, as a part of the way from the first note to the end. Roots are counted over notes that start on a bar
line under a known chord. What a tune has no place for is None, never 0.

All times are whole numbers of one clock, whichever. Tunes are compared by stretches of 12 to 32 bars, since a longer
tune has more range and more returns: ``stretches`` cuts a tune into as few equal ones as will do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from libretto.score.table import Ints

__all__ = ["FEWEST_BARS", "FIGURES", "LAST", "MOST_BARS", "NO_ROOT", "Tune", "figures_of", "stretches"]

#: The figures in the order in which they are told, each with what it is in words.
FIGURES = {
    "repeated": "moves that repeat the note",
    "steps": "moves by step",
    "thirds": "moves by a third",
    "leaps": "moves by a fourth or more",
    "range": "range in semitones",
    "roots": "downbeats on the chord's root",
    "rhythms": "different bar rhythms in 16 bars",
    "same rhythm": "bars with the rhythm of the bar before",
    "returns": "bars that repeat an earlier bar exactly",
    "peak": "place of the first highest note",
    "last": "semitones of the last note above the tonic",
}
LAST = "last"  #: the figure that is one of twelve, not more or less
FEWEST_BARS, MOST_BARS = 12, 32  #: of a stretch
NO_ROOT = -1  #: where no chord is known
_STEP, _THIRD = 2, 4  # semitones, at most
_FEWEST_NOTES = 16  # fewer are no tune
_FEWEST_ROOTS = 4  # downbeats under chords, fewer say nothing
_COUNTED = 16  # bars among which rhythms are counted


@dataclass(frozen=True, eq=False)
class Tune:
    """Notes one after the other, where bars begin, and under each bar line the root of its chord, if known.

    ``lines`` has one place more than there are bars. ``tonic`` is None where the tune does not end with these notes.
    """

    onset: Ints = field(repr=False)
    duration: Ints = field(repr=False)
    pitch: Ints = field(repr=False)
    lines: Ints = field(repr=False)
    roots: Ints = field(repr=False)
    tonic: int | None = None

    @property
    def bars(self) -> int:
        """How many bars there are."""
        return len(self.lines) - 1


def stretches(tune: Tune) -> Iterator[Tune]:
    """The tune in as few equal stretches of at most 32 bars as will do; none of a tune of fewer than 12 bars.

    A pickup belongs to the first stretch. Only the last has the tune's end.
    """
    if tune.bars < FEWEST_BARS:
        return
    count = -(-tune.bars // MOST_BARS)
    edges = [tune.bars * number // count for number in range(count + 1)]
    for number, (first, stop) in enumerate(pairwise(edges)):
        start = tune.lines[first] if number else min(tune.lines[0], tune.onset.min(initial=0))
        mine = (tune.onset >= start) & (tune.onset < tune.lines[stop])
        part = Tune(
            tune.onset[mine],
            tune.duration[mine],
            tune.pitch[mine],
            tune.lines[first : stop + 1],
            tune.roots[first:stop],
            tune.tonic if number == count - 1 else None,
        )
        if len(part.onset) >= _FEWEST_NOTES:
            yield part


def figures_of(tune: Tune) -> dict[str, float | None]:
    """Every figure of a tune, or of a stretch of one; None where it does not apply."""
    if len(tune.onset) < 2:
        return dict.fromkeys(FIGURES)
    moves = np.abs(np.diff(tune.pitch))
    rhythms, bars = _bars(tune)
    return {
        "repeated": float((moves == 0).mean()),
        "steps": float(((moves > 0) & (moves <= _STEP)).mean()),
        "thirds": float(((moves > _STEP) & (moves <= _THIRD)).mean()),
        "leaps": float((moves > _THIRD).mean()),
        "range": float(np.ptp(tune.pitch)),
        "roots": _on_roots(tune),
        "rhythms": _different(rhythms),
        "same rhythm": _as_before(rhythms),
        "returns": _returning(bars),
        "peak": _peak(tune),
        "last": None if tune.tonic is None else float((int(tune.pitch[-1]) - tune.tonic) % 12),
    }


def _bars(tune: Tune) -> tuple[list[bytes], list[bytes]]:
    """The rhythm and the notes of every bar as keys; empty where no note starts."""
    edges = np.searchsorted(tune.onset, tune.lines)
    rhythms, bars = [], []
    for number, (first, stop) in enumerate(pairwise(edges.tolist())):
        starts = tune.onset[first:stop] - tune.lines[number]
        rhythms.append(starts.tobytes())
        bars.append(np.concatenate((starts, tune.duration[first:stop], tune.pitch[first:stop])).tobytes())
    return rhythms, bars


def _on_roots(tune: Tune) -> float | None:
    there = np.searchsorted(tune.onset, tune.lines[:-1])
    inside = np.minimum(there, len(tune.onset) - 1)
    struck = (tune.onset[inside] == tune.lines[:-1]) & (tune.roots != NO_ROOT)
    if struck.sum() < _FEWEST_ROOTS:
        return None
    return float((tune.pitch[inside[struck]] % 12 == tune.roots[struck]).mean())


def _different(rhythms: list[bytes]) -> float | None:
    filled = [rhythm for rhythm in rhythms if rhythm]
    counts = [len(set(filled[first : first + _COUNTED])) for first in range(0, len(filled) - _COUNTED + 1, _COUNTED)]
    return float(np.mean(counts)) if counts else None


def _as_before(rhythms: list[bytes]) -> float | None:
    pairs = [(one, other) for one, other in pairwise(rhythms) if one and other]
    return float(np.mean([one == other for one, other in pairs])) if pairs else None


def _returning(bars: list[bytes]) -> float | None:
    filled = [bar for bar in bars if bar]
    return 1 - len(set(filled)) / len(filled) if filled else None


def _peak(tune: Tune) -> float:
    first = int(tune.onset[0])
    length = max(1, int(tune.lines[-1]) - first)
    return (int(tune.onset[int(np.argmax(tune.pitch))]) - first) / length
