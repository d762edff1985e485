"""Whether brass shouts: high in its range, and loud."""

from __future__ import annotations

from libretto.contract.asks import Ask
from libretto.contract.checks.where import Spans, within
from libretto.contract.instruments import instrument_of_program
from libretto.score.model import Score

__all__ = ["SHOUTING", "shout_floor", "shouts"]

SHOUTING = "shouting"
_BELOW_TOP = 9  # semitones under where a player is still at ease: C5 for trumpets
_NEAR = 2  # semitones by which the mean may miss that
_LOUD = 96.0  # the mean velocity of shouts at least


def shout_floor(program: int) -> int:
    """The pitch above which an instrument shouts."""
    return instrument_of_program(program).comfortable[1] - _BELOW_TOP


def shouts(ask: Ask, score: Score, index: int, spans: Spans) -> tuple[bool, str]:
    """Whether a voice is as high and as loud as shouts are, and the evidence."""
    voice = score.voices[index]
    notes = within(voice.array, spans, score)
    if not len(notes):
        return False, f"{voice.name} plays nothing there"
    pitch, loud = float(notes["pitch"].mean()), float(notes["velocity"].mean())
    kept = pitch >= shout_floor(voice.program or 0) - _NEAR and loud >= _LOUD
    return kept, f"{voice.name} lies about pitch {pitch:.0f}, its mean velocity is {loud:.0f}"
