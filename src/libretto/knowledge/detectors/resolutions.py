"""Tones that want to move: suspensions, guide tones, blue notes, degrees that lead on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.knowledge.detectors.changes import ChordChange, changes, chord_at, fits
from libretto.knowledge.detectors.contour import dense
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.detectors.textures import CONSONANT, sounding
from libretto.knowledge.detectors.tunes import closes
from libretto.knowledge.line import (
    FIFTH,
    FOURTH,
    GUIDES,
    LOOSE,
    MINOR_SEVENTH,
    SEVENTHS,
    SIXTHS,
    THIRDS,
    TRITONE,
    VoiceLine,
    is_step,
    runs,
)
from libretto.knowledge.sight import Sight, Sighting
from libretto.score.table import Bools, Ints
from libretto.score.time import QUARTER

__all__ = ["blue_notes", "degree_resolution", "guide_tones", "suspensions"]

#: What clashes above a bass, and what it resolves to.
_FIGURES = {"4-3": ((5, 3), (5, 4), (6, 4)), "7-6": ((10, 8), (10, 9), (11, 9)), "9-8": ((2, 0), (1, 0))}
_ALMOST_A_BEAT = 8, 10  # tenths of one: how long a suspended note lasts at the least
_SINGLE = 1.2  # notes an onset, at most, of a line of guide tones
_BLUE, _NOT_BLUE = (3, TRITONE, MINOR_SEVENTH), (1, 8)  # degrees of a major key, and foreign ones that are not blue
_SELDOM = 0.02  # of the notes
_PRINCIPAL = (0, FOURTH, FIFTH)  # degrees of the chords of a blues
_FEWEST_NOTES = 6  # of a line over them


@detectors.register("suspensions")
def suspensions(
    sight: Sight,
    against: str = "bass",
    where: str = "any",
    figures: Sequence[str] = ("4-3", "7-6", "9-8"),
    times: int = 1,
    chain: bool = False,
    within: int = 1,
    over: Sequence[str] = ("V", "I|i"),
) -> list[Sighting]:
    """A note is kept into a beat where it clashes, and then falls by step.

    ``against`` says with what: ``strand`` is the lowest note of the same part, which makes one of the ``figures`` with
    it (``chain``: each resolution prepares the next); ``bass`` is the bass part, and several follow one another, each
    ``within`` so many bars; ``cadence`` is a chord near a close, one of ``over``, whose third the fourth delays.
    """
    if against == "strand":
        return _strand_suspensions(sight, where, figures, times, chain)
    return _cadence_suspensions(sight, over) if against == "cadence" else _bass_suspensions(sight, where, times, within)


def _strand_suspensions(sight: Sight, where: str, figures: Sequence[str], times: int, chain: bool) -> list[Sighting]:
    sightings = []
    for line in sight.chosen(where):
        heard, beat = sounding(sight, line), line.top.near_beat
        apart = (heard.high - heard.low) % 12
        kept = (np.diff(heard.high)[:-1] == 0) & np.isin(apart[:-2], CONSONANT) & (np.diff(heard.low)[:-1] != 0)
        falls = np.isin(np.diff(heard.high)[1:], (-1, -2)) & (np.diff(heard.low)[1:] == 0)
        resolves = np.zeros(len(kept), dtype=np.bool_)
        for tense, calm in (pair for figure in figures for pair in _FIGURES[figure]):
            resolves |= (apart[1:-1] == tense) & (apart[2:] == calm)
        full = (heard.voices[1:-1] >= 2) & (heard.voices[2:] >= 2)
        rows = np.flatnonzero(kept & falls & resolves & beat[1:-1] & full)
        if chain:
            rows = rows[np.isin(rows + 2, rows) | np.isin(rows - 2, rows)]
        if len(rows) >= times:
            sightings += sight.spans(line.top.bar[rows], line.voice)
    return sightings


def _bass_suspensions(sight: Sight, where: str, times: int, within: int) -> list[Sighting]:
    low = sight.bass.low
    firm = sight.places(low.bar, low.position) >= 0
    sightings: list[Sighting] = []
    for line in sight.chosen(where):
        top = line.top
        if line is sight.bass or len(top) < 4:
            continue
        goal, note = top.pitch[1:], top.pitch[:-1]
        again = np.insert(note[1:] == note[:-1], 0, False)
        falls = np.isin(note - goal, (1, 2)) & (line.rests < LOOSE)
        rows = np.flatnonzero(falls & (_ALMOST_A_BEAT[1] * top.duration[:-1] >= _ALMOST_A_BEAT[0] * top.beat[:-1]))
        if not len(rows):
            continue
        begin = np.where(again[rows], top.onset[np.maximum(rows - 1, 0)], top.onset[rows])
        moved = np.searchsorted(low.onset, top.onset[rows + 1] - LOOSE) - 1  # the bass note under the resolution
        strike = low.onset[np.maximum(moved, 0)]
        before = np.searchsorted(low.onset, begin + LOOSE, side="right") - 1
        held = (begin < strike - LOOSE) & (moved > before) & (before >= 0)
        held &= ~again[rows] | (np.abs(top.onset[rows] - strike) <= LOOSE)
        clash = (note[rows] - low.pitch[np.maximum(moved, 0)]) % 12
        eased = (goal[rows] - low.pitch[np.maximum(moved, 0)]) % 12
        kinds = (clash == FOURTH) & np.isin(eased, THIRDS) | np.isin(clash, SEVENTHS) & np.isin(eased, SIXTHS)
        kinds |= np.isin(clash, (1, 2)) & (eased == 0)
        prepared = np.isin((note[rows] - low.pitch[np.maximum(before, 0)]) % 12, CONSONANT)
        beat = sight.beat[top.bar[rows]]
        slow = (top.onset[rows + 1] - strike >= beat - LOOSE) & (strike - begin >= beat - LOOSE)
        slow &= firm[np.maximum(moved, 0)]
        good = rows[held & kinds & prepared & slow]
        near = np.flatnonzero(np.diff(top.bar[good]) <= within)
        if len(near) + 1 >= times and len(near):
            sightings += sight.spans(top.bar[good[np.union1d(near, near + 1)] + 1], line.voice)
    return sightings


def _cadence_suspensions(sight: Sight, over: Sequence[str]) -> list[Sighting]:
    row, sightings = changes(sight), []
    for close in closes(sight):
        number = chord_at(sight, close.onset)
        for here in row[max(1, number - 2) : number + 1]:
            wanted = any(fits(here, text) for text in over) and bool(set(THIRDS) & here.tones)
            if wanted and _delays_third(sight, here):
                sightings.append(sight.at(here.bar, close.bar))
    return sorted(set(sightings))


def _delays_third(sight: Sight, chord: ChordChange) -> bool:
    """Whether the fourth above a chord's root, heard before, stands on a beat over the root and falls to the third."""
    notes, third = sight.notes, 4 if 4 in chord.tones else 3
    first, last = np.searchsorted(notes.onset, (chord.start - 4 * QUARTER, chord.end))
    near = notes.where(np.arange(first, last))
    held = ((near.pitch - chord.root) % 12 == FOURTH) & (near.onset >= chord.start - LOOSE)
    for at in np.flatnonzero(held & (near.position % near.beat == 0)).tolist():
        pitch, tick = near.pitch[at], near.onset[at]
        ready = (near.pitch == pitch) & (near.onset < tick)
        falls = (near.pitch == pitch - FOURTH + third) & (np.abs(near.onset - near.end[at]) <= LOOSE)
        root = (near.pitch % 12 == chord.root) & (near.onset <= tick + LOOSE) & (near.end > tick + LOOSE)
        if ready.any() and falls.any() and root.any():
            return True
    return False


