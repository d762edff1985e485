"""Tempo: scaled, set, or drawn out and pressed on little by little."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from libretto.edits.spans import Spans, rechanged, stretches
from libretto.errors import LibrettoError
from libretto.score import Score
from libretto.score.model import in_force
from libretto.score.time import FASTEST_MICROS, SLOWEST_MICROS, bpm_of_micros, micros_of_bpm

__all__ = ["breathing", "drawn", "paced", "ramped", "scaled"]

_STEPS_A_BAR = 4  # tempo marks a bar of a ramp: as fine as players are heard to give way
_LONG = 8  # bars
_MOST_STEPS = 256  # tempo marks of one ramp
_PHRASE = 4  # bars of a phrase of rubato
_RUBATO = ((1.0, 1.03), (1.06, 1.05), (1.03, 0.98), (0.95, 0.86))  # shares of the tempo by halves of its bars


def _within(micros: float) -> int:
    return max(FASTEST_MICROS, min(SLOWEST_MICROS, round(micros)))


def scaled(score: Score, factor: float, spans: Spans = None) -> Score:
    """The bars so many times as fast; what they have of changing tempo they keep in proportion."""
    if not factor > 0:
        raise LibrettoError(f"a tempo cannot be {factor:g} times as fast")
    ticks = stretches(score, spans)
    return replace(score, tempos=rechanged(score.tempos, ticks, score.ticks, lambda micros: _within(micros / factor)))


def paced(score: Score, bpm: float, spans: Spans = None) -> Score:
    """The bars at that many quarter notes a minute, evenly."""
    micros, ticks = micros_of_bpm(bpm), stretches(score, spans)
    inside = [tick for tick, _ in score.tempos if any(start < tick < end for start, end in ticks)]
    made = rechanged(score.tempos, ticks, score.ticks, lambda _: micros)
    return replace(score, tempos=tuple(change for change in made if change[0] not in inside))


def ramped(score: Score, from_factor: float, to_factor: float, spans: Spans = None) -> Score:
    """Every stretch from one share of its tempo to another, step by step; after it the tempo is as it was.

    ``ramped(score, 1.0, 0.7, spans)`` is a ritardando, ``ramped(score, 1.0, 1.2, spans)`` an accelerando.
    """
    if not (from_factor > 0 and to_factor > 0):
        raise LibrettoError("a tempo cannot be drawn out to nothing")
    made = score.tempos
    for start, end in stretches(score, spans):
        bars = score.bar_at(end - 1) - score.bar_at(start) + 1
        steps = 1 if bars > _LONG else _STEPS_A_BAR  # over many bars each bar has its tempo
        count = max(2, min(_MOST_STEPS, bars * steps))
        places = [start + (end - start) * step // count for step in range(count)]
        places = sorted({*places, *(tick for tick, _ in score.tempos if start < tick < end)})
        shares = [Fraction(tick - start, end - start) for tick in places]
        ramp = {
            tick: _within(in_force(score.tempos, tick) / _between(from_factor, to_factor)(float(share)))
            for tick, share in zip(places, shares, strict=True)
        }
        rest = {tick: micros for tick, micros in made if not start <= tick < end}
        after = {end: in_force(score.tempos, end)} if end < score.ticks else {}
        made = tuple(sorted({**rest, **after, **ramp}.items()))
    return replace(score, tempos=made)


def drawn(score: Score, factor: float, spans: Spans = None) -> Score:
    """Every stretch from its tempo to that share of it, as a player reads it: beat by beat, in whole beats a minute.

    What a stretch has of changing tempo it keeps in proportion, unless that goes the other way.
    """
    if not factor > 0:
        raise LibrettoError("a tempo cannot be drawn out to nothing")
    made = dict(score.tempos)
    for start, end in stretches(score, spans):
        own = [(start, in_force(score.tempos, start)), *((t, m) for t, m in score.tempos if start < t < end)]
        if any((later - earlier) * (factor - 1) > 0 for (_, earlier), (_, later) in pairwise(own)):
            own = own[:1]
        made = {tick: micros for tick, micros in made.items() if not start <= tick < end}
        for tick in sorted({*_beats(score, start, end), *(tick for tick, _ in own)}):
            share = _between(1.0, factor)((tick - start) / (end - start))
            made[tick] = _within(micros_of_bpm(max(1, round(bpm_of_micros(in_force(own, tick)) * share))))
        if end < score.ticks:
            made[end] = in_force(score.tempos, end)
    return replace(score, tempos=tuple(sorted(made.items())))


def _beats(score: Score, start: int, end: int) -> list[int]:
    """Where the tempo steps on: at every beat, in bars of two in four steps, over many bars at every bar line."""
    first, last = score.bar_at(start), score.bar_at(end - 1)
    places: list[int] = []
    for line, stop in pairwise(score.bar_lines[first : last + 2]):
        meter = score.meter_at(line)
        step = meter.ticks // (meter.beats if meter.beats > 2 else _STEPS_A_BAR)
        places += range(line, stop, max(1, step)) if last - first < _LONG else (line,)
    return places


def breathing(score: Score, spans: Spans = None, phrase: int = _PHRASE) -> Score:
    """The tempo given and taken back phrase by phrase, as in rubato: it presses on to the middle of every few bars and
    lingers at their end; a phrase takes about as long as before."""
    made = dict(score.tempos)
    for start, end in stretches(score, spans):
        first, last = score.bar_at(start), score.bar_at(end - 1)
        for bar in range(first, last + 1):
            shares = _RUBATO[(bar - first) % phrase * len(_RUBATO) // phrase]
            line, after = score.bar_lines[bar], score.bar_lines[bar + 1]
            for half, share in enumerate(shares):
                tick = line + (after - line) * half // len(shares)
                made[tick] = _within(in_force(score.tempos, tick) / share)
        if end < score.ticks:
            made[end] = in_force(score.tempos, end)
    return replace(score, tempos=tuple(sorted(made.items())))


def _between(one: float, other: float) -> Callable[[float], float]:
    """From one value to another, in proportion."""
    return lambda share: one + (other - one) * share
