"""Textures: how many notes sound together, how they are spaced, doubled, held and alternated, and how the outer
ones move against each other.

Conventions: an *onset* is what is struck together; what *sounds* at an onset includes what is still held. A texture
is judged bar by bar and counts where it lasts several bars. Consonances are unisons, thirds, fifths, sixths, octaves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from libretto.knowledge.detectors.contour import phrases
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.detectors.spacing import chords_of
from libretto.knowledge.line import FIFTH, FOURTH, LOOSE, PITCHES, VoiceLine
from libretto.knowledge.sight import Sight, Sighting, shared
from libretto.score.table import Bools, Ints
from libretto.score.time import QUARTER

__all__ = [
    "CONSONANT",
    "Sounding",
    "alternation",
    "block_chords",
    "doubling",
    "held_chord",
    "hocket",
    "led_closely",
    "locked_chords",
    "monophony",
    "outer_motion",
    "sounding",
    "two_voices",
]

_MOSTLY = 0.8  # of the onsets of a bar
_SIZES = (3, 4, 5)  # notes of chords whose voices are followed
_NO_BAR = -9  # before the first
_MOVING = 0.6  # of the chords of a harmonized tune
_SWEET = 0.75  # of what is struck together, consonant

CONSONANT = (0, 3, 4, 7, 8, 9)
_LONGEST = 48  # onsets through which a note is followed at most


class Sounding(NamedTuple):
    """What sounds at each onset of a line: its lowest and highest note, and how many notes."""

    low: Ints
    high: Ints
    voices: Ints


@shared
def sounding(sight: Sight, line: VoiceLine) -> Sounding:
    """What sounds at each onset of a line, held notes included."""
    times = line.top.onset
    first = np.repeat(np.arange(len(times)), line.sizes)
    last = np.searchsorted(times, line.onset + np.maximum(line.duration - LOOSE, 1))
    span = np.clip(last - first, 1, _LONGEST)
    row = np.repeat(np.arange(len(line)), span)
    slot = np.repeat(first, span) + np.arange(len(row)) - np.repeat(np.cumsum(span) - span, span)
    order = np.lexsort((line.pitch[row], slot))
    pitch, edge = line.pitch[row][order], np.flatnonzero(np.diff(slot[order], prepend=-1))
    count = np.diff(edge, append=len(order))
    return Sounding(pitch[edge], pitch[edge + count - 1], count)


@detectors.register("monophony")
def monophony(sight: Sight, notes: int = 12, times: int = 2) -> list[Sighting]:
    """A piece of one part alone, never two notes at once, that sings in phrases with rests between."""
    if len(sight.lines) != 1 or len(sight.drums):
        return []
    line = sight.lines[0]
    alone = len(line) >= notes and bool((sounding(sight, line).voices == 1).all())
    if not alone or (line.rests * 4 >= QUARTER).sum() < times - 1 or len(phrases(sight, line)) < times:
        return []
    return [sight.at(0, sight.bars - 1, line.voice)]


@detectors.register("doubling")
def doubling(
    sight: Sight,
    where: str = "any",
    intervals: tuple[int, ...] = (12,),
    portion: float = 0.85,
    bars: int = 2,
    voices: int = 2,
    moves: int = 3,
) -> list[Sighting]:
    """Two lines in parallel: nearly every onset has two notes, one of ``intervals`` apart, and the top keeps moving."""
    sightings = []
    for line in sight.chosen(where):
        top, apart = line.top, line.top.pitch - line.low.pitch
        good = (line.sizes == voices) & np.isin(apart, intervals)
        moved = np.diff(top.pitch, prepend=top.pitch[:1]) != 0
        all_of, mine = sight.per_bar(top.bar), sight.per_bar(top.bar, good)
        fine = (mine >= portion * all_of) & (sight.per_bar(top.bar, good & moved) >= moves)
        sightings += sight.spans(fine, line.voice, least=bars)
    return sightings


@detectors.register("block_chords")
def block_chords(
    sight: Sight,
    where: str = "any",
    voices: int = 3,
    narrow: int = 0,
    wide: int = 60,
    lead: float = 0.0,
    same: float = 1.0,
    bars: int = 2,
    chords: int = 2,
) -> list[Sighting]:
    """Blocks of chords: nearly every onset has ``voices`` notes or more that span ``narrow`` to ``wide`` semitones.

    ``lead`` is the share of changes in which the outer notes do not move in parallel, ``same`` the largest share of
    chords struck again unchanged, ``chords`` the onsets that a bar needs.
    """
    sightings = []
    for line in sight.chosen(where):
        top, low = line.top, line.low
        span = top.pitch - low.pitch
        good = (line.sizes >= voices) & (span >= narrow) & (span <= wide)
        high, deep = np.diff(top.pitch), np.diff(low.pitch)
        still, led = (high == 0) & (deep == 0), np.abs(high - deep) > 1
        struck = good[1:] & good[:-1]
        changed = struck & ~still
        if not changed.any() or still[struck].mean() > same or led[changed].mean() < lead:
            continue
        all_of, mine = sight.per_bar(top.bar), sight.per_bar(top.bar, good)
        sightings += sight.spans((mine >= _MOSTLY * all_of) & (mine >= chords), line.voice, least=bars)
    return sightings


@detectors.register("held_chord")
def held_chord(sight: Sight, where: str = "any", moves: int = 3, bars: int = 2) -> list[Sighting]:
    """A melody of single notes over a chord of two notes or more that is struck once and held."""
    sightings = []
    for line in sight.chosen(where):
        heard, single = sounding(sight, line), line.sizes == 1
        over = single & (heard.voices >= 3) & (line.top.pitch == heard.high)
        good = (sight.per_bar(line.top.bar, over) >= moves) & (sight.per_bar(line.top.bar, ~single) <= 2)
        sightings += sight.spans(good, line.voice, least=bars)
    return sightings


@detectors.register("alternation")
def alternation(sight: Sight, where: str = "any", full: int = 3, times: int = 4) -> list[Sighting]:
    """Bars of single notes and bars of full chords by turns, at least ``times`` stretches."""
    sightings = []
    for line in sight.chosen(where):
        bar, heard = line.top.bar, sounding(sight, line).voices
        all_of = np.maximum(sight.per_bar(bar), 1)
        thin = (sight.per_bar(bar, heard == 1) / all_of >= _MOSTLY) & (sight.per_bar(bar) >= 2)
        thick = (sight.per_bar(bar, heard >= full) / all_of >= _MOSTLY) & (sight.per_bar(bar) >= 2)
        kind = np.where(thick, 1, np.where(thin, -1, 0))
        edges = np.flatnonzero(np.diff(kind, prepend=2))
        runs = kind[edges]
        for first in range(len(runs) - times + 1):
            part = runs[first : first + times]
            if (part != 0).all():
                last = edges[first + times] - 1 if first + times < len(edges) else sight.bars - 1
                sightings.append(sight.at(edges[first], last, line.voice))
    return sightings


def _changes(line: VoiceLine) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Neighbouring chords of one size that differ: rows of the first, pitches of the first and of the second."""
    for size in _SIZES:
        rows, pitch = chords_of(line, size)
        if len(rows) > 2:
            change = (pitch[1:] != pitch[:-1]).any(axis=1)
            yield rows[:-1][change], pitch[:-1][change], pitch[1:][change]


