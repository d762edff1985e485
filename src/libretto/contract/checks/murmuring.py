"""A clause on murmurs: quick notes in small steps between tones of a chord, and quicker ones later where they grow."""

from __future__ import annotations

import numpy as np

from libretto.contract.asks import Ask
from libretto.contract.checks.where import Spans, said, voices_of, within
from libretto.score import QUARTER, Score

__all__ = ["GROWING", "MURMUR", "murmurs"]

#: What an ask says of who murmurs, and of a murmur that grows in motion.
MURMUR, GROWING = "murmur", "murmur growing"
_WIDE = 9  # semitones from note to note that still rock
_MOSTLY = 0.6  # of the bars in which somebody plays
_PACE = 1.75  # notes a quarter
_FASTER = 1.5  # times as many later


def murmurs(ask: Ask, score: Score, spans: Spans) -> tuple[bool, str, Spans]:
    """Whether those named rock in eighths or quicker in most bars that they play, and quicker later if it grows."""
    told = [(score.voices[index].name, *_of_line(score, index, spans)) for index in voices_of(ask.who, score, spans)]
    kept = bool(told) and all(share >= _MOSTLY and (grows or ask.what == MURMUR) for _, share, grows in told)
    much = ", ".join(f"{name} in {share:.0%} of its bars" for name, share, _ in told)
    later = ", quicker later" if ask.what == GROWING and all(grows for *_, grows in told) else ""
    return kept, f"{much or 'nobody'} murmurs in {said(spans)}{later}", spans


def _of_line(score: Score, index: int, spans: Spans) -> tuple[float, bool]:
    """In how many of its bars a line rocks, and whether it has more notes later."""
    notes = within(score.voices[index].array, spans, score)
    bars = np.searchsorted(score.bar_lines, notes["onset"], side="right") - 1
    paces, rocks = [], 0
    for bar in np.unique(bars).tolist():
        pitches = notes["pitch"][bars == bar].astype(int)
        pace = len(pitches) * QUARTER / (score.bar_lines[bar + 1] - score.bar_lines[bar])
        rocks += bool((abs(np.diff(pitches)) <= _WIDE).all()) and pace >= _PACE
        paces.append(pace)
    third = len(paces) // 3
    first, last = max(paces[:third], default=0.0), max(paces[third:], default=0.0)
    return rocks / max(1, len(paces)), last >= _FASTER * first > 0
