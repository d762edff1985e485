"""Telling a tune: pitches for a rhythm that is decided, as real tunes would go on.

Conventions: times are ticks; pitches are MIDI numbers; a chord is a preference, not a command. Several drafts are told
side by side, a note at a time; drafts that what is wished for leads into a corner give way to others, and the one that
the model and the wishes like best is told. What is forbidden (a bias of minus infinity) is never sung, and no run of
notes is one of a tune that taught the model, unless nothing else is allowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from libretto.errors import LibrettoError
from libretto.house.core.dice import Dice, dice
from libretto.house.tune.guarding import Guard
from libretto.house.tune.leaning import is_pop, lean
from libretto.house.tune.memory import CLASSES, LOWEST, SOURCES, Habit, Heard, Scale, followed, recall, register_of
from libretto.house.tune.net import Net, read_net
from libretto.house.tune.step import Step
from libretto.house.tune.views import View, view
from libretto.score.keys import Key
from libretto.score.time import Meter

__all__ = ["Drafts", "Step", "bits", "tell"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_AS_REAL = 0.7  # the heat at which told tunes are as varied as real ones
_RECITED = -30.0  # what a run of a taught tune costs, in nats: more than any wish short of a command
_COLDEST = 0.01  # the least heat: always the likeliest note
_COMMAND = 1000.0  # nats: more than that no wish can say
_STEADY = (1.0, 0.5, 0.25, 0.0, 0.0)  # nats for a chord tone by strength of its place: as many as real tunes have
_HOME = 1.0  # nats for the tonic as the last note
_REDRAWN = 6  # times a note is drawn anew before a run is let pass
_HOPELESS = 5.0  # nats below the best from which on a note is not drawn
_LOG2 = float(np.log(2))


@dataclass
class Drafts:
    """Drafts of a tune, a row each, as far as they are told."""

    net: Net
    seen: View
    scale: Scale
    prepared: NDArray[np.float32]
    key: Key
    pop: bool
    classes: Ints
    state: NDArray[np.float32]
    followed: NDArray[np.float32]

    @classmethod
    def begin(cls, steps: Sequence[Step], key: Key, meter: Meter, kind: str, rows: int) -> Drafts:
        """So many drafts of which nothing is told yet."""
        net, seen = read_net(), view(steps, key, meter, kind)
        return cls(
            net,
            seen,
            Scale.of(seen.scale),
            net.prepare(seen),
            key,
            is_pop(kind),
            np.full((rows, len(steps)), -1, dtype=np.int64),
            np.zeros((rows, net.width), dtype=np.float32),
            np.zeros((rows, 2 * SOURCES), dtype=np.float32),
        )

    def _heard(self, step: int) -> Heard:
        told, rows = self.classes, len(self.classes)
        none = np.full(rows, -1, dtype=np.int64)
        if not step:
            return Heard(none, none, none, none, none, none)
        beats = np.flatnonzero(self.seen.downbeats[:step])
        return Heard(
            told[:, step - 1],
            told[:, step - 2] if step > 1 else none,
            told[:, step - 3] if step > 2 else none,
            told[:, :step].max(axis=1),
            told[:, :step].min(axis=1),
            told[:, beats[-1]] if len(beats) else told[:, step - 1],
        )

    def listen(self, step: int) -> tuple[Floats, Ints]:
        """Log-probabilities of every class at a step, by draft, and what earlier bars suggest."""
        there, rows, seen = self.seen.sources[step], len(self.classes), self.seen
        heard = self._heard(step)
        said = np.where(there >= 0, self.classes[:, there], -1)
        before = np.where(there >= 1, self.classes[:, np.maximum(there - 1, 0)], -1)
        roots = np.full(rows, seen.roots[step])
        told, plain, pointers = recall(heard, Habit(said, before, self.followed), roots, self.scale)
        heads, self.state = self.net.hear(self.prepared[step], told, plain, self.state)
        harmony = (seen.tones[step].astype(np.float32), seen.scale.astype(np.float32))
        scores = self.net.scores(heads, heard.last, pointers, int(seen.roots[step]), harmony)
        if self.pop:
            scores = lean(self.net, scores, seen, step, self.key.is_minor, told, pointers)
        return _normal(scores.astype(np.float64)), pointers

    def sing(self, step: int, chosen: Ints, pointers: Ints) -> None:
        """Add a note to every draft."""
        self.classes[:, step] = chosen
        self.followed = followed(self.followed, chosen, pointers)

    def keep(self, rows: Ints) -> None:
        """Go on with those drafts; one may stand for several."""
        self.classes, self.state, self.followed = self.classes[rows], self.state[rows], self.followed[rows]


def _normal(scores: Floats) -> Floats:
    """Scores as log-probabilities."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    normal: Floats = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return normal


