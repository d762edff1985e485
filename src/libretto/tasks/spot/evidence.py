"""Where a fault of each kind could be, and what speaks for it: a table of candidates a kind.

A kind's evidence is a registered function from ``Seen`` to ``Candidates``; the ear weighs it, ``spot`` words it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from libretto.registry import Registry
from libretto.score.facts import Bools, Facts, Floats, Ints
from libretto.score.pitch import pitch_class_of
from libretto.tasks.spot.bars import bar_evidence, meter_evidence
from libretto.tasks.spot.context import CONTEXT_EVIDENCE, context_evidence
from libretto.tasks.spot.foreign import foreign_evidence
from libretto.tasks.spot.lines import parallel_evidence
from libretto.tasks.spot.notes import NOTE_EVIDENCE, note_evidence

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


@dataclass(frozen=True)
class Candidates:
    """Places where a fault could be: a row of evidence each, its bar (an index), and its note (-1: the whole bar)."""

    rows: Floats
    bar: Ints
    note: Ints


class Seen(Facts):
    """The facts, and the evidence that several kinds share, computed once."""

    @cached_property
    def notes_seen(self) -> Floats:
        """The evidence of every note."""
        return note_evidence(self)

    @cached_property
    def context(self) -> Floats:
        """What the piece leads one to expect of every note."""
        return context_evidence(self, self.notes_seen[:, NOTE_EVIDENCE.index("rare nearby")])

    @cached_property
    def time(self) -> Floats:
        """The evidence of the time of every bar."""
        return meter_evidence(self)

    def some(self, which: Bools) -> Candidates:
        """Candidates that are single notes, with all evidence there is of them."""
        index = np.flatnonzero(which)
        return Candidates(np.concatenate((self.notes_seen[index], self.context[index]), axis=1), self.bar[index], index)

    def whole_bars(self, rows: Floats) -> Candidates:
        """Candidates that are whole bars; the first and the last are left out, as they may be anything."""
        index = np.arange(1, max(self.bars - 1, 1))
        if len(rows) < 3:
            return _none(rows.shape[1])
        return Candidates(rows[index], index, np.full(len(index), -1))


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
    outside = seen.context[:, CONTEXT_EVIDENCE.index("outside the scale")] > 0
    return seen.some((seen.beats >= 0.4) & (outside | (_column(seen, "rare nearby") > 5)))


@evidence.register("wrong-bass")
def _wrong_bass(seen: Seen) -> Candidates:
    foreign = (_column(seen, "support") < 0.5) & (_column(seen, "semitone by class") + _column(seen, "tritone") > 0.2)
    return seen.some(_is_bass(seen) & (seen.beats >= 0.4) & (_column(seen, "company") > 0.5) & foreign)


@evidence.register("clash")
def _clash(seen: Seen) -> Candidates:
    rubs = _column(seen, "minor second") + _column(seen, "major seventh or ninth")
    return seen.some((seen.beats >= 0.4) & (rubs >= 0.4) & (_column(seen, "support") < 0.5) & ~_is_bass(seen))


@evidence.register("crossing")
def _crossing(seen: Seen) -> Candidates:
    lines = np.isin(seen.voice, seen.lines)
    return seen.some(lines & (_column(seen, "on the wrong side") > 0) & (seen.beats >= 0.4))


@evidence.register("range")
def _range(seen: Seen) -> Candidates:
    return seen.some(_column(seen, "outside the instrument") > 0)


@evidence.register("parallels")
def _parallels(seen: Seen) -> Candidates:
    rows, starts = parallel_evidence(seen, seen.notes_seen)
    return Candidates(rows, seen.bar[starts], starts)


@evidence.register("meter")
def _meter(seen: Seen) -> Candidates:
    return seen.whole_bars(seen.time)


@evidence.register("foreign-bar")
def _foreign_bar(seen: Seen) -> Candidates:
    more = foreign_evidence(seen, seen.context, seen.time)
    return seen.whole_bars(np.concatenate((bar_evidence(seen, seen.notes_seen), more), axis=1))


def places_of(seen: Seen, ear: str) -> Candidates:
    """Every place that an ear listens to: the candidates of all its kinds, each once."""
    found = [evidence[kind](seen) for kind in EARS[ear]]
    if len(found) == 1:
        return found[0]
    which = np.zeros(seen.count, dtype=np.bool_)
    which[np.concatenate([each.note for each in found])] = True
    return seen.some(which)


textbook: Registry[Callable[[Seen, Candidates], Bools]] = Registry("rule of the textbook")


def _of(seen: Seen, found: Candidates, name: str) -> Floats:
    return np.asarray(seen.notes_seen[found.note, NOTE_EVIDENCE.index(name)])


def _outside_key(seen: Seen, found: Candidates) -> Bools:
    """Which notes are not of the key in force; the raised sixth and seventh of minor are."""
    starts = np.array([tick for tick, _ in seen.score.keys])
    inside = np.zeros((len(starts), 12), dtype=np.bool_)
    for row, (_, key) in enumerate(seen.score.keys):
        inside[row, [pitch_class_of(step) for step in key.scale]] = True
        if key.is_minor:
            tonic = pitch_class_of(key.tonic)
            inside[row, [(tonic + 9) % 12, (tonic + 11) % 12]] = True
    which = np.searchsorted(starts, seen.onset[found.note], side="right") - 1
    return ~inside[which, seen.pitch_class[found.note]]


@textbook.register("out-of-key")
def _out_of_key_textbook(seen: Seen, found: Candidates) -> Bools:
    return _outside_key(seen, found)


@textbook.register("wrong-bass")
def _wrong_bass_textbook(seen: Seen, found: Candidates) -> Bools:
    return (_of(seen, found, "semitone by class") >= 0.5) & (_of(seen, found, "support") < 0.25)


@textbook.register("clash")
def _clash_textbook(seen: Seen, found: Candidates) -> Bools:
    rubs = _of(seen, found, "minor second") + _of(seen, found, "major seventh or ninth")
    return np.asarray((rubs >= 0.5) & (_of(seen, found, "left by step") == 0) & (_of(seen, found, "support") < 0.5))


@textbook.register("crossing")
def _crossing_textbook(seen: Seen, found: Candidates) -> Bools:
    return np.ones(len(found.bar), dtype=np.bool_)


@textbook.register("range")
def _range_textbook(seen: Seen, found: Candidates) -> Bools:
    return np.ones(len(found.bar), dtype=np.bool_)


@textbook.register("parallels")
def _parallels_textbook(seen: Seen, found: Candidates) -> Bools:
    return np.ones(len(found.bar), dtype=np.bool_)


@textbook.register("meter")
def _meter_textbook(seen: Seen, found: Candidates) -> Bools:
    return np.asarray(found.rows[:, 0] > 0)


@textbook.register("foreign-bar")
def _foreign_bar_textbook(seen: Seen, found: Candidates) -> Bools:
    return np.zeros(len(found.bar), dtype=np.bool_)  # no textbook forbids a strange bar
