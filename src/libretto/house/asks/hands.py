"""What hands can do: difficulty, ranges and register."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.asks import Ask
from libretto.contract.checks.compass import upper_line
from libretto.contract.checks.hands import (
    HANDS,
    LEVELS,
    RISING,
    Level,
    hand_of,
    range_asked,
    register_of,
)
from libretto.contract.checks.peaks import ONE_PEAK
from libretto.contract.checks.shouting import SHOUTING
from libretto.contract.checks.soaring import SOARING
from libretto.contract.checks.where import Spans, tune_of, voices_of, within
from libretto.contract.instruments import instrument_of_program
from libretto.edits.density import divided
from libretto.edits.register import octaved
from libretto.edits.spans import starts_in, stretches
from libretto.house.asks.climbing import climbing
from libretto.house.asks.crowding import filled
from libretto.house.asks.doing import Job, doers, place_of
from libretto.house.asks.notes import MIDDLE, Row, put, rows_of, scale_at
from libretto.house.asks.peaking import peaking
from libretto.house.asks.running import running
from libretto.house.asks.shouting import shouting
from libretto.house.asks.soaring import soaring
from libretto.score import QUARTER, Score, Voice

__all__: list[str] = []

_EIGHTH, _SIXTEENTH = QUARTER // 2, QUARTER // 4
_OCTAVE, _FIFTH = 12, 7
_HARDLY = 1 / 8  # of the notes are quick in what is calm
_PASSING = 8  # velocities that a passing note is softer
_SHOWY = 0.08  # of the notes of a piece are quick where its leader runs now and then
_HARD = 0.2  # of the notes of a piece for advanced players are quick


def _pitched(ask: Ask, score: Score, spans: Spans, default: str = "") -> list[int]:
    """The voices with pitches that an ask speaks of."""
    return [index for index in voices_of(ask.who or default, score, spans) if not score.voices[index].drums]


@doers.register("register")
def _register(ask: Ask, score: Score, job: Job) -> Score:
    spans = place_of(ask, score)
    made = score
    for index in _pitched(ask, score, spans, "melody") if spans else ():
        name = score.voices[index].name
        if ask.what == SOARING:
            return soaring(made, index, spans)
        if ask.what == RISING:
            made = climbing(made, index, spans)
            continue
        if ask.what == ONE_PEAK:
            return peaking(made, index, spans)
        if ask.what == SHOUTING:
            made = shouting(made, index, spans)
            continue
        ground = ask.what == "high" and any((one.name, one.role) == (name, "bass") for one in job.contract.parts)
        for _ in range(2):
            if register_of(ask, made, index, spans)[0]:
                break
            if ground:
                made = _raised(made, made.voices[index], spans)
                break
            made = octaved(made, -1 if ask.what == "low" else 1, [name], spans, comfortable=True)
    return made


def _raised(score: Score, voice: Voice, spans: Spans) -> Score:
    """The piece with a bass an octave higher in those bars of a place in which it is comfortable there; in the others
    it keeps the ground."""
    top = instrument_of_program(voice.program or 0).comfortable[1] - _OCTAVE
    bars = [(bar, bar) for first, last in spans for bar in range(first, last + 1)]
    able = [span for span in bars if within(voice.array, (span,), score)["pitch"].max(initial=0) <= top]
    return octaved(score, 1, [voice.name], able or spans, comfortable=True)


@doers.register("range")
def _range(ask: Ask, score: Score, job: Job) -> Score:
    spans = place_of(ask, score)
    asked = range_asked(ask.what)
    if not spans or asked is None:
        return score
    made = score
    for index in _pitched(ask, score, spans, "" if asked.span is not None else "melody"):
        voice = made.voices[index]
        if asked.low is not None and asked.high is not None:
            made = _between(made, voice, spans, asked.low, asked.high)
        elif (compass := asked.compass_of(voice.program)) is not None:
            made = _in_compass(made, voice, spans, compass)
        elif asked.span is not None:
            made = _rewritten(made, voice, spans, partial(_narrowed, span=asked.span))
    return made


def _in_compass(score: Score, voice: Voice, spans: Spans, compass: int) -> Score:
    """A voice whose upper line stays in an interval: what goes beyond is moved by octaves, or to the nearest tone of
    the scale."""

    def change(rows: list[Row]) -> list[Row]:
        upper = upper_line(voice.array[starts_in(voice.array, stretches(score, spans))], voice.program)
        low = _best_place(score, [row for row, sung in zip(rows, upper, strict=True) if sung], compass)
        return [
            row._replace(pitch=_into(score, row, low, low + compass)) if sung else row
            for row, sung in zip(rows, upper, strict=True)
        ]

    return _rewritten(score, voice, spans, change)


def _best_place(score: Score, rows: Sequence[Row], compass: int) -> int:
    """The lowest pitch of an interval in which most of a line lies, of those that begin on the tonic or the fifth of
    the key and have the tonic in them."""
    home = score.key.tonic_class
    lowest = [pitch for pitch in range(_OCTAVE, 9 * _OCTAVE) if (pitch - home) % _OCTAVE in (0, _FIFTH)]
    able = [pitch for pitch in lowest if (home - pitch) % _OCTAVE <= compass]
    return _fullest(rows, compass, able, round(sum(row.pitch for row in rows) / max(1, len(rows))))


def _fullest(rows: Sequence[Row], size: int, able: Sequence[int], about: int) -> int:
    """The lowest pitch, of those that may be, of the interval in which rows sound longest; of several the nearest to a
    pitch."""

    def inside(low: int) -> tuple[int, int]:
        held = sum(row.duration for row in rows if low <= row.pitch <= low + size)
        return held, -abs(low - about)

    return max(able, key=inside)


def _rewritten(score: Score, voice: Voice, spans: Spans, change: Callable[[list[Row]], list[Row]]) -> Score:
    mine = rows_of(voice.array[starts_in(voice.array, stretches(score, spans))])
    return put(score, voice.name, spans, change(mine))


def _between(score: Score, voice: Voice, spans: Spans, low: int, high: int) -> Score:
    """A voice whose upper line lies between two pitches; what is under it goes lower by octaves."""

    def change(rows: list[Row]) -> list[Row]:
        tops: dict[int, int] = {}
        for row in rows:
            tops[row.onset] = max(tops.get(row.onset, 0), row.pitch)
        made = []
        for row in rows:
            if row.pitch == tops[row.onset]:
                made.append(row._replace(pitch=_into(score, row, low, high)))
            else:
                lower = row.pitch
                while lower >= low and lower >= _OCTAVE:
                    lower -= _OCTAVE
                made.append(row._replace(pitch=lower))
        return [row for row in made if row.pitch >= instrument_of_program(voice.program or 0).low]

    return _rewritten(score, voice, spans, change)


def _into(score: Score, row: Row, low: int, high: int) -> int:
    """The pitch nearest a row's, by octaves or within the scale, between two pitches."""
    inside = [pitch for pitch in range(low, high + 1) if pitch % 12 == row.pitch % 12]
    scale = scale_at(score, row.onset)
    choices = inside or [pitch for pitch in range(low, high + 1) if pitch % 12 in scale] or [low]
    return min(choices, key=lambda pitch: (abs(pitch - row.pitch), pitch))