def tell(
    steps: Sequence[Step],
    key: Key,
    meter: Meter,
    low: int,
    high: int,
    seed: int,
    *,
    kind: str = "",
    heat: float = 0.7,
    beam: int = 8,
) -> list[int]:
    """Pitches from ``low`` to ``high`` for those steps, the same for the same arguments.

    ``kind`` is what sort of tune it is (reel, jig, air, chorale, pop); a heat of 0.7 tells tunes as varied as real
    ones, less is plainer; ``beam`` is how many drafts are told side by side.
    """
    if not steps:
        return []
    register = register_of(key.tonic_class, (low + high) / 2)
    lowest = register - LOWEST
    drafts = Drafts.begin(steps, key, meter, kind, max(beam, 1))
    chance, sharp = dice(seed, "tune"), _AS_REAL / max(heat, _COLDEST)
    guard = Guard([step.length for step in steps])
    weights, totals = np.zeros(max(beam, 1)), np.zeros(max(beam, 1))
    for index, step in enumerate(steps):
        wished = _wishes(step, index, low, high, lowest)
        normal, pointers = drafts.listen(index)
        wished = wished + _steadied(drafts.seen, index, drafts.pop)
        cold, liked = normal * sharp, (normal + wished) * sharp
        weights += np.round(_mass(liked) - _mass(cold), 6)
        chosen = _draw(liked, chance)
        chosen = _own(liked, chosen, index, drafts.classes, guard, chance)
        totals += (normal + wished)[np.arange(len(chosen)), chosen]
        drafts.sing(index, chosen, pointers)
        kept = _survivors(weights, chance)
        if kept is not None:
            drafts.keep(kept)
            weights, totals = np.zeros(len(kept)), totals[kept]
    best = int(np.argmax(np.round(totals, 6)))
    return [int(pitch) + lowest for pitch in drafts.classes[best]]


def _wishes(step: Step, index: int, low: int, high: int, lowest: int) -> Floats:
    """What is added to every class: the bias of the step, and minus infinity outside the range."""
    wished = np.full(CLASSES, -np.inf)
    pitches = np.arange(max(low, lowest), min(high, lowest + CLASSES - 1) + 1)
    if step.bias and len(step.bias) != high - low + 1:
        raise LibrettoError(f"note {index + 1} of the tune: {len(step.bias)} biases for {high - low + 1} pitches")
    wished[pitches - lowest] = np.minimum(np.array(step.bias), _COMMAND)[pitches - low] if step.bias else 0.0
    if not np.isfinite(wished).any():
        raise LibrettoError(f"note {index + 1} of the tune: no pitch from {low} to {high} is allowed")
    return wished


def _steadied(seen: View, step: int, pop: bool) -> Floats:
    """What is added to chord tones at strong places and to the tonic at the end: told tunes drift from both."""
    strong = _STEADY[seen.strengths[step]] if seen.roots[step] >= 0 and not pop else 0.0
    degrees = (np.arange(CLASSES) - LOWEST) % 12
    home = _HOME if step == len(seen.roots) - 1 else 0.0
    pull: Floats = strong * seen.tones[step][degrees] + home * (degrees == 0)
    return pull


def _own(scores: Floats, chosen: Ints, index: int, told: Ints, guard: Guard, chance: Dice) -> Ints:
    """The drawn classes, drawn anew where they would end a run of a taught tune."""
    for _ in range(_REDRAWN):
        recited = guard.recites(index, told, chosen)
        if not recited.any():
            break
        scores = scores.copy()
        scores[recited, chosen[recited]] += _RECITED
        chosen = np.where(recited, _draw(scores, chance), chosen)
    return chosen


def _mass(scores: Floats) -> Floats:
    """The logarithm of the sum of what the scores stand for."""
    top = scores.max(axis=1, keepdims=True)
    mass: Floats = (top + np.log(np.exp(scores - top).sum(axis=1, keepdims=True)))[:, 0]
    return mass


def _draw(scores: Floats, chance: Dice) -> Ints:
    """One class for every draft, the likelier the more often, hopeless ones never."""
    near = scores - scores.max(axis=1, keepdims=True)
    shares = np.where(near >= -_HOPELESS, np.exp(np.round(near, 6)), 0.0)
    reached = np.cumsum(shares, axis=1)
    aims = np.array([chance.random() for _ in scores]) * reached[:, -1]
    drawn: Ints = (reached <= aims[:, None]).sum(axis=1)
    return drawn


def _survivors(weights: Floats, chance: Dice) -> Ints | None:
    """The drafts to go on with, where a few have become much better than the others."""
    shares = np.exp(weights - weights.max())
    shares /= shares.sum()
    if 1 / (shares**2).sum() > len(shares) / 2:
        return None
    aims = (np.arange(len(shares)) + chance.random()) / len(shares)
    return np.minimum(np.searchsorted(np.cumsum(shares), aims, side="right"), len(shares) - 1)


def bits(steps: Sequence[Step], pitches: Sequence[int], key: Key, meter: Meter, kind: str = "") -> float:
    """Bits a note that the model needs for that tune."""
    if not pitches:
        return 0.0
    lowest = register_of(key.tonic_class, float(np.median(pitches))) - LOWEST
    classes = np.clip(np.array(pitches) - lowest, 0, CLASSES - 1)
    draft = Drafts.begin(steps, key, meter, kind, 1)
    total = 0.0
    for index, sung in enumerate(classes):
        normal, pointers = draft.listen(index)
        total -= float(normal[0, sung]) / _LOG2
        draft.sing(index, np.array([sung]), pointers)
    return total / len(pitches)
