"""Repeats and endings: in which order the measures of an ABC tune are played."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.errors import TooLarge
from libretto.formats.abc.measure import Measure
from libretto.score.validate import MAX_BARS

__all__ = ["MAX_ENDING", "play_order", "same_signs"]

MAX_ENDING = 12  #: the highest numbered ending, and the most passes of a repeat


def same_signs(voices: Sequence[Sequence[Measure]]) -> None:
    """Where all voices have as many measures, a repeat sign in one of them holds for all."""
    if len({len(measures) for measures in voices}) != 1:
        return
    for together in zip(*voices, strict=True):
        opens, closes = any(m.opens for m in together), max(m.closes for m in together)
        endings: frozenset[int] = next((m.endings for m in together if m.endings), frozenset())
        parted = any(m.parted for m in together)
        for measure in together:
            measure.opens, measure.closes, measure.endings, measure.parted = opens, closes, endings, parted


def play_order(measures: Sequence[Measure]) -> list[int]:
    """The indices of the measures in the order in which they sound.

    A repeat without a beginning goes back to the end of the one before, or to the start of the tune.
    """
    closes, passes = _closings(measures)
    order: list[int] = []
    at = begin = 0
    turn, ended = 1, False  # which pass this is; whether it has come to its last ending
    while at < len(measures):
        measure = measures[at]
        if at != begin and (measure.opens or (ended and measure.section)):
            begin, turn, ended = at, 1, False
        if measure.endings and turn not in measure.endings:
            at = _after_ending(measures, closes, at)
            continue
        order.append(at)
        if len(order) > MAX_BARS:
            raise TooLarge(f"with its repeats the ABC tune has more than {MAX_BARS:,} bars")
        ended = ended or (turn > 1 and bool(measure.endings))
        if closes[at] and turn < max(closes[at] + 1, passes[at]):
            turn, at, ended = turn + 1, begin, False
            continue
        at += 1
        if closes[at - 1] or (ended and measure.parted and not (at < len(measures) and measures[at].endings)):
            begin, turn, ended = at, 1, False
    return order or list(range(len(measures)))  # only second endings: written by mistake, and yet music


def _closings(measures: Sequence[Measure]) -> tuple[list[int], list[int]]:
    """For each measure, how often its end goes back, and the highest ending of the repeat it is in."""
    closes = [measure.closes for measure in measures]
    passes = _passes(measures)
    inside = opened = False  # an ending; a repeat that has a beginning and no end yet
    for at, measure in enumerate(measures):
        opened = opened and not (at and closes[at - 1])
        second = bool(measure.endings) and 1 not in measure.endings
        if (second and inside and not closes[at - 1]) or (measure.opens and opened):
            closes[at - 1] = 1  # a second ending is reached only by going back; a repeat begun is also repeated
        inside = bool(measure.endings) or (inside and not closes[at - 1] and not measure.opens)
        opened = measure.opens or (opened and not measure.endings)
    return closes, passes


def _passes(measures: Sequence[Measure]) -> list[int]:
    """For each measure, the highest ending of its repeat, which lasts to the next ``|:`` or past its last ending."""
    repeats: list[list[Measure]] = []
    ending = False
    for at, measure in enumerate(measures):
        over = ending and measures[at - 1].parted and not measure.endings
        if not at or measure.opens or over:
            repeats.append([])
            ending = False
        repeats[-1].append(measure)
        ending = ending or bool(measure.endings)
    highest = [max(max(measure.endings, default=1) for measure in repeat) for repeat in repeats]
    return [number for number, repeat in zip(highest, repeats, strict=True) for _ in repeat]


def _after_ending(measures: Sequence[Measure], closes: Sequence[int], at: int) -> int:
    """Where to go on when the ending that begins at ``at`` is not played this time."""
    at += 1
    while at < len(measures) and not (measures[at].endings or measures[at].opens or closes[at - 1]):
        if measures[at - 1].parted:
            break
        at += 1
    return at
