"""Chords and tones as every writer of the house meets them, and the octaves they are put into."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from libretto.score import Chord, parse_chord

__all__ = ["ChordSpan", "Heard", "Sounding", "fold", "hear_label", "pitches_of"]


class Sounding(Protocol):
    """What a chord is to who plays it: root and bass as pitch classes, and its tones above the root, from below."""

    @property
    def root(self) -> int:
        """The root as a pitch class."""

    @property
    def bass(self) -> int:
        """What the bass plays, as a pitch class."""

    @property
    def tones(self) -> tuple[int, ...]:
        """Semitones above the root, from below."""


class ChordSpan(NamedTuple):
    """One planned chord in its time: bar from 0, start and end in ticks, the label and what it means."""

    bar: int
    start: int
    end: int
    label: str
    chord: Chord

    @property
    def root(self) -> int:
        """The root as a pitch class."""
        return self.chord.root_class

    @property
    def bass(self) -> int:
        """What the bass plays, as a pitch class."""
        return self.chord.bass_class

    @property
    def third(self) -> int:
        """Semitones from the root to the third, or to what stands for it; 0 where there is neither."""
        return next((tone for tone in (4, 3, 5, 2) if tone in self.tones), 0)

    @property
    def tones(self) -> tuple[int, ...]:
        """Semitones above the root, from below."""
        return tuple(sorted(self.chord.intervals))


class Heard(NamedTuple):
    """A chord as it is heard in a song: its root and its pitch classes; the root is its bass."""

    root: int
    classes: frozenset[int]

    @property
    def bass(self) -> int:
        """What the bass plays, as a pitch class."""
        return self.root

    @property
    def tones(self) -> tuple[int, ...]:
        """Semitones above the root, from below."""
        return tuple(sorted((tone - self.root) % 12 for tone in self.classes))


def hear_label(label: str) -> Heard | None:
    """The chord that a label names; None where it names none."""
    chord = parse_chord(label)
    return None if chord is None else Heard(chord.root_class, chord.classes)


def pitches_of(tone: int, low: int, high: int) -> list[int]:
    """Every pitch of a pitch class within a register."""
    return [pitch for pitch in range(low, high + 1) if pitch % 12 == tone % 12]


def fold(pitch: int, low: int, high: int) -> int:
    """A pitch brought by octaves above ``low``, and then below ``high``."""
    while pitch < low:
        pitch += 12
    while pitch > high:
        pitch -= 12
    return pitch
