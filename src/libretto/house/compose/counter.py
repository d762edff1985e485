"""Second voices: a counter-line in longer notes, a harmony below the tune, and answers where the tune breathes."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.house.compose.band import Player
from libretto.house.compose.form import Section
from libretto.house.compose.plan import Plan
from libretto.house.core.dice import dice
from libretto.house.core.line import Place, Taste, draw_line, steps_of
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

__all__ = ["write_counter"]


def write_counter(
    plan: Plan, player: Player, sections: list[Section], tune: Sequence[Sketch], others: Sequence[Sketch] = ()
) -> list[Sketch]:
    """A line of its own under the tune: slow where it sings, moving where it rests; a harmony in loud sections. It
    keeps out of the way of ``others``, the second voices that are there already, and lies below them."""
    low, high = _register(player, bool(others))
    steps = steps_of(sorted(plan.scale), low, high)
    notes: list[Sketch] = []
    last: int | None = None
    for section in sections:
        mine = [note for note in tune if section.first <= note.onset // plan.meter.ticks < section.end]
        theirs = [note for note in others if section.first <= note.onset // plan.meter.ticks < section.end]
        usual = 0.6 if section.kind in ("chorus", "drop", "head") and section.before > 0 else 0.0
        follows = float(plan.style.setting("counter", "follows", usual))
        if mine and dice(plan.seed, "harmony voice", section.letter, player.name).random() < follows:
            notes += _harmonized(plan, player, mine, theirs)
            last = None
            continue
        rhythm = _rhythm(plan, section, player, mine)
        heard = [*mine, *theirs]
        places = [_place(plan, tick, length, (low + high) / 2, heard) for tick, length in rhythm]
        source = dice(plan.seed, "counter", player.name, section.letter, section.before)
        noise = [[source.gauss(0, 1) for _ in range(high - low + 1)] for _ in places]
        taste = Taste(leaps=-0.3, repeats=0.9, chance=0.5, curve=0.03)
        pitches = draw_line(places, low, high, steps, taste, noise, before=last)
        notes += [Sketch(tick, length, pitch, -6) for (tick, length), pitch in zip(rhythm, pitches, strict=True)]
        last = pitches[-1] if pitches else last
    return notes


def _register(player: Player, second: bool = False) -> tuple[int, int]:
    """A tenth or so below where tunes lie, lower for a second one, within what the instrument likes."""
    low = max(player.low, min(50 if second else 57, player.high - 14))
    return low, min(player.high, low + 17)


def _place(plan: Plan, tick: int, length: int, height: float, tune: Sequence[Sketch]) -> Place:
    harmony = plan.chord_at(tick)
    extra: list[tuple[int, float]] = []
    for note in tune:
        if note.onset < tick + length and note.onset + note.duration > tick:
            extra += [(note.pitch, 1.5), (note.pitch - 1, 2.5), (note.pitch + 1, 2.5), (note.pitch - 2, 0.8)]
            extra += [(note.pitch + step, 2.0) for step in range(2, 12)] + [(note.pitch - 12, 1.0)]
    return Place(frozenset(harmony.chord.classes), plan.scale_at(harmony), 1.0, height, extra=tuple(extra[:120]))


def _rhythm(plan: Plan, section: Section, player: Player, tune: Sequence[Sketch]) -> list[tuple[int, int]]:
    """Long notes on the chords while the tune moves; eighths and quarters where it rests; whole bars left out too."""
    found: list[tuple[int, int]] = []
    for bar in range(section.first, section.end):
        start, ticks = bar * plan.meter.ticks, plan.meter.ticks
        busy = sum(1 for note in tune if start <= note.onset < start + ticks)
        source = dice(plan.seed, "counter rhythm", player.name, section.letter, bar - section.first)
        place = bar - section.first
        rests = float(plan.style.setting("counter", "rests", 1.0))
        if source.random() < rests * (0.3 if place % 4 < 2 else 0.12):
            continue
        if busy <= 2:
            begin = max(
                [start]
                + [
                    min(note.onset + note.duration, start + ticks)
                    for note in tune
                    if start <= note.onset < start + ticks
                ]
            )
            begin = -(-begin // (QUARTER // 2)) * (QUARTER // 2)
            unit = source.choice((QUARTER // 2, QUARTER))
            while begin + unit <= start + ticks:
                found.append((begin, unit))
                begin += unit
        else:
            for harmony in plan.chords_of(bar):
                half = (harmony.end - harmony.start) // 2
                if source.random() < float(plan.style.setting("counter", "moves", 0.45)) and half >= QUARTER:
                    found += [(harmony.start, half), (harmony.start + half, half)]
                else:
                    found.append((harmony.start, harmony.end - harmony.start))
    return found


def _harmonized(plan: Plan, player: Player, tune: Sequence[Sketch], others: Sequence[Sketch]) -> list[Sketch]:
    """The tune a third or a sixth lower, on chord and scale tones that nobody else has."""
    notes = []
    taken = {(note.onset, note.pitch) for note in others}
    for note in tune:
        harmony = plan.chord_at(note.onset)
        classes, scale = harmony.chord.classes, plan.scale_at(harmony)
        steps = (3, 4, 5, 8, 9) if not others else (7, 8, 9, 10, 12)
        choices = [note.pitch - step for step in steps if (note.pitch - step) % 12 in scale]
        choices = [pitch for pitch in choices if (note.onset, pitch) not in taken] or choices
        fitting = [pitch for pitch in choices if pitch % 12 in classes] if note.pitch % 12 in classes else choices
        pitch = (fitting or choices or [note.pitch - 12])[0]
        while pitch < player.low:
            pitch += 12
        while pitch > player.high:
            pitch -= 12
        notes.append(Sketch(note.onset, note.duration, pitch, note.accent - 8))
    return notes
