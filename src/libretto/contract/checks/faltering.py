"""Clauses on what goes wrong little by little: wrong notes of a tune that comes back, and a tempo that runs down, or
rises and falls."""

from __future__ import annotations

from itertools import pairwise

from libretto.contract.asks import Ask
from libretto.contract.checks.check import Finding
from libretto.contract.checks.where import Spans, nowhere, said, ticks_of, tops, tune_of, within
from libretto.score.model import Score, in_force
from libretto.score.time import bpm_of_micros

__all__ = ["IN_WAVES", "RUNNING_DOWN", "WRONG_NOTES", "ran_down", "rose_and_fell", "statements", "wrong_by_one"]

#: What asks say of a tune that goes wrong, of a tempo that falters as it slows down, and of one that rises and falls.
WRONG_NOTES, RUNNING_DOWN, IN_WAVES = "wrong notes", "running down", "in waves"
_WAVE, _SWEEP = 16, 1.15  # bars in which a tempo rises and falls at least once, and how much faster it is on top
_PHRASE = 4  # bars of a tune that comes back
_FEWEST_NOTES, _FEWEST = 4, 3  # of a tune, and how often it is there
_SLOWED = 0.7  # of its tempo that is left at most
_HALTS = 2  # times that a tempo hesitates and goes on at least

Line = list[tuple[int, int]]


def _line(score: Score, index: int, bar: int) -> Line:
    """The tune of a phrase from a bar, from 0, on: places from its first line, and pitches."""
    first = bar + score.first_bar
    notes = tops(within(score.voices[index].array, ((first, first + _PHRASE - 1),), score))
    start = score.bar_lines[bar]
    return [(int(note["onset"]) - start, int(note["pitch"])) for note in notes]


def statements(score: Score, index: int) -> list[tuple[int, Line]]:
    """Where a voice has a phrase in the same rhythm most often, each with its tune; none that overlap."""
    lines = {bar: _line(score, index, bar) for bar in range(score.bars - _PHRASE + 1)}
    best: list[tuple[int, Line]] = []
    for bar, line in lines.items():
        if len(line) < _FEWEST_NOTES:
            continue
        rhythm, again = [place for place, _ in line], [(bar, line)]
        for other in range(bar + _PHRASE, score.bars - _PHRASE + 1):
            if other >= again[-1][0] + _PHRASE and [place for place, _ in lines[other]] == rhythm:
                again.append((other, lines[other]))
        best = again if len(again) > len(best) else best
    return best


def wrong_by_one(ask: Ask, score: Score, spans: Spans) -> Finding:
    """A tune comes back at least twice, each time with one more note that is another than at first."""
    index = tune_of(score, spans)
    if index is None:
        return nowhere(ask, spans)
    told = statements(score, index)
    counts = [sum(one != two for one, two in zip(told[0][1], line, strict=True)) for _, line in told]
    bars = tuple((bar + score.first_bar,) * 2 for bar, _ in told)
    kept = len(told) >= _FEWEST and all(after == before + 1 for before, after in pairwise(counts))
    wrong = ", ".join(map(str, counts)) or "none"
    return kept, f"{score.voices[index].name} has its tune from {said(bars)} on, with {wrong} notes of it wrong", bars


def ran_down(ask: Ask, score: Score, spans: Spans) -> Finding:
    """A tempo slows down, and hesitates more than once on the way."""
    start, end = ticks_of(spans, score)[0]
    inside = [in_force(score.tempos, start), *(micros for tick, micros in score.tempos if start < tick < end)]
    speeds = [bpm_of_micros(micros) for micros in inside]
    steps = [after - before for before, after in pairwise(speeds)]
    halts = sum(one < 0 < two for one, two in pairwise([step for step in steps if step]))
    kept = speeds[-1] <= _SLOWED * speeds[0] and halts >= _HALTS
    return kept, f"from {speeds[0]:.0f} to {speeds[-1]:.0f} in {said(spans)}, hesitating {halts} times", spans


def rose_and_fell(ask: Ask, score: Score, spans: Spans) -> Finding:
    """A tempo rises and falls again, once in every few phrases."""
    start, end = ticks_of(spans, score)[0]
    inside = [in_force(score.tempos, start), *(micros for tick, micros in score.tempos if start < tick < end)]
    waves, low, high = 0, bpm_of_micros(inside[0]), 0.0
    for micros in inside:
        speed = bpm_of_micros(micros)
        if high and speed * _SWEEP <= high:
            waves, low, high = waves + 1, speed, 0.0
        elif high or speed >= low * _SWEEP:
            high = max(high, speed)
        else:
            low = min(low, speed)
    bars = sum(last - first + 1 for first, last in spans)
    return waves >= max(1, bars // _WAVE), f"its tempo rises and falls {waves} times in {said(spans)}", spans
