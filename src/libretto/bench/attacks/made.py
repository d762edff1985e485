"""Attacks that are made from nothing but a frame: silence, one note, notes by chance, scales, walls."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.bench.attacks.frame import Rows, attacks, for_each, lines_of, notes_of, ranges_of, rewritten
from libretto.score import QUARTER, Score

__all__ = [
    "arpeggios",
    "drone",
    "one_note",
    "one_pitch",
    "random_chords",
    "random_notes",
    "random_pentatonic",
    "random_scale",
    "scales",
    "silence",
    "walk",
    "wall",
]

_SLOT = QUARTER // 4
_PENTATONIC, _MAJOR = (0, 2, 4, 7, 9), (0, 2, 4, 5, 7, 9, 11)
_TRIADS = ((0, 4, 7), (5, 9, 0), (7, 11, 2), (9, 0, 4))  # degrees I, IV, V, vi in semitones
_THICK = 6  # notes of a chord in a wall


@attacks.register("silence")
def silence(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score:
    """No note at all."""
    return rewritten(score, [voice.array[:0] for voice in score.voices])


@attacks.register("one note")
def one_note(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score:
    """One note, held as long as it may be."""
    return for_each(
        score,
        lambda number, low, high: notes_of(np.zeros(1, dtype=np.int64), score.ticks, (low + high) // 2)[: number == 0],
    )


@attacks.register("one note again and again")
def one_pitch(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score:
    """One pitch a voice, on every eighth or quarter."""
    unit = QUARTER // int(chance.choice([1, 2]))
    onset = np.arange(0, score.ticks, unit)
    return for_each(score, lambda number, low, high: notes_of(onset, unit, (low + high) // 2))


@attacks.register("a drone")
def drone(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score:
    """A note a bar, all alike, a chord of all voices."""
    onset = lines_of(score)[:-1]
    return for_each(
        score, lambda number, low, high: notes_of(onset, np.diff(lines_of(score)), low + (0, 7, 12, 4)[number % 4])
    )


@attacks.register("random notes")
def random_notes(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score:
    """Pitches within the range of each voice at its own times."""
    rows = []
    for voice, (low, high) in zip(score.voices, ranges_of(score), strict=True):
        notes = voice.array.copy()
        if not voice.drums:
            notes["pitch"] = chance.integers(low, high + 1, len(notes))
        rows.append(notes)
    return rewritten(score, rows)


def _drawn(score: Score, chance: np.random.Generator, classes: Sequence[int]) -> Score:
    tonic = score.key.tonic_class

    def make(number: int, low: int, high: int) -> Rows:
        able = np.array([p for p in range(low, high + 1) if (p - tonic) % 12 in classes] or [low])
        onset = np.sort(
            chance.choice(np.arange(0, score.ticks, 2 * _SLOT), max(8, score.ticks // QUARTER), replace=False)
        )
        return notes_of(
            onset,
            np.append(np.diff(onset), _SLOT),
            chance.choice(able, len(onset)),
            chance.integers(60, 101, len(onset)),
        )

    return for_each(score, make)


@attacks.register("random notes of the scale")
def random_scale(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score:
    """Notes of the key in range, at random eighths."""
    return _drawn(score, chance, _MAJOR)


@attacks.register("random pentatonic notes")
def random_pentatonic(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score:
    """The same of five notes that never rub."""
    return _drawn(score, chance, _PENTATONIC)


@attacks.register("random chord notes")
def random_chords(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score:
    """In every bar random notes of its chord, of I, IV, V and vi by turns, on every eighth or quarter."""
    tonic, lines = score.key.tonic_class, lines_of(score)
    unit = QUARTER // int(chance.choice([1, 2]))

    def make(number: int, low: int, high: int) -> Rows:
        onset = np.arange(0, score.ticks, unit)
        bar = np.searchsorted(lines, onset, "right") - 1
        able = [np.array([p for p in range(low, high + 1) if (p - tonic) % 12 in chord] or [low]) for chord in _TRIADS]
        return notes_of(onset, unit, np.array([chance.choice(able[b % len(able)]) for b in bar.tolist()]))

    return for_each(score, make)


@attacks.register("a random walk")
def walk(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score:
    """Every voice wanders by steps of the scale, in eighths."""
    tonic = score.key.tonic_class

    def make(number: int, low: int, high: int) -> Rows:
        able = np.array([p for p in range(low, high + 1) if (p - tonic) % 12 in _MAJOR] or [low])
        onset = np.arange(0, score.ticks, 2 * _SLOT)
        at = np.cumsum(chance.choice([-1, 1], len(onset)))
        turn = 2 * max(len(able) - 1, 1)
        return notes_of(onset, 2 * _SLOT, able[np.minimum(at % turn, turn - at % turn) % len(able)])

    return for_each(score, make)


@attacks.register("scales up and down")
def scales(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score:
    """Every voice runs through its scale, up and down again."""
    tonic, unit = score.key.tonic_class, QUARTER // int(chance.choice([1, 2]))

    def make(number: int, low: int, high: int) -> Rows:
        able = np.array([p for p in range(low, high + 1) if (p - tonic) % 12 in _MAJOR] or [low])
        onset = np.arange(0, score.ticks, unit)
        turn = 2 * max(len(able) - 1, 1)
        at = np.arange(len(onset)) % turn
        return notes_of(onset, unit, able[np.minimum(at, turn - at) % len(able)])

    return for_each(score, make)


@attacks.register("stamped arpeggios")
def arpeggios(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score:
    """One broken chord, moved along I, IV, V and vi, in every voice and bar."""
    tonic, lines = score.key.tonic_class, lines_of(score)

    def make(number: int, low: int, high: int) -> Rows:
        onset = np.arange(0, score.ticks, 2 * _SLOT)
        bar = np.searchsorted(lines, onset, "right") - 1
        place = (onset - lines[bar]) // (2 * _SLOT)
        chord = np.array(_TRIADS)[bar % len(_TRIADS), place % 3]
        return notes_of(onset, 2 * _SLOT, low + (chord + tonic - low) % 12)

    return for_each(score, make)


@attacks.register("a wall of notes")
def wall(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score:
    """Chords of many notes on every sixteenth."""
    onset = np.repeat(np.arange(0, score.ticks, _SLOT), _THICK)

    def make(number: int, low: int, high: int) -> Rows:
        return notes_of(onset, _SLOT, chance.integers(low, high + 1, len(onset)))

    return for_each(score, make)
