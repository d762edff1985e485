"""One player alone, with tune and accompaniment; accompanists who play the bass themselves; and second voices: a
counter-line in longer notes, a harmony below the tune, and answers where the tune breathes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from libretto.house.compose.band import Player
from libretto.house.compose.comping import write_chords
from libretto.house.compose.form import Section
from libretto.house.compose.melody import write_tune
from libretto.house.compose.plan import Plan
from libretto.house.core.dice import Dice, dice
from libretto.house.core.line import Place, Taste, draw_line, steps_of
from libretto.house.core.patterns import Sketch
from libretto.house.core.style import Seat
from libretto.house.core.tones import fold
from libretto.score import QUARTER

__all__ = ["must_ground", "write_alone", "write_counter", "write_grounded"]

_FLOOR, _CLEAR = 40, 3  # E2, below which a left hand does not go; and semitones between the hands
_KEYBOARD = 48  # semitones of range from which on an instrument is played with two hands apart
_SPLIT, _SPLIT_STRINGS = 60, 55  # where hands meet on keys, and at the least on strings
_LOW_KEYS, _LOW_STRINGS = 48, 40  # where chords beside a bass begin
_HAND, _FRETS = 14, 24  # semitones that a hand has for chords, on keys and on strings
_TEN_FINGERS, _SIX_STRINGS = 8, 6  # notes at once
_DEEPEST, _LOW_C, _OPEN_STRINGS = 36, 48, 45  # C2, C3, and a lowest string
_GUITAR_TOP, _LEFT_TOP, _RIGHT = 70, 62, (62, 77)  # registers of who accompanies without a bass
_INNER = range(3, 10)  # semitones below a note of the tune in which a chord tone is added
_UNDER_REACH = 5  # semitones that thick chords may go below the hand
_FULL_KEYS, _FULL, _FULLER, _FULLEST = 0.55, 0.7, 0.15, 0.25  # energy from which on a tune is thickened, and more
_LOWEST_ADDED = 55
_THICK_SOFTER, _ADDED_SOFTER, _UNDER_SOFTER, _PAD_SOFTER = 6, 14, 10, 4
_HALF_FULL = 0.5  # energy from which on the right hand holds chords


def write_alone(plan: Plan, player: Player, sections: list[Section]) -> list[Sketch]:
    """Everything a piece has, in one part."""
    if player.polyphony < 3:
        return write_tune(plan, player, sections)
    keys = player.high - player.low >= _KEYBOARD
    split = _SPLIT if keys else max(player.low + 12, _SPLIT_STRINGS)
    top = replace(player, low=max(player.low, split + _CLEAR if keys else split - 2))
    tune = write_tune(plan, top, sections)
    thick = float(plan.style.setting("melody", "thick", 0.0))
    full = (
        _thick(plan, tune, top, thick) if thick and player.polyphony >= _TEN_FINGERS else _thickened(plan, tune, keys)
    )
    hand = _beside_bass(plan, player, split, keys) or _left_hand(plan, player, split + (2 if keys else -1))
    under = write_chords(plan, hand, sections)
    if plan.has_bass and not keys:  # a guitar answers itself: chords where the tune rests
        under = [note for note in under if not _sounding(tune, note)]
    return sorted(full + _below(tune, under, player))


def _beside_bass(plan: Plan, player: Player, split: int, keys: bool) -> Player | None:
    """The hand below the tune where somebody else has the bass: the style's chords."""
    chairs = [seat for seat in plan.style.seats if seat.role in ("comping", "arpeggio") and seat.figures]
    if not plan.has_bass or not chairs:
        return None
    low = max(player.low, _LOW_KEYS if keys else _LOW_STRINGS)
    kind = chairs[0].voicing if chairs[0].voicing in ("power", "guitar") and not keys else "close"
    high = max(split + 2, low + (_FRETS if kind == "guitar" else _HAND))
    seat = replace(chairs[0], size=min(3, chairs[0].size or 3), voicing=kind, register=(low, high))
    return replace(player, role=seat.role, seat=seat, polyphony=4)


def _sounding(tune: list[Sketch], note: Sketch) -> list[Sketch]:
    """The notes of the tune that sound while a note does."""
    end = note.onset + note.duration
    return [sung for sung in tune if sung.onset < end and sung.onset + sung.duration > note.onset]


def _thick(plan: Plan, tune: list[Sketch], player: Player, share: float) -> list[Sketch]:
    """The tune with chord tones and octaves below its longer and stronger notes, as far as the style likes that."""
    made = list(tune)
    lowest = player.low - _UNDER_REACH
    for note in tune:
        strong = note.duration >= QUARTER // 2 or note.onset % QUARTER == 0
        if not strong or dice(plan.seed, "thick", note.onset).random() > share:
            continue
        classes = plan.chord_at(note.onset).chord.classes
        inner = [note.pitch - step for step in _INNER if (note.pitch - step) % 12 in classes]
        octave = note.pitch - 12
        for pitch in [*inner[:1], octave] if octave >= lowest else inner[:1]:
            if pitch >= lowest:
                made.append(note._replace(pitch=pitch, accent=note.accent - _THICK_SOFTER))
    return made


