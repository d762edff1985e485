"""Drones: one tone held under everything, drawn out by who has breath or a bow, plucked by a thumb."""

from __future__ import annotations

import numpy as np

from libretto.contract.asks import Ask
from libretto.contract.checks.compass import has_overtones
from libretto.contract.checks.where import within
from libretto.contract.instruments import instrument_of_program
from libretto.house.asks.doing import Job
from libretto.house.asks.notes import Row, beats_of, put
from libretto.house.asks.textures import ACCENT, FIRM, Spans, bars_of, low_home, target, textures, under
from libretto.house.charts.piping import PARTIALS
from libretto.score import Score, Voice

__all__: list[str] = []

_STRUCK = ("manner", "lead", "solo")  # asks for what somebody plays above a drone
_SOUNDING, _BREATH = ("winds", "brass", "strings", "organ", "free reeds", "synth", "voices"), 4  # and bars of a breath
_FIRST, _EVERY, _EIGHTHS = 2, 2, 8  # the bar in which overtones begin, from 0, and come again; of a bar
_THUMB_ROOM = 6  # semitones above a plucked drone from which on fingers play


@textures.register("pedal")
def _pedal(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """The tonic held under everything; plucked on every beat by who has a line besides; what somebody was asked to
    strike or to play besides stays above it."""
    voice = target(ask, score, spans, "bass")
    if voice is not None and _has_fingers_left(score, voice, spans):
        return _thumbed(score, voice, spans)
    besides = _has_more(ask, job)
    made = under(ask, score, spans, lambda start, end, home: [Row(start, end - start, home, FIRM - ACCENT)], besides)
    lasts = voice is not None and instrument_of_program(voice.program or 0).family in _SOUNDING and not besides
    if voice is None or not lasts:
        return made
    held = _drawn_out(made, voice.name, spans)
    return _whistled(held, voice.name, spans) if has_overtones(voice.name) else held


def _has_more(ask: Ask, job: Job) -> bool:
    """Whether who holds a drone plays something above it: as asked for, or the tune, which drones of a place rest
    from."""
    leads = any(part.name == ask.who and part.role == "lead" for part in job.contract.parts)
    placed = ask.kind == "role" and bool(ask.where)
    return (leads and not placed) or any(_is_above(other, ask) for other in job.contract.asks)


def _is_above(other: Ask, ask: Ask) -> bool:
    """Whether somebody is asked to play something over its drone."""
    return other.who == ask.who and other.kind in _STRUCK and other.where in ("", ask.where)


def _drawn_out(score: Score, name: str, spans: Spans) -> Score:
    """A voice that holds one tone, set in anew only every few bars."""
    voice = next(one for one in score.voices if one.name == name)
    rows: list[Row] = []
    for note in within(voice.array, tuple(spans), score):
        last = rows[-1] if rows else None
        row = Row(int(note["onset"]), int(note["duration"]), int(note["pitch"]), FIRM - ACCENT)
        bars = score.bar_at(row.onset) - score.bar_at(last.onset) if last else _BREATH
        if last and last.onset + last.duration == row.onset and last.pitch == row.pitch and bars < _BREATH:
            rows[-1] = last._replace(duration=last.duration + row.duration)
        else:
            rows.append(row)
    return put(score, name, spans, rows)


def _whistled(score: Score, name: str, spans: Spans) -> Score:
    """A drone from the throat with the overtones that whistle above it in every other bar, by turns."""
    voice = score.voice(name)
    bars = [bar for bar in bars_of(score, spans) if bar < score.bars - 1][_FIRST::_EVERY]
    rows: list[Row] = []
    for place, bar in enumerate(bars):
        start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
        notes = voice.array
        low = notes["pitch"][(notes["onset"] < end) & (notes["onset"] + notes["duration"] > start)]
        at = start
        for semitones, eighths in PARTIALS[place % len(PARTIALS)] if len(low) else ():
            length = (end - start) * eighths // _EIGHTHS
            rows.append(Row(at, length, int(low.min()) + semitones, FIRM - 3 * ACCENT))
            at += length
    return put(score, name, spans, rows, lambda notes: np.ones(len(notes), dtype=np.bool_)) if rows else score


def _has_fingers_left(score: Score, voice: Voice, spans: Spans) -> bool:
    """Whether somebody plucks a drone with the thumb and has a line for the fingers."""
    notes = within(voice.array, tuple(spans), score)
    above = notes["pitch"] > low_home(score, voice, 0) + _THUMB_ROOM
    return instrument_of_program(voice.program or 0).family in ("plucked", "guitar") and bool(above.any())


def _thumbed(score: Score, voice: Voice, spans: Spans) -> Score:
    """The tonic on every beat below what a voice plays higher up."""
    rows: list[Row] = []
    for bar in bars_of(score, spans):
        start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
        home, beats = low_home(score, voice, start), beats_of(score, bar)
        for tick, following in zip(beats, [*beats[1:], end], strict=True):
            last = end == score.bar_lines[-1] and tick > start  # in the last bar one stroke that rings
            if not last:
                ring = end if end == score.bar_lines[-1] else following
                rows.append(Row(tick, ring - tick, home, FIRM - ACCENT * (tick != start)))
    floor = low_home(score, voice, 0) + _THUMB_ROOM
    return put(score, voice.name, spans, rows, lambda notes: notes["pitch"] > floor)
