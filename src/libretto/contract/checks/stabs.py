"""Who stabs: a section strikes chords at once, and rests besides."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.contract.asks import Ask
from libretto.contract.checks.where import Spans, voices_of, within
from libretto.contract.contract import Contract
from libretto.contract.instruments import instrument_of_program
from libretto.score.model import Score

__all__ = ["leaves_room", "stabs_as_one"]

_STABS, _LINES = "stabs", 2  # a manner of sections, and the most notes at once of one of them
_ROOM = 0.5  # of its time: of who stabs
_BRASS = (61, 62, 63)  # programs that are a whole section
_CHORD = 1.6  # notes a stroke at least of what these strike


def stabs_as_one(ask: Ask, contract: Contract, score: Score, mine: Sequence[int]) -> bool:
    """Whether who stab with a note at a time do so at once with another of whom it is asked, if anybody is, and a whole
    section of brass in chords."""
    asked = {one.who for one in contract.asks if (one.kind, one.what) == (ask.kind, _STABS)}
    others = [index for who in asked for index in voices_of(who, score) if index not in mine]
    own = score.voices[mine[0]]
    if ask.what == _STABS and own.program in _BRASS and len(mine) == 1:
        return len(own.array) >= _CHORD * len(set(own.array["onset"].tolist()))
    if ask.what != _STABS or not others or instrument_of_program(score.voices[mine[0]].program or 0).polyphony > _LINES:
        return True
    first, *rest = (set(score.voices[index].array["onset"].tolist()) for index in (mine[0], *others))
    return any(len(first & other) >= len(first) / 2 for other in rest)


def leaves_room(ask: Ask, score: Score, mine: Sequence[int], spans: Spans) -> bool:
    """Whether who stabs with a note at a time plays no tune besides: most of the time it rests."""
    lines = [index for index in mine if instrument_of_program(score.voices[index].program or 0).polyphony <= _LINES]
    if ask.what != _STABS or not lines:
        return True
    notes = [within(score.voices[index].array, spans, score) for index in lines]
    ticks = sum(last - first + 1 for first, last in spans) * (score.bar_lines[1] - score.bar_lines[0])
    return min(int(one["duration"].sum()) for one in notes) <= _ROOM * ticks
