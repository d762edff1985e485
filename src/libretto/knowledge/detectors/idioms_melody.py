"""Melody: how phrases begin and end, how motifs return, and how lines answer or accompany each other."""

from __future__ import annotations

from itertools import product

import numpy as np

from libretto.knowledge.detectors.comping import LOOSE, long_enough, per_bar, places
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Bools, Ints, Line
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = [
    "answered",
    "blue_notes",
    "countering",
    "guiding",
    "harmonized",
    "leap_recovered",
    "phrase_beginnings",
    "phrase_ends",
    "phrases",
    "sequenced",
]


def phrases(line: Line, beats: float = 1.0) -> tuple[Ints, Ints]:
    """The first and the last onset of each phrase: phrases are parted by rests of so many beats."""
    if not len(line):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    cut = line.rests >= beats * line.top.beat[1:] - LOOSE
    return np.flatnonzero(np.insert(cut, 0, True)), np.flatnonzero(np.append(cut, True))


@detectors.register("phrase_beginnings")
def phrase_beginnings(sight: Sight, how: str = "off the beat", ratio: float = 0.6, phrases_: int = 2) -> list[Sighting]:
    """Phrases of the tune that mostly begin ``off the beat``, or with a ``pick-up``: one to four notes within the last
    two beats of a bar that lead onto the next downbeat."""
    line, top = sight.melody, sight.melody.top
    first, last = phrases(line)
    real = last - first >= 2
    first, last = first[real], last[real]
    place = places(sight, top.bar, top.position)
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


@detectors.register("phrase_ends")
def phrase_ends(sight: Sight, longer: float = 2.5, ratio: float = 0.6, phrases_: int = 2) -> list[Sighting]:
    """Phrases of the tune whose last note is held much longer than the notes before it."""
    line, top = sight.melody, sight.melody.top
    first, last = phrases(line)
    real = last - first >= 3
    first, last = first[real], last[real]
    good = np.zeros(len(first), dtype=np.bool_)
    for place, (start, end) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
        usual = float(np.median(top.duration[start:end]))
        good[place] = top.duration[end] >= max(longer * usual, 1.5 * QUARTER)
    if good.sum() < phrases_ or good.mean() < ratio:
        return []
    return sight.spans(top.bar[last[good]], line.voice)


@detectors.register("leap_recovered")
def leap_recovered(sight: Sight, size: int = 7, ratio: float = 0.7, leaps: int = 3) -> list[Sighting]:
    """A tune whose leaps of a fifth or more are nearly all followed by a step the other way."""
    moves, bar = sight.melody.moves, sight.melody.top.bar
    if len(moves) < 4:
        return []
    real = (np.abs(moves[:-1]) >= size) & (np.abs(moves[:-1]) <= 16) & (sight.melody.rests[:-1] < QUARTER)
    step = real & (np.abs(moves[1:]) <= 2) & (moves[:-1] * moves[1:] < 0)
    if step.sum() < leaps or step.sum() < ratio * real.sum() or real.mean() > 0.5:
        return []
    return sight.spans(bar[:-2][step], sight.melody.voice)


