"""Drum breaks: the bars of a kit's solo, and whether it is alone there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.contract.asks import Ask
from libretto.contract.checks.check import Finding
from libretto.contract.checks.where import nowhere, said, spans_of_ask, within
from libretto.contract.words import number_of
from libretto.score.model import Score

__all__ = ["bars_of_break", "break_of"]

_BARS_LONG = re.compile(r"\b(\d{1,2}|[a-z]+)[- ](?:bars?|measures?)\b")
_BREAK, _PHRASE = 4, 4  # bars of a break that nobody counts, and of a phrase


def bars_of_break(ask: Ask, score: Score) -> tuple[int, int] | None:
    """The bars, by number, of a drum solo: as many as its words count, else four, in the middle of its place."""
    spans = spans_of_ask(ask, score)
    if not spans:
        return None
    first, last = spans[0]
    told = _BARS_LONG.search(ask.words.lower())
    exact = bool(re.match(r"bars? \d|\d+ bars", ask.where))
    count = (number_of(told[1]) if told else None) or (last - first + 1 if exact else _BREAK)
    count = min(count, last - first + 1)
    begin = first + (last - first + 1 - count) // 2
    begin = max(first, begin - (begin - score.numbers[0]) % _PHRASE) if begin > first else begin
    return begin, min(last, begin + count - 1)


def break_of(ask: Ask, score: Score, mine: Sequence[int]) -> Finding:
    """Whether drums play alone in the bars of their solo."""
    span = bars_of_break(ask, score)
    if span is None:
        return nowhere(ask, ())
    others = [voice.name for index, voice in enumerate(score.voices) if index not in mine
              and len(within(voice.array, (span,), score))]  # fmt: skip
    if others or not any(len(within(score.voices[index].array, (span,), score)) for index in mine):
        return False, f"{', '.join(others) or 'nobody'} plays in {said((span,))}", (span,)
    return True, f"the drums are alone in {said((span,))}", (span,)
