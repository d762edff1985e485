"""Notes outside the chord: how a melody enters and leaves them, judged by the chords that the notes support.

Conventions: a note is in the chord when its pitch class belongs to the supported chord that holds at its onset; where
no chord is supported nothing is judged. A step is one or two semitones, a leap three or more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from libretto.knowledge.detectors.contour import dense, on_beats
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Bools, Ints, Line
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = ["Judged", "blue_note", "chromatic_approach", "degree_resolution", "guide_tones", "judged", "nonharmonic"]

_NEAR = QUARTER // 8


class Judged(NamedTuple):
    """A line's highest notes against the harmony: which chord holds (-1 for none), and whether each belongs to it."""

    chord: Ints
    inside: Bools
    outside: Bools


def judged(sight: Sight, line: Line) -> Judged:
    """Which of a line's highest notes belong to the chord that holds, and which do not."""
    known = ("judged", id(line))
    if known not in sight.cache:
        sight.cache[known] = Judged(*_judge(sight, line.top.onset, line.top.pitch))
    found: Judged = sight.cache[known]
    return found


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
    which = np.searchsorted(starts, time + _NEAR, side="right") - 1
    good = (which >= 0) & (time < ends[which]) & heard[which]
    inside = table[which, pitch % 12]
    return np.where(good, which, -1), good & inside, good & ~inside


def _step(moves: Ints) -> Bools:
    size = np.abs(moves)
    return np.asarray((size == 1) | (size == 2))


@detectors.register("nonharmonic")
def nonharmonic(
    sight: Sight, where: str = "melody", figure: str = "passing", times: int = 2, rate: float = 0.0
) -> list[Sighting]:
    """Notes outside the chord of one figure: in eight bars at least ``times`` and a ``rate`` of all notes.

    ``figure`` is passing, accented_passing, upper_neighbor, lower_neighbor, double_neighbor, appoggiatura, escape,
    cambiata, anticipation, suspension or enclosure.
    """
    found = []
    for line in sight.chosen(where):
        rows = _figures(line, judged(sight, line), figure)
        passages = dense(sight, line.top.bar, rows, np.arange(len(line.starts)), times, rate)
        found += sight.spans(passages, line.voice)
    return found


def _figures(line: Line, heard: Judged, figure: str) -> Ints:
    """The rows of the notes outside the chord that make that figure."""
    top, moves, inside, outside = line.top, line.moves, heard.inside, heard.outside
    if len(top) < 4:
        return np.empty(0, dtype=np.int64)
    if figure in ("cambiata", "double_neighbor", "enclosure"):
        return _figures_of_four(line, heard, figure)
    come, go, beat = moves[:-1], moves[1:], on_beats(top)[1:-1]
    note, before, after = outside[1:-1], inside[:-2], inside[2:]
    other = np.sign(come) == -np.sign(go)
    close = line.rests[:-1] * 2 < QUARTER
    if figure in ("passing", "accented_passing"):
        strong = beat if figure == "accented_passing" else ~beat
        good = before & note & after & _step(come) & _step(go) & ~other & strong
    elif figure in ("upper_neighbor", "lower_neighbor"):
        sign = 1 if figure == "upper_neighbor" else -1
        good = before & note & after & _step(come) & (np.sign(come) == sign) & (come == -go)
    elif figure == "appoggiatura":
        good = note & after & beat & (np.abs(come) >= 3) & _step(go) & other
    elif figure == "escape":
        good = before & note & after & ~beat & _step(come) & (np.abs(go) >= 3) & other
    elif figure == "anticipation":
        changed = heard.chord[1:-1] != heard.chord[2:]
        good = note & after & changed & (go == 0) & ~beat & (top.duration[1:-1] <= top.duration[2:])
    else:
        changed = heard.chord[:-2] != heard.chord[1:-1]
        good = before & note & after & beat & changed & (come == 0) & _step(go) & (go < 0)
    return np.flatnonzero(good & close) + 1


def _figures_of_four(line: Line, heard: Judged, figure: str) -> Ints:
    one, two, three = line.moves[:-2], line.moves[1:-1], line.moves[2:]
    inside, outside, beat = heard.inside, heard.outside, on_beats(line.top)
    sign = np.sign(one)
    if figure == "cambiata":
        good = inside[:-3] & outside[1:-2] & inside[2:-1] & _step(one) & _step(three)
        good &= np.isin(two * sign, (3, 4)) & (np.sign(three) == -sign)
    elif figure == "double_neighbor":
        good = inside[:-3] & outside[1:-2] & outside[2:-1] & inside[3:] & _step(one)
        good &= np.isin(two * -sign, (2, 3, 4)) & (np.sign(three) == sign) & (one + two + three == 0)
    else:
        good = inside[3:] & beat[3:] & ~beat[2:-1] & np.isin(np.abs(two), (2, 3, 4)) & _step(three)
        good &= (np.sign(two) == -np.sign(three)) & (np.abs(two) > np.abs(three)) & ~inside[2:-1]
        good &= (line.gaps[1:-1] * 2 <= QUARTER) & (line.gaps[2:] * 2 <= QUARTER)
    return np.flatnonzero(good) + 1


