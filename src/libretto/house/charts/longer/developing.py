"""Sections of a long piece, developed: no reprise is what was heard, and one arch of energy goes over all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from libretto.house.charts.chart import PARTS, Chart, Scene
from libretto.house.charts.form import Passage
from libretto.house.charts.longer.layers import layered
from libretto.house.charts.longer.materials import LENT, Portion, role_of
from libretto.house.charts.longer.paraphrase import echoed, paraphrased
from libretto.house.charts.longer.wording import raised, thickened
from libretto.house.core.dice import Dice, dice
from libretto.score import QUARTER

__all__ = ["Part", "developed"]

_TUNES = ("lead", "second", "third")
_ACCOMPANYING, _PHRASE = ("chords", "bass", "percussion"), 4  # parts, and bars
_OPENING = 2  # bars by which one knows a tune
_OCTAVE = 7  # degrees
_CLIMAX = 0.72  # where in a piece it is at its fullest
_QUIETER, _LOUDER = -8, 7  # velocities of its beginning and of its climax
_HUSHED, _BARE, _FULL = -14, -10, 2  # velocities
_NEARER = 0.75  # how far sections are from the middle of all, as a part of what they are in a short piece
_LEAST, _MOST = 40, 112  # velocities of levels
_ENERGY = {"hush": -0.25, "bare": -0.2, "held": -0.15, "beat": -0.05, "full": 0.12, "enter": -0.05, "leave": -0.1}
_RISE = 0.1  # energy between the beginning and the climax
_ANSWERS_FROM = 1  # how often a tune was heard before somebody answers it


class Part(NamedTuple):
    """A stretch of a section in a long piece: its first bar, how it is played, whether it begins what stands in one
    slot of the plan, and how long that is."""

    portion: Portion
    first: int
    how: frozenset[str]
    begins: bool
    of: int


def developed(
    chart: Chart, parts: Sequence[Part], bars: int, seed: int, *, drummed: bool = True
) -> tuple[Passage, ...]:
    """The sections as they are played: what comes again varied, louder towards the climax, layered as was planned."""
    heard: Counter[tuple[str, ...]] = Counter()  # by how tunes begin: another section may have the same one
    usual = sum(sum(part.portion.scene.levels) / 2 * part.portion.bars for part in parts) / max(1, bars)
    band = _Backings(chart, parts)
    made = []
    at = 0  # bars since the slot of the plan began
    for number, part in enumerate(parts):
        portion = part.portion
        at = 0 if part.begins else at
        key = tuple(portion.scene.bar(portion.scene.tune, portion.skipped + bar) for bar in range(_OPENING))
        before = heard[key]
        heard[key] += 1
        passage = Passage(portion.scene, part.first, portion.bars, portion.skipped, before)
        if number == len(parts) - 1:
            rows = _rows(passage)
        else:
            passage = replace(passage, backing=band.behind(part))
            rows = _reordered(_rows(passage), band.turn)
            chance = dice(seed, "development", part.first)
            rows = _varied(rows, chart, portion.scene.tune, before, chance) if before else rows
            rows = _as_told(rows, chart, part, at, drummed=drummed)
        scene = _scene(passage, rows, part, bars, usual)
        made.append(Passage(scene, part.first, portion.bars, 0, min(before, 1)))
        at += portion.bars
    return tuple(made)


class _Backings:
    """Whose accompaniment sections have: their own first, then in turn that of others that suits them; solos what
    stands behind solos and choruses, the fuller the later they come."""

    def __init__(self, chart: Chart, parts: Sequence[Part]) -> None:
        played = dict.fromkeys(part.portion.scene.name for part in parts[:-1])
        scenes = [scene for scene in chart.scenes.values() if scene.tune in _TUNES[:2]]
        self._middle = [scene for scene in scenes if role_of(scene) in "ABC" and scene.name in played]
        self._behind = sorted((one for one in scenes if role_of(one) in "ABS"), key=lambda one: one.energy)
        self._heard: Counter[str] = Counter()
        self._solos = 0
        self.turn = 0

    def behind(self, part: Part) -> Scene | None:
        """The section whose accompaniment a part has; None where that is its own."""
        scene = part.portion.scene
        own, _, lent = scene.name.partition(LENT)
        if part.begins:
            self.turn = self._heard[own]
            self._heard[own] += 1
            self._solos += bool(lent)
        if not self.turn or role_of(scene) not in "ACS" or scene.tune not in _TUNES:
            return None
        able = [one for one in self._middle if not (scene.kind == "verse" and one.kind == "chorus")]
        if lent and self._behind:
            able, place = self._behind, self._solos
        else:
            names = [one.name for one in able]
            place = names.index(own) + self.turn if own in names else -1
        return able[place % len(able)] if place >= 0 else None


def _reordered(rows: dict[str, list[str]], turn: int) -> dict[str, list[str]]:
    """The parts of a section with the first bars of every phrase of the accompaniment in another order."""
    made = dict(rows)
    for part in _ACCOMPANYING:
        row = made.get(part, [])
        if turn and len(row) >= _PHRASE and not any(text.startswith("_") for text in row):
            order = [
                first + (place + turn) % (_PHRASE - 1) if place < _PHRASE - 1 else first + place
                for first in range(0, len(row) - _PHRASE + 1, _PHRASE)
                for place in range(_PHRASE)
            ]
            made[part] = [row[bar] for bar in order] + row[len(order) :]
    return made


def _rows(passage: Passage) -> dict[str, list[str]]:
    """What every part plays in every bar of a section."""
    backed = passage.backing or passage.scene
    names = {*passage.scene.parts, *backed.parts}
    return {part: [passage.bar(part, bar) for bar in range(passage.bars)] for part in PARTS if part in names}


def _varied(rows: dict[str, list[str]], chart: Chart, tune: str, before: int, chance: Dice) -> dict[str, list[str]]:
    """The parts of a section that comes again: its tune as one remembers it, with answers where it waits."""
    if tune not in _TUNES or tune not in rows:
        return rows
    beat = Fraction(chart.meter.beat * chart.unit, 4 * QUARTER)
    made = dict(rows)
    made[tune] = paraphrased(rows[tune], chart.units, beat, before, chance)
    if tune == "lead" and before >= _ANSWERS_FROM and "second" in rows:
        made["second"] = echoed(rows["lead"], rows["second"], chart.units)
    return made


def _as_told(rows: dict[str, list[str]], chart: Chart, part: Part, at: int, *, drummed: bool) -> dict[str, list[str]]:
    """The parts of a section, played as the plan says: an octave higher or lower, and with the layers that it wants."""
    by = _OCTAVE * (("high" in part.how) - ("low" in part.how))
    made = dict(rows)
    if by and "lead" in rows:
        made["lead"] = [raised(text, chart.units, by) for text in rows["lead"]]
    if "full" in part.how and "lead" in made:
        beat = Fraction(chart.meter.beat * chart.unit, 4 * QUARTER)
        made["lead"] = [thickened(text, chart.units, beat) for text in made["lead"]]
    return layered(made, part.how, at, part.of, drummed=drummed)


def _scene(passage: Passage, rows: dict[str, list[str]], part: Part, bars: int, usual: float) -> Scene:
    """A section written out, as loud and as full as its place in the piece wants it."""
    scene = passage.scene
    middle = (part.first + passage.bars / 2) / bars
    arch = middle / _CLIMAX if middle < _CLIMAX else (1 - middle) / (1 - _CLIMAX)
    louder = round(_QUIETER + (_LOUDER - _QUIETER) * arch)
    louder += _HUSHED * ("hush" in part.how) + _BARE * ("bare" in part.how) + _FULL * ("full" in part.how)
    low, high = (round(max(_LEAST, min(_MOST, level + louder))) for level in _level(passage, usual))
    energy = scene.energy + _RISE * (arch - 1 / 2) + sum(_ENERGY.get(word, 0.0) for word in part.how)
    size = passage.skipped + passage.bars
    changes = {mode: tuple(scene.change(mode, bar) for bar in range(passage.skipped, size)) for mode in scene.changes}
    return replace(
        scene,
        bars=passage.bars,
        energy=max(0.1, min(1.0, energy)),
        levels=(low, high),
        parts={name: tuple(row) for name, row in rows.items()},
        changes=changes,
        full="full" in part.how,
    )


def _level(passage: Passage, usual: float) -> tuple[float, float]:
    """How loud a stretch of a section begins and ends."""
    first, last = passage.scene.levels
    whole = max(1, passage.scene.bars - 1)
    ends = (passage.skipped, passage.skipped + passage.bars - 1)
    low, high = (first + (last - first) * min(1.0, bar / whole) for bar in ends)
    return usual + _NEARER * (low - usual), usual + _NEARER * (high - usual)
