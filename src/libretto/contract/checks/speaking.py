"""A clause on music that goes as one speaks: quick syllables and long ones over chords that are held, with no beat."""

from __future__ import annotations

import numpy as np

from libretto.contract.asks import Ask
from libretto.contract.checks.check import Finding
from libretto.contract.checks.where import Spans, bar_mask, nowhere, said, tops, within
from libretto.score.model import Score

__all__ = ["SPOKEN", "spoken"]

SPOKEN = "spoken"  #: What asks say of it.
_UNEVEN = 3.0  # times as long that the longest syllable of a bar is as its shortest
_MOSTLY = 0.6  # of the bars
_HELD = 2.0  # starts a bar that others have at most


def spoken(ask: Ask, score: Score, spans: Spans) -> Finding:
    """Who has the tune has short and long notes in most bars, others hold their chords, and nobody drums."""
    index = _speaker(score, spans)
    if index is None:
        return nowhere(ask, spans)
    if any(voice.drums and len(within(voice.array, spans, score)) for voice in score.voices):
        return False, f"drums beat in {said(spans)}", spans
    bars = max(1, int(bar_mask(spans, score).sum()))
    line = tops(within(score.voices[index].array, spans, score))
    uneven = 0
    for number in (number for first, last in spans for number in range(first, last + 1)):
        notes = tops(within(line, ((number, number),), score))
        uneven += bool(len(notes) > 1 and notes["duration"].max() >= _UNEVEN * notes["duration"].min())
    others = [voice for place, voice in enumerate(score.voices) if place != index and not voice.drums]
    starts = [len(np.unique(within(voice.array, spans, score)["onset"])) / bars for voice in others]
    kept = uneven >= _MOSTLY * bars and max(starts, default=0.0) <= _HELD
    return kept, f"{score.voices[index].name} speaks in {uneven} of {bars} bars, over held chords", spans


def _speaker(score: Score, spans: Spans) -> int | None:
    """Who begins most notes in some bars; nobody where none do."""
    starts = {
        index: len(np.unique(within(voice.array, spans, score)["onset"]))
        for index, voice in enumerate(score.voices)
        if not voice.drums
    }
    most = max(starts, key=lambda index: (starts[index], -index), default=None)
    return most if most is not None and starts[most] else None
