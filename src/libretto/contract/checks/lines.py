"""Lines: whether one is adorned, or rests between its phrases."""

from __future__ import annotations

from collections.abc import Mapping

from libretto.contract.asks import Ask
from libretto.contract.checks.where import Spans, tune_of, voices_of, within
from libretto.score.model import Score
from libretto.score.time import QUARTER

__all__ = ["OF_LINES", "line_of", "share_of_bars"]

#: What is asked of a line, and in how many of its bars: ornaments, a rest in the end, or nothing at all.
OF_LINES: Mapping[str, float] = {"ornate": 0.55, "pauses": 0.35, "seldom": 0.6}


def line_of(ask: Ask, score: Score, spans: Spans) -> int | None:
    """The voice of which it is asked how its line goes: who is named, else who has the tune."""
    mine = voices_of(ask.who, score, spans) if ask.who else []
    return next((index for index in mine if not score.voices[index].drums), tune_of(score, spans))


def share_of_bars(ask: Ask, score: Score, spans: Spans) -> float:
    """In how many bars of a line one of its notes is shorter than an eighth, nothing begins in the second half, or
    nothing is played."""
    index = line_of(ask, score, spans)
    rows = [] if index is None else within(score.voices[index].array, spans, score).tolist()
    bars: dict[int, list[tuple[int, int]]] = {}
    for onset, duration, *_ in rows:
        bars.setdefault(score.bar_at(onset), []).append((onset, duration))
    if ask.what == "seldom":
        return 1 - len(bars) / max(1, sum(last - first + 1 for first, last in spans))
    if ask.what == "ornate":
        kept = [any(duration < QUARTER // 2 for _, duration in bar) for bar in bars.values()]
    else:
        halves = {bar: (score.bar_lines[bar] + score.bar_lines[bar + 1]) // 2 for bar in bars}
        kept = [max(onset for onset, _ in notes) < halves[bar] for bar, notes in bars.items()]
    return sum(kept) / max(1, len(bars))
