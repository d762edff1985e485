"""Where a fault of each kind could be, and what speaks for it: a table of candidates a kind.

A kind's evidence is a registered function from ``Seen`` to ``Candidates``; the ear weighs it, ``spot`` words it. Beside
it stands what a textbook calls a fault of the kind, for exercises: a rule of yes and no, whatever the piece's habits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.faults.columns import CLASSES, Columns
from libretto.faults.context import context_evidence, scale_evidence
from libretto.faults.foreign import bar_evidence, foreign_evidence
from libretto.faults.lines import parallel_evidence
from libretto.faults.meter import meter_evidence
from libretto.faults.notes import note_evidence, plain_evidence
from libretto.registry import Registry
from libretto.score.facts import Facts
from libretto.score.table import Bools, Floats, Ints

__all__ = ["EARS", "Candidates", "Seen", "evidence", "places_of", "textbook"]

#: What is listened for, and the kinds of fault it may turn out to be.
EARS: dict[str, tuple[str, ...]] = {
    "wrong-note": ("clash", "out-of-key", "wrong-bass"),
    "crossing": ("crossing",),
    "foreign-bar": ("foreign-bar",),
    "meter": ("meter",),
    "parallels": ("parallels",),
    "range": ("range",),
}

# A candidate is whatever could be a fault at all; how striking it is the ear says, whose numbers are measured. These
# limits are set by hand: where one is changed, the ear must be taught anew.
_LONG = 0.4  # quarters; a shorter note passes by
_RARE = 5  # halvings: nearby, its pitch class sounds for less than some 3% of the time
_SUPPORTED = 0.5  # of its length; a note with so much of its own class around it is no wrong note
_FOREIGN = 0.2  # of its length that a bass note rubs or is a tritone off
_ACCOMPANIED = 0.5  # companions without which a bass contradicts nothing
_RUBS = 0.4  # of its length
_FEWEST_BARS = 3  # below, no bar is between two others
# What a textbook calls plain, in parts of a note's length.
_PLAIN_RUB, _PLAIN_SUPPORT = 0.5, 0.25
_RAISED = (9, 11)  # semitones above the tonic: the sixth and seventh of melodic minor


@dataclass(frozen=True)
class Candidates:
    """Places where a fault could be: a row of evidence each, its bar (an index), and its note (-1: the whole bar)."""

    rows: Floats
    bar: Ints
    note: Ints


class _SomeNotes(Candidates):
    """Candidates that are single notes; their rows are worked out when they are first asked for."""

    def __init__(self, seen: Seen, note: Ints) -> None:
        self.__dict__.update(seen=seen, bar=seen.bar[note], note=note)

    @cached_property
    def rows(self) -> Floats:
        """All evidence there is of them; of other notes only where that is known already."""
        seen: Seen = self.__dict__["seen"]
        notes = seen.notes_seen if "notes_seen" in seen.__dict__ else None
        context = seen.context if "context" in seen.__dict__ else None
        own = notes.rows[self.note] if notes else note_evidence(seen, seen.plain, self.note).rows
        rarity = seen.plain["rare nearby"]
        more = context.rows[self.note] if context else context_evidence(seen, seen.scale, rarity, self.note).rows
        return np.concatenate((own, more), axis=1)


class Seen(Facts):
    """The facts, and the evidence that several kinds share, computed once."""

    @cached_property
    def plain(self) -> dict[str, NDArray[Any]]:
        """What of the evidence of every note tells whether it could be wrong."""
        return plain_evidence(self)

    @cached_property
    def notes_seen(self) -> Columns:
        """The evidence of every note."""
        return note_evidence(self, self.plain)

    @cached_property
    def scale(self) -> dict[str, NDArray[Any]]:
        """How every note goes with the scale of its passage."""
        return scale_evidence(self)

    @cached_property
    def context(self) -> Columns:
        """What the piece leads one to expect of every note."""
        return context_evidence(self, self.scale, self.plain["rare nearby"])

    @cached_property
    def time(self) -> Columns:
        """The evidence of the time of every bar."""
        return meter_evidence(self)

    @cached_property
    def is_bass(self) -> Bools:
        """Which notes the bass plays."""
        return np.asarray(self.voice == (-1 if self.bass is None else self.bass))

    @cached_property
    def is_long(self) -> Bools:
        """Which notes are long enough to be heard as wrong."""
        return np.asarray(self.beats >= _LONG)

    def some(self, which: Bools) -> Candidates:
        """Candidates that are single notes, with all evidence there is of them."""
        return _SomeNotes(self, np.flatnonzero(which))

    def whole_bars(self, rows: Floats) -> Candidates:
        """Candidates that are whole bars; the first and the last are left out, as they may be anything."""
        index = np.arange(1, max(self.bars - 1, 1)) if len(rows) >= _FEWEST_BARS else np.empty(0, dtype=np.int64)
        return Candidates(rows[index], index, np.full(len(index), -1))


#: For every kind of fault, where it could be.
evidence: Registry[Callable[[Seen], Candidates]] = Registry("kind of evidence")
#: For every kind of fault, which candidates a textbook calls one.
textbook: Registry[Callable[[Seen, Candidates], Bools]] = Registry("rule of the textbook")


def places_of(seen: Seen, ear: str) -> Candidates:
    """Every place that an ear listens to: the candidates of all its kinds, each once."""
    of_kinds = [evidence[kind](seen) for kind in EARS[ear]]
    if len(of_kinds) == 1:
        return of_kinds[0]
    which = np.zeros(seen.count, dtype=np.bool_)
    which[np.concatenate([candidates.note for candidates in of_kinds])] = True
    return seen.some(which)


@evidence.register("out-of-key")
def _out_of_key(seen: Seen) -> Candidates:
    outside = seen.scale["outside the scale"] > 0 if seen.count else seen.is_long
    return seen.some(seen.is_long & (outside | (seen.plain["rare nearby"] > _RARE)))


@textbook.register("out-of-key")
def _outside_key(seen: Seen, candidates: Candidates) -> Bools:
    """Which notes are not of the key in force; the raised sixth and seventh of minor are."""
    starts = np.array([tick for tick, _ in seen.score.keys])
    inside = np.zeros((len(starts), CLASSES), dtype=np.bool_)
    for row, (_, key) in enumerate(seen.score.keys):
        inside[row, list(key.classes)] = True
        if key.is_minor:
            inside[row, [(key.tonic_class + step) % CLASSES for step in _RAISED]] = True
    which = np.searchsorted(starts, seen.onset[candidates.note], side="right") - 1
    return ~inside[which, seen.pitch_class[candidates.note]]


@evidence.register("wrong-bass")
def _wrong_bass(seen: Seen) -> Candidates:
    notes = seen.plain
    foreign = (notes["support"] < _SUPPORTED) & (notes["semitone by class"] + notes["tritone"] > _FOREIGN)
    return seen.some(seen.is_bass & seen.is_long & (notes["company"] > _ACCOMPANIED) & foreign)


@textbook.register("wrong-bass")
def _rubs_against_the_chord(seen: Seen, candidates: Candidates) -> Bools:
    notes = seen.plain
    plain = (notes["semitone by class"] >= _PLAIN_RUB) & (notes["support"] < _PLAIN_SUPPORT)
    return np.asarray(plain[candidates.note])


@evidence.register("clash")
def _clash(seen: Seen) -> Candidates:
    notes = seen.plain
    rubs = notes["minor second"] + notes["major seventh or ninth"]
    return seen.some(seen.is_long & (rubs >= _RUBS) & (notes["support"] < _SUPPORTED) & ~seen.is_bass)


@textbook.register("clash")
def _does_not_resolve(seen: Seen, candidates: Candidates) -> Bools:
    notes = seen.notes_seen
    rubs = notes["minor second"] + notes["major seventh or ninth"] >= _PLAIN_RUB
    return np.asarray((rubs & (notes["left by step"] == 0) & (notes["support"] < _SUPPORTED))[candidates.note])


@evidence.register("crossing")
def _crossing(seen: Seen) -> Candidates:
    lines = np.isin(seen.voice, seen.lines)
    return seen.some(lines & (seen.notes_seen["on the wrong side"] > 0) & seen.is_long)


@evidence.register("range")
def _range(seen: Seen) -> Candidates:
    return seen.some(seen.notes_seen["outside the instrument"] > 0)


@evidence.register("parallels")
def _parallels(seen: Seen) -> Candidates:
    rows, starts = parallel_evidence(seen, seen.notes_seen)
    return Candidates(rows, seen.bar[starts], starts)


@textbook.register("crossing")
@textbook.register("range")
@textbook.register("parallels")
def _always(seen: Seen, candidates: Candidates) -> Bools:
    """A textbook forbids every one."""
    return np.ones(len(candidates.bar), dtype=np.bool_)


@evidence.register("meter")
def _meter(seen: Seen) -> Candidates:
    return seen.whole_bars(seen.time.rows)


@textbook.register("meter")
def _of_odd_length(seen: Seen, candidates: Candidates) -> Bools:
    return np.asarray(seen.time["odd length"][candidates.bar] > 0)


@evidence.register("foreign-bar")
def _foreign_bar(seen: Seen) -> Candidates:
    notes, more = bar_evidence(seen, seen.notes_seen), foreign_evidence(seen, seen.context, seen.time)
    return seen.whole_bars(np.concatenate((notes.rows, more.rows), axis=1))


@textbook.register("foreign-bar")
def _never(seen: Seen, candidates: Candidates) -> Bools:
    """No textbook forbids a strange bar."""
    return np.zeros(len(candidates.bar), dtype=np.bool_)
