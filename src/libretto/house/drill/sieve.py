"""Write a drill anew from a model: change as much as the ear that must recognize it allows, boldly first.

The model shows the concept; every change is kept only where the concept is still seen. First all bars are changed at
once, each for itself on a rhythm that comes back; then, where that says too much, bars of one shape get one new shape;
then single bars, then single notes. So what belongs together stays together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from libretto.house.core.dice import Dice, dice
from libretto.house.core.line import ladder
from libretto.house.drill.revoice import chord_proposals
from libretto.house.drill.sheet import DrillSheet, Measure, classes_of, layers_of, shape_of
from libretto.house.drill.vary import Ask, Proposal, line_proposals, note_proposals
from libretto.house.drill.whole import awkwardness, relabelled, turns
from libretto.score import QUARTER, Score

__all__ = ["Likeness", "Sieve"]

_WHOLE = ("anew", "swapped", "repitched", "reshaped", "sequenced")
_PHRASE = 4
_PATIENCE = 40  # changes in a row that may come to nothing
_NUDGED = 0.3  # how often a single note is moved instead


class Sieve:
    """A sheet that is being written anew, what accepts it, and what was changed how."""

    def __init__(
        self, sheet: DrillSheet, good: Callable[[DrillSheet], bool], seed: int, low: int, high: int, level: int
    ) -> None:
        self.sheet, self.good, self.seed = sheet, good, seed
        self.low, self.high, self.level = low, high, level
        self.changed: Counter[str] = Counter()
        self.group = _groups(sheet)

    def run(self, bold: int = 0) -> DrillSheet:
        """As new a sheet as is accepted; ``bold`` leaves out so many of the boldest ways for the whole."""
        every = range(len(self.sheet.bars))
        lines, chords = line_proposals(), chord_proposals()
        done: set[int] = set()
        for together in (False, True):
            for name in _WHOLE[bold:]:
                if not done and self._accept(self._changed(every, lines[name], name, together), name, every):
                    done = set(every)
        self._parts(lines, done)
        chorded: set[int] = set()
        for together in (False, True):
            if not self.changed["rerooted"]:
                self._accept(self._changed(every, chords["rerooted"], "rerooted", together), "rerooted", every)
            for names in (("restruck", "revoiced"), ("revoiced",), ("restruck",)):
                trial = self.sheet
                for name in names:
                    trial = self._changed(every, chords[name], name, together, trial)
                if not chorded and self._accept(trial, "+".join(names), every):
                    chorded = set(every)
        self._parts(chords, chorded)
        for index in every[:-1]:
            if index not in done:
                self._by_note(index)
        return self.sheet

    def turned(self, number: int) -> None:
        """Turn the whole sheet in the ways that a number stands for, as far as that is accepted."""
        for place, (name, turn) in enumerate(turns().items()):
            if number >> place & 1:
                rng = dice(self.seed, "drill", name)
                self._accept(turn(self.sheet, rng, self.low, self.high), name, range(len(self.sheet.bars)))
        self.group = _groups(self.sheet)

    def freshen(self, likeness: Likeness, steps: int, awkward: int = 0) -> float:
        """Change bars where the sheet is like an example, as long as that makes it less so and no more awkward.

        Half of the changes are made to all bars of one shape alike; at most ``steps`` are tried. ``awkward`` places are
        allowed in any case: as many as the model has.
        """
        price, where = likeness.of(self.sheet)
        lines, chords = line_proposals(), chord_proposals()
        del lines["sequenced"]  # it leaves the key: for whole sequences only
        table = {**lines, **chords}
        faults, idle = awkwardness(self.sheet), 0
        shapes = _groups(self.sheet)
        for step in range(steps):
            if not price or idle > max(_PATIENCE, steps // 3):
                break
            idle += 1
            rng = dice(self.seed, "drill", "fresh", step)
            index = rng.choices(list(where), list(where.values()))[0]
            name = rng.choice(_names_for(self.sheet.bars[index], lines, chords))
            which = [index]
            if rng.random() < 0.5:
                which = [other for other, shape in enumerate(shapes) if shape == shapes[index]]
            if layers_of(self.sheet.bars[index]).tune and rng.random() < _NUDGED:
                trial = self._nudged(index, rng)
            else:
                trial = self._changed(which, table[name], f"{name} {step}", len(which) > 1)
            if trial == self.sheet:
                continue
            after, places = likeness.of(trial)
            now = awkwardness(trial)
            if after < price and now <= max(faults, awkward) and self._accept(trial, name, which):
                price, where, faults, idle = after, places, now, 0
                shapes = _groups(self.sheet)
        return price

    def relabel(self) -> None:
        """Write over every bar a chord that it sings, as far as that is accepted."""
        for index, bar in enumerate(self.sheet.bars[:-1]):
            bars = list(self.sheet.bars)
            bars[index] = relabelled(bar)
            self._accept(self.sheet.with_bars(bars), "relabelled", [index])

    def _nudged(self, index: int, rng: Dice) -> DrillSheet:
        """The sheet with one note of a bar a step or a third away."""
        options = note_proposals(self.sheet.bars[index], rng, self.low, self.high)
        if not options or index == len(self.sheet.bars) - 1:
            return self.sheet
        bars = list(self.sheet.bars)
        bars[index] = rng.choice(options)
        return self.sheet.with_bars(bars)

    def reroot(self) -> DrillSheet:
        """The sheet with some bars from other roots, as far as that is accepted."""
        every, proposal = range(len(self.sheet.bars)), chord_proposals()["rerooted"]
        if not self._accept(self._changed(every, proposal, "rerooted", False), "rerooted", every):
            for index in every:
                self._accept(self._changed([index], proposal, "rerooted", False), "rerooted", [index])
        return self.sheet

    def _parts(self, table: dict[str, Proposal], done: set[int]) -> None:
        """Shapes, then single bars, each in the boldest way that is accepted."""
        members: dict[int, list[int]] = {}
        for index, number in enumerate(self.group):
            members.setdefault(number, []).append(index)
        for which in [*members.values(), *([index] for index in range(len(self.sheet.bars)))]:
            for name, proposal in table.items():
                if all(index in done for index in which):
                    break
                if self._accept(self._changed(which, proposal, name, True), name, which):
                    done.update(which)

    def _accept(self, trial: DrillSheet, name: str, which: Sequence[int]) -> bool:
        if trial == self.sheet or not self.good(trial):
            return False
        self.sheet = trial
        self.changed[name] += len(which)
        return True

    def _changed(
        self, which: Sequence[int], proposal: Proposal, name: str, together: bool, sheet: DrillSheet | None = None
    ) -> DrillSheet:
        """Some bars changed in one way; ``together`` gives bars of one shape the same throws."""
        bars = list((sheet or self.sheet).bars)
        chosen = set(which)
        before: int | None = None
        for index, bar in enumerate(bars):
            if index in chosen and bar.notes:
                place = index % _PHRASE
                rhythm = ("shape", self.group[index]) if together else ("place", place % 2 if place < 3 else 3)
                notes = ("shape", self.group[index]) if together else ("bar", index)
                last = index == len(bars) - 1
                ask = Ask(
                    dice(self.seed, "drill", name, *rhythm), dice(self.seed, "drill", name, "notes", *notes),
                    self.low, self.high, self.level, last, _closes(index, len(bars), name) and not together, before,
                )  # fmt: skip
                bars[index] = proposal(bar, ask)
            tune = layers_of(bars[index]).tune
            before = tune[-1].pitch if tune else before if before is not None or not bar.notes else bar.notes[-1].pitch
        return self.sheet.with_bars(bars)

    def _by_note(self, index: int) -> None:
        """One bar changed note by note, about every second note that may be."""
        rng = dice(self.seed, "drill", "single notes", index)
        for number in range(0, len(self.sheet.bars[index].notes), 2):
            options = note_proposals(self.sheet.bars[index], rng, self.low, self.high)
            if number < len(options):
                bars = list(self.sheet.bars)
                bars[index] = options[number]
                self._accept(self.sheet.with_bars(bars), "notes", [index])


def _names_for(bar: Measure, lines: Iterable[str], chords: Iterable[str]) -> list[str]:
    """What may be done to a bar: to its tune where it has one, to its chords where it has some; else as to a tune."""
    parts = layers_of(bar)
    return [*(lines if parts.tune else ()), *(chords if parts.under else ())] or list(lines)


def _closes(index: int, bars: int, name: str) -> bool:
    """Whether a bar closes a phrase; for harmony the bar before the last belongs to the close as well."""
    return index % _PHRASE == _PHRASE - 1 or (name.startswith("rerooted") and index >= bars - 2)


def _groups(sheet: DrillSheet) -> list[int]:
    """For every bar the number of its shape."""
    known: dict[object, int] = {}
    numbers = []
    for bar in sheet.bars:
        under = tuple((note.onset, note.duration) for note in layers_of(bar).under)
        shape = (shape_of(bar, ladder(classes_of(bar), 0, 127)), under, bar.length)
        numbers.append(known.setdefault(shape, len(known)))
    return numbers


_WIDE = 1 << 32
_CELL = QUARTER // 24


class Likeness:
    """An example, and how much of it may be found in a sheet before that has a price."""

    def __init__(self, example: Score, enough: float) -> None:
        self.onset = example.table["onset"].astype(np.int64) // _CELL
        self.pitch = example.table["pitch"].astype(np.int64)
        self.free = enough * len(self.onset)

    def of(self, sheet: DrillSheet) -> tuple[float, dict[int, int]]:
        """The price of a sheet, 0 where it shares little, and how many notes of each bar (from 0) are shared."""
        start, onsets, pitches, places = 0, [], [], []
        for index, bar in enumerate(sheet.bars):
            for note in bar.notes:
                onsets.append((start + note.onset) // _CELL)
                pitches.append(note.pitch)
                places.append(index)
            start += bar.length
        if not onsets or not len(self.onset):
            return 0.0, {}
        moves = (np.array(pitches)[:, None] - self.pitch + 128) * _WIDE + np.array(onsets)[:, None] - self.onset
        _, which, counts = np.unique(moves.ravel(), return_inverse=True, return_counts=True)
        over = np.maximum(counts - self.free, 0.0)
        if not over.any():
            return 0.0, {}
        dear = over[which.reshape(moves.shape)].max(axis=1)
        shared: dict[int, int] = {}
        for place, price in zip(places, dear.tolist(), strict=True):
            if price > 0:
                shared[place] = shared.get(place, 0) + 1
        return float((over**4).sum()), shared