@detectors.register("voices_led_closely")
def led_closely(
    sight: Sight, where: str = "upper", common: int = 1, most: int = 2, changes: int = 4, bars: int = 3
) -> list[Sighting]:
    """Chords of a voice that change several times in a row by keeping common tones while no part moves far."""
    sightings = []
    for line in sight.chosen(where):
        for rows, one, other in _changes(line):
            kept = (one == other).sum(axis=1)
            step = np.abs(other - one).max(axis=1)
            fresh = (np.diff(line.bar[rows], prepend=_NO_BAR) > 0) | (step > 0)
            good = (kept >= common) & (kept < one.shape[1]) & (step <= most) & fresh
            cuts = np.flatnonzero(~good)
            edges = np.concatenate([[-1], cuts, [len(good)]])
            for start, end in zip(edges[:-1] + 1, edges[1:], strict=True):
                if end - start >= changes:
                    first, last = int(line.bar[rows[start]]), int(line.bar[rows[end - 1]])
                    if last - first + 1 >= bars and len(np.unique(one[start:end], axis=0)) >= 3:
                        sightings.append(sight.at(first, last, line.voice))
    return sightings


@detectors.register("locked_chords")
def locked_chords(sight: Sight, where: str = "any", size: int = 3, notes: int = 4, bars: int = 2) -> list[Sighting]:
    """A voice that strikes a full chord under every note of a moving tune: the tops differ, the whole hand moves."""
    sightings = []
    for line in sight.chosen(where):
        top, full = line.top, line.sizes >= size
        if not full.any():
            continue
        count, chords = sight.per_bar(top.bar), sight.per_bar(top.bar, full)
        moving = np.zeros(len(top), dtype=np.bool_)
        moving[1:] = (line.moves != 0) & (np.abs(line.moves) <= FOURTH) & full[1:] & (np.diff(line.low.pitch) != 0)
        kinds = np.zeros((sight.bars, PITCHES), dtype=np.bool_)
        kinds[top.bar, top.pitch] = True
        good = (chords >= notes) & (chords >= _MOSTLY * count) & (kinds.sum(axis=1) >= 3)
        good &= sight.per_bar(top.bar, moving) >= _MOVING * chords
        sightings += sight.spans(good, line.voice, least=bars)
    return sightings


