"""A line of a model piece told over other chords, as a player fits a tune to a new song.

The line is read in steps of its scale and sung in the scale of the new key. Over every chord it is moved up or down by
a few steps, all of it together, so that what stood on the chord stands on the new chord and the line goes on as it
went; a strong note that still rubs goes to the nearest tone of the chord. Rhythm, breaths, contour and returns stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from libretto.house.arrange.source import Told, tell_part
from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import Sketch
from libretto.house.core.tones import fold, pitches_of, short_way
from libretto.house.repertoire.layout import Stretch
from libretto.score import QUARTER, Chord

__all__ = ["retold"]

_MOVES = range(-3, 4)  # steps by which a line is moved over one chord
_AWAY, _JUMP, _RUB, _SMALL_RUB = 0.3, 0.18, 1.6, 0.25  # what a move, a jump and a strong or a passing rub cost
_HALFWAY, _BEAT, _WEAK = 0.6, 0.8, 0.3  # how strong places are
_LONG = 1.5  # quarters from which on a note is as strong as any
_STRONG = 0.75


class _Note(NamedTuple):
    """A note of a line: when and how long, its step and alteration in the scale, how strong it is, and whether it
    belonged to its chord."""

    onset: int
    length: int
    step: int
    altered: int
    strength: float
    belonged: bool
    pitch: int  # as it stands in the model, in the new key
    accent: int
    leads: bool  # whether it is a short step by a semitone into the next note


@lru_cache(maxsize=256)
def _steps(scale: frozenset[int], tonic: int) -> tuple[int, ...]:
    """Semitones of a scale above its tonic."""
    return tuple(sorted((tone - tonic) % 12 for tone in scale | {tonic}))


def _read(pitch: int, tonic: int, ladder: tuple[int, ...]) -> tuple[int, int]:
    """A pitch as a step of a scale, counted from the tonic below C0, and by how much it is altered."""
    octave, above = divmod(pitch - tonic, 12)
    degree = max(place for place, tone in enumerate(ladder) if tone <= above)
    return octave * len(ladder) + degree, above - ladder[degree]


def _pitch(step: int, tonic: int, ladder: tuple[int, ...]) -> int:
    octave, degree = divmod(step, len(ladder))
    return tonic + 12 * octave + ladder[degree]


def retold(plan: Plan, stretch: Stretch, part: str, low: int, high: int, middle: float) -> list[Sketch]:
    """A line of a model piece over the chords of a new one, within a range and about a pitch."""
    told = _line(tell_part(plan, stretch, part))
    if not told:
        return []
    key = stretch.piece.key
    old = _steps(frozenset(key.classes), key.tonic_class)
    new = _steps(frozenset(plan.key.classes), plan.key.tonic_class)
    following = [*(note.event.pitch for note in told[1:]), told[-1].event.pitch]
    notes = [
        _note(plan, stretch, note, old, key.tonic_class, after) for note, after in zip(told, following, strict=True)
    ]
    groups = [list(group) for _, group in groupby(notes, key=lambda note: plan.chord_at(note.onset).start)]
    moves = _best_moves(plan, groups, new)
    made: list[Sketch] = []
    for group, move in zip(groups, moves, strict=True):
        chord = plan.chord_at(group[0].onset).chord
        made += [_sung(plan, note, move, chord, new) for note in group]
    return _placed(made, low, high, middle)


def _line(told: Sequence[Told]) -> list[Told]:
    """The top notes of a part."""
    tops: dict[int, Told] = {}
    for note in told:
        if note.onset not in tops or tops[note.onset].event.pitch < note.event.pitch:
            tops[note.onset] = note
    return [tops[onset] for onset in sorted(tops)]


def _note(plan: Plan, stretch: Stretch, told: Told, ladder: tuple[int, ...], tonic: int, after: int) -> _Note:
    step, altered = _read(told.event.pitch, tonic, ladder)
    chord = stretch.piece.score.chord_at(told.event.bar * stretch.piece.meter.ticks + told.event.start)
    belonged = chord is None or told.event.pitch % 12 in chord.classes
    shift = short_way(plan.key.tonic_class - tonic)
    strength = _strength(plan, told.onset, told.duration)
    pitch = told.event.pitch + shift
    leads = abs(after - told.event.pitch) == 1 and told.duration <= QUARTER // 2 and strength <= _WEAK
    return _Note(told.onset, told.duration, step, altered, strength, belonged, pitch, told.accent, leads)


def _strength(plan: Plan, onset: int, length: int) -> float:
    """How much it counts what a note is: by its place in the bar and its length."""
    place = onset % plan.meter.ticks
    beat = plan.meter.beat if plan.meter.is_compound else QUARTER
    strong = 1.0 if place == 0 else _BEAT if place * 2 == plan.meter.ticks else _HALFWAY if place % beat == 0 else _WEAK
    return max(strong, min(1.0, length / (_LONG * QUARTER)) * _STRONG)


def _best_moves(plan: Plan, groups: Sequence[Sequence[_Note]], ladder: tuple[int, ...]) -> list[int]:
    """By how many steps the line is moved over each chord: the cheapest way through."""
    tonic = plan.key.tonic_class
    ways: dict[int, tuple[float, tuple[int, ...]]] = {}
    before: Sequence[_Note] = ()
    for group in groups:
        chord = plan.chord_at(group[0].onset).chord
        after: dict[int, tuple[float, tuple[int, ...]]] = {}
        for move in _MOVES:
            own = _misfit(group, move, chord, tonic, ladder) + _AWAY * abs(move)
            if not ways:
                after[move] = (own, (move,))
                continue
            first = _pitch(group[0].step + move, tonic, ladder)
            choices = []
            for old, (cost, path) in ways.items():
                gone = first - _pitch(before[-1].step + old, tonic, ladder)
                meant = group[0].pitch - before[-1].pitch
                choices.append((cost + own + _JUMP * abs(gone - meant), (*path, move)))
            after[move] = min(choices)
        ways, before = after, group
    return list(min(ways.values())[1])


def _misfit(group: Sequence[_Note], move: int, chord: Chord, tonic: int, ladder: tuple[int, ...]) -> float:
    """How badly a line lies over a chord when it is moved by some steps."""
    cost = 0.0
    for note in group:
        fits = _pitch(note.step + move, tonic, ladder) % 12 in chord.classes
        if note.belonged and not fits:
            cost += _RUB * note.strength
        elif not note.belonged and fits:
            cost += _SMALL_RUB * note.strength  # a tune that leans must go on leaning
    return cost


def _sung(plan: Plan, note: _Note, move: int, chord: Chord, ladder: tuple[int, ...]) -> Sketch:
    """A note as it is sung: where it was moved to, or on the chord where it is strong and was so before."""
    tonic = plan.key.tonic_class
    pitch = _pitch(note.step + move, tonic, ladder) + note.altered
    scale = plan.scale_at(plan.chord_at(note.onset))
    if pitch % 12 in chord.classes:
        return Sketch(note.onset, note.length, pitch, note.accent)
    if note.belonged and note.strength >= _STRONG and not note.leads:
        near = [choice for tone in chord.classes for choice in pitches_of(tone, pitch - 4, pitch + 4)]
        pitch = min(near, key=lambda choice: (abs(choice - pitch), choice), default=pitch)
    elif pitch % 12 not in scale and not note.leads:
        near = [choice for tone in scale for choice in pitches_of(tone, pitch - 2, pitch + 2)]
        pitch = min(near, key=lambda choice: (abs(choice - pitch), choice), default=pitch)
    return Sketch(note.onset, note.length, pitch, note.accent)


def _placed(notes: list[Sketch], low: int, high: int, middle: float) -> list[Sketch]:
    """A line in the octave that suits the player best; single notes beyond its range go into the next octave."""

    def away(move: int) -> tuple[int, float]:
        outside = sum(not low <= note.pitch + move <= high for note in notes)
        return outside, abs(sum(note.pitch + move for note in notes) / len(notes) - middle)

    move = min(range(-60, 61, 12), key=away)
    return [note._replace(pitch=fold(note.pitch + move, low, high)) for note in notes]
