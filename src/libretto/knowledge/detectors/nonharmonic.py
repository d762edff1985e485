"""Notes outside the chord: how a melody enters and leaves them, judged by the chords that the notes support.

Conventions: a note is in the chord when its pitch class belongs to the supported chord that holds at its onset; where
no chord is supported nothing is judged. A step is one or two semitones, a leap three or more.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from libretto.knowledge.detectors.contour import dense
from libretto.knowledge.detectors.progressions import distinct
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import FIFTH, LOOSE, MAJOR, MAJOR_SEVENTH, MINOR, VoiceLine, is_step
from libretto.knowledge.sight import Sight, Sighting, shared
from libretto.score.table import Bools, Ints
from libretto.score.time import QUARTER

__all__ = ["Judged", "appoggiaturas", "chord_tones_at", "chromatic_approach", "circling", "judged", "nonharmonic"]

_APPROACHED = 0.6  # of the foreign notes of a passage
_FEWEST_NOTES = 6  # of a line that circles its goals
_SWUNG_EIGHTH = 0.78  # quarters: the longest gap of a running line
_LEADING = (FIFTH, MAJOR_SEVENTH)  # roots of chords that lead to the tonic


class Judged(NamedTuple):
    """A line's highest notes against the harmony: which chord holds (-1 for none), and whether each belongs to it."""

    chord: Ints
    inside: Bools
    outside: Bools


@shared
def judged(sight: Sight, line: VoiceLine) -> Judged:
    """Which of a line's highest notes belong to the chord that holds, and which do not."""
    return Judged(*_judge(sight, line.top.onset, line.top.pitch))


def _judge(sight: Sight, time: Ints, pitch: Ints) -> tuple[Ints, Bools, Bools]:
    chords = sight.harmony
    none = np.zeros(len(time), dtype=np.bool_)
    if not chords:
        return np.full(len(time), -1, dtype=np.int64), none, none
    table = np.zeros((len(chords), 12), dtype=np.bool_)
    for row, chord in enumerate(chords):
        table[row, [(chord.root + tone) % 12 for tone in chord.tones]] = True
    starts = np.array([chord.start for chord in chords], dtype=np.int64)
    ends = np.array([chord.end for chord in chords], dtype=np.int64)
    heard = np.array([chord.supported for chord in chords])
    which = np.searchsorted(starts, time + LOOSE, side="right") - 1
    good = (which >= 0) & (time < ends[which]) & heard[which]
    inside = table[which, pitch % 12]
    return np.where(good, which, -1), good & inside, good & ~inside


@detectors.register("nonharmonic")
def nonharmonic(
    sight: Sight, where: str = "melody", figure: str = "passing", times: int = 2, rate: float = 0.0
) -> list[Sighting]:
    """Notes outside the chord of one figure: in eight bars at least ``times`` and a ``rate`` of all notes.

    ``figure`` is passing, accented_passing, upper_neighbor, lower_neighbor, double_neighbor, appoggiatura, escape,
    cambiata, anticipation, suspension or enclosure.
    """
    sightings = []
    for line in sight.chosen(where):
        rows = _figures(line, judged(sight, line), figure)
        passages = dense(sight, line.top.bar, rows, np.arange(len(line.starts)), times, rate)
        sightings += sight.spans(passages, line.voice)
    return sightings


def _figures(line: VoiceLine, heard: Judged, figure: str) -> Ints:
    """The rows of the notes outside the chord that make that figure."""
    top, moves, inside, outside = line.top, line.moves, heard.inside, heard.outside
    if len(top) < 4:
        return np.empty(0, dtype=np.int64)
    if figure in ("cambiata", "double_neighbor", "enclosure"):
        return _figures_of_four(line, heard, figure)
    come, go, beat = moves[:-1], moves[1:], top.near_beat[1:-1]
    note, before, after = outside[1:-1], inside[:-2], inside[2:]
    other = np.sign(come) == -np.sign(go)
    close = line.rests[:-1] * 2 < QUARTER
    if figure in ("passing", "accented_passing"):
        strong = beat if figure == "accented_passing" else ~beat
        good = before & note & after & is_step(come) & is_step(go) & ~other & strong
    elif figure in ("upper_neighbor", "lower_neighbor"):
        sign = 1 if figure == "upper_neighbor" else -1
        good = before & note & after & is_step(come) & (np.sign(come) == sign) & (come == -go)
    elif figure == "appoggiatura":
        good = note & after & beat & (np.abs(come) >= 3) & is_step(go) & other
    elif figure == "escape":
        good = before & note & after & ~beat & is_step(come) & (np.abs(go) >= 3) & other
    elif figure == "anticipation":
        changed = heard.chord[1:-1] != heard.chord[2:]
        good = note & after & changed & (go == 0) & ~beat & (top.duration[1:-1] <= top.duration[2:])
    else:
        changed = heard.chord[:-2] != heard.chord[1:-1]
        good = before & note & after & beat & changed & (come == 0) & is_step(go) & (go < 0)
    return np.flatnonzero(good & close) + 1


