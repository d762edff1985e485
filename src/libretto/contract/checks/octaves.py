"""Whether a tune is played in octaves."""

from __future__ import annotations

from libretto.contract.asks import Ask
from libretto.contract.checks.check import Finding
from libretto.contract.checks.where import Spans, tops, tune_of, within
from libretto.score.model import Score

__all__ = ["tune_in_octaves"]

_MOSTLY = 0.6  # of the time of a tune
_OCTAVE = 12
_MIDDLE = 60  # above which a right hand plays; what lies lower between the phrases is no tune


def tune_in_octaves(ask: Ask, score: Score, spans: Spans) -> Finding:
    """Whether most notes of the tune have their octave struck with them, by whomever."""
    leader = tune_of(score, spans)
    if leader is None:
        return False, "nobody has a tune", spans
    line = [note for note in tops(within(score.voices[leader].array, spans, score)) if note["pitch"] >= _MIDDLE]
    struck = {
        (int(note["onset"]), int(note["pitch"]))
        for voice in score.voices
        if not voice.drums
        for note in within(voice.array, spans, score)
    }
    lasting = {
        (int(note["onset"]), int(note["pitch"])): int(note["duration"]) for note in line
    }  # runs between the notes of a tune hardly count
    doubled = sum(
        ticks
        for (onset, pitch), ticks in lasting.items()
        if {(onset, pitch - _OCTAVE), (onset, pitch + _OCTAVE)} & struck
    )
    share = doubled / max(1, sum(lasting.values()))
    return share >= _MOSTLY, f"{share:.0%} of the tune is in octaves", spans