def _narrowed(rows: Sequence[Row], span: int) -> list[Row]:
    """Rows of which no hand strikes more than an interval at once: the outer tone of each hand stays."""
    kept = []
    for hand in HANDS:
        by_time: dict[int, list[Row]] = {}
        for row in rows:
            if hand_of(row.pitch) == hand:
                by_time.setdefault(row.onset, []).append(row)
        for struck in by_time.values():
            anchor = max(row.pitch for row in struck) if hand == "right" else min(row.pitch for row in struck)
            kept += [row for row in struck if abs(row.pitch - anchor) <= span]
    return sorted(kept)


@doers.register("difficulty")
def _difficulty(ask: Ask, score: Score, job: Job) -> Score:
    spans = place_of(ask, score)
    level = LEVELS.get(ask.what)
    if not spans or level is None:
        return score
    mine = _pitched(ask, score, spans)
    made = score
    if level.hard:
        leader = tune_of(score, spans)
        for every in (2, 1):  # every second long note, then every one, ends in a run
            if leader in mine and _quick(made, mine, spans) < _SHOWY:
                made = running(made, score.voices[leader].name, spans, every)
        if _quick(made, mine, spans) >= _SHOWY:
            return made
        for index in sorted(mine, key=lambda index: index != leader):
            if _quick(made, mine, spans) >= _HARD:  # lines that all run alike are no lines
                break
            name = score.voices[index].name
            made = divided(made, [name], spans)
            made = filled(made, name, spans, _EIGHTH) if _calm(made.voice(name).array) else made
            made = _runs(made, name, spans)
        return made
    for index in mine:
        made = _rewritten(made, made.voices[index], spans, partial(_eased, score, level))
    return made


