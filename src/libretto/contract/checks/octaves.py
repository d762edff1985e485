"""Whether a tune is played in octaves."""

from __future__ import annotations

from libretto.contract.asks import Ask
from libretto.contract.checks.check import Finding
from libretto.contract.checks.where import Spans, tops, tune_of, within
from libretto.score.model import Score

__all__ = ["tune_in_octaves"]

_MOSTLY = 0.6  # of the notes of a tune
_OCTAVE = 12


def tune_in_octaves(ask: Ask, score: Score, spans: Spans) -> Finding:
    """Whether most notes of the tune have their octave struck with them, by whomever."""
    leader = tune_of(score, spans)
    if leader is None:
        return False, "nobody has a tune", spans
    line = tops(within(score.voices[leader].array, spans, score))
    struck = {
        (int(note["onset"]), int(note["pitch"]))
        for voice in score.voices
        if not voice.drums
        for note in within(voice.array, spans, score)
    }
    doubled = sum(
        any((int(note["onset"]), int(note["pitch"]) + way) in struck for way in (-_OCTAVE, _OCTAVE)) for note in line
    )
    share = doubled / max(1, len(line))
    return share >= _MOSTLY, f"{share:.0%} of the tune is in octaves", spans
