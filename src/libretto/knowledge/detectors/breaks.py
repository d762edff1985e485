"""Fills, crashes and builds, and the ways in which a band breaks off and drops in again."""

from __future__ import annotations

import numpy as np

from libretto.knowledge.detectors.grooves import four_beats, slots_of, struck
from libretto.knowledge.detectors.idioms import figures
from libretto.knowledge.detectors.layers import active_parts
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import runs
from libretto.knowledge.sight import Sight, Sighting, shared
from libretto.score.table import Bools, Ints
from libretto.score.time import QUARTER

__all__ = ["breakdown", "crash_start", "drop", "drum_fill", "fill_bars", "snare_build", "stop_time", "tacet"]

_DRY = (37, 65, 66)  # side stick and timbales
_LONGEST_BUILD = 8  # bars of a build that are shown
_SHORT = 0.55  # of a bar that the strokes of a stop fill at the most
_BACK = 0.7  # of the parts that played before a break come back at the least

_HALF = 8


@shared
def fill_bars(sight: Sight) -> Bools:
    """Bars whose second half has far more snare and toms than the three bars before, with a downbeat to follow."""
    kit = struck(sight, "snare") | struck(sight, "tom")
    late = kit[:, _HALF:].sum(axis=1)
    usual = np.zeros(sight.bars)
    for back in (1, 2, 3):
        usual[back:] = np.maximum(usual[back:], late[:-back])
    groove = np.asarray(struck(sight, "any").any(axis=1))
    after = np.zeros(sight.bars, dtype=np.bool_)
    down = struck(sight, "kick")[:, 0] | struck(sight, "crash")[:, 0]
    after[:-1] = down[1:]
    before = np.zeros(sight.bars, dtype=np.bool_)
    before[2:] = groove[1:-1] & groove[:-2]
    return np.asarray((late >= 4) & (late >= usual + 2) & after & before & four_beats(sight))


@detectors.register("drum_fill")
def drum_fill(sight: Sight, apart: int = 4, toms: int = 0, sides: int = 0) -> list[Sighting]:
    """Fills that lead into a downbeat, each at least ``apart`` bars of groove after the last one or the start.

    ``toms`` and ``sides`` ask for so many strokes on toms or on side stick and timbales in the filled bar.
    """
    tom = struck(sight, "tom").sum(axis=1)
    drums = sight.drums
    dry = drums.of(*_DRY)
    side = slots_of(sight, drums.onset[dry], drums.bar[dry]).sum(axis=1)
    sightings, last = [], -1
    for bar in np.flatnonzero(fill_bars(sight)).tolist():
        if bar - last >= apart and tom[bar] >= toms and side[bar] >= sides:
            sightings.append(sight.at(bar, bar))
        last = bar
    return sightings


@detectors.register("crash_start")
def crash_start(sight: Sight, rest: int = 4) -> list[Sighting]:
    """A crash on the one with the kick, none in the bars before, where a fill led in or the parts that play change."""
    crash = struck(sight, "crash")
    any_crash, one = np.asarray(crash.any(axis=1)), crash[:, 0] & struck(sight, "kick")[:, 0]
    fresh = np.ones(sight.bars, dtype=np.bool_)
    for back in range(1, rest + 1):
        fresh[back:] &= ~any_crash[:-back]
    fresh[:rest] = False
    changed = np.zeros(sight.bars, dtype=np.bool_)
    changed[1:] = fill_bars(sight)[:-1]
    active = _active(sight)
    changed[1:] |= (active[:, 1:] != active[:, :-1]).sum(axis=0) >= 2
    return [sight.at(bar, bar) for bar in np.flatnonzero(one & fresh & changed).tolist()]


def _active(sight: Sight) -> Bools:
    """Which pitched parts strike in each bar: one row a part."""
    rows = [np.bincount(line.bar, minlength=sight.bars) > 0 for line in sight.lines]
    return np.array(rows) if rows else np.zeros((1, sight.bars), dtype=np.bool_)


@detectors.register("snare_build")
def snare_build(sight: Sight, bars: int = 2, last: int = 12) -> list[Sighting]:
    """Snare or clap strokes that grow from bar to bar, at least twofold over the stretch, to ``last`` a bar or more."""
    drums = sight.drums
    mine = drums.kind("snare")
    count = np.bincount(drums.bar[mine], minlength=sight.bars)
    sightings = []
    for end in np.flatnonzero(count >= last).tolist():
        first = end
        while first > 0 and 0 < count[first - 1] <= count[first]:
            first -= 1
        if (
            end - first + 1 >= bars
            and count[first] * 2 <= count[end]
            and (end + 1 >= sight.bars or count[end + 1] < count[end])
        ):
            sightings.append(sight.at(max(first, end + 1 - _LONGEST_BUILD), end))
    return sightings


