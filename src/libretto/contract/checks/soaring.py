"""Whether a line soars: above the tune of somebody else, and as loud as it nearly."""

from __future__ import annotations

from libretto.contract.asks import Ask
from libretto.contract.checks.where import Spans, tune_of, within
from libretto.score.model import Score

__all__ = ["SOARING", "soared_over", "soars"]

#: What an ask for a register says of a line above a tune.
SOARING = "soaring"
_SINGERS = (52, 53, 54)  # programs
_ABOVE, _SOFTER = 3.0, 8.0  # semitones by which it lies higher at least, and velocities by which it is softer at most
_OFTEN = 0.5  # of the bars in which it plays at least


def soared_over(score: Score, index: int, spans: Spans) -> int | None:
    """The voice above which another is to lie: who sings, else who has the tune, else the next highest."""
    others = [
        place
        for place, voice in enumerate(score.voices)
        if place != index and not voice.drums and len(within(voice.array, spans, score))
    ]
    sung = [place for place in others if score.voices[place].program in _SINGERS]
    tune = tune_of(score, spans)
    if sung or (tune is not None and tune != index):
        return sung[0] if sung else tune
    return max(others, key=lambda place: within(score.voices[place].array, spans, score)["pitch"].mean(), default=None)


def soars(ask: Ask, score: Score, index: int, spans: Spans) -> tuple[bool, str]:
    """Whether a voice lies above the tune and is heard, and the evidence."""
    voice, under = score.voices[index], soared_over(score, index, spans)
    notes = within(voice.array, spans, score)
    if under is None or not len(notes):
        return False, f"{voice.name} plays nothing there"
    tune = within(score.voices[under].array, spans, score)
    higher = float(notes["pitch"].mean()) - float(tune["pitch"].mean())
    softer = float(tune["velocity"].mean()) - float(notes["velocity"].mean())
    bars = {score.bar_at(int(tick)) for tick in notes["onset"]}
    total = sum(last - first + 1 for first, last in spans)
    kept = higher >= _ABOVE and softer <= _SOFTER and len(bars) >= _OFTEN * total
    said = f"{voice.name} lies {higher:.0f} semitones above {score.voices[under].name}"
    return kept, f"{said} in {len(bars)} of {total} bars, {softer:.0f} softer"