def _quick(score: Score, voices: Sequence[int], spans: Spans) -> float:
    """The share of the notes of some voices that are shorter than an eighth."""
    notes = np.concatenate([within(score.voices[index].array, spans, score) for index in voices])
    return float((notes["duration"] < _EIGHTH).mean()) if len(notes) else 0.0


def _calm(notes: NDArray[Any]) -> bool:
    """Whether hardly anything is shorter than an eighth."""
    return bool((notes["duration"] < _EIGHTH).mean() < _HARDLY)


def _runs(score: Score, name: str, spans: Spans) -> Score:
    """The piece with a passing note between two eighths of a line that lie a third apart or more, as a virtuoso has."""
    voice = score.voice(name)
    rows = rows_of(voice.array[starts_in(voice.array, stretches(score, spans))])
    made = list(rows)
    onsets = sorted({row.onset for row in rows})
    following = dict(pairwise(onsets))
    for place, row in enumerate(rows):
        after = following.get(row.onset)
        short = after is not None and after - row.onset == _EIGHTH and row.duration >= _SIXTEENTH
        top = row.pitch == max(other.pitch for other in rows if other.onset == row.onset)
        if after is None or not short or not top:
            continue
        goal = max(other.pitch for other in rows if other.onset == after)
        scale = sorted(scale_at(score, row.onset))
        between = [pitch for pitch in range(min(row.pitch, goal) + 1, max(row.pitch, goal)) if pitch % 12 in scale]
        step = between[len(between) // 2] if between else row.pitch
        made[place] = row._replace(duration=_SIXTEENTH)
        made.append(Row(row.onset + _SIXTEENTH, _SIXTEENTH, step, max(1, row.velocity - _PASSING)))
    return put(score, name, spans, made)


def _eased(score: Score, level: Level, rows: Sequence[Row]) -> list[Row]:
    """Rows that a learner can play: on even eighths or sixteenths, few notes a hand, each hand in one place."""
    kept: list[Row] = []
    for hand in HANDS:
        mine = [row for row in rows if hand_of(row.pitch) == hand]
        mine = [row for row in mine if (row.onset - score.bar_lines[score.bar_at(row.onset)]) % level.shortest == 0]
        if not mine:
            continue
        middle = int(np.median([row.pitch for row in mine])) - level.reach // 2
        near = range(middle - level.reach // 2, middle + level.reach // 2 + 1)
        low = _fullest(mine, level.reach, near, middle)
        low = max(low, MIDDLE) if hand == "right" else min(low, MIDDLE - 1 - level.reach)
        mine = [row._replace(pitch=_into(score, row, low, low + level.reach)) for row in mine]
        kept += _few(mine, level.notes, top=hand == "right", shortest=level.shortest)
    return sorted(kept)


def _few(rows: Sequence[Row], most: int, *, top: bool, shortest: int) -> list[Row]:
    """Rows of one hand with so many notes at once: the outer ones stay, and what still sounds is let go."""
    by_time: dict[int, dict[int, Row]] = {}
    for row in rows:
        by_time.setdefault(row.onset, {})[row.pitch] = row
    onsets = sorted(by_time)
    kept = []
    for onset, after in zip(onsets, [*onsets[1:], None], strict=True):
        struck = sorted(by_time[onset].values(), key=lambda row: row.pitch, reverse=top)[:most]
        for row in struck:
            length = max(row.duration, shortest)
            kept.append(row._replace(duration=length if after is None else min(length, after - onset)))
    return kept
