"""Loudness as numbers: whether how hard notes are played follows anything: line, beat, phrase, what was played before.

Conventions: a part in which every note is as loud as any other has no phrasing to measure; how many such parts there
are is a number of its own.
"""

from __future__ import annotations

import numpy as np

from libretto.merit.heard import PITCHES, SIXTEENTH, SLOTS, Heard, Line, mean_of
from libretto.merit.melody import told
from libretto.score.table import Floats, Ints, distinct

__all__ = ["dynamics_of", "explained", "rough_bars"]

_FLAT = 1.0  # a spread of velocities below this is no dynamics
_FEWEST = 8  # notes


def explained(values: Floats, kind: Ints) -> float:
    """The share of the differences among values that their kind explains; kinds that stand alone are left out.

    Chance is taken off, so that random values give about 0 however many kinds there are.
    """
    _, where, many = np.unique(kind, return_inverse=True, return_counts=True)
    several = many[where] > 1
    values, where = values[several], where[several]
    if len(values) < _FEWEST or values.std() < _FLAT:
        return float("nan")
    means = np.bincount(where, values, minlength=len(many)) / np.maximum(many, 1)
    kinds = int((many > 1).sum())
    inside = float(((values - means[where]) ** 2).sum()) / max(len(values) - kinds, 1)
    return 1 - inside / float(values.var() * len(values) / (len(values) - 1))


def dynamics_of(heard: Heard) -> dict[str, float]:
    """Every number about loudness."""
    numbers = told(heard, [_of_line(heard, line) for line in heard.lines], "loud_")
    facts = heard.facts
    velocity = heard.velocity.astype(np.float64)
    if facts.count:
        voices = distinct(facts.voice)
        flat = [velocity[facts.voice == voice].std() < _FLAT for voice in voices.tolist()]
        numbers["loud_flat_parts"] = mean_of(np.array(flat, dtype=np.bool_))
        numbers["loud_spread"] = float(velocity.std())
        kinds = distinct(facts.voice * PITCHES + heard.velocity)
        numbers["loud_kinds"] = float(np.log2(len(kinds) / len(voices)))
        place = (facts.voice * SLOTS + np.clip(facts.slot, 0, SLOTS - 1)) * PITCHES + facts.pitch
        numbers["loud_as_before"] = explained(_centred(velocity, facts.voice), place)
        numbers["loud_chords"] = explained(_centred(velocity, facts.voice), facts.onset * SLOTS + facts.voice)
    kit = facts.kit
    if len(kit):
        loud = kit["velocity"].astype(np.float64)
        slot = np.rint(kit["position"] / SIXTEENTH).astype(np.int64)
        key = kit["pitch"].astype(np.int64)
        numbers["loud_drum_spread"] = float(loud.std())
        numbers["loud_drum_keys"] = explained(loud, key)
        numbers["loud_drum_places"] = explained(_centred(loud, key), key * SLOTS + np.clip(slot, 0, SLOTS - 1))
    return numbers


def _centred(values: Floats, kind: Ints) -> Floats:
    """Values without the mean of their kind."""
    _, where, many = np.unique(kind, return_inverse=True, return_counts=True)
    return np.asarray(values - (np.bincount(where, values) / many)[where])


def _of_line(heard: Heard, line: Line) -> dict[str, float]:
    loud = line.velocity.astype(np.float64)
    spread = float(loud.std())
    if spread < _FLAT:
        names = ("spread", "next", "two", "places", "beats", "height", "jumps", "bars")
        return dict.fromkeys(names, float("nan"))
    strength = heard.strength_of(line.bar, line.onset - np.asarray(heard.score.bar_lines)[line.bar])
    centred = (loud - loud.mean()) / spread
    height = line.pitch - line.pitch.mean()
    return {
        "spread": spread,
        "next": float((centred[1:] * centred[:-1]).mean()),
        "two": float((centred[2:] * centred[:-2]).mean()),
        "places": explained(loud, np.clip(line.slot, 0, SLOTS - 1)),
        "beats": float((centred * (strength - strength.mean())).mean()),
        "height": float((centred * height).mean() / max(float(height.std()), 1.0)),
        "jumps": float(np.abs(np.diff(loud)).mean()),
        "bars": explained(loud, line.bar),
    }


def rough_bars(line: Line, bars: int) -> Floats:
    """How much the loudness of a line jumps from note to note in each bar."""
    jump = np.abs(line.velocity[1:].astype(np.float64) - line.velocity[:-1])
    count = np.bincount(line.bar[1:], minlength=bars)
    return np.asarray(np.bincount(line.bar[1:], jump, minlength=bars) / np.maximum(count, 1))
