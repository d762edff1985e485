"""Whether percussion rolls, crashes or fills where it was asked to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from libretto.contract.asks import Ask
from libretto.contract.checks.where import Spans, said, voices_of, within
from libretto.score.model import Score
from libretto.score.time import QUARTER

__all__ = ["CYMBALS", "STRUCK", "roll_step", "struck_there"]

#: What may be struck in a place.
STRUCK = ("roll", "crash", "fill")
#: Keys of cymbals that crash, and the gong's.
CYMBALS = (49, 52, 55, 57)
_QUICK = 9.0  # strokes a second of a roll, at least
_SLOWEST, _FASTEST = 4, 12  # strokes of a quarter
_ROLLED, _FILLED = 0.3, 6  # of some bars, at least, that a roll fills; strokes of a fill


def roll_step(score: Score, tick: int) -> int:
    """The ticks between the strokes of a roll at a place: as quick as drummers roll, in whole parts of a quarter.

    >>> from libretto.score import Voice
    >>> QUARTER // roll_step(Score.build([Voice.of("Timpani", (), 47)], bars=4), 0)
    6
    """
    micros = next(value for start, value in reversed(score.tempos) if start <= tick)
    parts = next((n for n in (4, 6, 8, 12) if n * 1_000_000 / micros >= _QUICK), _FASTEST)
    return QUARTER // max(_SLOWEST, parts)


def struck_there(ask: Ask, score: Score, spans: Spans) -> tuple[bool, str, Spans]:
    """Whether somebody rolls in a place, crashes where it begins, or fills it."""
    mine = voices_of(ask.who, score, spans) or [at for at, voice in enumerate(score.voices) if voice.drums]
    if ask.what == "crash":
        there = _crashes(score, mine, spans)
        return there, f"{ask.who} {'crashes' if there else 'does not crash'} in {said(spans[:1])}", spans
    if ask.what == "roll":
        share = _rolled(score, mine, spans)
        return share >= _ROLLED, f"{share:.0%} of {said(spans)} is rolled", spans
    last = spans[0][1]
    full = sum(len(within(score.voices[index].array, ((last, last),), score)) for index in mine)
    return full >= _FILLED, f"{full} strokes in bar {last}", spans


def _crashes(score: Score, mine: Sequence[int], spans: Spans) -> bool:
    """Whether a cymbal, or what somebody has in place of one, is struck where some bars begin."""
    start = score.bar_lines[spans[0][0] - score.first_bar]
    struck = [(score.voices[index].drums, score.voices[index].array) for index in mine]
    keys = [(kit, int(pitch)) for kit, notes in struck for pitch in notes["pitch"][notes["onset"] == start]]
    return any(pitch in CYMBALS for kit, pitch in keys if kit) or any(not kit for kit, _ in keys)


def _rolled(score: Score, mine: Sequence[int], spans: Spans) -> float:
    """How much of some bars is struck as often as in a roll."""
    onsets = [within(score.voices[index].array, spans, score)["onset"] // QUARTER for index in mine]
    counts = Counter(int(beat) for beats in onsets for beat in beats)
    lines, low = score.bar_lines, score.first_bar
    length = sum(lines[last - low + 1] - lines[first - low] for first, last in spans)
    return sum(count >= _SLOWEST for count in counts.values()) * QUARTER / max(1, length)
