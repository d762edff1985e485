"""The tune: units of rhythm made into pitches, motifs that keep their contour when they return, and breaths between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import pi, sin

from libretto.house.compose.band import Player
from libretto.house.compose.figures import Unit, units_of
from libretto.house.compose.form import Section
from libretto.house.compose.plan import Plan
from libretto.house.core.dice import dice
from libretto.house.core.line import Place, Taste, draw_line, steps_of
from libretto.house.core.patterns import Sketch, Stroke
from libretto.score import QUARTER

__all__ = ["Tune", "carrying", "filled_out", "metrical_weight", "write_tune"]

_ARCH, _FALLING, _DEPTH = 0.62, 1.3, 0.34  # where the arch has its peak, how fast it falls, how much of the range it is
_UNITS = 8  # of a section: so much of it a unit is
_RANGE, _MIDDLE, _LEAST_RANGE = 16, 72, 7  # semitones, and a pitch
_USUAL_ENERGY, _BY_ENERGY, _HIGHER = 0.55, 7, 4  # semitones by energy, and by knob or brief
_REGISTER, _KNOB = 5, 3  # semitones by which the register goes up and down
_KNOWN_CHANCE, _KNOWN_CONTOUR, _KNOWN_CURVE = 0.2, 1.5, 0.4  # an idea that returns: less chance, a firmer contour
_ACCENTS = {"X": 6, "o": -8}
_BY_METER, _BY_LENGTH = 0.75, 0.5  # how much dissonance weighs, by beat and by length
_OFF, _HALFWAY, _BEAT, _HALF_BAR = 0.08, 0.2, 0.6, 0.8  # how strong places are
_CARRIES = 8.0  # how firmly a line that carries the chords takes a tone
_LONGER = 0.3  # what the knob does
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
        """The notes of one unit: its rhythm, and pitches that keep the contour of an idea that returns."""
        plan = self.plan
        rhythm = _held(unit, plan, self.carries)
        known = self.contours.get((section.letter, len(rhythm))) if unit.kind == "idea" and not solo else None
        loop = self._loop(section, unit, rhythm)
        noise = self._noise(section, number, len(rhythm), bool(known))
        pitches = self.loops.get(loop)
        if not pitches:
            through = number / max(1, count)
            places = [
                self._place(section, unit, stroke, index, len(rhythm), through) for index, stroke in enumerate(rhythm)
            ]
            if self.carries:
                places = carrying(plan, rhythm, places)
            contour = known or self._shape(section, unit, len(rhythm), solo)
            taste = _taste(plan, solo)
            if known:
                kept = (taste.leaps, taste.repeats, taste.chromatic)
                taste = Taste(*kept, _KNOWN_CHANCE, _KNOWN_CONTOUR, taste.curve * _KNOWN_CURVE)
            pitches = draw_line(places, self.low, self.high, self.steps, taste, noise, contour, self.last)
        if plan.style.setting("melody", "loop", False) and not solo:
            self.loops[loop] = pitches
        if unit.kind == "idea" and not known:
            heights = [float(self.steps[pitch - self.low]) for pitch in pitches]
            self.contours[(section.letter, len(rhythm))] = [0.0, *(b - a for a, b in pairwise(heights))]
        self.last = pitches[-1]
        return [
            Sketch(stroke.start, stroke.length, pitch, _ACCENTS.get(stroke.sign, 0))
            for stroke, pitch in zip(rhythm, pitches, strict=True)
        ]

    def _noise(self, section: Section, number: int, notes: int, known: bool) -> list[list[float]]:
        """The chance in every pitch of every note of a unit; the same wherever an idea returns."""
        again = 0 if known else section.before
        source = dice(self.plan.seed, "tune", self.player.name, section.letter, again, number)
        return [[source.gauss(0, 1) for _ in range(self.high - self.low + 1)] for _ in range(notes)]

    def _loop(self, section: Section, unit: Unit, rhythm: Sequence[Stroke]) -> tuple[object, ...]:
        """What makes two units the same where a style loops its tune: material, purpose, rhythm and chords."""
        ticks = self.plan.meter.ticks
        chords = tuple(self.plan.chords[unit.bar : unit.bar + unit.bars])
        shape = tuple(stroke._replace(start=stroke.start - unit.bar * ticks) for stroke in rhythm)
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
        """Where a note stands: its chord and scale, its weight, its height in the arch, and how the unit ends."""
        plan = self.plan
        chord = plan.chord_at(stroke.start)
        weight = metrical_weight(plan, stroke.start) * _BY_METER + min(1.0, stroke.length / (2 * QUARTER)) * _BY_LENGTH
        scale = plan.scale_at(chord)
        tonic = (plan.key.tonic_class + section.shift) % 12
        blue = plan.style.setting("melody", "blue", [])
        if blue:
            scale = scale | {(tonic + tone) % 12 for tone in blue}
        height = self._height(section, through + (index / max(1, count)) / _UNITS)
        favored: frozenset[int] = frozenset()
        if index == count - 1 and unit.ends:
            favored = frozenset(chord.chord.classes)
            if unit.ends == "closed" and tonic in favored:
                thirds: set[int] = {(tonic + 4) % 12, (tonic + 3) % 12} & favored if not section.last else set()
                favored = frozenset({tonic} | thirds)
        return Place(frozenset(chord.chord.classes), scale, weight, height, favored)

    def _height(self, section: Section, within: float) -> float:
        """How high the arch of a section is so far within it: it rises to its peak and falls faster."""
        plan = self.plan
        middle = (
            (self.low + self.high) / 2
            + (section.energy - _USUAL_ENERGY) * _BY_ENERGY
            + _HIGHER * plan.register
            + _HIGHER * plan.controls.melody_register
        )
        rising = within / _ARCH * 0.5 if within < _ARCH else 0.5 + (within - _ARCH) * _FALLING
        return middle - 2 + (self.high - self.low) * _DEPTH * sin(pi * min(1.0, rising))


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
    beat = plan.meter.beat if plan.meter.is_compound else QUARTER
    if place == 0:
        return 1.0
    if place % beat:
        return _HALFWAY if place % (beat // 2) == 0 else _OFF
    return _HALF_BAR if place * 2 == plan.meter.ticks else _BEAT


def _register(plan: Plan, player: Player) -> tuple[int, int]:
    """Where the tune may go: about a thirteenth within what the instrument likes."""
    wide = int(plan.style.setting("melody", "range", _RANGE))
    middle = int(plan.style.setting("melody", "middle", _MIDDLE)) + round(
        _REGISTER * plan.register + _KNOB * plan.controls.melody_register
    )
    low = max(player.low, min(middle - wide // 2, player.high - wide))
    high = min(player.high, low + wide)
    return (low, high) if high - low >= _LEAST_RANGE else (player.low, max(player.high, player.low + _LEAST_RANGE))


def _held(unit: Unit, plan: Plan, carries: bool) -> tuple[Stroke, ...]:
    """The rhythm with notes held or let go: longer where lengths are turned up, a breath at a phrase's end."""
    made = []
    factor = 1.0 + _LONGER * plan.controls.lengths
    rhythm = filled_out(plan, unit.rhythm) if carries else unit.rhythm
    for index, stroke in enumerate(rhythm):
        last = index == len(rhythm) - 1
        following = (unit.bar + unit.bars) * plan.meter.ticks if last else rhythm[index + 1].start
        room = following - stroke.start
        length = min(room, max(QUARTER // 4, int(stroke.length * factor)))
        if last and unit.last_of_phrase:
            length = min(max(length, QUARTER), max(QUARTER // 2, room - QUARTER // 2))
        made.append(stroke._replace(length=min(length, max(room, QUARTER // 4))))
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
            made[index] = replace(made[index], favored=frozenset({(harmony.root + tone) % 12}), pull=_CARRIES)
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
        kept = list(strokes)
        while len(kept) < wanted:
            longest = max(kept, key=lambda stroke: (stroke.length, -stroke.start))
            half = longest.length // 2 // (QUARTER // 4) * (QUARTER // 4)
            if half < QUARTER // 2:
                break
            kept.remove(longest)
            kept += [
                longest._replace(length=half),
                Stroke(longest.start + half, longest.length - half, longest.sign),
            ]
        made += sorted(kept)
    return tuple(made)
