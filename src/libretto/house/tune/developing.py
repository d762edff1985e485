"""What a template leaves undone made of its own ideas: a period, a sentence, a bar that is said again a step lower.

A tune whose every bar is new is hard to keep in mind. Where a template has few returns, its second phrase may begin as
its first does, its third bar may answer the first in sequence, and a bar before the close may be the one before it
moved.
"""

from __future__ import annotations

from dataclasses import replace

from libretto.house.core.dice import Dice, dice
from libretto.house.tune.making import Event, Making, Relation

__all__ = ["developed"]

_PERIOD, _WHOLE_PERIOD, _SENTENCE, _SEQUENCE = 0.55, 0.55, 0.35, 0.6  # how often each is made
_PHRASE = 4  # bars
_BY_STEP = 1.7  # semitones of a step, about
_SHIFTS = (-1, -1, -1, 1, 1, -2)  # steps by which a bar is moved
_STRONG = ("exact", "sequence", "inversion")


def developed(making: Making, seed: int, often: float = 1.0) -> Making:
    """A template with more of its own ideas coming back, where it has few; ``often`` is how willingly."""
    bars, relations = list(making.bars), list(making.relations)
    for start in range(0, making.theme.bars - _PHRASE, 2 * _PHRASE):
        source = dice(seed, "developing", start)
        _develop(making, bars, relations, start, source, often)
    return replace(making, bars=tuple(bars), relations=tuple(relations))


def _develop(
    making: Making,
    bars: list[tuple[Event, ...]],
    relations: list[Relation | None],
    start: int,
    source: Dice,
    often: float,
) -> None:
    """Eight bars from ``start`` on made of fewer ideas; the lists are changed."""
    period, whole, sentence, sequence = (source.random() for _ in range(4))
    shift = source.choice(_SHIFTS)
    second = start + _PHRASE
    if period < _PERIOD * often and not _owes(relations, second):
        _liken(making, bars, relations, second, start, 0)
        if whole < _WHOLE_PERIOD and not _owes(relations, second + 1):
            _liken(making, bars, relations, second + 1, start + 1, 0)
    elif sentence < _SENTENCE * often and not _owes(relations, start + 2):
        _liken(making, bars, relations, start + 2, start, shift)
    if sequence < _SEQUENCE * often:
        place = next((bar for bar in (second + 1, second + 2) if not _owes(relations, bar)), None)
        if place is not None:
            _liken(making, bars, relations, place, place - 1, shift)


def _owes(relations: list[Relation | None], bar: int) -> bool:
    """Whether a bar already comes from another, or is not there."""
    if bar >= len(relations):
        return True
    relation = relations[bar]
    return relation is not None and relation.how in _STRONG


def _liken(
    making: Making, bars: list[tuple[Event, ...]], relations: list[Relation | None], bar: int, of: int, shift: int
) -> None:
    """One bar made after another, unless a phrase ends there or notes are held into one of them alone."""
    ticks = making.theme.meter.ticks
    if bar in making.ends or of in making.ends or not bars[of + 1]:
        return
    if _held_into(bars, of, ticks) != _held_into(bars, bar, ticks):
        return
    moved = round(shift * _BY_STEP)
    model = bars[of + 1]
    first = replace(model[0], pitch=model[0].pitch + moved, step=None, move=None)
    bars[bar + 1] = (first, *(replace(event, pitch=event.pitch + moved) for event in model[1:]))
    agree = frozenset(event.offset for event in model)
    relations[bar] = Relation(of, "sequence" if shift else "exact", shift, agree)


def _held_into(bars: list[tuple[Event, ...]], bar: int, ticks: int) -> bool:
    """Whether the last note before a bar sounds on in it."""
    before = bars[bar]
    return bool(before) and before[-1].offset + before[-1].length > ticks
