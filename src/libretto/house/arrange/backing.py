"""What accompanies: basses, chords, figures and drums of a model piece, played over the new chords bar by bar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby, pairwise

from libretto.edits.relative import colours, nearest_tone
from libretto.house.arrange.source import Told, events_of, tell_part
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import ACCENTS, DRUM_KEYS, SHORT, Sketch, on_own_drums, strokes
from libretto.house.core.tones import fold, short_way
from libretto.house.repertoire.layout import Stretch
from libretto.house.repertoire.piece import Piece
from libretto.score import QUARTER

__all__ = ["play_chords", "play_drone", "play_drums", "play_line"]

_STEP = 2  # semitones from which a note leads into the next
_NEXT = 2 * QUARTER  # so near the next note has to be
_MUD, _OPEN = 48, 5  # below C3 intervals are fourths at least
_MOVE, _CENTRE, _RUB, _TOP = 1.0, 0.45, 3.0, 0.6  # what a position of a chord costs
_LOWEST_BASS, _LOWEST_HAND, _HIGHEST_BASS = 28, 36, 57  # E1; C2, for left hands; A3
_MOVES, _OUTSIDE = (-12, 0, 12), 12.0  # octaves to try, and what a note out of range costs
_HOME = 0.7  # a semitone away from where the model lies, beside one by which it goes on otherwise
_BLOCKS = 0.4  # of its onsets that have several notes: from there on a part plays chords


def play_line(plan: Plan, player: Player, stretch: Stretch, part: str, role: str = "") -> list[Sketch]:
    """A line of a model, such as a bass or a figure, over the new chords; steps into a next note stay steps."""
    told = tell_part(plan, stretch, part)
    low, high = _reach(player, role)
    pitches = _in_range(told, low, high)
    for place in range(len(told) - 2, -1, -1):
        here, after = told[place], told[place + 1]
        step = after.event.pitch - here.event.pitch
        near = 0 < after.onset - here.onset <= _NEXT and after.span != here.span
        if near and 0 < abs(step) <= _STEP and not here.belonged:
            pitches[place] = _leading(pitches[place + 1], step, here, stretch.piece, plan)
    made = [
        Sketch(note.onset, note.duration, fold(pitch, low, high), note.accent)
        for note, pitch in zip(told, pitches, strict=True)
    ]
    return _once(made)


def _leading(target: int, step: int, here: Told, piece: Piece, plan: Plan) -> int:
    """A note that steps into the next one: by a step of the scale where the model's was one, else as the model's."""
    way = 1 if step > 0 else -1
    if here.event.pitch % 12 not in piece.key.classes:
        return target - step
    scale = plan.scale_at(plan.chord_at(here.onset))
    return next((target - way * size for size in (1, 2) if (target - way * size) % 12 in scale), target - step)


def _in_range(told: Sequence[Told], low: int, high: int) -> list[int]:
    """The pitches of a line, chord by chord in the octave that goes on as the model goes on and lies in the range."""
    raise_by = _octaves([note.pitch for note in told], low, high)
    made: list[int] = []
    last: tuple[int, int] | None = None
    for _, group in groupby(told, key=lambda note: note.span):
        notes = list(group)
        prices = [(_going_on(notes, move + raise_by, raise_by, last, low, high), abs(move), move) for move in _MOVES]
        made += [note.pitch + raise_by + min(prices)[2] for note in notes]
        last = (made[-1], notes[-1].event.pitch)
    return made


def _going_on(notes: Sequence[Told], move: int, home: int, last: tuple[int, int] | None, low: int, high: int) -> float:
    """What it costs to move the notes over one chord: out of the range, away from where the model lies, or on from the
    last note otherwise than the model goes on."""
    pitches = [note.pitch + move for note in notes]
    lies = sum(note.event.pitch for note in notes) / len(notes) + home
    outside = sum(not low <= pitch <= high for pitch in pitches)
    away = abs(sum(pitches) / len(pitches) - lies) * _HOME
    if last is not None:
        away += abs((pitches[0] - last[0]) - (notes[0].event.pitch - last[1]))
    return outside * _OUTSIDE + away


def _once(notes: list[Sketch]) -> list[Sketch]:
    """The same; nothing is struck twice at one time."""
    seen: set[tuple[int, int]] = set()
    kept = []
    for note in notes:
        if (note.onset, note.pitch) not in seen:
            seen.add((note.onset, note.pitch))
            kept.append(note)
    return kept


def _reach(player: Player, role: str) -> tuple[int, int]:
    """Where a player plays a line: what is comfortable; a bass lies low."""
    if role != "bass":
        return player.low, player.high
    low = max(player.bottom, min(_LOWEST_BASS, player.low) if player.role == "bass" else _LOWEST_HAND)
    return low, max(low + 19, min(player.high, _HIGHEST_BASS))


def _octaves(pitches: Sequence[int], low: int, high: int) -> int:
    """How far a part is moved by octaves so that most of it lies in a range; a part of which half lies there stays, and
    what is outside goes into the next octave by itself."""
    if not pitches:
        return 0

    def outside(move: int) -> int:
        return sum(not low <= pitch + move <= high for pitch in pitches)

    if outside(0) * 2 <= len(pitches):
        return 0
    return min((-36, -24, -12, 12, 24, 36), key=lambda move: (outside(move), abs(move)))


def play_chords(
    plan: Plan,
    player: Player,
    stretch: Stretch,
    part: str,
    ceiling: Callable[[int], int | None],
    before: Sequence[int] = (),
) -> list[Sketch]:
    """The chords of a model over the new ones: its rhythm and spacing, each chord in the position nearest the last."""
    told = tell_part(plan, stretch, part)
    if not _in_blocks(told):
        return _below(play_line(plan, player, stretch, part), ceiling, player)
    low, high = player.low, player.high
    raise_by = _octaves([note.pitch for note in told], low, high)
    made: list[Sketch] = []
    last: list[int] = sorted(before)
    for _, group in groupby(told, key=lambda note: note.span):
        notes = list(group)
        notes = [_in_chord(plan, note) for note in notes]
        pitches = sorted({note.pitch + raise_by for note in notes})
        table = _position(pitches, last, low, high, ceiling(notes[0].onset))
        made += [Sketch(note.onset, note.duration, table[note.pitch + raise_by], note.accent) for note in notes]
        last = sorted(set(table.values()))
    return _once(_opened(made))


def _in_chord(plan: Plan, note: Told) -> Told:
    """A note of a chord that belongs to it: struck chords have no passing notes."""
    span = plan.chord_at(note.span)
    chord = span.chord
    step = (note.pitch - chord.root_class) % 12
    if colours(step, chord, plan.scale_at(span)):
        return note
    return note._replace(pitch=note.pitch - step + nearest_tone(step, chord.intervals))


def _in_blocks(told: Sequence[Told]) -> bool:
    """Whether a part plays chords rather than single notes."""
    sizes = [len(list(group)) for _, group in groupby(told, key=lambda note: note.onset)]
    return bool(sizes) and sum(size > 1 for size in sizes) >= _BLOCKS * len(sizes)


def _position(pitches: Sequence[int], last: Sequence[int], low: int, high: int, ceiling: int | None) -> dict[int, int]:
    """Where every pitch of a chord goes: the inversion that moves least from the last one and lies where it should."""
    top = high if ceiling is None else max(low + 7, min(high, ceiling))
    middle = sum(pitches) / len(pitches)
    ways = []
    for turn in range(-len(pitches), len(pitches) + 1):
        table = _inverted(pitches, turn)
        way = sorted(table.values())
        cost = _CENTRE * abs(sum(way) / len(way) - middle)
        cost += sum(4.0 for pitch in way if not low <= pitch <= top)
        cost += sum(_RUB for one, other in pairwise(way) if one < _MUD and other - one < _OPEN)
        cost += sum(_RUB for one, other in pairwise(way) if other - one < 2)
        if last:
            cost += _MOVE * sum(min(abs(pitch - old) for old in last) for pitch in way) + _TOP * abs(way[-1] - last[-1])
        ways.append((cost, abs(turn), turn, table))
    table = min(ways, key=lambda way: way[:3])[3]
    return {pitch: fold(there, low, high) for pitch, there in table.items()}


def _inverted(pitches: Sequence[int], turn: int) -> dict[int, int]:
    """Where every pitch of a chord goes in an inversion: so many of the lowest up an octave, or of the highest down."""
    if turn >= 0:
        return {pitch: pitch + (12 if place < turn else 0) for place, pitch in enumerate(pitches)}
    return {pitch: pitch - (12 if place >= len(pitches) + turn else 0) for place, pitch in enumerate(pitches)}


def _opened(notes: list[Sketch]) -> list[Sketch]:
    """Chords without mud: in the low octaves nothing but fourths and wider between the two lowest notes."""
    made: list[Sketch] = []
    for _, group in groupby(sorted(notes), key=lambda note: note.onset):
        struck = sorted(group, key=lambda note: note.pitch)
        kept = [struck[0]]
        for note in struck[1:]:
            close = note.pitch - kept[-1].pitch < _OPEN and kept[-1].pitch < _MUD
            if not close:
                kept.append(note)
            elif all(note.pitch + 12 != other.pitch for other in struck):
                kept.append(note._replace(pitch=note.pitch + 12))
        made += kept
    return sorted(made)


def _below(notes: list[Sketch], ceiling: Callable[[int], int | None], player: Player) -> list[Sketch]:
    """A figure that stays under the tune where it can: whole octaves lower, never below its own range."""
    above = [note for note in notes if (top := ceiling(note.onset)) is not None and note.pitch > top]
    if len(above) * 3 > len(notes) and notes and min(note.pitch for note in notes) - 12 >= player.low:
        return [note._replace(pitch=note.pitch - 12) for note in notes]
    return notes


def play_drone(plan: Plan, player: Player, stretch: Stretch, part: str) -> list[Sketch]:
    """A drone: what the model holds, moved with the key alone."""
    shift = short_way(plan.key.tonic_class - stretch.piece.key.tonic_class)
    ticks = plan.meter.ticks
    bars = events_of(stretch.piece, part)
    notes = []
    for place, source in enumerate(stretch.bars):
        start = (stretch.section.first + place) * ticks
        notes += [
            Sketch(start + event.start, event.length, fold(event.pitch + shift, player.low, player.high), event.accent)
            for event in bars[source]
        ]
    return notes


def play_drums(plan: Plan, player: Player, stretch: Stretch, part: str) -> list[Sketch]:
    """The beat of a model, bar by bar; who has a few drums only plays it on those."""
    grooves, names = stretch.piece.patterns, stretch.piece.beats[part]
    notes = []
    for place, source in enumerate(stretch.bars):
        start = (stretch.section.first + place) * plan.meter.ticks
        for drum, pattern in grooves.get(names[source], {}).items():
            key = DRUM_KEYS[drum]
            notes += [
                Sketch(start + stroke.start, SHORT, key, ACCENTS.get(stroke.sign, 0))
                for stroke in strokes(pattern, plan.meter)
            ]
    return on_own_drums(notes, player.keys) if player.keys else notes