@detectors.register("chromatic_approach")
def chromatic_approach(sight: Sight, where: str = "melody", times: int = 3, below: bool = True) -> list[Sighting]:
    """Notes foreign to the key off the beat that lead by a semitone into a note of the chord on a beat."""
    found = []
    for line in sight.chosen(where):
        top, heard = line.top, judged(sight, line)
        scale = [0, 2, 3, 5, 7, 8, 9, 10, 11] if sight.score.key.is_minor else [0, 2, 4, 5, 7, 9, 11]
        degree = (top.pitch - sight.tonic[top.bar]) % 12
        foreign = ~np.isin(degree, scale)
        move = line.moves == 1 if below else np.abs(line.moves) == 1
        beat = on_beats(top)
        good = foreign[:-1] & ~beat[:-1] & beat[1:] & heard.inside[1:] & ~foreign[1:] & move
        passages = dense(sight, top.bar, np.flatnonzero(good), np.flatnonzero(foreign), times, 0.6)
        found += sight.spans(passages, line.voice)
    return found


@detectors.register("degree_resolution")
def degree_resolution(
    sight: Sight, where: str = "melody", first: int = 11, second: int = 0, times: int = 2, portion: float = 0.8
) -> list[Sighting]:
    """A degree that goes by step to another nearly whenever it is heard, and rests there longer, on a beat."""
    found = []
    for line in sight.chosen(where):
        top = line.top
        degree = (top.pitch - sight.tonic[top.bar]) % 12
        good = (degree[:-1] == first) & (degree[1:] == second) & _step(line.moves)
        long = good & (top.duration[1:] > top.duration[:-1]) & on_beats(top)[1:]
        heard = np.flatnonzero(degree[:-1] == first)
        kept = dense(sight, top.bar, np.flatnonzero(good), heard, times, portion)
        found += sight.spans(kept & dense(sight, top.bar, np.flatnonzero(long), heard, times, 0.0), line.voice)
    return found


@detectors.register("guide_tones")
def guide_tones(sight: Sight, where: str = "melody", chords: int = 4) -> list[Sighting]:
    """Thirds and sevenths on the change of each chord, tied into one line by steps and common tones."""
    found = []
    for line in sight.chosen(where):
        top, last = line.top, 0
        bars: list[int] = []
        for chord in sight.harmony:
            row = int(np.searchsorted(top.onset, chord.start - _NEAR))
            here = row < len(top) and top.onset[row] <= chord.start + _NEAR
            guide = (
                here
                and chord.supported
                and (int(top.pitch[row]) - chord.root) % 12 in {3, 4, 10, 11} & set(chord.tones)
            )
            near = here and (not bars or abs(int(top.pitch[row]) - last) <= 2)
            if guide and not near:
                bars = []
            bars = [*bars, chord.bar] if guide else []
            last = int(top.pitch[row]) if here else 0
            if len(bars) == chords:
                found.append(Sighting(sight.number(bars[0]), sight.number(bars[-1]), line.voice))
    return found


@detectors.register("blue_note")
def blue_note(sight: Sight, where: str = "melody", times: int = 3, portion: float = 0.08) -> list[Sighting]:
    """Flat thirds (and fifths and sevenths) in a major key, without other foreign notes to speak of, that go by step
    or to the tonic."""
    found = []
    for line in sight.chosen(where):
        degree = (line.top.pitch - sight.tonic[line.top.bar]) % 12
        major = ~sight.minor[line.top.bar]
        blue = np.isin(degree, (3, 6, 10)) & major
        leads = blue[:-1] & ((np.abs(line.moves) <= 3) & (line.moves != 0))
        other = np.isin(degree, (1, 8)).sum()
        enough = leads.sum() >= max(times, portion * len(degree)) and (degree[:-1][leads] == 3).sum() >= 2
        if enough and other <= 0.02 * len(degree):
            found += sight.spans(line.top.bar[np.flatnonzero(leads)], line.voice)
    return found
