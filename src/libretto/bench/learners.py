"""Learners that make known mistakes: answers that are exact, slower, shaken or late to begin, or wrong in one place."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from libretto.score import QUARTER, Note, Score, Voice, transpose
from libretto.tasks.drill.mistakes import Grade

__all__ = ["KINDS", "Planted", "fair_answers", "located", "plant", "played"]

_STEADY = 500_000  # an answer is a recording: its own clock, 120 quarters a minute
#: The mistakes that learners are made to make.
KINDS = ("wrong note", "missing note", "extra note", "rhythm", "length")


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
    found = []
    for note in notes:
        start, end = drill.seconds_at(np.array([note.onset, note.onset + note.duration]))
        off = rng.uniform(-shake, shake)
        onset = max(0.0, wait + rate * start + off)
        length = max(0.02, rate * (end - start) + rng.uniform(-shake, shake) / 2)
        found.append(note._replace(onset=_ticks(onset), duration=max(1, _ticks(length))))
    return Score.build([Voice.of("LEARNER", found)], tempos=[(0, _STEADY)], keys=[(0, drill.key)])


def _ticks(seconds: float) -> int:
    return round(seconds * 1e6 / _STEADY * QUARTER)


def fair_answers(drill: Score, rng: Random) -> Iterator[tuple[str, Score]]:
    """Answers without a mistake: the drill itself, and played at other tempos, shaken, after silence, transposed."""
    notes = list(drill.voices[0].notes)
    yield "itself", drill
    yield "slower", played(drill, notes, rng, rate=1.4)
    yield "faster", played(drill, notes, rng, rate=0.75)
    yield "shaken", played(drill, notes, rng, shake=0.03)
    yield "after a count", played(drill, notes, rng, wait=2.35)
    yield "all of it", played(drill, notes, rng, rate=1.15, wait=1.7, shake=0.025)
    if max(note.pitch for note in notes) < 120:
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
            answer = played(
                drill, made, rng, rate=rng.choice((1.0, 1.2, 0.85)), wait=rng.choice((0.0, 1.3)), shake=0.015
            )
            return Planted(answer, kind, note.onset + (gap // 2 if kind == "extra note" else 0))
    return None


def _changed(
    notes: list[Note], index: int, kind: str, gap: int, before: int, together: int, rng: Random
) -> list[Note] | None:
    """The notes with one changed."""
    note, rest = notes[index], [*notes[:index], *notes[index + 1 :]]
    if kind == "wrong note":
        to = note.pitch + rng.choice((-2, -1, 1, 2))
        if any(other.pitch == to and other.onset == note.onset for other in notes):
            return None
        return [*rest, note._replace(pitch=to, spelling=_plain(to))]
    if kind == "missing note":
        return rest
    if kind == "extra note":
        if gap < QUARTER:
            return None
        to = note.pitch + rng.choice((-4, -3, 3, 4))
        return [*notes, Note(note.onset + gap // 2, gap // 2, to, note.velocity, _plain(to))]
    if kind == "rhythm":
        if together > 1 or min(gap, before) < QUARTER // 2:
            return None
        by = rng.choice((-1, 1)) * min(gap, before) * 2 // 5
        return [*rest, note._replace(onset=note.onset + by)]
    if note.duration < QUARTER * 3 // 4:
        return None
    return [*rest, note._replace(duration=note.duration // 4)]


def _plain(pitch: int) -> int:
    return (pitch * 7 + 5) % 12 - 5


def located(planted: Planted, drill: Score, grade: Grade) -> bool:
    """Whether the grade names that mistake in its bar."""
    bar = max(index for index, line in enumerate(drill.bar_lines) if line <= planted.tick)
    where = bar + drill.first_bar
    return any(each.kind == planted.kind and each.bar == where for each in grade.mistakes)