@detectors.register("degree_resolution")
def degree_resolution(
    sight: Sight, where: str = "melody", first: int = 11, second: int = 0, times: int = 2, portion: float = 0.8
) -> list[Sighting]:
    """A degree that goes by step to another nearly whenever it is heard, and rests there longer, on a beat."""
    sightings = []
    for line in sight.chosen(where):
        top = line.top
        degree = (top.pitch - sight.tonic[top.bar]) % 12
        good = (degree[:-1] == first) & (degree[1:] == second) & is_step(line.moves)
        long = good & (top.duration[1:] > top.duration[:-1]) & top.near_beat[1:]
        heard = np.flatnonzero(degree[:-1] == first)
        kept = dense(sight, top.bar, np.flatnonzero(good), heard, times, portion)
        sightings += sight.spans(kept & dense(sight, top.bar, np.flatnonzero(long), heard, times, 0.0), line.voice)
    return sightings


@detectors.register("guide_tones")
def guide_tones(
    sight: Sight, where: str = "melody", chords: int = 4, held: bool = False, beats: float = 1.5
) -> list[Sighting]:
    """Thirds and sevenths on the change of each chord, tied into one line by steps and common tones.

    With ``held`` they are long notes, of so many ``beats``, of a line of single notes that sounds on as roots change.
    """
    return _held_guides(sight, where, chords, beats) if held else _struck_guides(sight, where, chords)


