"""Chords and tones as every writer of the house meets them, the octaves they are put into, and the bass player's hand.

The hand makes signs of a figure into pitches over any chord: ``R`` root, ``2`` to ``8`` degrees of the chord, ``x`` a
ghost note, ``a`` and ``d`` a chromatic and a scale step into the next chord, ``w`` a step of a walking line, ``n`` the
next chord's root before its time, held over (a tumbao).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from libretto.score import Chord, Key, parse_chord

__all__ = [
    "BassHand",
    "ChordSpan",
    "Heard",
    "Sounding",
    "fold",
    "hear_label",
    "key_of_home",
    "pitches_of",
    "short_way",
    "third_at_home",
]

_MINOR_THIRD, _MAJOR_THIRD = 3, 4  # semitones
_RELATIVE = {"major": "minor", "minor": "major"}


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


def key_of_home(key: Key, ends: Sequence[tuple[int, frozenset[int]]]) -> Key:
    """The key of a song that begins and ends on some chords: its relative where both are the tonic chord of that.

    Chords are roots with pitch classes. Many files give a signature and no mode.

    >>> str(key_of_home(Key.parse("C major"), [(9, frozenset({9, 0, 4}))] * 2))
    'A minor'
    """
    if key.mode not in _RELATIVE or not ends:
        return key
    other = Key.of_signature(key.signature, _RELATIVE[key.mode])
    third = (other.tonic_class + (_MINOR_THIRD if other.is_minor else _MAJOR_THIRD)) % 12
    return other if all(root == other.tonic_class and third in classes for root, classes in ends) else key


def third_at_home(chords: Iterable[tuple[int, frozenset[int]]], key: Key) -> int:
    """Semitones from the tonic to the third that a song has above it most often; that of the mode where it has none.

    Chords are roots with pitch classes. A blues in a minor key has a major chord at home.

    >>> third_at_home([(4, frozenset({4, 8, 11, 2}))], Key.parse("E minor"))
    4
    """
    minor = 0
    for root, classes in chords:
        if root == key.tonic_class:
            minor += ((root + _MINOR_THIRD) % 12 in classes) - ((root + _MAJOR_THIRD) % 12 in classes)
    return _MINOR_THIRD if minor > 0 or (minor == 0 and key.is_minor) else _MAJOR_THIRD


def hear_label(label: str) -> Heard | None:
    """The chord that a label names; None where it names none."""
    chord = parse_chord(label)
    return None if chord is None else Heard(chord.root_class, chord.classes)


def _pitches_of(tone: int, low: int, high: int) -> list[int]:
    """Every pitch of a pitch class within a register."""
    return [pitch for pitch in range(low, high + 1) if pitch % 12 == tone % 12]


def pitches_of(tone: int, low: int, high: int) -> list[int]:
    """Every pitch of a pitch class within a register."""
    return [pitch for pitch in range(low, high + 1) if pitch % 12 == tone % 12]


def short_way(steps: int) -> int:
    """So many semitones, or steps round the circle of fifths, the shorter way round: from -5 to 6.

    >>> short_way(7), short_way(6), short_way(-7)
    (-5, 6, 5)
    """
    return (steps + 5) % 12 - 5


def fold(pitch: int, low: int, high: int) -> int:
    """A pitch brought by octaves above ``low``, and then below ``high``."""
    while pitch < low:
        pitch += 12
    while pitch > high:
        pitch -= 12
    return pitch


#: Semitones above the root that a sign may stand for, the likeliest first.
_DEGREES = {"3": (4, 3), "5": (7, 6, 8), "6": (9, 8), "7": (10, 11, 9), "2": (2,), "4": (5,), "b": (1,), "t": (6,)}
_OVER = 4  # semitones that the octave may reach beyond the register
_UP, _TURN = 3, 5  # semitones: a walk heads so far up, until it is so far above home
_FAR, _FOREIGN, _ARRIVED, _CHANCE = 0.35, 1.1, 2.5, 1.6  # what a step of a walk costs, away from the straight way


@dataclass
class BassHand:
    """Where the hand of who plays the bass is: its register, where it is at home, and the note it played last.

    ``lean`` says how much that note counts against home, ``top`` how high the instrument goes.
    """

    low: int
    high: int
    home: int
    last: int
    top: int
    lean: float = 0.6

    def near(self, tone: int, around: float | None = None) -> int:
        """The pitch of a tone nearest the hand (or ``around``), drawn towards the low end of the register."""
        goal = (self.last * self.lean + self.home * (1 - self.lean)) if around is None else around
        choices = _pitches_of(tone, self.low, self.high)
        return min(choices or [self.low], key=lambda pitch: (abs(pitch - goal), pitch))

    def tone(self, sign: str, chord: Sounding, around: float | None = None) -> int:
        """The pitch a sign stands for over a chord."""
        if sign == "8":
            root = self.near(chord.bass)
            up, down = root + 12, root - 12
            return up if up <= min(self.high + _OVER, self.top) else down if down >= self.low else root
        if sign in _DEGREES:
            degree = next((tone for tone in _DEGREES[sign] if tone in chord.tones), _DEGREES[sign][0])
            return self.near(chord.root + degree, around)
        return self.near(chord.bass)

    def step_into(self, target: int, offsets: Sequence[int], scale: Collection[int]) -> int | None:
        """The first of some pitches beside a target that is in the scale; None where none is."""
        return next((target + offset for offset in offsets if (target + offset) % 12 in scale), None)

    def walk(
        self,
        classes: Collection[int],
        scale: Collection[int],
        following: int,
        remaining: int,
        chance: Callable[[], float],
    ) -> int:
        """A step of a walking line over a chord's classes: towards the ``following`` bass, which is so many steps
        away, on chord tones and scale tones, never standing still."""
        target = self.near(following, self.last + (_UP if self.last < self.home + _TURN else -_UP))
        wanted = self.last + (target - self.last) / (remaining + 0.5)
        choices = [pitch for pitch in range(self.low, self.high + 1) if pitch != self.last and pitch % 12 in scale]

        def price(pitch: int) -> float:
            away = abs(pitch - wanted) + _FAR * abs(pitch - self.last) + chance() * _CHANCE
            return away + (0 if pitch % 12 in classes else _FOREIGN) + (_ARRIVED if pitch == target else 0)

        return min(choices or [self.last], key=price)
