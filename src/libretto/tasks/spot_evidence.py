"""Where a fault of each kind could be, and what speaks for it: a table of candidates a kind.

A kind's evidence is a registered function from ``Seen`` to ``Candidates``; the ear weighs it, ``spot`` words it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from libretto.registry import Registry
from libretto.tasks.spot_bars import METER_EVIDENCE, bar_evidence, meter_evidence
from libretto.tasks.spot_facts import Bools, Facts, Floats, Ints
from libretto.tasks.spot_lines import parallel_evidence
from libretto.tasks.spot_notes import NOTE_EVIDENCE, note_evidence

__all__ = ["NOTE_KINDS", "Candidates", "Seen", "evidence"]

_GAIN = 0.05  # likeness gained by moving a bar, below which it is chance
_ALWAYS = ("length", "seldom at its place", "twins agree", "twins contradict")
_MENDED = ("mended by a step", "support once mended", "at home once mended", "twins say a step")
_PIECE = ("chromatic piece", "rubbing piece")
_RUB = ("minor second", "semitone by class", "support", "strange clash", "left by step", "reached by step", "company")
_LEAPS = ("leap in", "leap out", "spike", "mended by octaves", "twins say an octave", "outside the voice")

#: The evidence that counts for the kinds that lie in a single note.
NOTE_KINDS: dict[str, tuple[str, ...]] = {
    "out-of-key": (
        *(*_ALWAYS, *_MENDED, *_PIECE, *_RUB),
        *("rare in the piece", "rare nearby", "rare in its voice", "absent nearby", "new in its voice", "on the beat"),
    ),
    "wrong-bass": (
        *(*_ALWAYS, *_MENDED, *_PIECE, *_RUB),
        *("rare in the piece", "rare nearby", "tritone", "fifths and thirds", "lowest sounding", "on the beat"),
    ),
    "clash": (
        *(*_ALWAYS, *_MENDED, *_PIECE, *_RUB),
        *("major seventh or ninth", "rare nearby", "rare in its voice"),
        *("absent nearby", "fifths and thirds", "repeated"),
    ),
    "crossing": (*_ALWAYS, *_LEAPS, "on the wrong side", "crosses alone", "outside the instrument", "lowest sounding"),
    "range": (*_ALWAYS, *_LEAPS, "outside the instrument", "others outside", "lowest sounding", "new in its voice"),
}


@dataclass(frozen=True)
class Candidates:
    """Places where a fault could be: a row of evidence each, its bar (an index), and its note (-1: the whole bar).

    ``possible`` marks those that can be a fault at all; the others only show what the piece is used to. None: all can.
    """

    rows: Floats
    bar: Ints
    note: Ints
    possible: Bools | None = None


class Seen(Facts):
    """The facts, and the evidence that several kinds share, computed once."""

    @cached_property
    def notes_seen(self) -> Floats:
        """The evidence of every note."""
        return note_evidence(self)

    def some(self, which: Bools, names: tuple[str, ...], possible: Bools | None = None) -> Candidates:
        """Candidates that are single notes, with the evidence of those names."""
        index = np.flatnonzero(which)
        columns = [NOTE_EVIDENCE.index(name) for name in names]
        rows = self.notes_seen[index][:, columns]
        return Candidates(rows, self.bar[index], index, None if possible is None else possible[index])

    def whole_bars(self, rows: Floats, possible: Bools) -> Candidates:
        """Candidates that are whole bars; the first and the last are left out, as they may be anything."""
        index = np.arange(1, max(self.bars - 1, 1))
        if len(rows) < 3:
            return _none(rows.shape[1])
        return Candidates(rows[index], index, np.full(len(index), -1), possible[index])


def _none(columns: int) -> Candidates:
    empty = np.empty(0, dtype=np.int64)
    return Candidates(np.empty((0, columns)), empty, empty)


evidence: Registry[Callable[[Seen], Candidates]] = Registry("kind of evidence")


def _column(seen: Seen, name: str) -> Floats:
    return np.asarray(seen.notes_seen[:, NOTE_EVIDENCE.index(name)])


def _is_bass(seen: Seen) -> Bools:
    return np.asarray(seen.voice == (-1 if seen.bass is None else seen.bass))


@evidence.register("out-of-key")
def _out_of_key(seen: Seen) -> Candidates:
    return seen.some((seen.beats >= 0.4) & (_column(seen, "rare nearby") > 5), NOTE_KINDS["out-of-key"])


@evidence.register("wrong-bass")
def _wrong_bass(seen: Seen) -> Candidates:
    which = _is_bass(seen) & (seen.beats >= 0.4) & (_column(seen, "company") > 0.5)
    foreign = (_column(seen, "support") < 0.5) & (_column(seen, "semitone by class") + _column(seen, "tritone") > 0.2)
    return seen.some(which, NOTE_KINDS["wrong-bass"], foreign)


@evidence.register("clash")
def _clash(seen: Seen) -> Candidates:
    rubs = _column(seen, "minor second") + _column(seen, "major seventh or ninth")
    return seen.some((seen.beats >= 0.4) & (rubs >= 0.4), NOTE_KINDS["clash"], _column(seen, "support") < 0.5)


@evidence.register("crossing")
def _crossing(seen: Seen) -> Candidates:
    lines = np.isin(seen.voice, seen.lines)
    return seen.some(lines & (_column(seen, "on the wrong side") > 0) & (seen.beats >= 0.4), NOTE_KINDS["crossing"])


@evidence.register("range")
def _range(seen: Seen) -> Candidates:
    return seen.some(_column(seen, "outside the instrument") > 0, NOTE_KINDS["range"])


@evidence.register("parallels")
def _parallels(seen: Seen) -> Candidates:
    rows, starts = parallel_evidence(seen, seen.notes_seen)
    return Candidates(rows, seen.bar[starts], starts)


@evidence.register("meter")
def _meter(seen: Seen) -> Candidates:
    """A bar can only be displaced where it is of another length or would be more like the others if moved."""
    rows = meter_evidence(seen)
    gains = [METER_EVIDENCE.index(name) for name in METER_EVIDENCE if name.startswith("gain")]
    possible = np.asarray((rows[:, 0] > 0) | ((rows[:, gains] > _GAIN).sum(axis=1) >= 2))
    return seen.whole_bars(rows, np.asarray(possible, dtype=np.bool_))


@evidence.register("foreign-bar")
def _foreign_bar(seen: Seen) -> Candidates:
    """A bar can only be foreign where it has pitch classes that the bars around it lack."""
    rows = bar_evidence(seen, seen.notes_seen)
    edge = np.concatenate((np.zeros((1, 12)), np.cumsum(seen.bar_mass, axis=0)))
    index = np.arange(seen.bars)
    around = edge[np.minimum(index + 3, seen.bars)] - edge[np.maximum(index - 2, 0)] - seen.bar_mass
    possible = np.any((seen.bar_mass > 0) & (around <= 1e-9), axis=1)
    return seen.whole_bars(rows, np.asarray(possible, dtype=np.bool_))
