"""Cascades: broken chords that somebody in front of others is told to let fall, and how many bars of them do."""

from __future__ import annotations

import re

from libretto.contract.asks import Ask
from libretto.contract.checks.where import Spans, within
from libretto.contract.instruments import instrument_of_program
from libretto.score.model import Score
from libretto.score.time import QUARTER

__all__ = ["cascade_told", "share_of_falls"]

_FALLS = re.compile(
    r"\b(?:cascad|tumbl|spill|shower|flow|rippl|glitter|sparkl|shimmer|glisten|falling|descend|sweep|graceful)\w*,?\s"
    r"(?:and\s)?(?:[\w-]+,?\s){0,3}?(?:arpegg\w+|broken chords)|"
    r"\b(?:arpegg\w+|broken chords) (?:that )?(?:cascad|tumbl)",
    re.I,
)
_HANDS, _HIGH = 4, 84  # notes at once of who can, and the pitch up to which the instrument is at ease
_WIDE, _QUICK = 24, 6  # semitones that a bar falls, and notes no longer than an eighth in which it does
_BARS = 8  # of a piece at least


def cascade_told(ask: Ask, score: Score, index: int) -> bool:
    """Whether broken chords that fall, flow or glitter are asked of somebody who has others beneath and the hands."""
    voice = score.voices[index]
    others = sum(not one.drums and len(one.array) > 0 for one in score.voices) > 1
    if voice.drums or not others or ask.where or score.bars < _BARS or not _FALLS.search(ask.words):
        return False
    instrument = instrument_of_program(voice.program or 0)
    return instrument.polyphony >= _HANDS and instrument.comfortable[1] >= _HIGH


def share_of_falls(score: Score, index: int, spans: Spans) -> float:
    """In how many bars of a player a note is followed by quick ones that lie two octaves and more below it."""
    bars: dict[int, list[tuple[int, int]]] = {}
    for onset, duration, pitch, *_ in within(score.voices[index].array, spans, score).tolist():
        if duration <= QUARTER:
            bars.setdefault(score.bar_at(onset), []).append((onset, pitch))
    kept = 0
    for notes in bars.values():
        top = max(pitch for _, pitch in notes)
        since = min(onset for onset, pitch in notes if pitch == top)
        after = [pitch for onset, pitch in notes if onset >= since]
        kept += len(after) >= _QUICK and top - min(after) >= _WIDE
    total = sum(last - first + 1 for first, last in spans)
    return kept / max(1, total)
