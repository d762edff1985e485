"""Write a drill anew from a model: change as much as the ear that must recognize it allows, boldly first.

The model shows the concept; every change is kept only where the concept is still seen. Whole pieces are changed before
shapes, shapes before bars, bars before notes, so that what belongs together stays together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

from libretto.house.dice import dice
from libretto.house.drill_layers import classes_of, layers_of, shape_of
from libretto.house.drill_lines import ladder
from libretto.house.drill_sheet import Measure, Sheet
from libretto.house.drill_vary import Proposal, chord_proposals, line_proposals, note_proposals

__all__ = ["Sieved", "sieve"]


class Sieved(NamedTuple):
    """A sheet written anew, and how many bars were changed how."""

    sheet: Sheet
    changed: dict[str, int]


def sieve(sheet: Sheet, good: Callable[[Sheet], bool], seed: int, low: int, high: int, level: int) -> Sieved:
    """As new a sheet as ``good`` accepts."""
    counts: dict[str, int] = defaultdict(int)
    groups = _groups(sheet, low, high)
    every = list(range(len(sheet.bars)))
    lined, chorded = line_proposals(), chord_proposals()
    done: set[int] = set()
    for names, table in ((("anew", "swapped", "repitched", "reshaped"), lined),):
        for name in names:
            trial = _apply(sheet, every, groups, table[name], seed, name, low, high, level)
            if trial != sheet and good(trial):
                sheet, done = trial, set(every)
                counts[name] += len(every)
                break
    for table, finished in ((lined, done), (chorded, set[int]())):
        for members in groups:
            _try(sheet_box := [sheet], members, groups, table, good, seed, low, high, level, finished, counts)
            sheet = sheet_box[0]
        for index in every:
            _try(sheet_box := [sheet], [index], groups, table, good, seed, low, high, level, finished, counts)
            sheet = sheet_box[0]
    for index in every:
        if index not in done and index != every[-1]:
            sheet = _by_note(sheet, index, good, seed, low, high, counts)
    return Sieved(sheet, dict(counts))


def _groups(sheet: Sheet, low: int, high: int) -> list[list[int]]:
    """Bars of one shape together, in order."""
    found: dict[object, list[int]] = {}
    for index, bar in enumerate(sheet.bars):
        rungs = ladder(classes_of(bar), 0, 127)
        shape = (shape_of(bar, rungs), tuple((n.onset, n.duration) for n in layers_of(bar).under), bar.length)
        found.setdefault(shape, []).append(index)
    return list(found.values())


def _apply(
    sheet: Sheet,
    which: list[int],
    groups: list[list[int]],
    proposal: Proposal,
    seed: int,
    name: str,
    low: int,
    high: int,
    level: int,
) -> Sheet:
    """Some bars changed in one way; bars of one shape by the same throws."""
    bars = list(sheet.bars)
    group_of = {index: number for number, members in enumerate(groups) for index in members}
    for index in which:
        bar: Measure = bars[index]
        if not bar.notes:
            continue
        last = index == len(bars) - 1
        bars[index] = proposal(bar, dice(seed, "drill", name, group_of[index]), low, high, level, last)
    return sheet.with_bars(bars)


def _try(
    box: list[Sheet],
    which: list[int],
    groups: list[list[int]],
    table: dict[str, Proposal],
    good: Callable[[Sheet], bool],
    seed: int,
    low: int,
    high: int,
    level: int,
    done: set[int],
    counts: dict[str, int],
) -> None:
    """The boldest change of these bars that is accepted, unless they are changed already."""
    if all(index in done for index in which):
        return
    for name, proposal in table.items():
        trial = _apply(box[0], which, groups, proposal, seed, name, low, high, level)
        if trial != box[0] and good(trial):
            box[0] = trial
            done.update(which)
            counts[name] += len(which)
            return


def _by_note(
    sheet: Sheet, index: int, good: Callable[[Sheet], bool], seed: int, low: int, high: int, counts: dict[str, int]
) -> Sheet:
    """One bar changed note by note, about every second note that may be."""
    rng = dice(seed, "drill", "notes", index)
    for number in range(len(sheet.bars[index].notes)):
        options = note_proposals(sheet.bars[index], rng, low, high)
        if number % 2 or number >= len(options):
            continue
        bars = list(sheet.bars)
        bars[index] = options[number]
        trial = sheet.with_bars(bars)
        if good(trial):
            sheet = trial
            counts["notes"] += 1
    return sheet
