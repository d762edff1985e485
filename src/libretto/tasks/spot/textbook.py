"""What a textbook calls a fault, for exercises: rules of yes and no, whatever the piece's habits are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from libretto.registry import Registry
from libretto.score.facts import Bools, Floats
from libretto.score.pitch import pitch_class_of
from libretto.tasks.spot.evidence import Candidates, Seen
from libretto.tasks.spot.notes import NOTE_EVIDENCE

__all__ = ["textbook"]

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
def _out_of_key(seen: Seen, found: Candidates) -> Bools:
    return _outside_key(seen, found)


@textbook.register("wrong-bass")
def _wrong_bass(seen: Seen, found: Candidates) -> Bools:
    return (_of(seen, found, "semitone by class") >= 0.5) & (_of(seen, found, "support") < 0.25)


@textbook.register("clash")
def _clash(seen: Seen, found: Candidates) -> Bools:
    rubs = _of(seen, found, "minor second") + _of(seen, found, "major seventh or ninth")
    return np.asarray((rubs >= 0.5) & (_of(seen, found, "left by step") == 0) & (_of(seen, found, "support") < 0.5))


@textbook.register("crossing")
def _crossing(seen: Seen, found: Candidates) -> Bools:
    return np.ones(len(found.bar), dtype=np.bool_)


@textbook.register("range")
def _range(seen: Seen, found: Candidates) -> Bools:
    return np.ones(len(found.bar), dtype=np.bool_)


@textbook.register("parallels")
def _parallels(seen: Seen, found: Candidates) -> Bools:
    return np.ones(len(found.bar), dtype=np.bool_)


@textbook.register("meter")
def _meter(seen: Seen, found: Candidates) -> Bools:
    return np.asarray(found.rows[:, 0] > 0)


@textbook.register("foreign-bar")
def _foreign_bar(seen: Seen, found: Candidates) -> Bools:
    return np.zeros(len(found.bar), dtype=np.bool_)  # no textbook forbids a strange bar
