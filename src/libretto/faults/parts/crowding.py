"""Voices that crowd one register: close intervals between different players so low that they blur.

Conventions: two notes of different voices crowd while both sound and lie nearer than is usually written so low: a
second below middle C, a third below C3, a fourth below Bb2. Voices that double each other do not: where one has the
other's note as well, the pair does not count. A stretch is four bars; the time of such pairs in it, in lengths of a bar
and by the voices that play there, is its weight. What is remarked upon is weightier than nearly every real song is at
its weightiest: the level is a quantile of what songs of the corpus score at their worst stretch
(``lab.parts.crowding`` measures it, the numbers are in ``crowding.json``). Bars are taken as they are written, each
once, so that a remark names what stands on the page.

Left out: percussion, voices against themselves, and whether it was meant: this is advice, not a gate.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import lru_cache
from pkgutil import get_data
from typing import Any

import numpy as np

from libretto.score.bar_lists import spans_of_bars
from libretto.score.facts import Facts
from libretto.score.model import Score
from libretto.score.pitch import HIGHEST
from libretto.score.table import Floats, Ints

__all__ = ["QUANTILE", "Crowd", "crowding_level", "crowds", "heaviest"]

#: The share of real songs in which nothing is so crowded as what is remarked upon.
QUANTILE = 0.95
#: Intervals in semitones, and the pitch below which the lower of two notes so near is muddy: what books of arranging
#: call low interval limits, with seconds counted up to middle C, where two players still get in each other's way.
_LIMITS = {1: 60, 2: 60, 3: 48, 4: 48, 5: 46}
_STRETCH = 4  # bars: a phrase; one crowded chord is none
_MOST = 4  # remarks at once
_MOST_VOICES = 3  # named in one


@dataclass(frozen=True)
class Crowd:
    """A stretch of bars in which voices crowd each other: its bars by number, and who."""

    first: int
    last: int
    voices: tuple[str, ...]

    @property
    def line(self) -> str:
        """The same for a musician, with what to do."""
        bars = f"bar {self.first}" if self.first == self.last else f"bars {self.first}-{self.last}"
        who = " and ".join([", ".join(self.voices[:-1]), self.voices[-1]])
        return (
            f"{bars}: {who} crowd each other low down, close together and at the same time; give one of them "
            "another register, or let it rest"
        )

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        return asdict(self)


def _pairs(facts: Facts) -> tuple[Floats, dict[tuple[int, int], Floats]]:
    """How much is crowded in each bar, in its length and by who plays in it; in all and for each pair of voices."""
    first, second, together = facts.pairs
    one, other = facts.pitch[first], facts.pitch[second]
    apart, voices = np.abs(one - other), (facts.voice[first], facts.voice[second])
    limit = np.array([_LIMITS.get(step, 0) for step in range(HIGHEST + 1)])[apart]
    double = _doubled(facts)
    shared = np.isin(first * facts.voices + voices[1], double) | np.isin(second * facts.voices + voices[0], double)
    near = (voices[0] != voices[1]) & (np.minimum(one, other) < limit) & ~shared
    low, high = np.minimum(*voices)[near], np.maximum(*voices)[near]
    begin = np.maximum(facts.onset[first], facts.onset[second])[near]
    weight = _by_bar(facts, begin, begin + together[near])
    pairs = sorted(set(zip(low.tolist(), high.tolist(), strict=True)))
    by_pair = {pair: weight(np.flatnonzero((low == pair[0]) & (high == pair[1]))) for pair in pairs}
    return sum(by_pair.values(), np.zeros(facts.bars)), by_pair


def _by_bar(facts: Facts, begin: Ints, end: Ints) -> Callable[[Ints], Floats]:
    """What some of those spans of ticks come to in each bar, in its length and by the voices that play in it.

    A span counts in the bar in which it begins and in as many after it as a stretch has.
    """
    lines = np.asarray(facts.score.bar_lines, dtype=np.int64)
    started = np.unique(facts.bar * facts.voices + facts.voice) // max(facts.voices, 1)
    playing = np.maximum(np.bincount(started, minlength=facts.bars), 2)
    first = np.searchsorted(lines, begin, side="right") - 1

    def weight(mine: Ints) -> Floats:
        total = np.zeros(facts.bars)
        for later in range(_STRETCH):
            bar = first[mine] + later
            inside, bar = bar < facts.bars, np.minimum(bar, facts.bars - 1)
            ticks = np.minimum(end[mine], lines[bar + 1]) - np.maximum(begin[mine], lines[bar])
            part = np.where(inside, np.maximum(ticks, 0), 0) / np.diff(lines)[bar] / playing[bar]
            total += np.bincount(bar, part, minlength=facts.bars)
        return total

    return weight


def _doubled(facts: Facts) -> Ints:
    """Which note has its own pitch in which other voice while it sounds: note times voices plus voice."""
    note, other, _ = facts.both_ways
    same = (facts.pitch[note] == facts.pitch[other]) & (facts.voice[note] != facts.voice[other])
    return np.unique(note[same] * facts.voices + facts.voice[other[same]])


def _stretches(weight: Floats) -> Floats:
    """The mean weight of every stretch, by its first bar."""
    size = min(_STRETCH, max(len(weight), 1))
    return np.convolve(weight, np.full(size, 1 / size), mode="valid") if len(weight) else np.zeros(1)


def heaviest(score: Score) -> float:
    """How crowded a piece is where it is most so."""
    facts = Facts(score)
    return float(_stretches(_pairs(facts)[0]).max()) if facts.count else 0.0


@lru_cache(maxsize=1)
def _measured() -> dict[str, Any]:
    text = (get_data("libretto.faults.parts", "crowding.json") or b"").decode()
    data: dict[str, Any] = json.loads(text)
    return data


def crowding_level(genre: str = "") -> float:
    """From where on a stretch is remarked upon: in songs of a genre, or in all where there were too few."""
    levels: dict[str, float] = _measured()["level"]
    return levels.get(genre, levels[""])


def crowds(score: Score, genre: str = "") -> tuple[Crowd, ...]:
    """The stretches in which voices crowd one register more than nearly any real song does, the weightiest first."""
    facts = Facts(score)
    if not facts.count:
        return ()
    total, by_pair = _pairs(facts)
    heavy = np.flatnonzero(_stretches(total) > crowding_level(genre))
    size = min(_STRETCH, facts.bars)
    bars = {bar for start in heavy.tolist() for bar in range(start, start + size) if total[bar] > 0}
    remarks = []
    for first, last in spans_of_bars(bars):
        here = slice(first, last + 1)
        shares: dict[int, float] = {}
        for pair, weight in by_pair.items():
            for voice in pair:
                shares[voice] = shares.get(voice, 0.0) + float(weight[here].sum())
        worst = sorted(shares, key=lambda voice: (-shares[voice], voice))
        most = shares[worst[0]]
        named = [voice for voice in worst[:_MOST_VOICES] if shares[voice] * 2 >= most]
        names = tuple(facts.score.voices[voice].name for voice in sorted(named if len(named) > 1 else worst[:2]))
        numbers = facts.score.numbers
        remarks.append((float(total[here].mean()), Crowd(numbers[first], numbers[last], names)))
    return tuple(crowd for _, crowd in sorted(remarks, key=lambda row: (-row[0], row[1].first))[:_MOST])
