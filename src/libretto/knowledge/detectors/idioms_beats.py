"""Idioms of the beat: arpeggios, vamps, the One, and the ways in which a band breaks off and drops in again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from libretto.knowledge.detectors.drum_grooves import SLOTS, runs, slots_of, struck
from libretto.knowledge.detectors.idioms_electric import figures
from libretto.knowledge.detectors.layers import active_parts, sight_runs
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Bools, Ints
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = ["arpeggio", "bass_holes", "breakdown", "chord_vamp", "drop", "on_the_one", "stop_time", "tacet"]

_OFF = [slot for slot in range(SLOTS) if slot % 4]


@detectors.register("synth_arpeggio")
def arpeggio(
    sight: Sight,
    count: Sequence[int] = (12, 16),
    programs: Sequence[Sequence[int]] | None = None,
    bars: int = 2,
    steps: float = 0.3,
    low: float = 40,
) -> list[Sighting]:
    """Even single notes of three to five tones that leap through a chord, hardly by step, for several bars."""
    found = []
    for figure in figures(sight):
        line = figure.line
        if programs is not None and not any(first <= line.program <= last for first, last in programs):
            continue
        top = line.top
        move = np.abs(np.diff(top.pitch))
        step = np.bincount(top.bar[1:][move <= 2], minlength=sight.bars)
        tones = np.bincount(np.unique(top.bar * 12 + top.pitch % 12) // 12, minlength=sight.bars)
        good = (figure.count >= count[0]) & (figure.count <= count[1]) & (figure.size <= 1.2) & (figure.pitch >= low)
        good &= (step <= steps * figure.count) & (tones >= 3) & (tones <= 5)
        found += [Sighting(sight.number(a), sight.number(b), line.voice) for a, b in runs(np.asarray(good), bars)]
    return found


@detectors.register("chord_vamp")
def chord_vamp(sight: Sight, tones: Sequence[int], bars: int = 4, lacks: Sequence[int] = ()) -> list[Sighting]:
    """Bars over one bass root in which all of these semitones above it sound, and none of those: a vamp on one chord.

    The root is the tone that the bass strikes most in the bar, the same in every bar of the stretch.
    """
    notes, bass = sight.notes, sight.bass
    if not len(notes):
        return []
    share = np.bincount(bass.bar * 12 + bass.pitch % 12, minlength=sight.bars * 12).reshape(-1, 12)
    first = bass.low
    begin = np.flatnonzero(np.diff(first.bar, prepend=-1))
    share[first.bar[begin], first.pitch[begin] % 12] += 2
    root = share.argmax(axis=1)
    heard = np.bincount(
        notes.bar * 12 + (notes.pitch - root[notes.bar]) % 12, notes.duration, minlength=sight.bars * 12
    )
    heard = heard.reshape(-1, 12) / np.maximum(heard.reshape(-1, 12).sum(axis=1, keepdims=True), 1)
    good: Bools = (share.sum(axis=1) > 0) & (heard[:, list(tones)] > 0.02).all(axis=1)
    good &= (heard[:, list(lacks)] < 0.03).all(axis=1)
    same = np.concatenate(([False], root[1:] == root[:-1]))
    found = []
    for begin_bar, end in runs(good, 2):
        cuts = [begin_bar, *(bar for bar in range(begin_bar + 1, end + 1) if not same[bar]), end + 1]
        for one, other in pairwise(cuts):
            if other - one >= bars:
                found.append(Sighting(sight.number(one), sight.number(other - 1)))
    return found


@detectors.register("drop")
def drop(sight: Sight, bars: int = 2, more: int = 2, floor: bool = True) -> list[Sighting]:
    """Bars without bass drum, then, on one downbeat, kick and bass and more parts than before, for several bars.

    With ``floor`` the bass drum comes back on every beat.
    """
    kick = struck(sight, "kick")
    bass = np.bincount(sight.bass.bar, minlength=sight.bars) > 0
    full = (kick[:, ::4].all(axis=1) if floor else kick.sum(axis=1) >= 2) & kick[:, 0] & bass
    empty = ~kick[:, :8].any(axis=1) & (active_parts(sight).sum(axis=0) > 0)
    count, found = active_parts(sight).sum(axis=0), []
    for first, last in runs(np.asarray(full), bars):
        if first >= bars and empty[first - bars : first].all() and count[first] - count[first - bars] >= more:
            found.append(Sighting(sight.number(first), sight.number(last)))
    return found


@detectors.register("on_the_one")
def on_the_one(sight: Sight, bars: int = 4, off: int = 2) -> list[Sighting]:
    """Bass and bass drum strike the one together, and after it the bass plays mostly off the beat."""
    low = sight.bass.low
    if not len(low):
        return []
    slots, kick = slots_of(sight, low.onset, low.bar), struck(sight, "kick")
    beats = slots[:, [4, 8, 12]].sum(axis=1)
    between = slots[:, _OFF].sum(axis=1)
    sixteenths = slots[:, 1::2].sum(axis=1)
    good = slots[:, 0] & kick[:, 0] & (beats <= 1) & (between >= off) & (sixteenths >= 1)
    return sight_runs(sight, np.asarray(good), bars)


@detectors.register("bass_holes")
def bass_holes(sight: Sight, bars: int = 4, silence: float = 0.3, tones: int = 2) -> list[Sighting]:
    """A bass of several different short notes that leaves beats empty, so that much of each bar is silent."""
    for figure in figures(sight):
        if figure.line is not sight.bass:
            continue
        line = figure.line
        sound = np.bincount(line.low.bar, line.low.duration, minlength=sight.bars) / sight.bar_length
        pitches = np.bincount(np.unique(line.bar * 128 + line.pitch) // 128, minlength=sight.bars)
        rest = figure.slots[:, ::4].sum(axis=1) <= 3
        good = (figure.count >= 3) & (figure.count <= 9) & (sound <= 1 - silence) & (pitches >= tones) & rest
        good &= figure.length <= 0.9
        return sight_runs(sight, np.asarray(good & (sight.bar_length == 4 * QUARTER)), bars)
    return []


@detectors.register("stop_time")
def stop_time(sight: Sight, bars: int = 2, parts: int = 2, tune: int = 3, hits: int = 2) -> list[Sighting]:
    """Bars in which the band strikes together once or twice, then rests, while a single part plays on."""
    shown = [figure for figure in figures(sight) if figure.count.any()]
    if len(shown) < parts + 1:
        return []
    count = np.array([figure.count for figure in shown])
    span = np.array([figure.length for figure in shown]) * count * QUARTER / sight.bar_length
    slots = np.array([figure.slots for figure in shown])
    few = (count > 0) & (count <= hits) & (span <= 0.55)
    together = (slots & few[:, :, None]).sum(axis=0).max(axis=1) >= parts
    one = (count >= tune).sum(axis=0) == 1
    rest = ((count == 0) | few | (count >= tune)).all(axis=0)
    good = one & rest & together & (struck(sight, "any").sum(axis=1) <= hits + 1)
    return sight_runs(sight, np.asarray(good), bars)


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
    found = []
    for first, last in runs(np.asarray(~mine), 1):
        near = slice(max(first - around, 0), first), slice(last + 1, last + 1 + around)
        whole = first >= around and last + around < sight.bars and last - first < most
        if not whole or not (mine[near[0]].all() and mine[near[1]].all()):
            continue
        if (active[:, first : last + 1].sum(axis=0) >= fewest).all() and (
            what in ("drums", "bass") or (full[near[0]].all() and full[near[1]].all())
        ):
            found.append(Sighting(sight.number(first), sight.number(last)))
    return found


@detectors.register("breakdown")
def breakdown(sight: Sight, shortest: int = 2, most: int = 16, left: float = 0.6, kick: bool = False) -> list[Sighting]:
    """A stretch in which at most ``left`` of the parts go on and the bass drum rests, and then the band is back.

    With ``kick`` the bass drum may go on and the drums must play.
    """
    count = active_parts(sight).sum(axis=0)
    beat = np.asarray(struck(sight, "kick").any(axis=1))
    found = []
    for first, last in runs(np.asarray(beat if kick else ~beat), shortest):
        for start, end in runs(np.asarray(count[first : last + 1] <= left * _usual(count, first, shortest)), shortest):
            one, other = first + start, first + end
            after = count[other + 1 : other + 1 + shortest]
            if one < shortest or len(after) < shortest or other - one >= most or not count[one : other + 1].all():
                continue
            full = count[one - shortest : one].min()
            if (
                full >= 4
                and after.min() >= 0.7 * full
                and beat[one - shortest : one].all()
                and beat[other + 1 : other + 1 + shortest].all()
            ):
                found.append(Sighting(sight.number(one), sight.number(other)))
    return found


def _usual(count: Ints, first: int, bars: int) -> float:
    """How many parts played in the bars before."""
    return float(count[max(first - bars, 0) : first].mean()) if first else 0.0
