"""A clause on fermatas: everybody holds the last chord of a phrase, and the beat waits."""

from __future__ import annotations

from libretto.contract.asks import Ask
from libretto.contract.checks.check import Finding
from libretto.contract.checks.where import Spans, said, within
from libretto.score.model import Score, in_force

__all__ = ["FERMATAS", "waits_at_ends"]

FERMATAS = "fermatas"  #: What asks say of it.
_HELD = 3 / 8  # of a bar: how long the last chord of a phrase is held at least
_WAITS = 1.3  # times as long that a beat lasts there at least
_MOSTLY = 0.75  # of the phrases


def waits_at_ends(ask: Ask, score: Score, spans: Spans) -> Finding:
    """In most of the bars that close a phrase all who play hold a chord, and the tempo waits on it."""
    waited = 0
    bars = [number - score.first_bar for first, last in spans for number in range(first, last + 1)]
    for bar in bars:
        start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
        number = bar + score.first_bar
        here = [within(voice.array, ((number, number),), score) for voice in score.voices if not voice.drums]
        last = [notes["onset"].max() for notes in here if len(notes)]
        held = bool(last) and all(end - tick >= _HELD * (end - start) for tick in last)
        before = in_force(score.tempos, max(0, start - 1))
        waited += held and (in_force(score.tempos, end - 1) >= _WAITS * before or bar == score.bars - 1)
    return waited >= _MOSTLY * len(bars), f"all wait on {waited} of {len(bars)} ends of phrases, {said(spans)}", spans
