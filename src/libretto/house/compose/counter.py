"""Second voices: a counter-line in longer notes, a harmony below the tune, and answers where the tune breathes."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.house.compose.band import Player
from libretto.house.compose.form import Section
from libretto.house.compose.plan import Plan
from libretto.house.core.dice import Dice, dice
from libretto.house.core.line import Place, Taste, draw_line, steps_of
from libretto.house.core.patterns import Sketch
from libretto.house.core.tones import fold
from libretto.score import QUARTER

__all__ = ["write_counter"]

_TASTE = Taste(leaps=-0.3, repeats=0.9, chance=0.5, curve=0.03)
_LOW, _LOW_SECOND, _ROOM, _LEAST_ROOM = 57, 50, 17, 14  # its lowest note, and semitones above it
_BESIDE = (  # semitones from a note that sounds with it, and what they cost: unison and seconds most, all that is above
    (0, 1.5), (-1, 2.5), (1, 2.5), (-2, 0.8), *((step, 2.0) for step in range(2, 12)), (-12, 1.0),
)  # fmt: skip
_MOST_EXTRA = 120  # of such prices at one place
_FOLLOWS, _MOVES = 0.6, 0.45  # how often it follows the tune in a chorus that returns, and divides a chord's time
_PHRASE, _RESTS_FIRST, _RESTS_LATER = 4, 0.3, 0.12  # bars, and how often it rests in their halves
_BELOW, _LOWER = (3, 4, 5, 8, 9), (7, 8, 9, 10, 12)  # semitones below the tune, with nobody and with somebody between
_UNDER, _SOFTER = 6, 8  # how much softer than the part, and than the tune


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
        usual = _FOLLOWS if section.kind in ("chorus", "drop", "head") and section.before > 0 else 0.0
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
        pitches = draw_line(places, low, high, steps, _TASTE, noise, before=last)
        notes += [Sketch(tick, length, pitch, -_UNDER) for (tick, length), pitch in zip(rhythm, pitches, strict=True)]
        last = pitches[-1] if pitches else last
    return notes


def _register(player: Player, second: bool = False) -> tuple[int, int]:
    """A tenth or so below where tunes lie, lower for a second one, within what the instrument likes."""
    low = max(player.low, min(_LOW_SECOND if second else _LOW, player.high - _LEAST_ROOM))
    return low, min(player.high, low + _ROOM)


def _place(plan: Plan, tick: int, length: int, height: float, tune: Sequence[Sketch]) -> Place:
    """Where a note stands, and what it costs to come near what sounds with it."""
    chord = plan.chord_at(tick)
    extra: list[tuple[int, float]] = []
    for note in tune:
        if note.onset < tick + length and note.onset + note.duration > tick:
            extra += [(note.pitch + away, price) for away, price in _BESIDE]
    return Place(frozenset(chord.chord.classes), plan.scale_at(chord), 1.0, height, extra=tuple(extra[:_MOST_EXTRA]))


def _rhythm(plan: Plan, section: Section, player: Player, tune: Sequence[Sketch]) -> list[tuple[int, int]]:
    """Long notes on the chords while the tune moves; eighths and quarters where it rests; whole bars left out too."""
    rhythm: list[tuple[int, int]] = []
    for bar in range(section.first, section.end):
        start, end = bar * plan.meter.ticks, (bar + 1) * plan.meter.ticks
        sung = [note for note in tune if start <= note.onset < end]
        place = bar - section.first
        source = dice(plan.seed, "counter rhythm", player.name, section.letter, place)
        rests = float(plan.style.setting("counter", "rests", 1.0))
        if source.random() < rests * (_RESTS_FIRST if place % _PHRASE < 2 else _RESTS_LATER):
            continue
        rhythm += _moving(sung, start, end, source) if len(sung) <= 2 else _slow(plan, bar, source)
    return rhythm


def _moving(sung: Sequence[Sketch], start: int, end: int, source: Dice) -> list[tuple[int, int]]:
    """Even notes from where the tune of a bar is over."""
    half = QUARTER // 2
    begin = max([start] + [min(note.onset + note.duration, end) for note in sung])
    begin = -(-begin // half) * half
    unit = source.choice((half, QUARTER))
    return [(tick, unit) for tick in range(begin, end - unit + 1, unit)]


def _slow(plan: Plan, bar: int, source: Dice) -> list[tuple[int, int]]:
    """A note a chord, now and then two."""
    rhythm = []
    for chord in plan.chords_of(bar):
        half = (chord.end - chord.start) // 2
        if source.random() < float(plan.style.setting("counter", "moves", _MOVES)) and half >= QUARTER:
            rhythm += [(chord.start, half), (chord.start + half, half)]
        else:
            rhythm.append((chord.start, chord.end - chord.start))
    return rhythm


def _harmonized(plan: Plan, player: Player, tune: Sequence[Sketch], others: Sequence[Sketch]) -> list[Sketch]:
    """The tune a third or a sixth lower, on chord and scale tones that nobody else has."""
    taken = {(note.onset, note.pitch) for note in others}
    steps = _LOWER if others else _BELOW
    notes = []
    for note in tune:
        pitch = fold(_beneath(plan, note, steps, taken), player.low, player.high)
        notes.append(Sketch(note.onset, note.duration, pitch, note.accent - _SOFTER))
    return notes


def _beneath(plan: Plan, note: Sketch, steps: Sequence[int], taken: set[tuple[int, int]]) -> int:
    """The note that goes along below one of the tune; an octave where the scale has none."""
    chord = plan.chord_at(note.onset)
    classes, scale = chord.chord.classes, plan.scale_at(chord)
    choices = [note.pitch - step for step in steps if (note.pitch - step) % 12 in scale]
    choices = [pitch for pitch in choices if (note.onset, pitch) not in taken] or choices
    fitting = [pitch for pitch in choices if pitch % 12 in classes] if note.pitch % 12 in classes else choices
    return (fitting or choices or [note.pitch - 12])[0]
