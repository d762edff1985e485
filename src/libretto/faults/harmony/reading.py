"""A piece as four lines, moment by moment: what every rule of part writing reads.

Conventions: lines are numbered from 0, the highest, to 3, the bass. A *moment* lasts from one onset of any line to the
next. A *pulse* is a beat, at most a quarter note: where chords are taken to stand. A phrase ends at a
fermata or a rest. Bars are read once, as written, so that a fault has the number that stands on the page.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, combinations, groupby, pairwise
from typing import NamedTuple

from libretto.errors import LibrettoError
from libretto.faults.harmony.sonority import Sonority, sonority_of
from libretto.score.marks import MOMENT
from libretto.score.model import Score
from libretto.score.pitch import pitch_name
from libretto.score.places import place
from libretto.score.time import QUARTER
from libretto.score.voice import Voice

__all__ = ["ALTO", "BASS", "PARTS", "SOPRANO", "TENOR", "Lines", "Moment", "Sound", "read_lines"]

SOPRANO, ALTO, TENOR, BASS = range(4)
#: The four parts, as they are called where lines of one staff have no names of their own.
PARTS = ("Soprano", "Alto", "Tenor", "Bass")
_NAMED = {part.lower(): number for number, part in enumerate(PARTS)} | {"treble": SOPRANO, "contralto": ALTO}
_PART = re.compile(rf"({'|'.join(_NAMED)})(?:e?s)?(?: (?:voice|part)s?)?")
_MOST_NOTES = 100_000  # far more than any exercise: a bound for the time that checking takes


class Sound(NamedTuple):
    """One note of a line; ``rests`` where a fermata stands on it."""

    onset: int
    end: int
    pitch: int
    spelling: int
    rests: bool = False

    @property
    def name(self) -> str:
        """The written pitch, such as ``F#4``."""
        return pitch_name(self.pitch, self.spelling)


class Moment(NamedTuple):
    """What sounds from one onset to the next, line by line (None: a rest), and the chord that it is, if it is one."""

    tick: int
    end: int
    sounds: tuple[Sound | None, ...]
    on_pulse: bool
    chord: Sonority | None

    @property
    def closes(self) -> bool:
        """Whether a phrase ends here."""
        return any(sound is None or sound.rests for sound in self.sounds)


@dataclass(frozen=True)
class Lines:
    """Four lines of a piece with their names, the highest first."""

    score: Score
    names: tuple[str, ...]
    sounds: tuple[tuple[Sound, ...], ...]

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """Every moment in order of time in which anything sounds."""
        edges = sorted({tick for line in self.sounds for sound in line for tick in (sound.onset, sound.end)})
        at, moments = [0] * len(self.sounds), []
        for tick, end in pairwise(edges):
            sounding = []
            for number, line in enumerate(self.sounds):
                while at[number] < len(line) and line[at[number]].end <= tick:
                    at[number] += 1
                here = line[at[number]] if at[number] < len(line) else None
                sounding.append(here if here is not None and here.onset <= tick else None)
            if any(sounding):
                chord = sonority_of([sound.spelling for sound in sounding if sound is not None])
                moments.append(Moment(tick, end, tuple(sounding), self._on_pulse(tick), chord))
        return tuple(moments)

    def pulse_at(self, tick: int) -> int:
        """The length of a pulse at a tick."""
        return min(self.score.meter_at(tick).beat, QUARTER)

    def _on_pulse(self, tick: int) -> bool:
        return (tick - self.score.bar_lines[self.score.bar_at(tick)]) % self.pulse_at(tick) == 0

    def place(self, tick: int) -> tuple[int, float]:
        """Bar and beat as a person counts them."""
        return place(self.score, tick)

    def after(self, line: int, sound: Sound) -> Sound | None:
        """The next note of a line that is another pitch; None after a rest, a fermata or the last."""
        notes = self.sounds[line]
        index = bisect_right(notes, sound.onset, key=_onset)
        before = sound
        while index < len(notes) and notes[index].pitch == sound.pitch and notes[index].onset == before.end:
            before = notes[index]
            index += 1
        if index == len(notes) or before.rests or notes[index].onset != before.end:
            return None
        return notes[index]

    def before(self, line: int, sound: Sound) -> Sound | None:
        """The note of a line just before one; None after a rest, a fermata or at the beginning."""
        index = bisect_right(self.sounds[line], sound.onset, key=_onset) - 2
        earlier = self.sounds[line][index] if index >= 0 else None
        return earlier if earlier is not None and earlier.end == sound.onset and not earlier.rests else None


