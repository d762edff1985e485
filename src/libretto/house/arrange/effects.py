"""Sounds that are no music: clocks tick, rain drops, birds call, waves come and go, records crackle; all else is one
long sound."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from libretto.house.arrange.crackling import crackled
from libretto.house.arrange.pealing import pealed, peals
from libretto.house.compose.band import EFFECT, Player
from libretto.house.compose.plan import Plan
from libretto.house.core.line import ladder
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

__all__ = ["effect", "effects"]

_GRID = QUARTER // 4
_HANDS = 60  # middle C
_HOMES = {0: 0, 7: 1}  # semitones above the tonic of what is as good as home: tonic and fifth
_EVERY, _LASTS, _SOFT = 8, 4, -18  # bars from sound to sound, bars that it lasts, and its accent


def effects(plan: Plan) -> dict[str, list[Sketch]]:
    """What is no music, by who makes it: waves, birds, rain."""
    return {player.name: effect(plan, player) for player in plan.players if player.role == EFFECT}


def effect(plan: Plan, player: Player) -> list[Sketch]:
    """What somebody does all through who makes sounds that are no music, as far as the piece lasts."""
    if player.drums:
        return crackled(plan, player.keys)
    patterns = _patterns().get(player.program or 0)
    if not patterns:
        return _long_sounds(plan, player)
    pattern = patterns[plan.seed % len(patterns)]
    notes = [note for bar in range(0, plan.bars, pattern["bars"]) for note in _once(plan, player, pattern, bar)]
    end = plan.bars * plan.meter.ticks
    last = end - plan.meter.ticks  # in the last bar nothing begins after the first beat
    made = sorted(
        note._replace(duration=min(note.duration, end - note.onset))
        for note in notes
        if note.onset < last + QUARTER and note.onset < end
    )
    return pealed(plan, made) if peals(plan, player) else made


@cache
def _patterns() -> Mapping[int, Sequence[Mapping[str, Any]]]:
    """What sounds do, by program; where there are several ways, seeds take turns."""
    said = tomllib.loads((files(__package__) / "effects.toml").read_text("utf-8"))
    patterns: dict[int, list[Mapping[str, Any]]] = {}
    for pattern in said["pattern"]:
        for program in pattern["programs"]:
            patterns.setdefault(program, []).append(pattern)
    return patterns


def _once(plan: Plan, player: Player, pattern: Mapping[str, Any], bar: int) -> Iterator[Sketch]:
    """A pattern from one bar on: strokes of every beat, and its own; those before 0 lead to its end."""
    ticks = plan.meter.ticks
    start, length = bar * ticks, pattern["bars"] * ticks
    beat = plan.meter.beat
    strokes = [
        (start + number * beat + place * _GRID, *rest)
        for number in range(length // beat)
        for place, *rest in pattern["beats"]
    ]
    strokes += [(start + place * _GRID + (length if place < 0 else 0), *rest) for place, *rest in pattern["strokes"]]
    for onset, lasts, step, accent in strokes:
        if onset < start + length:
            pitch = _pitch(plan, player, pattern, onset, step)
            yield Sketch(onset, lasts * _GRID, pitch, accent)


def _pitch(plan: Plan, player: Player, pattern: Mapping[str, Any], onset: int, step: int) -> int:
    """Where a stroke sounds, within what the sound has."""
    lowest = max(player.low, min(pattern["lowest"], player.high - 12))
    if pattern["steps"] == "chord":
        rungs = ladder(plan.chord_at(onset).chord.classes, lowest, player.high)
        return rungs[min(step, len(rungs) - 1)]
    tonic = lowest + (plan.key.tonic_class - lowest) % 12
    return int(min(player.high, tonic + step))


def _long_sounds(plan: Plan, player: Player) -> list[Sketch]:
    """One long soft sound where a section begins, and again every eight bars of a long one, on what suits the chords
    that it lasts over: the tonic, the fifth or another tone of the key."""
    ticks = plan.meter.ticks
    made = []
    for section in plan.sections:
        for bar in range(section.first, section.end, _EVERY):
            start, end = bar * ticks, min(bar + _LASTS, section.end) * ticks
            tone = _calm(plan, start, end)
            pitch = min(range(player.low, player.high + 1), key=lambda at: ((at - tone) % 12 != 0, abs(at - _HANDS)))
            made.append(Sketch(start, end - start, pitch, _SOFT))
    return made


def _calm(plan: Plan, start: int, end: int) -> int:
    """The tone of the key, as a pitch class, that rubs least against the chords of some time; of those that rub as
    little the tonic, then the fifth, then the nearest above."""
    tonic = plan.key.tonic_class
    spans = [span for span in plan.harmony if span.start < end and span.end > start]

    def price(tone: int) -> tuple[int, int, int]:
        rubs = (span for span in spans if tone not in span.chord.classes and _beside(tone) & span.chord.classes)
        lasts = sum(min(span.end, end) - max(span.start, start) for span in rubs)
        return lasts, _HOMES.get((tone - tonic) % 12, len(_HOMES)), (tone - tonic) % 12

    return min(plan.key.classes, key=price)


def _beside(tone: int) -> frozenset[int]:
    """The pitch classes half a tone from one."""
    return frozenset(((tone - 1) % 12, (tone + 1) % 12))
