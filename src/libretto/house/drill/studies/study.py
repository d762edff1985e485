"""What every study is given, and what studies share: registers, slots of time, names of notes, chords that agree.

A study is found by the kind of a concept's detector. It says None where the concept, the range or the number of bars
leave it no room; the drill is then written from the concept's example.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from libretto.house.core.dice import Dice
from libretto.house.drill.meters import beats_of
from libretto.house.drill.sheet import DrillSheet, Measure, spelled
from libretto.knowledge import Concept
from libretto.registry import Registry
from libretto.score import QUARTER, Key, Meter, Note
from libretto.score.chords import QUALITIES
from libretto.score.pitch import letter_name, pitch_class_of

__all__ = ["Played", "StudyAsk", "agreeing", "bar_of", "names_of", "own_chords", "slot_of", "studies", "study_of"]

_PARTS = {1: 1, 2: 2, 3: 4}  # how many notes fill a beat, by level
_QUICK = 3  # the level from which eighths are divided
_MOST_CLASSES = 12
_LETTERS = 7
_NAMED = range(-12, 18)  # spellings on the line of fifths that are looked at
_LOUD, _ACCENT, _FIRST, _STRESS = 72, 4, 6, 12  # a plain note, one on a beat, on the first beat, one to be stressed
_HOME_BONUS, _DOMINANT_BONUS = 0.16, 0.05  # what the tonic and the dominant are preferred by where chords fit alike
_ENOUGH = 0.5  # of a bar's time that its chord must hold
_ON_BEAT = 1.5  # how much more a note on a beat counts
_FIFTH = 7  # semitones
_FIFTHS = {0: 0, 3: -3, 4: 4, 7: 1, 10: -2}  # where chord tones lie from their root on the line of fifths


class Played(NamedTuple):
    """One note of a study: where it begins and how long it lasts, in ticks of its bar, and its pitch."""

    onset: int
    length: int
    pitch: int


class StudyAsk(NamedTuple):
    """What a study is written from; ``middle`` is the pitch in the middle of the staff."""

    concept: Concept
    key: Key
    meter: Meter
    bars: int
    level: int
    low: int
    high: int
    middle: int
    model: DrillSheet
    rng: Dice

    @property
    def home(self) -> int:
        """The pitch class of the tonic."""
        return self.key.tonic_class


#: Studies by the kind of detector that finds their concept.
studies: Registry[Any] = Registry("study", rooms=["libretto.house.drill.studies"])


def study_of(ask: StudyAsk) -> DrillSheet | None:
    """The study on a concept; None where there is none."""
    for condition in ask.concept.detector:
        if condition["kind"] in studies and not condition.get("absent"):
            made = studies[condition["kind"]](ask, condition)
            return made if isinstance(made, DrillSheet) else None
    return None


def slot_of(meter: Meter, level: int) -> int:
    """The length of the notes that fill a bar evenly, in ticks: beats, halves or quarters of them by level."""
    if meter.unit >= 8:
        return meter.pulse if level < _QUICK or meter.unit > 8 else meter.pulse // 2
    return min(QUARTER, meter.beat) // _PARTS[level]


def names_of(steps: Sequence[int], key: Key, model: DrillSheet) -> dict[int, int]:
    """How the tones of a scale are spelled: seven steps one letter each; others as the example spells them."""
    names = {note.pitch % _MOST_CLASSES: note.spelling for bar in model.bars for note in bar.notes}
    if len(steps) != _LETTERS:
        return names
    letters = [(key.tonic + shift + 1) % _LETTERS for shift in (0, 2, 4, -1, 1, 3, 5)]  # of the seven degrees
    for step, letter in zip(steps, letters, strict=True):
        tone = (key.tonic_class + step) % _MOST_CLASSES
        near = [name for name in _NAMED if pitch_class_of(name) == tone and (name + 1) % _LETTERS == letter]
        if near:
            names[tone] = min(near, key=lambda name: abs(name - key.tonic))
    return names


def own_chords(steps: Sequence[int], key: Key, names: Mapping[int, int]) -> dict[str, frozenset[int]]:
    """The triads of a scale and its dominant seventh by their labels, as pitch classes; the tonic first."""
    scale, chords = set(steps), {}
    for step in steps:
        for quality in ("", "m", "7"):
            tones = QUALITIES[quality]
            if not scale.issuperset((step + tone) % _MOST_CLASSES for tone in tones):
                continue
            root = (key.tonic_class + step) % _MOST_CLASSES
            name = spelled(root, key, dict(names))
            written = all(
                spelled((root + tone) % _MOST_CLASSES, key, dict(names)) == name + _FIFTHS[tone] for tone in tones
            )
            if not written or (quality == "7" and step != _FIFTH):
                continue
            label = f"{letter_name(name)}{quality}"
            chords[label] = frozenset((root + tone) % _MOST_CLASSES for tone in tones)
    return chords


def agreeing(
    line: Sequence[Played],
    meter: Meter,
    chords: Mapping[str, frozenset[int]],
    home: int,
    enough: float = _ENOUGH,
    begins: bool = True,
) -> str:
    """The chord that a bar sings: most of its time, notes on beats before others, what it begins with (unless it goes
    on from the bar before: ``begins``) and its root or third; none where it sings none."""
    beats = _beat_starts(meter)
    total, best, label = 0.0, 0.0, "-"
    weighed = [(note.length * (_ON_BEAT if note.onset in beats else 1.0), note.pitch % _MOST_CLASSES) for note in line]
    total = sum(weight for weight, _ in weighed)
    for name, tones in chords.items():
        held = sum(weight for weight, tone in weighed if tone in tones) / max(1.0, total)
        if held < enough or not _says(line, tones, begins):
            continue
        bonus = _bonus(tones, home)
        if held + bonus > best:
            best, label = held + bonus, name
    return label


def _bonus(tones: frozenset[int], home: int) -> float:
    """By how much the tonic or the dominant is preferred."""
    if (home + _FIFTH) % _MOST_CLASSES not in tones:
        return 0.0
    return _HOME_BONUS if home in tones else _DOMINANT_BONUS


def _says(line: Sequence[Played], tones: frozenset[int], begins: bool) -> bool:
    """Whether a line begins with a tone of a chord, where it has to, and has its root or its third."""
    first = {note.pitch % _MOST_CLASSES for note in line if note.onset == 0 and begins}
    return first <= tones and any(note.pitch % _MOST_CLASSES in _naming(tones) for note in line)


def _naming(tones: frozenset[int]) -> set[int]:
    """The root and the third of a triad or a seventh chord: the tones with a fifth, or a third that has one, above."""
    roots = {tone for tone in tones if (tone + _FIFTH) % _MOST_CLASSES in tones}
    return roots | {tone for tone in tones if {(tone - 3) % _MOST_CLASSES, (tone - 4) % _MOST_CLASSES} & roots}


def _beat_starts(meter: Meter) -> set[int]:
    starts, at = set(), 0
    for beat in beats_of(meter):
        starts.add(at)
        at += beat
    return starts


def bar_of(
    line: Sequence[Played],
    label: str | Sequence[str],
    ask: StudyAsk,
    names: Mapping[int, int],
    stressed: Collection[int] = (),
) -> Measure:
    """A bar of a study: notes on beats (or at the places that are ``stressed``) louder, every note by its name."""
    beats = stressed or _beat_starts(ask.meter)
    accent = _STRESS if stressed else _ACCENT
    notes = tuple(
        Note(
            note.onset,
            note.length,
            note.pitch,
            _LOUD + (max(_FIRST, accent) if note.onset == 0 else accent if note.onset in beats else 0),
            spelled(note.pitch, ask.key, dict(names)),
        )
        for note in sorted(line)
    )
    labels = (label,) if isinstance(label, str) else tuple(label)
    return Measure(ask.meter.ticks, notes, labels, ask.key, ask.meter)
