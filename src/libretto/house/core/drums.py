"""Drums: a groove by the section's energy, ghost notes, fills that lead on, crashes where sections begin."""

from __future__ import annotations

from collections.abc import Mapping

from libretto.house.compose.band import Player
from libretto.house.compose.form import Section
from libretto.house.compose.plan import Plan
from libretto.house.core.dice import dice
from libretto.house.core.patterns import Sketch, fit, strokes
from libretto.house.core.style import DRUM_KEYS
from libretto.score import QUARTER

__all__ = ["write_drums", "write_percussion"]

_Line = str | list[str]
_ACCENTS = {"X": 12, "x": 0, "o": -34, "O": -16}
_FILLS = (
    {"snare": "....x.x.x.xxX.X."},
    {"snare": "........x.x.....", "high_tom": "............x...", "floor": "..............X."},
    {"snare": "............xxxx"},
    {"high_tom": "........xx......", "mid_tom": "..........xx....", "floor": "............xxX."},
)
_HAND_PATTERNS: dict[str, tuple[str, ...]] = {
    "first": ("x...x.x.x...x.x.", "x..x..x.x..x..x.", "x.x...x.x.x.x..."),
    "second": ("..x.....x.....x.", "....x..x....x...", "......x.......x."),
    "steady": ("x.o.x.o.x.o.x.o.", "o.x.o.x.o.x.o.x."),
}


def write_drums(plan: Plan, player: Player, sections: list[Section]) -> list[Sketch]:
    """The kit over the sections in which it plays."""
    notes: list[Sketch] = []
    grooves = plan.style.data.get("grooves") or {"low": {}, "high": {}}
    for section in sections:
        groove = _groove(plan, grooves, section)
        for bar in range(section.first, section.end):
            notes += _bar(plan, groove, section, bar)
    return notes


def _groove(plan: Plan, grooves: Mapping[str, Mapping[str, _Line]], section: Section) -> dict[str, str]:
    """The groove for a section: by its kind where the style has one, else by its energy; of several lines for a drum
    the material of the section decides."""
    names = [name for name in ("low", "mid", "high") if name in grooves] or list(grooves)
    wish = section.energy + 0.3 * plan.controls.drums + 0.15 * plan.density
    by_energy = names[min(len(names) - 1, max(0, int(wish * len(names) * 0.999)))]
    found = {}
    for drum, line in grooves[section.kind if section.kind in grooves else by_energy].items():
        lines = [line] if isinstance(line, str) else line
        found[drum] = lines[dice(plan.seed, "groove", drum, section.letter).randrange(len(lines))]
    return found


def _bar(plan: Plan, groove: Mapping[str, str], section: Section, bar: int) -> list[Sketch]:
    start, place = bar * plan.meter.ticks, bar - section.first
    rolls = section.kind == "build" and "build" in plan.style.data.get("grooves", {})
    fill = None if rolls else _fill(plan, section, bar)
    turn = bar - section.end if rolls else place  # a roll ends where its section does
    cut = _fill_start(plan, fill) if fill else plan.meter.ticks
    made = []
    for drum, pattern in groove.items():
        for stroke in strokes(fit(pattern, plan.style.meter, plan.meter), plan.meter, turn):
            if stroke.start >= cut and drum not in ("kick", "pedal"):
                continue
            if _left_out(plan, drum, stroke.sign, bar, stroke.start):
                continue
            made.append(_hit(start + stroke.start, drum, _ACCENTS.get(stroke.sign, 0)))
    for drum, pattern in (fill or {}).items():
        for stroke in strokes(fit(pattern, plan.style.meter, plan.meter), plan.meter):
            swell = round(10 * stroke.start / plan.meter.ticks)
            made.append(_hit(start + stroke.start, drum, _ACCENTS.get(stroke.sign, 0) + swell - 4))
    if place == 0 and section.first and section.energy >= plan.style.setting("drums", "crash_above", 0.5):
        made = [note for note in made if not (note.onset == start and note.pitch in (42, 46, 51))]
        made.append(_hit(start, plan.style.setting("drums", "crash", "crash"), 8))
    return _four_limbs(_varied(plan, made, bar, place))