def write_grounded(plan: Plan, player: Player, sections: list[Section], ceiling: int | None) -> list[Sketch]:
    """The chords of an accompanist who has no bass beside him: the figure of a player alone, and where that leaves the
    right hand free, held notes of the chord in fuller sections."""
    hand = _left_hand(plan, player, _LEFT_TOP)
    keys = player.high - player.low >= _KEYBOARD
    if not keys and player.polyphony >= _SIX_STRINGS and player.bottom < _OPEN_STRINGS:
        hand = replace(hand, seat=replace(hand.seat, voicing="guitar", size=4, register=(player.bottom, _GUITAR_TOP)))
    under = write_chords(plan, hand, sections)
    figures = [text for name in ("alone", "alone_full") for text in plan.style.data["figures"].get(name, ())]
    if not keys or any(set(text) & set("CcuX") for text in figures):
        return under
    seat = Seat(
        "pad", player.name, (), voicing="close", size=2, register=_RIGHT, louder=player.seat.louder - _PAD_SOFTER
    )
    full = [section for section in sections if section.energy >= _HALF_FULL]
    over = write_chords(plan, replace(player, role="pad", seat=seat), full, ceiling)
    return sorted(under + over)


def must_ground(plan: Plan, player: Player) -> bool:
    """Whether a chord player has to play the bass too: nobody else does, and this one can."""
    deep = max(player.bottom, _FLOOR) <= _LOW_C and player.polyphony >= 4
    return not plan.has_bass and deep and "alone" in plan.style.data.get("figures", {})


def _left_hand(plan: Plan, player: Player, high: int) -> Player:
    """The hand below the tune: the style's figure for it, on chords with their bass at the bottom."""
    figures = tuple(name for name in ("alone", "alone_full") if name in plan.style.data.get("figures", {}))
    setting = plan.style.setting
    low = max(player.bottom, int(setting("alone", "low", _FLOOR)))
    seat = Seat(
        "arpeggio",
        player.name,
        (),
        figures=figures,
        voicing=str(setting("alone", "voicing", "rooted")),
        size=int(setting("alone", "size", 3)),
        register=(low, max(high, low + 12)),
        louder=player.seat.louder,
    )
    return replace(player, role="arpeggio", seat=seat, polyphony=4, low=min(player.low, max(player.bottom, _DEEPEST)))


def _thickened(plan: Plan, tune: list[Sketch], keys: bool) -> list[Sketch]:
    """The tune with a chord tone under its longer notes on the beat: more of them, and octaves, in full sections."""
    firsts = [section.first * plan.meter.ticks for section in plan.sections]
    made: list[Sketch] = []
    full = float(plan.style.setting("alone", "full", _FULL_KEYS if keys else _FULL))
    for note in tune:
        energy = plan.sections[max(0, bisect_right(firsts, note.onset) - 1)].energy
        least = QUARTER if energy >= full + _FULLER else QUARTER * 3 // 2
        if energy >= full and note.duration >= least and note.onset % QUARTER == 0:
            pitch = _added_below(plan, note, octave=keys and energy >= full + _FULLEST)
            if pitch is not None and pitch >= _LOWEST_ADDED:
                made.append(Sketch(note.onset, note.duration, pitch, note.accent - _ADDED_SOFTER))
    return tune + made


def _added_below(plan: Plan, note: Sketch, octave: bool) -> int | None:
    """The chord tone under a note, or its octave; None where there is none near."""
    if octave:
        return note.pitch - 12
    classes = plan.chord_at(note.onset).chord.classes
    return next((note.pitch - step for step in _INNER if (note.pitch - step) % 12 in classes), None)


def _below(tune: list[Sketch], under: list[Sketch], player: Player) -> list[Sketch]:
    """The accompaniment without what collides with the tune or goes beyond what the instrument can hold at once."""
    kept = []
    for note in under:
        if any(sung.pitch - note.pitch < _CLEAR for sung in _sounding(tune, note)):
            continue
        kept.append(note._replace(accent=note.accent - _UNDER_SOFTER))
    if player.polyphony >= _TEN_FINGERS:
        return kept
    room = max(1, player.polyphony - 1)
    limited: list[Sketch] = []
    for note in sorted(kept):
        at_once = [held for held in limited if held.onset <= note.onset < held.onset + held.duration]
        if len(at_once) < room:
            limited.append(note)
    return limited


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
