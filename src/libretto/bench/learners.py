"""Learners that make known mistakes: answers that are exact, slower, shaken or late to begin, or wrong in one place."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from libretto.score import QUARTER, Note, Score, Voice, transpose
from libretto.score.pitch import fifths_of_semitones
from libretto.tasks.drill.mistakes import Grade

__all__ = ["KINDS", "Planted", "fair_answers", "located", "plant", "played"]

_STEADY = 500_000  # an answer is a recording: its own clock, 120 quarters a minute
#: The mistakes that learners are made to make.
KINDS = ("wrong note", "missing note", "extra note", "rhythm", "length")
#: How fair answers are played: times as slow, seconds before the start, seconds off at most.
_MANNERS: dict[str, dict[str, float]] = {
    "slower": {"rate": 1.4},
    "faster": {"rate": 0.75},
    "shaken": {"shake": 0.03},
    "after a count": {"wait": 2.35},
    "all of it": {"rate": 1.15, "wait": 1.7, "shake": 0.025},
}
_RATES, _WAITS, _SHAKE = (1.0, 1.2, 0.85), (0.0, 1.3), 0.015  # how answers with a mistake are played
_SHORTEST_SECONDS = 0.02  # no note is shorter than this
_HIGH = 120  # a drill that goes up here is not transposed up
_WRONG_BY, _EXTRA_BY = (-2, -1, 1, 2), (-4, -3, 3, 4)  # semitones
_LATE = 5  # a start goes wrong by two fifths of the room it has


@dataclass(frozen=True)
class Planted:
    """An answer with one known mistake: its kind, and the tick in the drill."""

    answer: Score
    kind: str
    tick: int


def played(
    drill: Score, notes: list[Note], rng: Random, *, rate: float = 1.0, wait: float = 0.0, shake: float = 0.0
) -> Score:
    """Notes of a drill as a recording: ``rate`` times as slow, after ``wait`` seconds, each up to ``shake`` off."""
    recorded = []
    for note in notes:
        start, end = drill.seconds_at(np.array([note.onset, note.onset + note.duration]))
        off = rng.uniform(-shake, shake)
        onset = max(0.0, wait + rate * start + off)
        length = max(_SHORTEST_SECONDS, rate * (end - start) + rng.uniform(-shake, shake) / 2)
        recorded.append(note._replace(onset=_ticks(onset), duration=max(1, _ticks(length))))
    return Score.build([Voice.of("LEARNER", recorded)], tempos=[(0, _STEADY)], keys=[(0, drill.key)])


def _ticks(seconds: float) -> int:
    return round(seconds * 1e6 / _STEADY * QUARTER)


def fair_answers(drill: Score, rng: Random) -> Iterator[tuple[str, Score]]:
    """Answers without a mistake: the drill itself, and played at other tempos, shaken, after silence, transposed."""
    notes = list(drill.voices[0].notes)
    yield "itself", drill
    for name, manner in _MANNERS.items():
        yield name, played(drill, notes, rng, **manner)
    if max(note.pitch for note in notes) < _HIGH:
        yield "transposed", transpose(drill, 2)


def plant(drill: Score, kind: str, rng: Random) -> Planted | None:
    """An answer that is right but for one mistake of that kind; None where the drill has no place for it."""
    notes = list(drill.voices[0].notes)
    starts = sorted({note.onset for note in notes})
    gaps = {a: b - a for a, b in itertools.pairwise(starts)}
    inner = [index for index, note in enumerate(notes) if note.onset in gaps and note.onset > 0]
    rng.shuffle(inner)
    for index in inner:
        note, gap = notes[index], gaps[notes[index].onset]
        before = note.onset - starts[starts.index(note.onset) - 1]
        others = [other for other in notes if other.onset == note.onset]
        made = _changed(notes, index, kind, gap, before, len(others), rng)
        if made is not None:
            answer = played(drill, made, rng, rate=rng.choice(_RATES), wait=rng.choice(_WAITS), shake=_SHAKE)
            return Planted(answer, kind, note.onset + (gap // 2 if kind == "extra note" else 0))
    return None


def _changed(
    notes: list[Note], index: int, kind: str, gap: int, before: int, together: int, rng: Random
) -> list[Note] | None:
    """The notes with one changed."""
    note, rest = notes[index], [*notes[:index], *notes[index + 1 :]]
    if kind == "wrong note":
        to = note.pitch + rng.choice(_WRONG_BY)
        if any(other.pitch == to and other.onset == note.onset for other in notes):
            return None
        return [*rest, note._replace(pitch=to, spelling=fifths_of_semitones(to))]
    if kind == "missing note":
        return rest
    if kind == "extra note":
        if gap < QUARTER:
            return None
        to = note.pitch + rng.choice(_EXTRA_BY)
        return [*notes, Note(note.onset + gap // 2, gap // 2, to, note.velocity, fifths_of_semitones(to))]
    if kind == "rhythm":
        if together > 1 or min(gap, before) < QUARTER // 2:
            return None
        by = rng.choice((-1, 1)) * min(gap, before) * 2 // _LATE
        return [*rest, note._replace(onset=note.onset + by)]
    if note.duration < QUARTER * 3 // 4:
        return None
    return [*rest, note._replace(duration=note.duration // 4)]


def located(planted: Planted, drill: Score, grade: Grade) -> bool:
    """Whether the grade names that mistake in its bar."""
    bar = max(index for index, line in enumerate(drill.bar_lines) if line <= planted.tick)
    where = bar + drill.first_bar
    return any(mistake.kind == planted.kind and mistake.bar == where for mistake in grade.mistakes)
