"""The order of play as signs: from ABC's lenient repeats to signs that say exactly what was played.

Signs are made from the play itself, not from the ink: which measures a repeat goes back to, from where, and which of
them are not played on every pass. They are kept only where following them gives the same order again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from operator import attrgetter

from libretto.formats.abc.measure import Measure
from libretto.formats.abc.repeats import Visit
from libretto.score.repeats import Signs, play_order

__all__ = ["seams_of", "signs_of"]

_FLAGS = {
    "segno": "segno",
    "coda": "coda",
    "to-coda": "to_coda",
    "fine": "fine",
    "da-capo": "da_capo",
    "dal-segno": "dal_segno",
}


def signs_of(measures: Sequence[Measure], played: Sequence[Visit]) -> list[Signs] | None:
    """The signs of every measure that lead to that play; None where no signs do."""
    order = [visit.measure for visit in played]
    for everywhere in (False, True):
        signs = [Signs() for _ in measures]
        for _, repeat in groupby(played, key=attrgetter("repeat")):
            _repeated(signs, measures, list(repeat), everywhere)
        if play_order(signs) == order:
            for sign, measure in zip(signs, measures, strict=True):
                for flag in measure.flags:
                    setattr(sign, _FLAGS[flag], True)
            return signs
    return None


def _repeated(signs: list[Signs], measures: Sequence[Measure], repeat: Sequence[Visit], everywhere: bool) -> None:
    """Write the signs of one repeat; its beginning has one where the tune writes it, or ``everywhere``."""
    times = repeat[-1].turn
    if times == 1:
        return
    begin = repeat[0].begin
    # Where it does not begin with its beginning, that was the last ending of the repeat before.
    shared = (repeat[0].measure, repeat[0].turn) != (begin, 1) and bool(signs[begin].ending)
    if shared:
        repeat = [repeat[0]._replace(measure=begin, turn=1), *repeat]
    signs[begin].forward = everywhere or measures[begin].opens
    turns: dict[int, set[int]] = {}
    for visit in repeat:
        turns.setdefault(visit.measure, set()).add(visit.turn)
    ends = dict(_last_of_turns(repeat))
    endings = _endings(measures, {measure: of for measure, of in turns.items() if not shared or measure != begin})
    for turn, measure in ends.items():
        if turn < times:
            signs[measure].backward = 2 if endings else times
    for measure, numbers in endings.items():
        signs[measure].ending = numbers


def _last_of_turns(repeat: Sequence[Visit]) -> Iterator[tuple[int, int]]:
    """For each pass its last measure."""
    for visit in repeat:
        yield visit.turn, visit.measure


def _endings(measures: Sequence[Measure], turns: dict[int, set[int]]) -> dict[int, frozenset[int]]:
    """The measures under brackets, and the passes on which each is played.

    A bracket lasts as long as its measures are played on the same passes, up to a bar line that is no plain one; where
    none comes, the last bracket is over its first measure.
    """
    endings: dict[int, frozenset[int]] = {}
    begun = sorted(measure for measure in turns if measures[measure].endings)
    for at, following in pairwise([*begun, len(measures)]):
        numbers = frozenset(turns[at])
        stop = at + 1
        while stop < following and turns.get(stop) == turns[at] and not measures[stop - 1].parted:
            stop += 1
        if following == len(measures) and not measures[stop - 1].parted:
            stop = at + 1
        endings |= dict.fromkeys(range(at, stop), numbers)
    return endings


def seams_of(signs: Sequence[Signs], played: Sequence[Visit]) -> set[int]:
    """The measures at whose end a sign stands or the play may leave the page's order."""
    seams = {at for at, (sign, after) in enumerate(pairwise(signs)) if _is_seam(sign, after)}
    for visit, following in pairwise(played):
        if following.measure != visit.measure + 1:
            seams |= {visit.measure, following.measure - 1}
    return seams


def _is_seam(sign: Signs, after: Signs) -> bool:
    leaves = sign.backward or sign.fine or sign.da_capo or sign.dal_segno or sign.to_coda
    return bool(leaves or after.forward or after.segno or after.coda or sign.ending != after.ending)
