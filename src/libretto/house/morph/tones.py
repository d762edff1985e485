"""The tones of a song's figures over other chords: chord tones stay chord tones, and tunes move along the scale."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from libretto.house.core.tones import short_way
from libretto.house.morph.bank import Tone
from libretto.score import Chord, Key
from libretto.score.pitch import pitch_class_of

__all__ = ["Sung", "altered", "nearest_of", "over_chord", "scale_over", "sequenced", "spells_out"]

_HALF_OCTAVE = 6  # semitones
_BROKEN = 3  # tones of a chord that make it one
#: How far each interval above a root is from it on the line of fifths, as chords are written.
_FIFTHS = (0, -5, 2, -3, 4, -1, -6, 1, 8, 3, -2, 5)
_SINGABLE = (12, 116)  # pitches on which a motif is moved
_FARTHEST_STEP = 4  # steps of the scale that a motif may be moved up or down
_PER_STEP, _UNMOVED = 0.12, 0.5  # what a step costs, and staying where it was
_FOREIGN = 2.0  # what it costs not to be on a tone of the chord all the time
_PER_LEAP, _STEPWISE = 0.1, 3  # what a semitone costs from one motif to the next, and how many are free
_OFF_CENTRE = 0.05  # what a semitone costs away from the middle of the tune
_SAME = 1e-9  # costs that differ by less are the same


def nearest_of(pitch: int, classes: Iterable[int]) -> int:
    """The pitch of one of those classes nearest a pitch; of two equally near the lower."""
    wanted = set(classes)
    for away in range(_HALF_OCTAVE + 1):
        for near in (pitch - away, pitch + away):
            if near % 12 in wanted:
                return near
    return pitch


def over_chord(pitch: int, old: Chord, new: Chord, home: frozenset[int], scale: frozenset[int]) -> int:
    """A tone of a bass or of chords over another chord: chord tones stay chord tones, others stay in the scale."""
    step = short_way(new.root_class - old.root_class)
    moved = pitch + step
    if pitch % 12 in old.classes:
        return nearest_of(moved, new.classes)
    if pitch % 12 in home:
        return nearest_of(moved, scale | new.classes)
    return moved


class Sung(NamedTuple):
    """A tone of a tune in its new place: where it begins, the chord there, whether it has to agree with it, and which
    tones of the scale the chord changes (``altered``)."""

    at: int
    tone: Tone
    chord: Chord
    strong: bool
    changed: Mapping[int, int]


def spells_out(tones: Sequence[Tone], chords: Sequence[Chord]) -> bool:
    """Whether the notes of a bar are its chord broken: tones of their chords alone, three of them or more."""
    inside = all(tone.pitch % 12 in chord.classes for tone, chord in zip(tones, chords, strict=True))
    return inside and len({tone.pitch % 12 for tone in tones}) >= _BROKEN


def altered(key: Key, chord: Chord) -> dict[int, int]:
    """The pitch classes of a key that a chord has under the same letter at another height, and by how much.

    >>> from libretto.score import parse_chord
    >>> chord = parse_chord("E7")
    >>> altered(Key.parse("A minor"), chord) if chord else {}
    {7: 1}
    """
    written = {spelling % 7: pitch_class_of(spelling) for spelling in key.scale}
    changed = {}
    for step in sorted(chord.intervals):
        spelling = chord.root + _FIFTHS[step]
        own = written[spelling % 7]
        if own not in chord.classes:
            changed[own] = short_way(pitch_class_of(spelling) - own)
    return changed


def scale_over(key: Key, chord: Chord) -> frozenset[int]:
    """The pitch classes of a key as they are over a chord: those it has under the same letter as it has them."""
    changed = altered(key, chord)
    return frozenset((tone + changed.get(tone, 0)) % 12 for tone in key.classes)


def sequenced(
    tones: Sequence[Sung],
    home: frozenset[int],
    scale: frozenset[int],
    transposition: int,
    before: int | None,
    centre: float,
) -> list[int]:
    """A unit of a tune as a sequence: the pitches that the scale step gives which suits its new chords best.

    It is not left where it was if another step suits nearly as well. No tone stands beside its chord under the same
    letter: over E major in A minor the tune has G sharp, too.
    """
    ladder = [pitch for pitch in range(*_SINGABLE) if pitch % 12 in scale]

    def at_step(step: int) -> tuple[float, list[int]]:
        pitches = [_stepped(sung.tone.pitch, home, scale, ladder, transposition, step) for sung in tones]
        cost = _PER_STEP * abs(step) + (_UNMOVED if step == 0 else 0.0) + _clash(tones, pitches)
        if before is not None and pitches:
            cost += _PER_LEAP * max(0, abs(pitches[0] - before) - _STEPWISE)
        if pitches:
            cost += _OFF_CENTRE * abs(sum(pitches) / len(pitches) - centre)
        return cost, pitches

    least, pitches = at_step(-_FARTHEST_STEP)
    for step in range(1 - _FARTHEST_STEP, _FARTHEST_STEP + 1):
        cost, other = at_step(step)
        if cost < least - _SAME:
            least, pitches = cost, other
    return [
        nearest_of(pitch, sung.chord.classes) if sung.strong else pitch + sung.changed.get(pitch % 12, 0)
        for sung, pitch in zip(tones, pitches, strict=True)
    ]


def _clash(tones: Sequence[Sung], pitches: Sequence[int]) -> float:
    """What it costs that part of a tune's time is not on tones of its chords."""
    foreign = sum(
        sung.tone.length for sung, pitch in zip(tones, pitches, strict=True) if pitch % 12 not in sung.chord.classes
    )
    return _FOREIGN * foreign / (sum(sung.tone.length for sung in tones) or 1)


def _stepped(
    pitch: int, home: frozenset[int], scale: frozenset[int], ladder: Sequence[int], transposition: int, step: int
) -> int:
    """A pitch so many steps of the new scale away; what was chromatic stays as far beside its scale tone."""
    inside = nearest_of(pitch, home)
    beside = pitch - inside
    start = nearest_of(inside + transposition, scale)
    place = min(range(len(ladder)), key=lambda rung: abs(ladder[rung] - start))
    return ladder[max(0, min(len(ladder) - 1, place + step))] + beside
