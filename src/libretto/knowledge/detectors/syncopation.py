"""Against the beat: notes held across it, silence on it, weight away from it, phrases that begin off it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.knowledge.detectors.phrases import rest_phrases
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.detectors.rhythm_cells import SLACK, bars_in, lengths, parts
from libretto.knowledge.line import LOOSE, VoiceLine
from libretto.knowledge.sight import Sight, Sighting
from libretto.score.table import Bools
from libretto.score.time import QUARTER

__all__ = [
    "held_over",
    "off_beat_bars",
    "off_beat_entries",
    "phrase_beginnings",
    "pickup",
    "silent_beats",
    "weighted_beats",
]

_LOUDER_THAN_ALL = 999.0  # stands for the velocity of a bar without such notes


def _off(line: VoiceLine) -> Bools:
    """Which notes stand between the beats."""
    late = line.position % line.beat
    return np.asarray(np.minimum(late, line.beat - late) > SLACK)


@detectors.register("held_over")
def held_over(
    sight: Sight,
    least_before: float = 0.0,
    before: float = 0.5,
    hold: float = 0.5,
    across: str = "bar",
    where: str = "any",
) -> list[Sighting]:
    """A note struck at most ``before`` quarters ahead of a bar line (or beat, or half bar) sounds on over it."""
    sightings = []
    for line in parts(sight, where):
        length = sight.bar_length[line.bar]
        span = {"bar": length, "half": length // 2, "beat": line.beat}[across]
        left = span - line.position % span
        rings = np.minimum(lengths(line), line.duration)
        ahead = (left <= before * QUARTER + SLACK) & (left >= max(least_before * QUARTER - SLACK, 2 * SLACK))
        good = ahead & (rings >= left + hold * QUARTER - SLACK)
        bars = line.bar[good]
        last = np.minimum(bars + (1 if across == "bar" else 0), sight.bars - 1)
        sightings += [sight.at(a, b, line.voice) for a, b in zip(bars.tolist(), last.tolist(), strict=True)]
    return sightings


@detectors.register("off_beat_bars")
def off_beat_bars(sight: Sight, notes: int = 2, bars: int = 2, half: bool = True, where: str = "any") -> list[Sighting]:
    """Whole bars in which a voice strikes between the beats only (``half``: midway) and is silent on the beats."""
    sightings = []
    for line in parts(sight, where):
        off = _off(line)
        if half:
            off &= np.abs(line.position % line.beat - line.beat // 2) <= SLACK
        left = line.beat - line.position % line.beat
        good = off & (line.duration <= left + SLACK)
        count = np.bincount(line.bar, minlength=sight.bars)
        mine = np.bincount(line.bar, good, minlength=sight.bars)
        shown = (count >= notes) & (mine == count)
        sightings += sight.spans(shown, line.voice, least=bars)
    return sightings


@detectors.register("off_beat_entries")
def off_beat_entries(
    sight: Sight, rest: float = 0.5, part: float = 0.6, least_entries: int = 3, where: str = "melody"
) -> list[Sighting]:
    """Most phrases of a voice come in between the beats, after a rest that covers the beat."""
    sightings = []
    for line in parts(sight, where):
        silent = line.onset[1:] - (line.onset + line.duration)[:-1]
        begins = np.flatnonzero(silent >= rest * QUARTER - SLACK) + 1
        if line.position[0] > 0:
            begins = np.append(0, begins)
        off = _off(line)[begins] & (line.position[begins] < sight.bar_length[line.bar[begins]] - line.beat[begins])
        if off.sum() >= least_entries and off.mean() >= part:
            sightings += sight.spans(line.bar[begins[off]], line.voice, join=0)
    return sightings


@detectors.register("silent_beats")
def silent_beats(
    sight: Sight,
    places: Sequence[float] = (0,),
    bars: int = 2,
    rest: float = 0.5,
    meters: Sequence[str] = (),
    where: str = "any",
) -> list[Sighting]:
    """Bars in which a voice rests on the named places (in quarters) and plays at least two notes elsewhere."""
    sightings, allowed = [], bars_in(sight, meters)
    for line in parts(sight, where):
        count = np.bincount(line.bar, minlength=sight.bars)
        shown = (count >= 2) & allowed
        ends = np.maximum.accumulate(line.onset + line.duration)
        for place in places:
            at = sight.lines_at[:-1] + int(place * QUARTER)
            before = np.searchsorted(line.onset, at - SLACK) - 1
            quiet = np.where(before >= 0, ends[np.maximum(before, 0)] <= at + SLACK, True)
            following = np.minimum(before + 1, len(line) - 1)
            after = (line.onset[following] >= at + rest * QUARTER - SLACK) | (before + 1 >= len(line))
            shown &= quiet & after
        sightings += sight.spans(shown, line.voice, least=bars)
    return sightings


@detectors.register("weighted_beats")
def weighted_beats(
    sight: Sight, on: str = "beats", more: int = 10, bars: int = 2, meters: Sequence[str] = (), where: str = "any"
) -> list[Sighting]:
    """Notes on the ``beats``, ``off`` the beats or on the ``back`` beats (two and four) are clearly the louder.

    Every bar must have both kinds, and the softest of the louder kind must still be above the loudest of the other.
    """
    sightings, allowed = [], bars_in(sight, meters)
    for line in parts(sight, where):
        off = _off(line)
        number = (line.position + SLACK) // line.beat
        heavy = {"beats": ~off, "off": off, "back": ~off & (number % 2 == 1)}[on]
        light = ~off & (number % 2 == 0) if on == "back" else ~heavy
        soft, loud = np.full(sight.bars, _LOUDER_THAN_ALL), np.full(sight.bars, _LOUDER_THAN_ALL)
        np.minimum.at(soft, line.bar[heavy], line.velocity[heavy])
        top = np.zeros(sight.bars)
        np.maximum.at(top, line.bar[light], line.velocity[light])
        loud = np.where(top > 0, top, _LOUDER_THAN_ALL)
        wanted = sight.bar_length // sight.beat // 2 if on == "back" else 2
        many = np.bincount(line.bar[heavy], minlength=sight.bars) >= wanted
        shown = (soft < _LOUDER_THAN_ALL) & (soft >= loud + more) & many & allowed
        sightings += sight.spans(shown, line.voice, least=bars)
    return sightings


@detectors.register("pickup")
def pickup(sight: Sight, most: float = 0.5, least_phrases: int = 2) -> list[Sighting]:
    """The music begins before its first full bar, and later phrases begin with such an upbeat too."""
    sightings = []
    for line in parts(sight, "melody"):
        silent = line.onset[1:] - (line.onset + line.duration)[:-1]
        begins = np.append(0, np.flatnonzero(silent >= QUARTER // 2 - SLACK) + 1)
        length = sight.bar_length[line.bar[begins]]
        left = length - line.position[begins]
        short_bar = (line.bar[begins] == 0) & (sight.score.first_bar == 0)
        up = short_bar | ((left <= most * length + SLACK) & (left > SLACK))
        beat_one = sight.lines_at[np.minimum(line.bar[begins] + 1, sight.bars)]
        following = np.minimum(np.searchsorted(line.onset, beat_one - SLACK), len(line) - 1)
        down = np.abs(line.onset[following] - beat_one) <= SLACK
        up &= down
        if up[0] and up.sum() >= least_phrases and up.mean() >= 0.5:
            sightings += sight.spans(line.bar[begins[up]], line.voice, join=0)
    return sightings


@detectors.register("phrase_beginnings")
def phrase_beginnings(sight: Sight, how: str = "off the beat", ratio: float = 0.6, phrases_: int = 2) -> list[Sighting]:
    """Phrases of the tune that mostly begin ``off the beat``, or with a ``pick-up``: one to four notes within the last
    two beats of a bar that lead onto the next downbeat."""
    line, top = sight.melody, sight.melody.top
    first, last = rest_phrases(line)
    real = last - first >= 2
    first, last = first[real], last[real]
    place = sight.places(top.bar, top.position)
    if how == "off the beat":
        good = place[first] < 0
    else:
        left = sight.lines_at[top.bar[first] + 1] - top.onset[first]
        near = (left > LOOSE) & (left <= 2 * top.beat[first] + LOOSE) & (left < sight.bar_length[top.bar[first]])
        down = np.searchsorted(top.onset, sight.lines_at[top.bar[first] + 1] - LOOSE)
        at = np.minimum(down, len(top) - 1)
        lands = np.abs(top.onset[at] - sight.lines_at[top.bar[first] + 1]) <= LOOSE
        good = near & lands & (down - first <= 4) & (down <= last)
    if good.sum() < phrases_ or good.mean() < ratio:
        return []
    return sight.spans(top.bar[first[good]], line.voice)
