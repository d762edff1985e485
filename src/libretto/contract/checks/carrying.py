"""How well what sounds agrees with chords: a likelihood, beside the same notes over other chords.

Every half of a bar has a mass by pitch class: how long each sounds, in quarters, a little more for what is struck on
the bar line. ``carrying.json`` has by how much a chord raises or lowers the chance of each note above its root, learnt
from real tunes with their own chords; a note speaks for a chord only as far as the chord explains it better than the
piece as a whole does. Where one chord stands for a whole bar its second half may pass on: it can speak for the chord,
not against it. What a plan of chords gains is then held beside what it would gain moved by whole bars, and moved to
every other key: a tune that fits its chords no better than those is not a tune over them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.score.chords import Chord, parse_chord
from libretto.score.model import Score
from libretto.score.table import Floats
from libretto.score.time import QUARTER

__all__ = [
    "KINDS",
    "Agreement",
    "Carried",
    "Habits",
    "agreement",
    "carried",
    "habits",
    "is_full",
    "kind_of",
    "masses",
    "measure_of",
    "planned",
    "share_of",
    "without_drones",
]

#: The kinds of chords that notes are learnt for; a chord without a third is the last.
KINDS = ("major", "minor", "diminished", "dominant", "open")
_DRONE = 2  # bars, beyond which a tonic is no longer a tone of a chord
_STRUCK = 1.5  # what is struck on the bar line counts so much more
_FAINT = 0.5  # quarters of every note that are taken for heard, so that no note is impossible
_SAME = 0.75  # chords moved by some bars are no alternative where so many stay where they are
_MOST_MOVED = 64  # moves by whole bars that are compared
_STEADY = 0.02  # added to the spread of what alternatives gain, so that few of them do not decide by chance
_FAR = 6.0  # an advantage beyond this tells nothing more
_TRITONE, _FIFTH, _SEVENTH = 6, 7, 10  # semitones above a root
_ROUNDING = 1e-9
_FULL = 1.6  # notes that sound at once on average, from where on a piece states its chords and does not imply them


@dataclass(frozen=True, slots=True)
class Habits:
    """What was learnt: the lift of each kind of chord by semitones above its root, and what counts as agreement.

    ``lifts`` are logarithms, ``weights`` those of gain, of the advantages over moved bars and over other keys, and a
    constant; ``least`` is what nearly all real tunes over their own chords reach, and ``full`` the share of its bars
    that carry their chord in nearly all full textures.
    """

    lifts: tuple[tuple[float, ...], ...]
    weights: tuple[float, ...]
    least: float
    full: float


@cache
def habits() -> Habits:
    """What the package has learnt from real tunes with their own chords."""
    text = files("libretto.contract.checks").joinpath("carrying.json").read_text(encoding="utf-8")
    data = json.loads(text)
    lifts = tuple(tuple(data["lifts"][kind]) for kind in KINDS)
    return Habits(lifts, tuple(data["weights"]), data["least"], data["full"])


class Agreement(NamedTuple):
    """How notes agree with chords: gain by the root of the bars, advantage over moved bars, and over other keys.

    ``over_next`` is what is gained beyond the same chords a bar earlier or later, whichever fits better.
    """

    gain: float
    over_moved: float
    over_keys: float
    over_next: float


class Carried(NamedTuple):
    """Whether what sounds carries a plan of chords; the share of bars that do, and the places of those that do not.

    ``late`` says that the notes fit the same chords better a bar earlier or later.
    """

    kept: bool
    measure: float
    share: float
    thin: tuple[int, ...]
    late: bool


def kind_of(chord: Chord) -> int:
    """Which of the learnt kinds a chord is."""
    held = chord.intervals
    if chord.is_minor:
        return KINDS.index("diminished" if _TRITONE in held and _FIFTH not in held else "minor")
    if chord.is_major:
        return KINDS.index("dominant" if _SEVENTH in held else "major")
    return KINDS.index("open")


def without_drones(score: Score, notes: NDArray[Any]) -> NDArray[Any]:
    """Notes without a tonic that is held for more than two bars: a drone says nothing of the chords above it."""
    drones = (notes["duration"] > _DRONE * score.bar_lines[1]) & (notes["pitch"] % 12 == score.key_at(0).tonic_class)
    return notes if drones.all() else notes[~drones]


def masses(score: Score, notes: NDArray[Any]) -> Floats:
    """How much every pitch class sounds in each half of a bar: halves by classes."""
    lines = np.asarray(score.bar_lines, dtype=np.int64)
    edges = np.empty(2 * score.bars + 1, dtype=np.int64)
    edges[0::2], edges[1::2] = lines, (lines[:-1] + lines[1:]) // 2
    mass = np.zeros((2 * score.bars, 12))
    onset, classes = notes["onset"], notes["pitch"] % 12
    end = np.minimum(onset + notes["duration"], edges[-1])
    first = np.searchsorted(edges, onset, side="right") - 1
    last = np.searchsorted(edges, end, side="left") - 1
    on_line = (onset == edges[first]) & (first % 2 == 0)
    for step in range(int((last - first).max()) + 1 if len(notes) else 0):
        here = first + step
        goes = here <= last
        half = here[goes]
        held = (np.minimum(end[goes], edges[half + 1]) - np.maximum(onset[goes], edges[half])) / QUARTER
        np.add.at(mass, (half, classes[goes]), held * np.where(on_line[goes] & (step == 0), _STRUCK, 1.0))
    return mass


def planned(labels: Sequence[Sequence[str]]) -> NDArray[np.int64]:
    """The chord of each half of a bar as a number, -1 where none is; bars of more than two chords keep four at most."""
    plan = np.full(2 * len(labels), -1, dtype=np.int64)
    for bar, names in enumerate(labels):
        chords = [chord for name in names if (chord := parse_chord(name))]
        if chords:
            for half, chord in enumerate((chords[0], chords[len(chords) // 2])):
                plan[2 * bar + half] = 12 * kind_of(chord) + chord.root_class
    return plan


def _lifted(mass: Floats, lifts: Sequence[Sequence[float]]) -> Floats:
    """What the notes of each half gain by each chord, beside the piece as a whole: halves by chords."""
    whole = mass.sum(axis=0) + _FAINT
    whole = whole / whole.sum()
    table = np.array([np.roll(np.asarray(lift), root) for lift in lifts for root in range(12)])
    return np.asarray(mass @ (table - np.log(np.exp(table) @ whole)[:, None]).T)


def _by_bar(lifted: Floats, plan: NDArray[np.int64]) -> Floats:
    """What every bar gains by its plan."""
    halves = np.where(plan >= 0, lifted[np.arange(len(plan)), np.maximum(plan, 0)], 0.0)
    first, second = halves[0::2], halves[1::2]
    return np.asarray(first + np.where(plan[0::2] == plan[1::2], np.maximum(second, 0.0), second))


def _advantage(own: float, others: Sequence[float]) -> float:
    return float(np.clip((own - np.mean(others)) / (np.std(others) + _STEADY), -_FAR, _FAR))


def agreement(mass: Floats, plan: NDArray[np.int64], lifts: Sequence[Sequence[float]]) -> Agreement:
    """How well masses agree with a plan, beside the plan moved by whole bars and to other keys."""
    lifted = _lifted(mass, lifts)

    def gain(other: NDArray[np.int64]) -> float:
        weight = float(mass[other >= 0].sum())
        return float(_by_bar(lifted, other).sum()) / weight if weight else 0.0

    own, bars = gain(plan), len(plan) // 2
    keys = [np.where(plan >= 0, plan // 12 * 12 + (plan + step) % 12, -1) for step in range(1, 12)]
    moves = sorted({round(step) for step in np.linspace(1, bars - 1, min(_MOST_MOVED, bars - 1)).tolist()})
    moved = [other for step in moves if ((other := np.roll(plan, 2 * step)) == plan).mean() < _SAME]
    over_keys = _advantage(own, [gain(other) for other in keys])
    over_moved = _advantage(own, [gain(other) for other in moved]) if moved else over_keys
    sounding = int(((mass[0::2] + mass[1::2]).sum(axis=1)[plan[0::2] >= 0] > 0).sum())
    over_next = own - max(gain(np.roll(plan, 2)), gain(np.roll(plan, -2)))
    return Agreement(own * sounding**0.5, over_moved, over_keys, over_next)


def measure_of(agreed: Agreement, weights: Sequence[float]) -> float:
    """One number for an agreement."""
    return float(np.dot((*agreed[:3], 1.0), weights))


def carried(score: Score, notes: NDArray[Any], labels: Sequence[Sequence[str]]) -> Carried:
    """Whether notes of a piece carry chords that are planned for its bars, and where they do not.

    A tune alone implies its chords: all of it together decides. A full texture states them: nearly every bar has to.
    """
    known = habits()
    mass, plan = masses(score, notes), planned(labels)
    if not (plan >= 0).any() or not mass[plan >= 0].any():
        return Carried(False, -np.inf, 0.0, tuple(range(score.bars)), False)
    agreed = agreement(mass, plan, known.lifts)
    measure, late = measure_of(agreed, known.weights), agreed.over_next < -_ROUNDING
    share, thin = share_of(mass, plan, known.lifts)
    kept = measure >= known.least and not late and (share >= known.full or not is_full(notes))
    return Carried(kept, measure, share, thin, late)


def share_of(mass: Floats, plan: NDArray[np.int64], lifts: Sequence[Sequence[float]]) -> tuple[float, tuple[int, ...]]:
    """The share of the bars that carry their chord, and the places of those that do not; silent bars do not count."""
    bars = _by_bar(_lifted(mass, lifts), plan)
    judged = np.flatnonzero((mass[0::2] + mass[1::2]).any(axis=1) & (plan[0::2] >= 0))
    thin = judged[bars[judged] < 0]
    return (1.0 - len(thin) / len(judged) if len(judged) else 0.0), tuple(thin.tolist())


def is_full(notes: NDArray[Any]) -> bool:
    """Whether so many notes sound at once that a piece states its chords."""
    if not len(notes):
        return False
    order = np.argsort(notes["onset"], kind="stable")
    onset, end = notes["onset"][order], (notes["onset"] + notes["duration"])[order]
    reach = np.maximum.accumulate(end)
    silent = np.maximum(onset[1:] - reach[:-1], 0).sum()
    covered = int(reach[-1] - onset[0] - silent)
    return float((end - onset).sum()) >= _FULL * covered
