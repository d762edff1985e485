"""Planters of faults between two lines: crossing, parallel fifths and octaves."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from libretto.tasks.spot.lines import LinePair, line_pairs
from libretto.tasks.spot.plant.fault import Planted, Soil, planters

__all__: list[str] = []

_RUN = 4  # parallel moves in a row: one or two may be chance


@planters.register("crossing")
def _crossing(soil: Soil) -> Planted | None:
    """One note moved by octaves to the other side of a line that its own never crosses (subtle: hardly ever)."""
    facts = soil.facts
    inner = set(soil.inner().tolist())
    often = 0.0 if soil.plain else 0.01
    pairs = [pair for pair in line_pairs(facts) if pair.crossings <= often * len(pair.upper)]
    for pair in soil.chance.sample(pairs, len(pairs)):
        order = soil.chance.sample(range(len(pair.upper)), len(pair.upper))
        for at in order:
            top, bottom = int(pair.upper[at]), int(pair.lower[at])
            for index, other, step in ((bottom, top, 12), (top, bottom, -12), (bottom, top, 24), (top, bottom, -24)):
                pitch = int(facts.pitch[index]) + step
                gap = (pitch - int(facts.pitch[other])) * np.sign(step)
                if index in inner and gap >= (3 if soil.plain else 1) and 3 <= pitch <= 124 and _holds(pair, at):
                    rival = soil.score.voices[int(facts.voice[other])].name
                    side = "above" if step > 0 else "below"
                    words = f"{soil.where(index)}: {soil.name(pitch)}, octaves off, crosses {side} {rival}"
                    return soil.repitched({index: pitch}, int(facts.bar[index]), words)
    return None


def _holds(pair: LinePair, at: int) -> bool:
    """Whether two notes sound together for at least a half of the longer."""
    return bool(pair.share[at] >= 0.5)


@planters.register("parallels")
def _parallels(soil: Soil) -> Planted | None:
    """Four parallel fifths or octaves in a row between two lines that otherwise keep apart."""
    facts = soil.facts
    pairs = [pair for pair in line_pairs(facts) if len(pair.moves) >= 24 and pair.parallel.mean() <= 0.02]
    for pair in soil.chance.sample(pairs, len(pairs)):
        starts = [
            s for s in range(len(pair.moves) - _RUN) if _runs(pair, s) and facts.bar[pair.upper[pair.moves[s]]] > 0
        ]
        for start in soil.chance.sample(starts, len(starts)):
            steps = [*pair.moves[start : start + _RUN].tolist(), int(pair.moves[start + _RUN - 1]) + 1]
            low = [int(facts.pitch[pair.lower[s]]) for s in steps]
            if any(a == b or abs(a - b) > 7 for a, b in pairwise(low)):
                continue
            high = [int(facts.pitch[pair.upper[s]]) for s in steps]
            size = soil.chance.choice((7, 12))
            gap = size + 12 * round((np.mean(high) - np.mean(low) - size) / 12)
            if gap < 7 or max(low) + gap > 120:
                continue
            changes = {int(pair.upper[s]): p + gap for s, p in zip(steps, low, strict=True)}
            name = "fifths" if size == 7 else "octaves"
            rival = soil.score.voices[int(facts.voice[pair.lower[steps[0]]])].name
            words = f"{soil.where(int(pair.upper[steps[0]]))}: parallel {name} with {rival}"
            return soil.repitched(changes, int(facts.bar[pair.upper[steps[0]]]), words)
    return None


def _runs(pair: LinePair, start: int) -> bool:
    """Whether so many moves follow each other without a gap."""
    run = pair.moves[start : start + _RUN]
    return len(run) == _RUN and bool((np.diff(run) == 1).all()) and bool(np.ptp(pair.time[run]) < 16 * 40320)
