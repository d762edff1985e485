"""The tune: units of rhythm made into pitches, motifs that keep their contour when they return, and breaths between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import pi, sin

from libretto.house.compose.band import Player
from libretto.house.compose.form import Section
from libretto.house.compose.phrases import Unit, units_of
from libretto.house.compose.plan import Plan
from libretto.house.core.dice import dice
from libretto.house.core.line import Place, Taste, draw_line, steps_of
from libretto.house.core.patterns import Sketch, Stroke
from libretto.score import QUARTER
from libretto.score.pitch import pitch_class_of

__all__ = ["Tune", "carrying", "filled_out", "metrical_weight", "write_tune"]

_ARCH, _WIDE = 0.62, 13
_SHAPES = {
    "arch": (1, 1, 1, -1, -1), "fall": (-1, -1, 1, -1, -1), "rise": (1, 1, -1, 1, 1), "turn": (1, -1, -1, 1, 1),
    "leap": (3, -1, -1, 0, 1), "hover": (0, 1, -1, 0, -1), "zigzag": (2, -1, 2, -1, -2), "sigh": (0, -1, 2, -1, -1),
}  # fmt: skip
_WIDE_SHAPES = {  # for styles that name them
    "call": (4, -1, -1, 1, -1), "horn": (2, 2, 1, -1, -2), "octave": (7, -1, -1, -1, 2), "sixth": (5, -1, -1, 1, -1),
    "drop": (-4, 1, 1, 1, -1), "swing": (4, -4, 4, -1, -1),
}  # fmt: skip


class Tune:
    """A lead part in the making: it remembers its motifs, so that they can come back."""

    def __init__(self, plan: Plan, player: Player) -> None:
        self.plan, self.player = plan, player
        self.low, self.high = _register(plan, player)
        self.steps = steps_of(sorted(plan.scale), self.low, self.high)
        self.contours: dict[tuple[str, int], list[float]] = {}
        self.loops: dict[tuple[object, ...], list[int]] = {}
        self.last: int | None = None
        self.carries = plan.bare and (player.polyphony < 6 or not player.alone)

    def section(self, section: Section, solo: bool = False) -> list[Sketch]:
        """The tune of one section."""
        notes: list[Sketch] = []
        units = units_of(self.plan, section, solo)
        for number, unit in enumerate(units):
            if unit.rhythm:
                notes += self._unit(section, unit, number, len(units), solo)
        return notes

    def _unit(self, section: Section, unit: Unit, number: int, count: int, solo: bool) -> list[Sketch]:
        plan, taste = self.plan, _taste(self.plan, solo)
        rhythm = _held(unit, plan, self.carries)
        places = [
            self._place(section, unit, each, index, len(rhythm), number / max(1, count))
            for index, each in enumerate(rhythm)
        ]
        if self.carries:
            places = carrying(plan, rhythm, places)
        known = self.contours.get((section.letter, len(rhythm))) if unit.kind == "idea" and not solo else None
        contour = known or self._shape(section, unit, len(rhythm), solo)
        if known:
            taste = Taste(taste.leaps, taste.repeats, taste.chromatic, 0.2, 1.5, taste.curve * 0.4)
        source = dice(plan.seed, "tune", self.player.name, section.letter, section.before if not known else 0, number)
        noise = [[source.gauss(0, 1) for _ in range(self.high - self.low + 1)] for _ in places]
        loop = self._loop(section, unit, rhythm)
        pitches = self.loops.get(loop) or draw_line(
            places, self.low, self.high, self.steps, taste, noise, contour, self.last
        )
        if plan.style.setting("melody", "loop", False) and not solo:
            self.loops[loop] = pitches
        if unit.kind == "idea" and not known:
            heights = [float(self.steps[pitch - self.low]) for pitch in pitches]
            self.contours[(section.letter, len(rhythm))] = [0.0, *(b - a for a, b in pairwise(heights))]
        self.last = pitches[-1]
        return [
            Sketch(each.start, each.length, pitch, 6 if each.sign == "X" else -8 if each.sign == "o" else 0)
            for each, pitch in zip(rhythm, pitches, strict=True)
        ]

    def _loop(self, section: Section, unit: Unit, rhythm: Sequence[Stroke]) -> tuple[object, ...]:
        """What makes two units the same where a style loops its tune: material, purpose, rhythm and chords."""
        ticks = self.plan.meter.ticks
        chords = tuple(self.plan.chords[unit.bar : unit.bar + unit.bars])
        shape = tuple(each._replace(start=each.start - unit.bar * ticks) for each in rhythm)
        return section.letter, unit.ends, chords, shape

    def _shape(self, section: Section, unit: Unit, count: int, solo: bool) -> list[float | None]:
        """The contour a new unit reaches for."""
        source = dice(self.plan.seed, "shape", section.letter, unit.kind, unit.bar if solo else 0)
        names = self.plan.style.setting("melody", "shapes", list(_SHAPES))
        shape = (_SHAPES | _WIDE_SHAPES)[names[source.randrange(len(names))]]
        turn = source.choice((1, 1, 1, -1)) if unit.kind != "idea" else 1
        if unit.kind == "close":
            return [None] * count
        return [None, *(float(shape[index % len(shape)] * turn) for index in range(count - 1))]

    def _place(self, section: Section, unit: Unit, stroke: Stroke, index: int, count: int, through: float) -> Place:
        plan = self.plan
        harmony = plan.chord_at(stroke.start)
        weight = metrical_weight(plan, stroke.start) * 0.75 + min(1.0, stroke.length / (2 * QUARTER)) * 0.5
        middle = (
            (self.low + self.high) / 2
            + (section.energy - 0.55) * 7
            + 4 * plan.register
            + 4 * plan.controls.melody_register
        )
        within = through + (index / max(1, count)) / 8
        rising = within / _ARCH * 0.5 if within < _ARCH else 0.5 + (within - _ARCH) * 1.3
        height = middle - 2 + (self.high - self.low) * 0.34 * sin(pi * min(1.0, rising))
        favored: frozenset[int] = frozenset()
        if index == count - 1 and unit.ends:
            tonic = (pitch_class_of(plan.key.tonic) + section.shift) % 12
            favored = frozenset(harmony.chord.classes)
            if unit.ends == "closed" and tonic in favored:
                favored = frozenset(
                    {tonic} | ({(tonic + 4) % 12, (tonic + 3) % 12} & favored if not section.last else set())
                )
        scale = plan.scale_at(harmony)
        blue = plan.style.setting("melody", "blue", [])
        if blue:
            scale = scale | {(pitch_class_of(plan.key.tonic) + section.shift + tone) % 12 for tone in blue}
        return Place(frozenset(harmony.chord.classes), scale, weight, height, favored)


def write_tune(plan: Plan, player: Player, sections: Sequence[Section]) -> list[Sketch]:
    """The tune over the sections in which a player leads; solos where the section is one."""
    tune = Tune(plan, player)
    notes: list[Sketch] = []
    for section in sections:
        notes += tune.section(section, solo=section.kind == "solo")
    return notes


def metrical_weight(plan: Plan, tick: int) -> float:
    """How strong a place in the bar is: 1 on the downbeat, little off the beat."""
    place = tick % plan.meter.ticks
    beat = QUARTER * 3 // 2 if plan.meter.unit == 8 and plan.meter.beats % 3 == 0 else QUARTER
    if place == 0:
        return 1.0
    if place % beat:
        return 0.2 if place % (beat // 2) == 0 else 0.08
    return 0.8 if place * 2 == plan.meter.ticks else 0.6


def _register(plan: Plan, player: Player) -> tuple[int, int]:
    """Where the tune may go: about a thirteenth within what the instrument likes."""
    wide = int(plan.style.setting("melody", "range", _WIDE + 3))
    middle = int(plan.style.setting("melody", "middle", 72)) + round(
        5 * plan.register + 3 * plan.controls.melody_register
    )
    low = max(player.low, min(middle - wide // 2, player.high - wide))
    high = min(player.high, low + wide)
    return (low, high) if high - low >= 7 else (player.low, max(player.high, player.low + 7))


def _held(unit: Unit, plan: Plan, carries: bool) -> tuple[Stroke, ...]:
    """The rhythm with notes held or let go: longer where lengths are turned up, a breath at a phrase's end."""
    made = []
    factor = 1.0 + 0.3 * plan.controls.lengths
    rhythm = filled_out(plan, unit.rhythm) if carries else unit.rhythm
    for index, each in enumerate(rhythm):
        last = index == len(rhythm) - 1
        following = (unit.bar + unit.bars) * plan.meter.ticks if last else rhythm[index + 1].start
        room = following - each.start
        length = min(room, max(QUARTER // 4, int(each.length * factor)))
        if last and unit.last_of_phrase:
            length = min(max(length, QUARTER), max(QUARTER // 2, room - QUARTER // 2))
        made.append(each._replace(length=min(length, max(room, QUARTER // 4))))
    return tuple(made)


def _taste(plan: Plan, solo: bool) -> Taste:
    setting = plan.style.setting
    leaps = setting("melody", "leaps", 0.0) + 0.7 * plan.controls.leaps + (0.1 if solo else 0.0)
    return Taste(
        leaps=max(-0.6, min(1.2, leaps)),
        repeats=setting("melody", "repeats", 0.8),
        chromatic=setting("melody", "chromatic", 2.6) - 1.0 * max(0.0, plan.controls.color),
        chance=setting("melody", "chance", 0.6) + 0.3 * max(0.0, plan.controls.variation),
        contour=0.6,
    )


def carrying(plan: Plan, rhythm: Sequence[Stroke], places: Sequence[Place]) -> list[Place]:
    """The same places, some of which now ask for the third, and without a bass the root, of every chord."""
    made = list(places)
    by_chord: dict[int, list[int]] = {}
    for index, stroke in enumerate(rhythm):
        by_chord.setdefault(plan.chord_at(stroke.start).start, []).append(index)
    for mine in by_chord.values():
        harmony = plan.chord_at(rhythm[mine[0]].start)
        wanted = [harmony.third] if plan.has_bass else [0, harmony.third]
        free = [index for index in mine if not made[index].favored]
        free.sort(key=lambda index: (-made[index].weight, index))
        for tone, index in zip(wanted[: len(free)], free, strict=False):
            made[index] = replace(made[index], favored=frozenset({(harmony.root + tone) % 12}), pull=8.0)
    return made


def filled_out(plan: Plan, rhythm: Sequence[Stroke]) -> tuple[Stroke, ...]:
    """The rhythm with a long note divided in every bar that would otherwise have too few notes for its chord."""
    needed = 1 if plan.has_bass else 2
    bars: dict[int, list[Stroke]] = {}
    for stroke in rhythm:
        bars.setdefault(stroke.start // plan.meter.ticks, []).append(stroke)
    made: list[Stroke] = []
    for bar, strokes in bars.items():
        wanted = needed * len(plan.chords_of(min(bar, plan.bars - 1)))
        found = list(strokes)
        while len(found) < wanted:
            longest = max(found, key=lambda each: (each.length, -each.start))
            half = longest.length // 2 // (QUARTER // 4) * (QUARTER // 4)
            if half < QUARTER // 2:
                break
            found.remove(longest)
            found += [
                longest._replace(length=half),
                Stroke(longest.start + half, longest.length - half, longest.sign),
            ]
        made += sorted(found)
    return tuple(made)