def _figures_of_four(line: VoiceLine, heard: Judged, figure: str) -> Ints:
    one, two, three = line.moves[:-2], line.moves[1:-1], line.moves[2:]
    inside, outside, beat = heard.inside, heard.outside, line.top.near_beat
    sign = np.sign(one)
    if figure == "cambiata":
        good = inside[:-3] & outside[1:-2] & inside[2:-1] & is_step(one) & is_step(three)
        good &= np.isin(two * sign, (3, 4)) & (np.sign(three) == -sign)
    elif figure == "double_neighbor":
        good = inside[:-3] & outside[1:-2] & outside[2:-1] & inside[3:] & is_step(one)
        good &= np.isin(two * -sign, (2, 3, 4)) & (np.sign(three) == sign) & (one + two + three == 0)
    else:
        good = inside[3:] & beat[3:] & ~beat[2:-1] & np.isin(np.abs(two), (2, 3, 4)) & is_step(three)
        good &= (np.sign(two) == -np.sign(three)) & (np.abs(two) > np.abs(three)) & ~inside[2:-1]
        good &= (line.gaps[1:-1] * 2 <= QUARTER) & (line.gaps[2:] * 2 <= QUARTER)
    return np.flatnonzero(good) + 1


@detectors.register("chromatic_approach")
def chromatic_approach(sight: Sight, where: str = "melody", times: int = 3, below: bool = True) -> list[Sighting]:
    """Notes foreign to the key off the beat that lead by a semitone into a note of the chord on a beat."""
    sightings = []
    for line in sight.chosen(where):
        top, heard = line.top, judged(sight, line)
        scale = MINOR if sight.score.key.is_minor else MAJOR
        degree = (top.pitch - sight.tonic[top.bar]) % 12
        foreign = ~np.isin(degree, scale)
        move = line.moves == 1 if below else np.abs(line.moves) == 1
        beat = top.near_beat
        good = foreign[:-1] & ~beat[:-1] & beat[1:] & heard.inside[1:] & ~foreign[1:] & move
        passages = dense(sight, top.bar, np.flatnonzero(good), np.flatnonzero(foreign), times, _APPROACHED)
        sightings += sight.spans(passages, line.voice)
    return sightings


def chord_tones_at(sight: Sight, onset: Ints, pitch: Ints) -> Ints:
    """For each note 1 where it belongs to the chord of its time, 0 where not, -1 where no chord is heard."""
    chords = distinct(sight)
    if not chords:
        return np.full(len(onset), -1, dtype=np.int64)
    heard = _chord_tones(sight)
    which = np.maximum(np.searchsorted(heard.start, onset + LOOSE, side="right") - 1, 0)
    inside = (heard.start[which] <= onset + LOOSE) & (onset < heard.end[which])
    return np.asarray(np.where(inside, heard.member[which, pitch % 12], -1))


class _ChordTones(NamedTuple):
    """The distinct chords as arrays: which pitch classes belong to each (1), and its ticks."""

    member: Ints
    start: Ints
    end: Ints


@shared
def _chord_tones(sight: Sight) -> _ChordTones:
    chords = distinct(sight)
    member = np.zeros((len(chords), 12), dtype=np.int64)
    for row, chord in enumerate(chords):
        member[row, [(chord.root + tone) % 12 for tone in chord.tones]] = 1
    return _ChordTones(member, *np.array([(chord.start, chord.end) for chord in chords], dtype=np.int64).T)


@detectors.register("appoggiaturas")
def appoggiaturas(sight: Sight, where: str = "melody", cadence: bool = False, least_times: int = 2) -> list[Sighting]:
    """Foreign notes on a strong beat, not prepared, that lean down by step into a note of the chord; with ``cadence``
    over a tonic chord that a dominant came before."""
    sightings: list[Sighting] = []
    closes = {two.bar for one, two in pairwise(distinct(sight)) if one.degree in _LEADING and two.degree == 0}
    for line in sight.chosen(where):
        top = line.top
        if len(top) < 4:
            continue
        one, other = top.where(np.arange(1, len(top) - 1)), top.where(np.arange(2, len(top)))
        place = sight.places(one.bar, one.position)
        strong = (place == 0) | (2 * place * one.beat == sight.bar_length[one.bar])
        lean = strong & np.isin(one.pitch - other.pitch, (1, 2)) & (top.pitch[:-2] != one.pitch)
        lean &= (other.onset - one.onset >= one.beat // 2 - LOOSE) & (other.duration >= one.beat // 2 - LOOSE)
        rows = np.flatnonzero(lean)
        if cadence:
            rows = rows[np.isin(one.bar[rows], list(closes))]
        foreign = chord_tones_at(sight, one.onset[rows], one.pitch[rows]) == 0
        eased = chord_tones_at(sight, other.onset[rows], other.pitch[rows]) == 1
        rows = rows[foreign & eased]
        if len(rows) >= least_times:
            sightings += sight.spans(one.bar[rows], line.voice)
    return sightings


@detectors.register("enclosures")
def circling(sight: Sight, where: str = "melody", least_times: int = 2, ratio: float = 0.02) -> list[Sighting]:
    """Chord tones on the beat that a running line reaches by the note above and the semitone below (or the other way
    round) just before."""
    sightings = []
    for line in sight.chosen(where):
        top = line.top
        if len(top) < _FEWEST_NOTES:
            continue
        one, two, goal = top.pitch[1:-2], top.pitch[2:-1], top.pitch[3:]
        above, below = np.isin(one - goal, (1, 2)), np.isin(one - goal, (-1,))
        around = (above & (two - goal == -1)) | (below & np.isin(two - goal, (1, 2)))
        quick = np.diff(top.onset) <= _SWUNG_EIGHTH * QUARTER
        running = quick[:-2] & quick[1:-1] & quick[2:]
        goals = top.where(np.arange(3, len(top)))
        on = sight.places(goals.bar, goals.position) >= 0
        hit = around & running & on
        hit[hit] = chord_tones_at(sight, goals.onset[hit], goals.pitch[hit]) == 1
        if hit.sum() >= max(least_times, ratio * len(top)):
            sightings += sight.spans(goals.bar[hit], line.voice, join=2)
    return sightings
