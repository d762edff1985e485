"""Clauses on how the tempo changes, by place: at once, by degrees, in waves, there and back."""

from __future__ import annotations

import numpy as np

from libretto.contract.asks import Ask, share_of
from libretto.contract.checks.check import Finding, ask_clauses
from libretto.contract.checks.faltering import IN_WAVES, RUNNING_DOWN, ran_down, rose_and_fell
from libretto.contract.checks.where import Spans, nowhere, said, spans_of_ask, ticks_of
from libretto.contract.contract import Contract
from libretto.score.model import Score, in_force
from libretto.score.time import QUARTER, bpm_of_micros

__all__ = ["CALMED", "SLOW_TO_FAST", "hurries", "lands"]

#: What asks say of a tempo that goes from slow to fast, and of one that comes down again from there.
SLOW_TO_FAST, CALMED = "slow to fast", "slow to fast to calm"
_MUCH_FASTER, _TEMPO = 0.4, 0.04  # of a tempo that is much faster, and of one that is heard as faster or slower
_INSTANT, _MINUTE = 1e-9, 60  # seconds
_SHARED, _EXACT = 0.25, 0.03  # within which a share of the tempo is reached, endings slow down besides, and a number
_SUMMIT = (0.45, 0.8)  # of the way: where a tempo is fastest that comes down again
_DOWN = 1.15  # of its first tempo: how fast a piece is in the end at most that calms down
_FEWEST = 4  # bars of a piece whose last one is its landing


def hurries(what: str) -> bool:
    """Whether a change of tempo is one that grows faster by degrees and stays so.

    >>> hurries("accelerando"), hurries("to x0.60"), hurries("to x1.80")
    (True, False, True)
    """
    gains = what.startswith("to ") and (share_of(what) or 0.0) > 1.0
    return gains or what in ("accelerando", SLOW_TO_FAST)


def lands(what: str, score: Score, spans: Spans) -> bool:
    """Whether the last bar is where a piece lands that hurries up to it, and no part of its hurry."""
    to_the_end = bool(spans) and spans[-1][1] == score.numbers[-1]
    return to_the_end and hurries(what) and spans[-1][1] - spans[-1][0] + 1 >= _FEWEST


def _calmed(score: Score, spans: Spans) -> Finding:
    """A tempo grows much faster, is fastest somewhat after the middle, and comes back down."""
    start, end = ticks_of(spans, score)[0]
    inside = [(start, in_force(score.tempos, start)), *(one for one in score.tempos if start < one[0] < end)]
    speeds = [(tick, bpm_of_micros(micros)) for tick, micros in inside]
    first, (top, most), last = speeds[0][1], max(speeds, key=lambda one: one[1]), speeds[-1][1]
    low, high = _SUMMIT
    kept = most >= first * (1 + _MUCH_FASTER) and low <= (top - start) / (end - start) <= high
    told = f"from {first:.0f} to {most:.0f} in bar {score.bar_at(top) + score.first_bar}, and down to {last:.0f}"
    return kept and last <= first * _DOWN, told, spans


def _mean_bpm(score: Score, start: int, end: int) -> float:
    seconds = score.seconds_at(np.array([start, end]))
    return (end - start) / QUARTER / max(float(seconds[1] - seconds[0]), _INSTANT) * _MINUTE


def _reached(what: str, change: float) -> bool:
    """Whether a tempo that changes little by little comes to a share of itself that was asked for."""
    share = share_of(what)
    if share is not None and what.startswith("from "):
        return change <= (1 + _SHARED) / share if share > 1 else change >= (1 - _SHARED) / share
    if share is not None:
        halfway = (change - 1) * (share - 1) > 0 and abs(change - 1) >= abs(share - 1) / 2
        return halfway and abs(change - share) <= _SHARED * share
    more = _MUCH_FASTER if what == SLOW_TO_FAST else _TEMPO
    return change < 1 - _TEMPO if what == "ritardando" else change > 1 + more


@ask_clauses.register("tempo_change")
def _tempo_change(ask: Ask, contract: Contract, score: Score) -> Finding:
    spans = spans_of_ask(ask, score)
    if not spans:
        return nowhere(ask, spans)
    if ask.what in (RUNNING_DOWN, IN_WAVES):
        return (ran_down if ask.what == RUNNING_DOWN else rose_and_fell)(ask, score, spans)
    if ask.what == CALMED:
        return _calmed(score, spans)
    (start, end) = ticks_of(spans, score)[0]
    here = _mean_bpm(score, start, end)
    gradual = ask.what.startswith(("to ", "from "))
    if gradual or ask.what in ("ritardando", "accelerando", SLOW_TO_FAST):
        first = bpm_of_micros(in_force(score.tempos, start))
        close = score.bar_lines[-2] if lands(ask.what, score, spans) else end
        last = bpm_of_micros(in_force(score.tempos, close - 1))
        return _reached(ask.what, last / first), f"from {first:.0f} to {last:.0f} in {said(spans)}", spans
    if ask.what.replace(".", "", 1).isdigit():
        wanted = float(ask.what)
        return abs(here - wanted) <= _EXACT * wanted, f"{said(spans)} go at {here:.0f}", spans
    before = _mean_bpm(score, max(0, 2 * start - end), start) if start else here
    before = _mean_bpm(score, end, score.ticks) if not start and end < score.ticks else before
    faster = ask.what == "faster" or (share_of(ask.what) or 0.0) > 1.0
    kept = here > before * (1 + _TEMPO) if faster else here < before * (1 - _TEMPO)
    return kept, f"{said(spans)} go at {here:.0f}, beside {before:.0f}", spans
