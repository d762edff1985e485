"""Canons: how far behind who leads the next voice follows, and how much of the line it says again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

from numpy.typing import NDArray

from libretto.contract.checks.check import Finding
from libretto.contract.checks.where import Spans, bar_mask, spans_of_ask, tops
from libretto.contract.contract import Contract
from libretto.contract.following import behind_told, interval_told, interval_words
from libretto.score.model import Score

__all__ = ["FAR", "FOLLOWS", "bars_behind", "canon_in"]

#: Of the notes of a canon that are imitated, and semitones between who is imitated and who imitates at most.
FOLLOWS, FAR = 0.75, 36
_OCTAVE = 12
_FARTHEST = 8  # bars behind which nobody hears a canon


def bars_behind(contract: Contract, score: Score, spans: Spans) -> int:
    """How many bars after the leader of a canon in some bars the next voice enters: as was asked, else one."""
    if told := behind_told(_words(contract)):
        return told
    rests = [spans_of_ask(ask, score) for ask in contract.asks if ask.kind == "enter" and ask.who]
    behind = [rest[0][1] - spans[0][0] + 1 for rest in rests if rest] if spans else []
    room = max(1, (spans[-1][1] - spans[0][0]) // 2) if spans else 1
    return min((bars for bars in behind if 1 <= bars <= min(_FARTHEST, room)), default=1)


def canon_in(lines: Sequence[NDArray[Any]], contract: Contract, score: Score, spans: Spans) -> Finding:
    """Whether one of some lines follows another in canon, as far behind as was asked, from its first note on."""
    behind, by = bars_behind(contract, score, spans), _interval(contract)
    pairs = permutations(lines, 2)
    best = max((_imitated(score, one, two, spans, behind, by) for one, two in pairs), default=0.0)
    later = "a bar later" if behind == 1 else f"{behind} bars later"
    where = "" if by is None else f", {interval_words(_words(contract))}"
    return best >= FOLLOWS, f"{best:.0%} of the line is said again by another {later}{where}", spans


def _words(contract: Contract) -> str:
    """What is said of a canon."""
    return " ".join(ask.words for ask in contract.asks if (ask.kind, ask.what) == ("texture", "canon"))


def _interval(contract: Contract) -> int | None:
    """By which interval a canon is to be followed, within an octave; None where that is open."""
    told = interval_told(_words(contract))
    return None if told is None else told % _OCTAVE


def _imitated(
    score: Score, leader: NDArray[Any], follower: NDArray[Any], spans: Spans, behind: int, interval: int | None
) -> float:
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
    able = [by for by in range(-FAR, FAR + 1) if interval is None or by % _OCTAVE == interval]
    return max(sum((onset, pitch + by) in there for onset, pitch in shifted) for by in able) / len(shifted)
