"""Clauses on cycles of different lengths against each other, and on strokes of all together that are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np

from libretto.contract.asks import Ask
from libretto.contract.checks.check import Finding, ask_clauses
from libretto.contract.checks.where import Spans, nowhere, said, spans_of_ask, ticks_of, voices_of, within
from libretto.contract.contract import Contract
from libretto.score.model import Score
from libretto.score.time import QUARTER

__all__ = ["CYCLES", "cycle_of", "in_cycles", "lengths_told"]

CYCLES = "cycles"  #: How an ask for cycles begins; the lengths that are told follow it.
_FINE = "sixteenths"  # the unit of cycles that are told so
_EIGHTH = QUARTER // 2
_LONGEST = 24  # units of a cycle
_AGAIN = 0.8  # of the starts of a cycle come again after its length
_WINDOW = 8  # bars of a stretch in which a cycle is heard
_FEWEST = 2  # parts with cycles of their own
_ROUNDS = 3  # times that a cycle is heard at least
_DIFFER = 2 / 3  # of the cycles differ in length


def lengths_told(what: str) -> tuple[list[int], int]:
    """The lengths of cycles that an ask tells, and the ticks of their unit; no lengths where it tells none.

    >>> lengths_told("cycles 3 5 sixteenths") == ([3, 5], QUARTER // 4)
    True
    """
    words = what.split()[1:]
    return [int(word) for word in words if word.isdigit()], QUARTER // 4 if _FINE in words else _EIGHTH


def cycle_of(onsets: Sequence[int], unit: int) -> int:
    """After how many units nearly all that is struck comes again, 0 where nothing does: the starts in a line of time,
    held against themselves."""
    places = sorted({tick // unit for tick in onsets if tick % unit == 0})
    if len(places) < _ROUNDS or any(tick % unit for tick in onsets):
        return 0
    struck, last = set(places), places[-1]
    for length in range(1, min(_LONGEST, (last - places[0]) // _ROUNDS) + 1):
        early = [place for place in places if place + length <= last]
        back = [place for place in places if place - length >= places[0]]
        again = sum(place + length in struck for place in early) + sum(place - length in struck for place in back)
        if again >= _AGAIN * (len(early) + len(back)):
            return length
    return 0


def in_cycles(ask: Ask, score: Score, spans: Spans) -> Finding:
    """Most parts repeat a pattern of a length of their own, not all of them in step with the bars; who drums need
    not."""
    lengths, unit = lengths_told(ask.what)
    lines = _lines(ask, score, spans)
    windows = _windows(score, spans, [onsets for _, onsets in lines])
    told = {name: _usual_cycle(onsets, windows, unit) for name, onsets in lines}
    told = {name: length for name, length in told.items() if length}
    cycles = list(told.values())
    named = ", ".join(f"{name} {length:g}" for name, length in told.items()) or "nobody"
    bar = (score.bar_lines[1] - score.bar_lines[0]) / unit
    apart = len(set(cycles)) >= max(_FEWEST, _DIFFER * len(cycles)) and any(_across(length, bar) for length in cycles)
    as_told = len(set(lengths) & set(cycles)) >= min(len(lines), len(set(lengths)))
    kept = apart and as_told and len(cycles) >= max(_FEWEST, _DIFFER * len(lines))
    return kept, f"cycles of {named} {'sixteenths' if unit < _EIGHTH else 'eighths'}", spans


def _across(length: float, bar: float) -> bool:
    """Whether a cycle does not go up in bars, nor bars in it."""
    return bool(bar % length and length % bar)


def _lines(ask: Ask, score: Score, spans: Spans) -> list[tuple[str, list[int]]]:
    """Who goes round, with all starts; who plays alone has two hands."""
    mine = [index for index in voices_of(ask.who, score, spans) if not score.voices[index].drums]
    lines = [(score.voices[index].name, within(score.voices[index].array, spans, score)) for index in mine]
    if len(lines) == 1:
        name, notes = lines[0]
        middle = float(np.median(notes["pitch"])) if len(notes) else 0.0
        lines = [(f"{name} high", notes[notes["pitch"] >= middle]), (f"{name} low", notes[notes["pitch"] < middle])]
    return [(name, notes["onset"].tolist()) for name, notes in lines]


def _windows(score: Score, spans: Spans, starts: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Stretches of eight bars, by ticks, in which parts do not mostly strike together."""
    bars = [bar - score.first_bar for first, last in spans for bar in range(first, last + 1)]
    made = []
    for at in range(0, len(bars), _WINDOW // 2):
        stretch = bars[at : at + _WINDOW]
        start, end = score.bar_lines[stretch[0]], score.bar_lines[stretch[-1] + 1]
        struck = [{tick for tick in onsets if start <= tick < end} for onsets in starts]
        together = set.intersection(*struck) if struck else set()
        if 2 * len(together) < max(map(len, struck), default=0):
            made.append((start, end))
    return made


def _usual_cycle(onsets: Sequence[int], windows: Sequence[tuple[int, int]], unit: int) -> float:
    """The cycle that a part has in most of some stretches in which it has one; 0 where it has none, or beats on."""
    told: Counter[float] = Counter()
    for start, end in windows:
        inside = [tick for tick in onsets if start <= tick < end]
        length = cycle_of(inside, unit) or cycle_of(inside, unit // 2) / 2
        told[length] += int(length > 1)
    return max(told, key=lambda length: (told[length], -length)) if told.total() else 0


@ask_clauses.register("strokes")
def _strokes(ask: Ask, contract: Contract, score: Score) -> Finding:
    """So many strokes in a row that all who play strike together, with nothing between them."""
    spans = spans_of_ask(ask, score)
    if not spans or not ask.what.isdigit():
        return nowhere(ask, spans)
    first, last = ticks_of(spans, score)[0][0], ticks_of(spans, score)[-1][1]
    playing = [set(voice.array["onset"].tolist()) for voice in score.voices if len(voice.array)]
    struck = sorted(tick for tick in set().union(*playing) if first <= tick < last)
    together = set.intersection(*playing) if playing else set()
    most, where = _longest_run(struck, together)
    wanted = int(ask.what)
    at = score.bar_at(where) + score.first_bar
    told = ((at, at),) if most else spans
    return (
        most == wanted,
        f"all strike together {most} times in a row" + (f", up to {said(told)}" if most else ""),
        told,
    )


def _longest_run(struck: Sequence[int], together: Collection[int]) -> tuple[int, int]:
    """How many of some strokes in a row, as far from each other, are ``together``, and the last of them."""
    most, count, gap, where, before = 0, 0, 0, 0, 0
    for tick in struck:
        even = tick in together and (count < 2 or tick - before == gap)
        count = count + 1 if even else 2 if tick in together else 0
        gap = tick - before if count > 1 else 0
        most, where = (count, tick) if count > most else (most, where)
        before = tick
    return most, where
