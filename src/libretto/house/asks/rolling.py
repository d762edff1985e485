"""Rolls, crashes and fills of percussion where a brief asks for them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.asks import Ask
from libretto.contract.checks.rolls import CYMBALS, roll_step
from libretto.contract.checks.where import Spans
from libretto.house.asks.doing import players_of
from libretto.house.asks.notes import Row, beats_of, put, range_of
from libretto.score import QUARTER, Score, Voice

__all__ = ["struck"]

_SNARE, _CRASH, _GONG, _TOMS = 38, 49, 52, (50, 48, 47, 45, 43, 41)  # keys of the General MIDI kit
_FROM, _TO = 46, 104  # velocities of a roll that grows
_HARD = 108
_KEPT = (35, 36)  # the foot goes on under a fill
_ONLY = {"tambourine": 54, "cymbal": 49, "gong": 52, "bass drum": 36, "timbale": 65}  # who has no snare


def struck(ask: Ask, score: Score, spans: Spans) -> Score:
    """The piece with a roll through some bars, a crash where they begin, or a fill at their end."""
    names = players_of(ask, score, spans)
    voices = [voice for voice in score.voices if voice.name in names]
    voices = voices or [voice for voice in score.voices if voice.drums]
    if not voices:
        return score
    voice, made = voices[0], score
    for first, last in spans:
        if ask.what == "crash":
            made = _crash(made, voice, first)
        elif ask.what == "roll":
            made = _roll(made, voice, first, last)
        else:
            made = _fill(made, voice, last)
    return made


def _keys(score: Score, voice: Voice, bar: int) -> int:
    """What somebody rolls on: a drum, or kettles on the bass of the bar."""
    if voice.drums:
        return next((key for word, key in _ONLY.items() if word in voice.name.lower()), _SNARE)
    chord = score.chord_at(score.bar_lines[bar])
    tone = chord.bass_class if chord is not None else score.key_at(score.bar_lines[bar]).tonic_class
    low, high = range_of(voice)
    return next((pitch for pitch in range(low, high + 1) if pitch % 12 == tone), low)


def _roll(score: Score, voice: Voice, first: int, last: int) -> Score:
    """A roll that grows through some bars."""
    start, end = score.bar_lines[first - score.first_bar], score.bar_lines[last - score.first_bar + 1]
    rows = []
    for bar in range(first - score.first_bar, last - score.first_bar + 1):
        key = _keys(score, voice, bar)
        step = roll_step(score, score.bar_lines[bar])
        for tick in range(score.bar_lines[bar], score.bar_lines[bar + 1], step):
            rows.append(Row(tick, step, key, _FROM + (_TO - _FROM) * (tick - start) // max(1, end - start)))
    if last == score.numbers[-1] and rows:  # a last stroke
        rows[-1] = rows[-1]._replace(velocity=_HARD)
    if voice.drums:
        own = {row.pitch for row in rows}
        return put(score, voice.name, [(first, last)], rows, lambda notes: ~_in(notes, {*own, _SNARE, *_TOMS}))
    return put(score, voice.name, [(first, last)], rows)


def _crash(score: Score, voice: Voice, first: int) -> Score:
    """A crash on the first beat of a bar."""
    bar = first - score.first_bar
    tick = score.bar_lines[bar]
    gong = "gong" in voice.name.lower() or "tam" in voice.name.lower()
    key = (_GONG if gong else _CRASH) if voice.drums else _keys(score, voice, bar)
    others = {*CYMBALS, key}
    stroke = Row(tick, QUARTER, key, _HARD)
    return put(
        score, voice.name, [(first, first)], [stroke], lambda notes: ~_in(notes, others) | (notes["onset"] != tick)
    )


def _fill(score: Score, voice: Voice, last: int) -> Score:
    """A fill down the toms in the second half of a bar."""
    bar = last - score.first_bar
    beats = beats_of(score, bar)
    late = beats[len(beats) // 2 :]
    end = score.bar_lines[bar + 1]
    if last == score.numbers[-1]:
        late, end = beats[: max(1, len(beats) // 2)], beats[len(beats) // 2]
    ticks = list(range(late[0], end, QUARTER // 4))
    keys = (_SNARE, *_TOMS) if voice.drums else (_keys(score, voice, bar),)
    rows = [
        Row(tick, QUARTER // 4, keys[at * len(keys) // max(1, len(ticks))], 84 + 20 * (at % 4 == 0))
        for at, tick in enumerate(ticks)
    ]
    return put(score, voice.name, [(last, last)], rows,
               lambda notes: (notes["onset"] < ticks[0]) | (notes["onset"] >= end) | _in(notes, {*_KEPT}))  # fmt: skip


def _in(notes: NDArray[Any], keys: set[int]) -> NDArray[np.bool_]:
    """Which notes have one of some keys."""
    return np.isin(notes["pitch"], sorted(keys))