def _kinds(low: Ints, high: Ints) -> dict[str, Bools]:
    """Which changes of two strands are contrary, oblique, similar and parallel."""
    under, over = np.diff(low), np.diff(high)
    same = np.sign(under) * np.sign(over)
    even = np.abs(under - over) <= 1
    return {
        "contrary": same < 0,
        "oblique": (under == 0) != (over == 0),
        "similar": (same > 0) & ~even,
        "parallel": (same > 0) & even,
    }


@detectors.register("outer_motion")
def outer_motion(
    sight: Sight, where: str = "any", how: str = "contrary", portion: float = 0.75, bars: int = 2, moves: int = 3
) -> list[Sighting]:
    """The outer notes of a part move mostly one way: ``contrary``, ``oblique``, ``similar`` or ``parallel``."""
    sightings = []
    for line in sight.chosen(where):
        heard, bar = sounding(sight, line), line.top.bar[1:]
        both = (heard.voices[1:] >= 2) & (heard.voices[:-1] >= 2)
        mine = _kinds(heard.low, heard.high)[how] & both
        moved = (np.diff(heard.low) != 0) | (np.diff(heard.high) != 0)
        all_of, good = sight.per_bar(bar, moved), sight.per_bar(bar, mine)
        sightings += sight.spans((good >= portion * all_of) & (good >= moves), line.voice, least=bars)
    return sightings


@detectors.register("two_voices")
def two_voices(
    sight: Sight, where: str = "any", against: int = 1, bars: int = 3, independent: float = 0.5, onsets: int = 3
) -> list[Sighting]:
    """Two strands in counterpoint, note against note or ``against`` notes to one: consonant on what is struck together,
    independent in motion, without parallel fifths and octaves."""
    sightings = []
    for line in sight.chosen(where):
        heard, bar = sounding(sight, line), line.top.bar
        two, struck = heard.voices == 2, line.sizes == 2
        together = np.flatnonzero(struck)
        if len(together) < 4:
            continue
        apart = (heard.high - heard.low) % 12
        kinds = _kinds(heard.low[together], heard.high[together])
        perfect = np.isin(apart[together], (0, FIFTH))
        if (kinds["parallel"] & perfect[1:] & (np.diff(apart[together]) == 0)).any():
            continue
        if (kinds["contrary"] | kinds["oblique"]).mean() < independent:
            continue
        all_of, pairs = np.bincount(bar, minlength=sight.bars), sight.per_bar(bar, struck)
        sweet = sight.per_bar(bar, struck & np.isin(apart, CONSONANT))
        full = sight.per_bar(bar, two) == all_of
        good = full & (pairs * against == all_of) & (all_of >= onsets) & (sweet >= _SWEET * pairs)
        sightings += sight.spans(good, line.voice, least=bars)
    return sightings


@detectors.register("hocket")
def hocket(sight: Sight, where: str = "any", apart: int = 10, notes: int = 8) -> list[Sighting]:
    """A line dealt out between two registers: single notes by turns high and low, never together, both moving."""
    sightings = []
    for line in sight.chosen(where):
        pitch, moves = line.top.pitch, line.moves
        alone = (sounding(sight, line).voices == 1)[:-1]
        turn = (np.abs(moves) >= apart) & alone
        swing = turn[1:] & turn[:-1] & (np.sign(moves[1:]) == -np.sign(moves[:-1]))
        total = np.concatenate(([0], np.cumsum(swing)))
        if len(total) <= notes - 2:
            continue
        until = -1
        for first in np.flatnonzero(total[notes - 2 :] - total[: -(notes - 2)] == notes - 2).tolist():
            strands = pitch[first : first + notes : 2], pitch[first + 1 : first + notes : 2]
            if first >= until and all((strand != strand[0]).any() for strand in strands):
                until, bar = first + notes, line.top.bar
                sightings.append(sight.at(bar[first], bar[until - 1], line.voice))
    return sightings