@detectors.register("drop")
def drop(sight: Sight, bars: int = 2, more: int = 2, floor: bool = True) -> list[Sighting]:
    """Bars without bass drum, then, on one downbeat, kick and bass and more parts than before, for several bars.

    With ``floor`` the bass drum comes back on every beat.
    """
    kick = struck(sight, "kick")
    bass = np.bincount(sight.bass.bar, minlength=sight.bars) > 0
    full = (kick[:, ::4].all(axis=1) if floor else kick.sum(axis=1) >= 2) & kick[:, 0] & bass
    empty = ~kick[:, :8].any(axis=1) & (active_parts(sight).sum(axis=0) > 0)
    count, sightings = active_parts(sight).sum(axis=0), []
    for first, last in runs(np.asarray(full), bars):
        if first >= bars and empty[first - bars : first].all() and count[first] - count[first - bars] >= more:
            sightings.append(sight.at(first, last))
    return sightings


@detectors.register("stop_time")
def stop_time(sight: Sight, bars: int = 2, parts: int = 2, tune: int = 3, hits: int = 2) -> list[Sighting]:
    """Bars in which the band strikes together once or twice, then rests, while a single part plays on."""
    shown = [figure for figure in figures(sight) if figure.count.any()]
    if len(shown) < parts + 1:
        return []
    count = np.array([figure.count for figure in shown])
    span = np.array([figure.length for figure in shown]) * count * QUARTER / sight.bar_length
    slots = np.array([figure.slots for figure in shown])
    few = (count > 0) & (count <= hits) & (span <= _SHORT)
    together = (slots & few[:, :, None]).sum(axis=0).max(axis=1) >= parts
    one = (count >= tune).sum(axis=0) == 1
    rest = ((count == 0) | few | (count >= tune)).all(axis=0)
    good = one & rest & together & (struck(sight, "any").sum(axis=1) <= hits + 1)
    return sight.spans(np.asarray(good), least=bars)


@detectors.register("tacet")
def tacet(sight: Sight, what: str = "drums", most: int = 2, around: int = 2, fewest: int = 1) -> list[Sighting]:
    """At most so many bars in which the drums (or the bass, or all parts but one) rest between bars that they play."""
    active = active_parts(sight)
    if what == "drums":
        mine = active[-1]
    elif what == "bass":
        mine = np.bincount(sight.bass.bar, minlength=sight.bars) > 0
    else:
        mine = active.sum(axis=0) > 1
        full = active.sum(axis=0) >= 4
    sightings = []
    for first, last in runs(np.asarray(~mine), 1):
        near = slice(max(first - around, 0), first), slice(last + 1, last + 1 + around)
        whole = first >= around and last + around < sight.bars and last - first < most
        if not whole or not (mine[near[0]].all() and mine[near[1]].all()):
            continue
        if (active[:, first : last + 1].sum(axis=0) >= fewest).all() and (
            what in ("drums", "bass") or (full[near[0]].all() and full[near[1]].all())
        ):
            sightings.append(sight.at(first, last))
    return sightings


@detectors.register("breakdown")
def breakdown(sight: Sight, shortest: int = 2, most: int = 16, left: float = 0.6, kick: bool = False) -> list[Sighting]:
    """A stretch in which at most ``left`` of the parts go on and the bass drum rests, and then the band is back.

    With ``kick`` the bass drum may go on and the drums must play.
    """
    count = active_parts(sight).sum(axis=0)
    beat = np.asarray(struck(sight, "kick").any(axis=1))
    sightings = []
    for first, last in runs(np.asarray(beat if kick else ~beat), shortest):
        for start, end in runs(np.asarray(count[first : last + 1] <= left * _usual(count, first, shortest)), shortest):
            one, other = first + start, first + end
            after = count[other + 1 : other + 1 + shortest]
            if one < shortest or len(after) < shortest or other - one >= most or not count[one : other + 1].all():
                continue
            full = count[one - shortest : one].min()
            if (
                full >= 4
                and after.min() >= _BACK * full
                and beat[one - shortest : one].all()
                and beat[other + 1 : other + 1 + shortest].all()
            ):
                sightings.append(sight.at(one, other))
    return sightings


def _usual(count: Ints, first: int, bars: int) -> float:
    """How many parts played in the bars before."""
    return float(count[max(first - bars, 0) : first].mean()) if first else 0.0