def _struck_guides(sight: Sight, where: str, chords: int) -> list[Sighting]:
    sightings = []
    for line in sight.chosen(where):
        top, last = line.top, 0
        bars: list[int] = []
        for chord in sight.harmony:
            row = int(np.searchsorted(top.onset, chord.start - LOOSE))
            if row >= len(top) or top.onset[row] > chord.start + LOOSE:
                bars, last = [], 0
                continue
            pitch = int(top.pitch[row])
            guide = chord.supported and (pitch - chord.root) % 12 in set(GUIDES) & chord.tones
            if bars and abs(pitch - last) > 2:
                bars = []
            bars, last = [*bars, chord.bar] if guide else [], pitch
            if len(bars) == chords:
                sightings.append(sight.at(bars[0], bars[-1], line.voice))
    return sightings


def _held_guides(sight: Sight, where: str, chords: int, beats: float) -> list[Sighting]:
    heard = sight.supported
    if len(heard) < chords:
        return []
    roots = np.array([chord.root for chord in heard], dtype=np.int64)
    changed = np.flatnonzero(np.insert(np.diff(roots) != 0, 0, True)).tolist()
    starts = np.array([heard[place].start for place in changed], dtype=np.int64)
    sightings = []
    for line in sight.chosen(where):
        if not len(line) or not line.is_single(_SINGLE):
            continue
        pitch, length = _sounding(line, starts)
        guide = np.isin((pitch - roots[changed]) % 12, GUIDES) & (pitch >= 0) & (length >= beats * QUARTER)
        goes_on = guide[:-1] & (np.abs(np.diff(pitch)) <= 2)
        for stretch in runs(goes_on, chords - 1):
            if guide[stretch.end] and len(np.unique(pitch[stretch.first : stretch.end + 1])) >= 3:
                first, last = heard[changed[stretch.first]], heard[changed[stretch.end]]
                sightings.append(sight.at(first.bar, last.bar, line.voice))
    return sightings


def _sounding(line: VoiceLine, starts: Ints) -> tuple[Ints, Ints]:
    """The pitch that the line sounds at each instant (-1 for none), and how long it is."""
    top = line.top
    which = np.maximum(np.searchsorted(top.onset, starts + LOOSE, side="right") - 1, 0)
    on = (top.onset[which] <= starts + LOOSE) & (top.end[which] > starts + LOOSE)
    return np.where(on, top.pitch[which], -1), np.where(on, top.duration[which], 0)


@detectors.register("blue_notes")
def blue_notes(
    sight: Sight, where: str = "melody", over: str = "key", times: int = 3, portion: float = 0.08
) -> list[Sighting]:
    """Flat thirds, fifths or sevenths in major, so many and that share of a line's notes, that go by step or home.

    ``over`` a major ``key`` there are hardly any other foreign notes; over ``chords`` the tonic, subdominant or
    dominant chord of the bar is major, and thirds and fifths alone count.
    """
    sightings = []
    for line in sight.chosen(where):
        top = line.top
        degree = (top.pitch - sight.tonic[top.bar]) % 12
        blue = _blue_in_key(sight, line, degree) if over == "key" else _blue_over_chords(sight, line, degree)
        if blue.sum() >= max(times, portion * len(degree)):
            sightings += sight.spans(top.bar[:-1][blue], line.voice, join=1 if over == "key" else 2)
    return sightings


def _blue_in_key(sight: Sight, line: VoiceLine, degree: Ints) -> Bools:
    """Which notes are blue in a major key; none where there are fewer than two flat thirds, or many foreign notes."""
    blue = (np.isin(degree, _BLUE) & ~sight.minor[line.top.bar])[:-1]
    blue &= (np.abs(line.moves) <= 3) & (line.moves != 0)
    thirds, foreign = (degree[:-1][blue] == 3).sum(), np.isin(degree, _NOT_BLUE).sum()
    return np.asarray(blue & (thirds >= 2 and foreign <= _SELDOM * len(degree)))


def _blue_over_chords(sight: Sight, line: VoiceLine, degree: Ints) -> Bools:
    """Which notes are blue thirds and fifths over major chords; none where the line is short or has no such third."""
    major = np.zeros(sight.bars, dtype=np.bool_)
    major[[chord.bar for chord in sight.supported if chord.degree in _PRINCIPAL and chord.is_major]] = True
    now, after, move = degree[:-1], degree[1:], np.abs(line.moves)
    third = (now == 3) & np.isin(after, (4, 2, 0)) & (move <= 3)
    fifth = (now == TRITONE) & np.isin(after, (FOURTH, FIFTH)) & (move == 1)
    return np.asarray((third | fifth) & major[line.top.bar[:-1]] & (third.any() and len(degree) >= _FEWEST_NOTES))
