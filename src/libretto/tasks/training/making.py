"""What questions are made of: keys, ranges and tempos by level, notes put into bars, chords and clicks before them.

The ladder is that of drills: how wide, how fast and in which keys a level goes is read from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from libretto.score import QUARTER, WHOLE, Grid, Key, Meter, Note, Score, Voice
from libretto.score.pitch import pitch_class_of
from libretto.score.time import micros_of_bpm
from libretto.tasks.drill.request import ACCIDENTALS, LEVELS, TEMPOS

__all__ = ["CENTRE", "Sound", "counted_in", "home_key", "lowest_near", "piece_of", "plain", "with_home"]

CENTRE = 64  #: the pitch in the middle of what is asked: E4
_LOUD = 84
_NAME, _PROGRAM = "PIANO", 0
_FIRST_CLICK, _CLICK = 76, 77  # wood blocks of General MIDI, high and low; the first beat is the high one
_OCTAVE = 12
_LEAST_RANGE = 12
_SLOTS = (4, 8, 16, 12, 24, 48)  # of a whole note, the plainest first: one for all bars of a question


class Sound(NamedTuple):
    """One note of a question: when it begins and how long it lasts in quarters, its pitch and its spelling."""

    at: float
    length: float
    pitch: int
    spelling: int


def plain(text: str) -> str:
    """An answer in small letters, without what is said around it."""
    words = text.casefold().replace("-", " ").replace(",", " ").replace("'", "").split()
    return " ".join(word for word in words if word not in ("a", "an", "the", "interval", "chord", "triad"))


def home_key(level: int, rng: Random, mode: str = "major") -> Key:
    """A key that a level reads easily."""
    most = ACCIDENTALS[level]
    return Key.of_signature(rng.randint(max(-5, -most), min(5, most)), mode)


def lowest_near(spelling: int, level: int, room: int, rng: Random) -> int:
    """A pitch of that name from which so many semitones upwards stay within the range of a level."""
    reach = max(_LEAST_RANGE, LEVELS[level].range, room)
    low = CENTRE - reach // 2
    pitches = [pitch for pitch in range(low, low + reach - room + 1) if pitch % _OCTAVE == pitch_class_of(spelling)]
    if not pitches:
        pitches = [low + (pitch_class_of(spelling) - low) % _OCTAVE]
    return rng.choice(pitches)


def _tick(quarters: float) -> int:
    return round(quarters * QUARTER)


def piece_of(
    sounds: Iterable[Sound],
    key: Key,
    level: int,
    meter: Meter = Meter(4, 4),  # noqa: B008 (a meter never changes)
    bars: int = 1,
    chords: Sequence[Sequence[str]] | None = None,
) -> Score:
    """Notes as a piece for one piano, in the tempo of a level."""
    notes = [
        Note(_tick(one.at), _tick(one.at + one.length) - _tick(one.at), one.pitch, _LOUD, one.spelling)
        for one in sounds
    ]
    last = max((note.onset for note in notes), default=0)
    grid = next(
        (
            Grid.of(size)
            for size in _SLOTS
            if all(not (note.onset % (WHOLE // size) or note.duration % (WHOLE // size)) for note in notes)
        ),
        Grid.of(_SLOTS[-1]),
    )
    count = max(bars, last // meter.ticks + 1)
    return Score.build(
        [Voice.of(_NAME, notes, _PROGRAM)],
        bar_lines=[place * meter.ticks for place in range(count + 1)],
        meters=((0, meter),),
        keys=((0, key),),
        tempos=((0, micros_of_bpm(TEMPOS[level])),),
        chords=chords,
        grids=[grid] * count,
    )


def _later(score: Score, before: Sequence[Note], drums: Sequence[Note] = ()) -> Score:
    """The piece a bar later, with something in the bar before it."""
    ticks = score.meter.ticks
    moved = [note._replace(onset=note.onset + ticks) for note in score.voices[0].notes]
    voices = [Voice.of(_NAME, [*before, *moved], _PROGRAM)]
    if drums:
        voices.append(Voice.of("CLICK", drums, None, drums=True))
    return Score.build(
        voices,
        bar_lines=[0, *(line + ticks for line in score.bar_lines)],
        meters=score.meters,
        keys=score.keys,
        tempos=score.tempos,
    )


def with_home(score: Score) -> Score:
    """The piece after a bar of its tonic chord, so that the key is in the ear."""
    key = score.key
    third = key.tonic - 3 if key.is_minor else key.tonic + 4
    base = CENTRE - 7 + (key.tonic_class - (CENTRE - 7)) % _OCTAVE - _OCTAVE
    names = (key.tonic, third, key.tonic + 1, key.tonic)
    pitches = (base, base + (3 if key.is_minor else 4), base + 7, base + _OCTAVE)
    length = min(2 * QUARTER, score.meter.ticks)
    chord = [Note(0, length, pitch, _LOUD, name) for pitch, name in zip(pitches, names, strict=True)]
    return _later(score, chord)


def counted_in(score: Score) -> Score:
    """The piece after a bar in which its beats are clicked."""
    meter = score.meter
    beat = meter.beat
    clicks = [
        Note(at, min(beat, meter.ticks - at) // 2, _CLICK if at else _FIRST_CLICK, _LOUD, 0)
        for at in range(0, meter.ticks, beat)
    ]
    return _later(score, (), _spelled(clicks))


def _spelled(clicks: Sequence[Note]) -> list[Note]:
    """Percussion as it is always spelled: with sharps."""
    return [note._replace(spelling=(note.pitch * 7 + 1) % 12 - 1) for note in clicks]
