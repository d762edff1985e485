"""Murmurs: inner voices that rock between neighbouring tones of the chord below a tune, in eighths, then sixteenths."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from libretto.contract.asks import Ask
from libretto.contract.checks.murmuring import GROWING, MURMUR
from libretto.contract.checks.where import bar_mask, spans_of_ask, tune_of, voices_of, within
from libretto.house.asks.doing import Job
from libretto.house.asks.notes import Row, put, range_of
from libretto.house.asks.textures import SOFT, Spans, bars_of, textures
from libretto.score import QUARTER, Score

__all__: list[str] = []

_NARROW, _WIDE = 3, 9  # semitones between the tones that rock
_FROM, _UNTIL = 0.45, 0.8  # of the bars: where a murmur that grows runs in sixteenths
_AROUND = 9  # semitones about the middle of a line within which it stays
_OVER = 8  # what it costs to lie above the tune, in semitones
_ACCENT = 4


@textures.register(MURMUR)
@textures.register(GROWING)
def _murmur(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """Those named rock between two tones of the chord that lie near what they had before, in contrary motion, below
    who has the tune; where the murmur grows, over three of them and twice as fast later."""
    leader = tune_of(score, tuple(spans))
    lines = [index for index in voices_of(ask.who, score, tuple(spans)) if not score.voices[index].drums]
    alone = _silent(job, score, ask.who)
    bars = [bar for bar in bars_of(score, spans) if not alone[bar]]
    where = [(bar + score.first_bar,) * 2 for bar in bars]
    made = score
    for number, index in enumerate(lines):
        sings = index == leader and len(score.voices) > len(lines)
        if bars and not sings and len(within(score.voices[index].array, tuple(spans), score)):
            rows = _line(score, index, bars, leader, grows=ask.what == GROWING, turned=bool(number % 2))
            made = put(made, score.voices[index].name, where, rows)
    return made


def _line(score: Score, index: int, bars: Sequence[int], leader: int | None, *, grows: bool, turned: bool) -> list[Row]:
    """What one of them rocks in some bars, as loud as it is there anyway."""
    voice = score.voices[index]
    middle = round(float(np.median(voice.array["pitch"])))
    low, high = range_of(voice)
    room = max(low, middle - _AROUND), min(high, middle + _AROUND)
    tones, rows, loud = (middle - _NARROW, middle + _NARROW), [], SOFT
    for place, bar in enumerate(bars):
        own = within(voice.array, ((bar + score.first_bar,) * 2,), score)["velocity"]
        loud = round(float(own.mean())) if len(own) else loud
        quick = grows and _FROM <= place / len(bars) < _UNTIL
        top = _tune_above(score, leader, bar)
        for start, end, _ in score.chord_spans(bar):
            tones = _near(score, start, tones, room, top)
            rows += _rocked(score, (start, end), tones, loud, quick=quick, turned=turned)
    return rows


def _silent(job: Job, score: Score, who: str) -> NDArray[np.bool_]:
    """In which bars others play alone."""
    alone = [
        ask for ask in job.contract.asks if ask.kind == "only" and not set(ask.who.split(" + ")) & {*who.split(" + ")}
    ]
    mask = np.zeros(score.bars, dtype=np.bool_)
    for ask in alone:
        mask |= bar_mask(spans_of_ask(ask, score), score)
    return mask


def _tune_above(score: Score, leader: int | None, bar: int) -> int:
    """The lowest note of the tune in a bar, over which nobody murmurs."""
    if leader is None:
        return 127
    notes = within(score.voices[leader].array, ((bar + score.first_bar,) * 2,), score)
    return int(notes["pitch"].min()) if len(notes) else 127


def _near(score: Score, tick: int, before: Sequence[int], room: tuple[int, int], top: int) -> tuple[int, int]:
    """The two tones of the chord at a tick, a third to a sixth apart, that are nearest the two before."""
    chord = score.chord_at(tick)
    classes = chord.classes if chord is not None else score.key_at(tick).classes
    tones = [pitch for pitch in range(room[0], room[1] + 1) if pitch % 12 in classes]
    pairs = [pair for pair in combinations(tones, 2) if _NARROW <= pair[1] - pair[0] <= _WIDE]
    middle = sum(room) // 2

    def cost(pair: tuple[int, int]) -> tuple[int, int]:
        moved = abs(pair[0] - before[0]) + abs(pair[-1] - before[-1])
        return moved + _OVER * (pair[1] >= top) + abs(sum(pair) // 2 - middle) // 2, pair[0]

    return min(pairs, key=cost, default=(before[0], before[-1]))


def _rocked(
    score: Score, span: tuple[int, int], tones: Sequence[int], loud: int, *, quick: bool, turned: bool
) -> list[Row]:
    """Tones of a chord in waves, as eighths, or as sixteenths with what lies between; long in the last bar."""
    start, end = span
    if start >= score.bar_lines[-2]:
        return [Row(start, end - start, tones[-1] if turned else tones[0], loud)]
    chord = score.chord_at(start)
    inner = [pitch for pitch in range(tones[0] + 1, tones[-1]) if chord is not None and pitch % 12 in chord.classes]
    wave = [tones[0], *inner[:1], tones[-1], *inner[:1]] if quick else [tones[0], tones[-1]]
    wave = wave[::-1] if turned else wave
    unit = QUARTER // 4 if quick else QUARTER // 2
    return [
        Row(tick, min(unit, end - tick), wave[place % len(wave)], loud + (_ACCENT if place == 0 else 0))
        for place, tick in enumerate(range(start, end, unit))
    ]
