"""Canons: how far behind who leads the next voice follows, and how much of the line it says again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

from numpy.typing import NDArray

from libretto.contract.checks.check import Finding
from libretto.contract.checks.where import Spans, bar_mask, spans_of_ask, tops
from libretto.contract.contract import Contract
from libretto.score.model import Score

__all__ = ["FAR", "FOLLOWS", "bars_behind", "canon_in"]

#: Of the notes of a canon that are imitated, and semitones between who is imitated and who imitates at most.
FOLLOWS, FAR = 0.75, 36
_FARTHEST = 8  # bars behind which nobody hears a canon


def bars_behind(contract: Contract, score: Score, spans: Spans) -> int:
    """How many bars after the leader of a canon in some bars the next voice enters: as was asked, else one."""
    rests = [spans_of_ask(ask, score) for ask in contract.asks if ask.kind == "enter" and ask.who]
    behind = [rest[0][1] - spans[0][0] + 1 for rest in rests if rest] if spans else []
    room = max(1, (spans[-1][1] - spans[0][0]) // 2) if spans else 1
    return min((bars for bars in behind if 1 <= bars <= min(_FARTHEST, room)), default=1)


def canon_in(lines: Sequence[NDArray[Any]], contract: Contract, score: Score, spans: Spans) -> Finding:
    """Whether one of some lines follows another in canon, as far behind as was asked, from its first note on."""
    behind = bars_behind(contract, score, spans)
    best = max((_imitated(score, one, two, spans, behind) for one, two in permutations(lines, 2)), default=0.0)
    later = "a bar later" if behind == 1 else f"{behind} bars later"
    return best >= FOLLOWS, f"{best:.0%} of the line is said again by another {later}", spans


def _imitated(score: Score, leader: NDArray[Any], follower: NDArray[Any], spans: Spans, behind: int) -> float:
    """The share of a line that another says again so many bars later, everything by the same interval."""
    there = {(int(note["onset"]), int(note["pitch"])) for note in follower}
    last = score.bars - 1
    shifted = []
    for note in tops(leader):
        bar = score.bar_at(int(note["onset"]))
        if bar + behind >= last or not bar_mask(spans, score)[bar + behind]:
            continue
        length = score.bar_lines[bar + behind] - score.bar_lines[bar]
        shifted.append((int(note["onset"]) + length, int(note["pitch"])))
    if not shifted:
        return 0.0
    return max(sum((onset, pitch + by) in there for onset, pitch in shifted) for by in range(-FAR, FAR + 1)) / len(
        shifted
    )