def _onset(sound: Sound) -> int:
    return sound.onset


def read_lines(score: Score, voices: Sequence[str] = ()) -> Lines:
    """The four lines of a piece: its four parts, those named, or the four lines that one or two staves hold.

    Where more parts than four play, those called soprano, alto, tenor and bass are the four.
    """
    chosen = [score.voice(name) for name in voices] or _vocal(score)
    held = [(voice, _split(voice)) for voice in chosen]
    lines = [(voice, line) for voice, own in held for line in own]
    if len(lines) != len(PARTS):
        has = ", ".join(f"{v.name} has {len(own)}" if len(own) > 1 else v.name for v, own in held) or "none with notes"
        raise LibrettoError(
            f"four parts are checked, and here are {len(lines)} lines ({has}); name the voices that make the four"
        )
    by_name = _are_named(lines)
    lines.sort(key=lambda pair: _called(pair[0].name) if by_name else _depth(pair[1]))
    plain = len({voice.name for voice, _ in lines}) == len(PARTS)
    names = tuple(voice.name for voice, _ in lines) if plain else PARTS
    return Lines(score, names, tuple(line for _, line in lines))


def _are_named(lines: Sequence[tuple[Voice, tuple[Sound, ...]]]) -> bool:
    """Whether lines are called after the four parts of a choir."""
    return {_called(voice.name) for voice, _ in lines} == set(range(len(PARTS)))


def _called(name: str) -> int:
    """Which of the four parts of a choir a voice is called after ("Bass Voice", "Tenors"); -1 where it is none."""
    part = _PART.fullmatch(name.strip().lower())
    return _NAMED[part[1]] if part else -1


def _depth(line: Sequence[Sound]) -> float:
    """How low a line lies, the highest first."""
    return -sum(sound.pitch for sound in line) / len(line)


def _vocal(score: Score) -> list[Voice]:
    """The pitched voices with notes; where there are more than four, the four that are named as a choir's."""
    pitched = [voice for voice in score.voices if len(voice.array) and not voice.drums]
    if sum(len(voice.array) for voice in pitched) > _MOST_NOTES:
        raise LibrettoError(
            f"four-part writing of more than {_MOST_NOTES:,} notes is not checked; take some bars of it"
        )
    named = sorted((voice for voice in pitched if _called(voice.name) >= 0), key=lambda voice: _called(voice.name))
    return named if len(pitched) > len(PARTS) == len(named) else pitched


def _split(voice: Voice) -> list[tuple[Sound, ...]]:
    """The lines of a part, the highest first: as many as ever sound at once."""
    signs = [mark for mark in voice.marks if mark.kind == "fermata"]
    resting = {(mark.tick, mark.pitch) for mark in signs}
    sounds = [
        Sound(
            note.onset,
            note.onset + note.duration,
            note.pitch,
            note.spelling,
            (note.onset, note.pitch) in resting or (note.onset, MOMENT) in resting,
        )
        for note in voice.notes
    ]
    lines: list[list[Sound]] = [[] for _ in range(_most_at_once(sounds))]
    for _, group in groupby(sounds, key=_onset):
        chord = sorted(group, key=lambda sound: -sound.pitch)
        free = [line for line in lines if not line or line[-1].end <= chord[0].onset]
        for line, sound in zip(_nearest(free, chord), chord, strict=False):
            line.append(sound)
    return [tuple(line) for line in lines if line]


def _most_at_once(sounds: Sequence[Sound]) -> int:
    """How many notes of a part sound at once where most do; one more than four parts is many."""
    changes = sorted([(sound.onset, 1) for sound in sounds] + [(sound.end, -1) for sound in sounds])
    return min(max(accumulate(change for _, change in changes), default=0), len(PARTS) + 1)


def _nearest(free: list[list[Sound]], chord: Sequence[Sound]) -> Sequence[list[Sound]]:
    """Of the lines that are free those, in order, that the notes of a chord continue with the smallest moves."""
    if len(chord) >= len(free):
        return free
    return min(combinations(free, len(chord)), key=lambda lines: _moves(lines, chord))


def _moves(lines: Sequence[list[Sound]], chord: Sequence[Sound]) -> int:
    return sum(abs(line[-1].pitch - sound.pitch) for line, sound in zip(lines, chord, strict=True) if line)
