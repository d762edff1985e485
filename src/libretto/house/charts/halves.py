"""Bars with two chords: a bass comes to the new root, and who holds a chord or an inner voice changes with it."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.house.charts.signs import Placed
from libretto.house.compose.plan import Plan

__all__ = ["over_changes"]

_LATER = {"C": "N"}  # what is struck shortly before a change belongs to the chord that comes
_BASS, _OF_CHORDS = "bass", "@v"  # signs of notes that go with the chord
_BELOW = ("third", "bass", "chords", "pad")


def over_changes(
    plan: Plan, part: str, placed: Sequence[Placed], louder: Sequence[int]
) -> tuple[list[Placed], list[int]]:
    """The signs of a part that goes with the chords. Where a chord begins within a bar a bass plays its root; what
    sounds on over the change is struck anew, or is the new chord already when it began less than a beat before."""
    made: list[Placed] = []
    levels: list[int] = []
    for item, level in zip(placed, louder, strict=True):
        parts = _changed(plan, part, item) if part in _BELOW else [item]
        made += parts
        levels += [level] * len(parts)
    return made, levels


def _changed(plan: Plan, part: str, item: Placed) -> list[Placed]:
    """One sign, in two where a chord changes under it."""
    head = item.sign.head
    degree = head.strip("b#,'").isdigit()
    root = part == _BASS and degree
    if not root and not (part != _BASS and (degree or head in ("C", "H", "P", "A", "T") or head[0] in _OF_CHORDS)):
        return [item]
    span = plan.chord_at(item.start)
    if root and item.start == span.start and span.start % plan.meter.ticks:
        item = item._replace(sign=item.sign._replace(head="1"))
    change = span.end
    if change >= item.end or change % plan.meter.ticks == 0:
        return [item]
    if change - item.start < plan.meter.beat:
        return [item._replace(sign=item.sign._replace(head="n" if root else _LATER.get(head, head)))]
    again = item.sign._replace(head="1" if root else head, marks=item.sign.marks.replace("!", ""))
    return [item._replace(end=change), Placed(change, item.end, again)]