def _hit(tick: int, drum: str, accent: int) -> Sketch:
    return Sketch(tick, QUARTER // 4, DRUM_KEYS[drum], accent)


def _left_out(plan: Plan, drum: str, sign: str, bar: int, tick: int) -> bool:
    """Some ghost notes are played in one bar and not in the next; fewer strokes where the drums are turned down."""
    chance = dice(plan.seed, "ghost", drum, bar, tick).random()
    if sign == "o":
        return chance < 0.35 - 0.3 * plan.controls.drums
    return (
        plan.controls.drums < -0.3
        and drum in ("hat", "ride", "shaker", "maracas")
        and chance < -0.6 * plan.controls.drums
    )


def _fill(plan: Plan, section: Section, bar: int) -> Mapping[str, str] | None:
    """A fill in the last bar of a section or, smaller and rarer, of a phrase of four."""
    fills = plan.style.setting("drums", "fills", _FILLS)
    if not fills or plan.meter.beats * 4 < 2 * plan.meter.unit:
        return None
    place = bar - section.first
    if bar == plan.bars - 1:
        return None
    last = bar == section.end - 1
    phrase = place % 4 == 3 and dice(
        plan.seed, "fill?", section.letter, place, section.before
    ).random() < plan.style.setting("drums", "often", 0.4)
    if not (last or phrase) or section.energy < 0.25:
        return None
    size = len(fills)
    chosen: Mapping[str, str] = fills[dice(plan.seed, "fill", section.letter, place, section.before).randrange(size)]
    return chosen


def _fill_start(plan: Plan, fill: Mapping[str, str]) -> int:
    starts = [
        stroke.start
        for pattern in fill.values()
        for stroke in strokes(fit(pattern, plan.style.meter, plan.meter), plan.meter)[:1]
    ]
    return min(starts, default=plan.meter.ticks)


def _varied(plan: Plan, notes: list[Sketch], bar: int, place: int) -> list[Sketch]:
    """A kick more or an open hat in some bars, so that no two bars are quite the same."""
    source = dice(plan.seed, "drum variation", bar)
    if plan.style.setting("drums", "vary", True) and source.random() < 0.3 + 0.3 * plan.controls.variation:
        start = bar * plan.meter.ticks
        eighths = plan.meter.ticks // (QUARTER // 2)
        slot = start + source.randrange(1, max(2, eighths)) * (QUARTER // 2)
        if source.random() < 0.6:
            if any(note.pitch == 36 for note in notes) and not any(
                note.onset == slot and note.pitch in (36, 38, 37) for note in notes
            ):
                notes.append(_hit(slot, "kick", -8))
        else:
            notes = [
                note._replace(pitch=46) if note.pitch == 42 and note.onset == slot and place % 2 else note
                for note in notes
            ]
    return notes


def _four_limbs(notes: list[Sketch]) -> list[Sketch]:
    """At most two hands and two feet at once; the loudest stay."""
    by_time: dict[int, dict[int, Sketch]] = {}
    for note in notes:
        there = by_time.setdefault(note.onset, {})
        if note.pitch not in there or there[note.pitch].accent < note.accent:
            there[note.pitch] = note
    kept = []
    for struck in by_time.values():
        feet = [note for note in struck.values() if note.pitch in (35, 36, 44)]
        hands = sorted(
            (note for note in struck.values() if note.pitch not in (35, 36, 44)), key=lambda note: -note.accent
        )
        kept += feet[:2] + hands[:2]
    return sorted(kept)


def write_percussion(plan: Plan, player: Player, sections: list[Section]) -> list[Sketch]:
    """Hand percussion: the style's pattern for the instrument, else a pattern of two tones that fits any groove."""
    keys = player.keys or tuple(DRUM_KEYS[name] for name in plan.style.setting("percussion", "drums", ["shaker"]))
    named = {DRUM_KEYS[drum]: pattern for drum, pattern in plan.style.data.get("hand", {}).items() if drum in DRUM_KEYS}
    used = [key for key in keys if key in named]
    notes: list[Sketch] = []
    for section in sections:
        for bar in range(section.first, section.end):
            start = bar * plan.meter.ticks
            for number, key in enumerate(used or keys[:3]):
                pattern = named.get(key) or _hand(plan, player, section, number, len(keys))
                for stroke in strokes(fit(pattern, plan.style.meter, plan.meter), plan.meter, bar - section.first):
                    if stroke.sign == "o" and dice(plan.seed, "hand", key, bar, stroke.start).random() < 0.25:
                        continue
                    notes.append(Sketch(start + stroke.start, QUARTER // 4, key, _ACCENTS.get(stroke.sign, 0)))
    return _four_limbs(notes)


def _hand(plan: Plan, player: Player, section: Section, number: int, count: int) -> str:
    group = "steady" if count == 1 else "first" if number == 0 else "second"
    choices = _HAND_PATTERNS[group]
    return choices[dice(plan.seed, "hand pattern", player.name, section.letter, number).randrange(len(choices))]
