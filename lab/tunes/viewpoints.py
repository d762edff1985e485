"""The other way of learning tunes: statistics of several viewpoints at once, of variable order.

Each viewpoint counts what followed each context, longer contexts leaning on shorter ones (prediction by partial
matching, escapes by the number of different successors). Some count over all taught tunes, some over the tune so far;
what they say is multiplied, the surer ones weighing more.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lab.tunes.lesson import classes_of
from lab.tunes.reading import Tune
from libretto.house.tune.memory import CLASSES, LOWEST
from libretto.house.tune.views import View, view

__all__ = ["Viewpoints"]

Floats = NDArray[np.float64]
#: The contexts of a step, shortest first, from the plan, the classes before, and the step's number.
Contexts = Callable[[View, Sequence[int], int], list[Hashable]]
_ORDER = 5  # notes of the longest context
_SURE = 0.5  # how much more a surer viewpoint weighs: the best of 0, 0.5, 1, 2, 4 and 7 on tunes kept aside for that
_FLOOR = 1e-6


def _moves(classes: Sequence[int], step: int, order: int) -> tuple[int, ...]:
    return tuple(classes[at] - classes[at - 1] for at in range(step - order, step))


def _pitch(seen: View, classes: Sequence[int], step: int) -> list[Hashable]:
    return [tuple(classes[step - order : step]) for order in range(min(_ORDER, step) + 1)]


def _move(seen: View, classes: Sequence[int], step: int) -> list[Hashable]:
    return [_moves(classes, step, order) for order in range(min(_ORDER, step - 1) + 1)]


def _degree(seen: View, classes: Sequence[int], step: int) -> list[Hashable]:
    degree = (classes[step - 1] - LOWEST) % 12
    return [(degree, _moves(classes, step, order)) for order in range(min(_ORDER, step - 1) + 1)]


def _place(seen: View, classes: Sequence[int], step: int) -> list[Hashable]:
    place = int(np.argmax(seen.views[step, :7])), *np.round(seen.views[step, 7:9], 2).tolist()
    recent = tuple(classes[max(step - 3, 0) : step])
    return [place[0], place, *((place, recent[-order:]) for order in range(1, len(recent) + 1))]


def _chord(seen: View, classes: Sequence[int], step: int) -> list[Hashable]:
    chord = int(seen.roots[step]), tuple(np.flatnonzero(seen.tones[step]).tolist())
    strong = int(seen.strengths[step])
    recent = tuple(classes[max(step - 2, 0) : step])
    return [
        chord[0],
        chord,
        (chord, strong),
        *((chord, strong, recent[-order:]) for order in range(1, len(recent) + 1)),
    ]


def _close(seen: View, classes: Sequence[int], step: int) -> list[Hashable]:
    flags = tuple((seen.views[step, 37 + 3 : 37 + 8] > 0).tolist()), bool(seen.views[step, 37 + 14])
    recent = tuple(classes[max(step - 2, 0) : step])
    return [flags, *((flags, recent[-order:]) for order in range(1, len(recent) + 1))]


@dataclass
class _Counts:
    """What followed each context."""

    contexts: Contexts
    by_move: bool
    table: dict[Hashable, dict[int, int]] = field(default_factory=dict)

    def learn(self, seen: View, classes: Sequence[int], step: int) -> None:
        if self.by_move and not step:
            return
        symbol = classes[step] - classes[step - 1] + CLASSES - 1 if self.by_move else classes[step]
        for context in self.contexts(seen, classes, step):
            counts = self.table.setdefault(context, {})
            counts[symbol] = counts.get(symbol, 0) + 1

    def say(self, seen: View, classes: Sequence[int], step: int) -> Floats | None:
        """How likely each class is; None where there is nothing to go by."""
        if self.by_move and not step:
            return None
        size = 2 * CLASSES - 1 if self.by_move else CLASSES
        shares = np.full(size, 1 / size)
        for context in self.contexts(seen, classes, step):
            counts = self.table.get(context)
            if counts is None:
                break
            total = sum(counts.values()) + len(counts)
            shares *= len(counts) / total
            shares[list(counts)] += np.array(list(counts.values())) / total
        if self.by_move:
            start = CLASSES - 1 - classes[step - 1]
            shares = shares[start : start + CLASSES]
        said: Floats = shares / shares.sum()
        return said


@dataclass
class Viewpoints:
    """The statistics of all viewpoints over the tunes that were taught."""

    taught: list[_Counts]

    @classmethod
    def learn(cls, tunes: Iterable[Tune]) -> Viewpoints:
        """Count over those tunes."""
        taught = [_Counts(_pitch, False), _Counts(_move, True), _Counts(_degree, True)]
        taught += [_Counts(_place, False), _Counts(_chord, False), _Counts(_close, False)]
        for tune in tunes:
            seen, classes = view(tune.steps, tune.key, tune.meter, tune.kind), classes_of(tune).tolist()
            for step in range(len(classes)):
                for counts in taught[: len(taught) if seen.roots[step] >= 0 else 4]:
                    counts.learn(seen, classes, step)
                if seen.roots[step] < 0:
                    taught[5].learn(seen, classes, step)
        return cls(taught)

    def bits(self, tune: Tune) -> float:
        """Bits of all notes of a tune together."""
        seen, classes = view(tune.steps, tune.key, tune.meter, tune.kind), classes_of(tune).tolist()
        own = [_Counts(_pitch, False), _Counts(_degree, True), _Counts(_place, False)]
        total = 0.0
        for step, sung in enumerate(classes):
            chord = seen.roots[step] >= 0
            voices = [counts for counts in self.taught if chord or counts.contexts is not _chord]
            said = [shares for counts in (*voices, *own) if (shares := counts.say(seen, classes, step)) is not None]
            total -= float(np.log2(_together(np.array(said))[sung]))
            for counts in own:
                counts.learn(seen, classes, step)
        return total


def _together(said: Floats) -> Floats:
    """Several opinions multiplied, each weighing the more the surer it is."""
    said = np.maximum(said, _FLOOR)
    logs = np.log2(said)
    unsure = -(said * logs).sum(axis=1) / np.log2(said.shape[1])
    weights = np.maximum(unsure, 0.02) ** -_SURE
    mixed = np.exp2((weights / weights.sum()) @ logs)
    together: Floats = mixed / mixed.sum()
    return together
