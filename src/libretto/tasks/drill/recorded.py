"""What is not judged from a recording: how far a note rings on, and whether a note that goes on was struck again.

A release and the room are heard as length, and two notes of one pitch without a gap as one.
"""

from __future__ import annotations

from libretto.tasks.drill.aligning import Alignment, Strike

__all__ = ["rings_on"]

_EARLY = 0.1  # of a written note's length: what ends so little before the next is due reaches it


def rings_on(written: list[Strike], played: list[Strike], match: Alignment, index: int, pitch: int) -> bool:
    """Whether a note that is written again right after itself was heard as one that goes on."""
    if not index or pitch not in written[index - 1].pitches:
        return False
    heard = dict(match.pairs).get(index - 1)
    if heard is None:
        return False
    strike = played[heard]
    ends = [
        strike.time + length
        for own, length in zip(strike.pitches, strike.lengths, strict=True)
        if own - match.transposition == pitch
    ]
    own = max(written[index].lengths) * match.rate
    return bool(ends) and max(ends) >= match.expected[index] + (1 - _EARLY) * own / 2
