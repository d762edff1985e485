"""Da capo: the last section of a form is the first again, from the same section of a chart, and comes home in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from libretto.house.charts.form import Passage
from libretto.house.charts.letters import ON

__all__ = ["brought_back"]

_INTRO = "intro"


def brought_back(passages: tuple[Passage, ...], names: Sequence[str]) -> tuple[tuple[Passage, ...], Sequence[str]]:
    """The same sections; the last that has the name of the first is played as that one is, in as many bars as it had,
    its end where that is longer as it was."""
    starts = [place for place, name in enumerate(names) if ON not in name]
    named = [names[start].lower() for start in starts]
    first = next((place for place, name in enumerate(named) if name != _INTRO), 0)
    again = next((place for place in reversed(range(len(named))) if named[place] == named[first]), first)
    if len(names) != len(passages) or again <= first:
        return passages, names
    own = passages[starts[first] : starts[first + 1]]
    end = starts[again + 1] if again + 1 < len(starts) else len(passages)
    there = passages[starts[again] : end]
    made = _filled(own, there)
    label = names[starts[again]]
    labels = [label if not place else f"{label}{ON}" for place in range(len(made))]
    return (*passages[: starts[again]], *made, *passages[end:]), (*names[: starts[again]], *labels, *names[end:])


def _filled(own: Sequence[Passage], there: Sequence[Passage]) -> list[Passage]:
    """The bars of a section filled with those of another, and with its own end where these are fewer."""
    at, left = there[0].first, sum(one.bars for one in there)
    made: list[Passage] = []
    for one in own:
        size = min(one.bars, left)
        if size:
            made.append(replace(one, first=at, bars=size, before=one.before + 1))
            at, left = at + size, left - size
    for one in there:  # what is left of it
        if left and one.first + one.bars > at:
            skipped = at - one.first
            made.append(replace(one, first=at, bars=one.bars - skipped, skipped=one.skipped + skipped))
            at, left = one.first + one.bars, left - (one.bars - skipped)
    return made
