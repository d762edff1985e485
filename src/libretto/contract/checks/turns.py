"""Call and response as it is heard: two that take turns, bar by bar or half bar by half bar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.instruments import instrument_of_program
from libretto.score import Score, Voice

__all__ = ["lines_of", "most_turns"]

_MOSTLY = 0.6  # of the bars, or halves of bars, in which two are heard one at a time
_EACH = 0.2  # of the turns: what each of the two has at least
_THICK = 1.25  # notes a start from which on a player has more than a line
_HIGH_UP = 55  # pitch from which on notes belong to a line rather than to what goes along with it
_FEW = 2  # notes at once of a line
_THINNER = 4  # times as many notes at least has who speaks, where the other goes on below


def _line_starts(notes: NDArray[Any]) -> list[int]:
    """The ticks at which somebody's line has notes: of who plays chords or a bass besides only notes high up that are
    struck alone, or with one other."""
    ticks, counts = np.unique(notes["onset"], return_counts=True)
    if len(notes) <= _THICK * max(1, len(ticks)):
        return [int(tick) for tick in ticks]
    high = set(notes["onset"][notes["pitch"] >= _HIGH_UP].tolist())
    return [int(tick) for tick, count in zip(ticks, counts, strict=True) if count <= _FEW and int(tick) in high]


def lines_of(voice: Voice, notes: NDArray[Any]) -> list[int]:
    """The ticks at which the line of a voice has some notes; whoever sings has nothing besides, in however many
    parts."""
    if instrument_of_program(voice.program or 0).family == "voices":
        return [int(tick) for tick in np.unique(notes["onset"])]
    return _line_starts(notes)


def most_turns(score: Score, starts: Sequence[Sequence[int]], bars: Sequence[int]) -> int:
    """How often the turn changes between those two of some players, whose notes start at so many ticks each, who take
    turns most of the time: one is silent while the other plays or, in halves of bars, has at most a quarter
    of its notes."""
    best = 0
    whole = [_counts(score, ticks, bars, 1) for ticks in starts]
    halves = [_counts(score, ticks, bars, 2) for ticks in starts]
    for one in range(len(starts)):
        for two in range(one + 1, len(starts)):
            alone = [a > 0 for a, b in zip(whole[one], whole[two], strict=True) if (a > 0) != (b > 0)]
            above = [a > b for a, b in zip(halves[one], halves[two], strict=True) if _speaks(a, b)]
            for turns, all_of_them in ((alone, len(whole[one])), (above, len(halves[one]))):
                if len(turns) >= _MOSTLY * all_of_them and _EACH * len(turns) <= sum(turns) <= (1 - _EACH) * len(turns):
                    best = max(best, sum(a != b for a, b in pairwise(turns)))
    return best


def _speaks(one: int, two: int) -> bool:
    """Whether one of two is heard above the other."""
    return max(one, two) > 1 and max(one, two) >= _THINNER * min(one, two)


def _counts(score: Score, ticks: Sequence[int], bars: Sequence[int], parts: int) -> list[int]:
    """How many notes start in every bar, or in every half of one."""
    found = Counter[tuple[int, int]]()
    for tick in set(ticks):
        bar = score.bar_at(tick)
        first, last = score.bar_lines[bar], score.bar_lines[bar + 1]
        found[bar, (tick - first) * parts // (last - first)] += 1
    return [found[bar, part] for bar in bars for part in range(parts)]