@detectors.register("motif_sequence")
def sequenced(
    sight: Sight, where: str = "melody", notes: int = 4, times: int = 2, bars: int = 1, falling: bool = False
) -> list[Sighting]:
    """A motif of one or more bars played again at another pitch in the same rhythm, so many times in one direction."""
    found = []
    for line in sight.chosen(where):
        top = line.top
        place = np.rint(top.position / (QUARTER // 4)).astype(np.int64)
        edges = np.searchsorted(top.bar, np.arange(sight.bars + 1))
        likely = _likely(place, top.pitch, edges, bars) & (
            edges[bars : sight.bars - bars + 1] - edges[: -2 * bars] >= notes
        )
        same = np.zeros(len(likely), dtype=np.int64)
        for bar in np.flatnonzero(likely).tolist():
            one, other = (slice(edges[start], edges[start + bars]) for start in (bar, bar + bars))
            same[bar] = _shift(top.pitch[one], top.pitch[other], place[one], place[other], notes)
        run = np.sign(same)
        total = sum(run[k * bars : len(run) - (times - 2 - k) * bars] for k in range(times - 1)) if len(run) else run
        for bar in np.flatnonzero(total == 1 - times if falling else np.abs(total) == times - 1).tolist():
            found.append(Sighting(sight.number(bar), sight.number(bar + bars * times - 1), line.voice))
    return found


def _likely(place: Ints, pitch: Ints, edges: Ints, bars: int) -> Bools:
    """Stretches of bars whose onsets may stand in the same places as those of the next stretch, at other pitches."""
    sums = [np.concatenate([[0], np.cumsum(each)])[edges] for each in (place + 1, (place + 1) ** 3, pitch)]
    size = np.array([edges, *sums])
    part = size[:, bars:] - size[:, :-bars]
    now, after = part[:, : -bars or None], part[:, bars:]
    return np.asarray((now[:3] == after[:3]).all(axis=0) & (now[3] != after[3]))


def _shift(one: Ints, other: Ints, place: Ints, later: Ints, notes: int) -> int:
    """By how many semitones the second is the first one moved, steps of the scale allowed for; 0 if it is not."""
    if len(one) < notes or len(one) != len(other) or (np.abs(place - later) > 0).any() or len(np.unique(one)) < 3:
        return 0
    shift = other - one
    middle = int(np.rint(np.median(shift)))
    return middle if (np.abs(shift - middle) <= 1).all() and abs(middle) >= 1 and (shift != 0).all() else 0


@detectors.register("call_and_response")
def answered(
    sight: Sight, half_bars: int = 4, times: int = 2, notes: int = 3, same: bool = False, chords: bool = False
) -> list[Sighting]:
    """A line plays for so many half-bars and rests for as many while a silent part answers, several times over; with
    ``same`` the answer is always the same, with ``chords`` it is in several parts."""
    width = half_bars
    half = max(1, int(np.median(sight.bar_length)) // 2)
    units = int(sight.lines_at[-1]) // half + 1
    upper = [line for line in sight.lines if line is not sight.bass and len(line.starts) >= notes * times]
    heard = {line.voice: _activity(line, half, units, width) for line in upper}
    single = [line for line in upper if len(line) <= 1.3 * len(line.starts)]
    callers = sorted(single, key=lambda line: -float(line.pitch.mean()))[:4]
    found = []
    for tune, line in product(callers, upper):
        calls, answers = heard[tune.voice], heard[line.voice]
        size = len(calls) - width
        if line is tune or size < 1 or (chords and len(line) < 1.5 * len(line.starts)):
            continue
        turn = (calls[:size] >= notes) & (answers[:size] <= 1) & (calls[width:] <= 1) & (answers[width:] >= notes)
        for start in np.flatnonzero(turn).tolist():
            rows = [start + 2 * width * k for k in range(times)]
            if rows[-1] < size and turn[rows].all() and (not same or _alike(line, half, rows, width)):
                ticks = np.array([start * half, (rows[-1] + 2 * width) * half - 1])
                bars = np.minimum(np.searchsorted(sight.lines_at, ticks, side="right") - 1, sight.bars - 1)
                found.append(Sighting(sight.number(int(bars[0])), sight.number(int(bars[1])), line.voice))
    return found


def _activity(line: Line, half: int, units: int, width: int) -> Ints:
    """How many onsets each window of half-bars has."""
    count = np.bincount((line.top.onset + LOOSE) // half, minlength=units)[:units]
    total = np.concatenate([[0], np.cumsum(count)])
    return np.asarray(total[width:] - total[:-width])


def _alike(line: Line, half: int, rows: list[int], width: int) -> bool:
    """Whether the line's answers have the same rhythm, each as long as the first."""
    heard = []
    for row in rows:
        begin = (row + width) * half - LOOSE
        mine = (line.top.onset >= begin) & (line.top.onset < begin + width * half)
        heard.append(tuple(((line.top.onset[mine] - begin + LOOSE) // (QUARTER // 2)).tolist()))
    return len(set(heard)) == 1


@detectors.register("blue_notes")
def blue_notes(sight: Sight, where: str = "melody", ratio: float = 0.06, least_notes: int = 3) -> list[Sighting]:
    """A tune over major or dominant chords with the lowered third (moving on to the third, second or root) or the
    lowered fifth between fourth and fifth, often enough to be its colour."""
    major = np.zeros(sight.bars, dtype=np.bool_)
    for chord in sight.harmony:
        if chord.supported and chord.degree in (0, 5, 7) and chord.is_major:
            major[chord.bar] = True
    found: list[Sighting] = []
    for line in sight.chosen(where):
        top = line.top
        if len(top) < 6:
            continue
        degree = (top.pitch - sight.tonic[top.bar]) % 12
        now, after, move = degree[:-1], degree[1:], np.abs(np.diff(top.pitch))
        third = (now == 3) & np.isin(after, (4, 2, 0)) & (move <= 3)
        fifth = (now == 6) & np.isin(after, (5, 7)) & (move == 1)
        blue = (third | fifth) & major[top.bar[:-1]]
        if third.any() and blue.sum() >= max(least_notes, ratio * len(top)):
            found += sight.spans(top.bar[:-1][blue], line.voice, join=2)
    return found


def _sounding(line: Line, starts: Ints) -> tuple[Ints, Ints]:
    """The pitch that the line sounds at each instant (-1 for none), and how long it is."""
    top = line.top
    which = np.maximum(np.searchsorted(top.onset, starts + LOOSE, side="right") - 1, 0)
    on = (top.onset[which] <= starts + LOOSE) & (top.onset[which] + top.duration[which] > starts + LOOSE)
    return np.where(on, top.pitch[which], -1), np.where(on, top.duration[which], 0)


@detectors.register("guide_tone_line")
def guiding(sight: Sight, where: str = "upper", chords: int = 4, beats: float = 1.5) -> list[Sighting]:
    """A line of long notes, each the third or seventh of its chord, that moves by step as the chords change."""
    heard = [chord for chord in sight.harmony if chord.supported]
    if len(heard) < chords:
        return []
    starts = np.array([chord.start for chord in heard], dtype=np.int64)
    root = np.array([chord.root for chord in heard], dtype=np.int64)
    change = np.insert(np.diff(root) != 0, 0, True)
    bar = np.array([chord.bar for chord in heard], dtype=np.int64)
    starts, root, bar = starts[change], root[change], bar[change]
    found = []
    for line in sight.chosen(where):
        if not len(line) or len(line) > 1.2 * len(line.starts):
            continue
        pitch, length = _sounding(line, starts)
        good = np.isin((pitch - root) % 12, (3, 4, 10, 11)) & (pitch >= 0) & (length >= beats * QUARTER)
        step = np.append(np.abs(np.diff(pitch)) <= 2, False)
        edges = np.concatenate([[-1], np.flatnonzero(~(good & step)), [len(good)]])
        for start, end in zip(edges[:-1] + 1, edges[1:], strict=True):
            if (
                end < len(good)
                and good[end]
                and end - start + 1 >= chords
                and len(np.unique(pitch[start : end + 1])) >= 3
            ):
                found.append(Sighting(sight.number(int(bar[start])), sight.number(int(bar[end])), line.voice))
    return found


@detectors.register("counter_melody")
def countering(sight: Sight, bars: int = 4, longer: float = 2.0) -> list[Sighting]:
    """A single line between bass and tune, or above, that moves by small steps in notes much longer than the tune's."""
    tune, found = sight.melody.top, []
    lively = per_bar(sight, tune.bar) >= 3
    for line in sight.chosen("inner"):
        top = line.top
        if not len(top) or len(line) > 1.15 * len(line.starts) or line.pitch.mean() < sight.bass.pitch.mean() + 7:
            continue
        count = per_bar(sight, top.bar)
        long = np.bincount(top.bar, top.duration, minlength=sight.bars) >= 0.6 * sight.bar_length
        usual = float(np.median(tune.duration)) if len(tune) else 1.0
        slow = float(np.median(top.duration)) >= longer * usual
        for place in long_enough(sight, lively & (count >= 1) & (count <= 3) & long & slow, line.voice, bars):
            first, last = (
                np.searchsorted(top.bar, number - sight.score.first_bar) for number in (place.first, place.last + 1)
            )
            move = np.abs(np.diff(top.pitch[first:last]))
            if (move > 0).sum() >= bars - 1 and (move[move > 0] <= 4).mean() >= 0.75:
                found.append(place)
    return found


@detectors.register("harmonized_line")
def harmonized(
    sight: Sight, intervals: list[int], parts: int = 2, notes: int = 4, bars: int = 2, ratio: float = 0.85
) -> list[Sighting]:
    """Single lines that strike with the tune all through the bar, at those intervals below it, and move with it."""
    tune = sight.melody
    moving: Bools = per_bar(sight, tune.top.bar[1:], np.abs(tune.moves) > 0) >= 0.6 * notes
    count = per_bar(sight, tune.top.bar)
    together = np.zeros(sight.bars, dtype=np.int64)
    for line in sight.lines:
        if line is tune or len(line) > 1.2 * len(line.starts):
            continue
        at = np.minimum(np.searchsorted(line.top.onset, tune.top.onset - LOOSE // 2), len(line.top) - 1)
        near = np.abs(line.top.onset[at] - tune.top.onset) <= LOOSE // 2
        fits = near & np.isin(tune.top.pitch - line.top.pitch[at], intervals)
        size = per_bar(sight, line.top.bar)
        together += (per_bar(sight, tune.top.bar, fits) >= ratio * count) & (size >= 0.8 * count) & (size <= count + 1)
    return long_enough(sight, (together >= parts - 1) & (count >= notes) & moving, tune.voice, bars)
