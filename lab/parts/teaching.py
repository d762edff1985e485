"""Teach the ears for parts, fold by fold of artists, and set from which strength each speaks.

Conventions: songs of one artist stay together in one of four folds. What a piece reached is always what trees said that
had not met its artist. A damaged voice is what an ear should hear; the other voices of a damaged piece teach a little
that they are not it. From which strength an ear speaks is set cell by cell: forces and lengths with few pieces lean on
the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from lab.parts.examples import Lesson, Take
from lab.spot.growing import Growing, grow
from libretto.bench.spotting import number_of
from libretto.faults.parts.ear import EARS, note_rows, unresolved
from libretto.faults.trees import Grove
from libretto.score.table import Bools, Floats

__all__ = ["FOLDS", "Reached", "Taught", "fold_of", "teach"]

FOLDS = 4
_LAST_DIGIT = 10  # of an artist's number, which decides what the ear for places keeps for tests
_SILENT = -12.0
_POSITIVE: dict[str, dict[str, float]] = {
    "pitch": {"semitone": 1.5, "tritone": 1.5, "semitone down": 0.9},
    "pulse": {"half a beat late": 1.5},
    "passage": {"semitone for 8 bars": 1.0, "semitone down for 8 bars": 1.0},
    "notes": {"wrong notes": 1.5},
}  # which damage an ear is to hear, and how much each counts
_OTHERS = 0.3  # how much the sound voices of a damaged piece count together
_COVERED = 0.7  # of a passage: so much of it is damaged where it counts as damaged
_CLEAN_PASSAGES = 4.0  # how much the passages of an untouched piece count together
_DRAWN, _HARD = 12, 16  # sound notes of a piece that teach: drawn, and the most deceptive
_DRAW = 3  # the seed by which notes are drawn
_TREES = Growing(trees=140, depth=4, rate=0.08, columns=0.3, ridge=5.0, least=12)
_SCOUT = Growing(trees=40, depth=4, rate=0.2)
_SECOND = Growing(trees=80, depth=3, rate=0.08, columns=0.4, ridge=5.0)


@dataclass(frozen=True)
class Reached:
    """What the ears reached in one take of one piece, held out: strengths by ear, and whether the voice is right."""

    lesson: int
    piece: int
    cell: str
    kind: str
    strength: dict[str, float]
    right: dict[str, bool]


@dataclass(frozen=True, eq=False)
class Taught:
    """Groves by ear (``note`` is the first hearing of single notes), one a fold; and what was reached, held out."""

    groves: dict[str, tuple[Grove, ...]]
    reached: tuple[Reached, ...]


def fold_of(group: str) -> int:
    """The fold of an artist."""
    return number_of(group) // _LAST_DIGIT % FOLDS


class _Table:
    def __init__(self) -> None:
        self.rows: list[Floats] = []
        self.truth: list[Bools] = []
        self.weight: list[Floats] = []

    def add(self, rows: Floats, truth: Bools, weight: Floats) -> None:
        self.rows.append(rows)
        self.truth.append(truth)
        self.weight.append(weight)

    def grown(self, how: Growing) -> Grove:
        """Trees from the table; what is to be heard and what is not count alike in all."""
        rows = np.concatenate(self.rows).astype(np.float64)
        truth, weight = np.concatenate(self.truth), np.concatenate(self.weight)
        for side in (truth, ~truth):
            weight[side] *= truth.sum() / max(float(weight[side].sum()), 1e-9)
        return grow(rows, truth, weight, how)


def _takes(lessons: Sequence[Lesson]) -> list[Take]:
    return [take for lesson in lessons for piece in lesson.pieces for take in piece.takes]


def _whole(lessons: Sequence[Lesson], ear: str) -> Grove:
    table = _Table()
    for take in _takes(lessons):
        if len(take.voices) and (not take.kind or take.kind in _POSITIVE[ear]):
            table.add(take.whole, *_marked(take, ear))
    return table.grown(_TREES)


def _marked(take: Take, ear: str) -> tuple[Bools, Floats]:
    """Which voices of a take are to be heard, and how much each counts."""
    count = len(take.voices)
    hit = np.asarray((take.voices == take.voice) & bool(take.kind))
    if not take.kind:
        return hit, np.full(count, 1 / count**0.5)
    return hit, np.where(hit, _POSITIVE[ear][take.kind], _OTHERS / count)


def _passages(lessons: Sequence[Lesson]) -> Grove:
    table = _Table()
    for take in _takes(lessons):
        count = len(take.passage_voice)
        if count and not take.kind:
            table.add(take.passages, np.zeros(count, dtype=np.bool_), np.full(count, _CLEAN_PASSAGES / count))
        elif count and take.kind in _POSITIVE["passage"]:
            low = np.maximum(take.passage_bars[:, 0], take.bars[0])
            both = np.minimum(take.passage_bars[:, 1], take.bars[1]) - low
            length = take.passage_bars[:, 1] - take.passage_bars[:, 0]
            mine = take.passage_voice == take.voice
            hit = mine & (both >= _COVERED * length)
            kept = hit | (~mine & (2 * both >= length))
            table.add(take.passages[kept], hit[kept], np.where(hit, 1.0, _OTHERS / 3)[kept])
    return table.grown(_TREES)


def _notes(lessons: Sequence[Lesson], scout: Grove | None) -> _Table:
    table, chance = _Table(), np.random.default_rng(_DRAW)
    for take in _takes(lessons):
        notes = take.notes
        if notes is None or not len(notes.bar):
            continue
        if not take.kind:
            chosen = chance.integers(0, len(notes.bar), _DRAWN)
            if scout is not None:
                hard = np.argsort(-scout(notes.rows.astype(np.float64)), kind="stable")[:_HARD]
                chosen = np.unique(np.concatenate((chosen, hard)))
            table.add(notes.rows[chosen], np.zeros(len(chosen), dtype=np.bool_), np.full(len(chosen), 1 / len(chosen)))
        elif notes.wrong.any():
            chosen = np.flatnonzero(notes.wrong)
            table.add(notes.rows[chosen], np.ones(len(chosen), dtype=np.bool_), np.full(len(chosen), 1 / len(chosen)))
    return table


def _second(rows: dict[tuple[int, int, int], Floats], lessons: Sequence[Lesson], kept: set[int]) -> Grove:
    table = _Table()
    for (song, piece, number), values in rows.items():
        if song in kept:
            take = lessons[song].pieces[piece].takes[number]
            table.add(values, *_marked(take, "notes"))
    return table.grown(_SECOND)


def teach(lessons: Sequence[Lesson], step: Callable[[str], None] = lambda _: None) -> Taught:
    """All ears, a grove for every fold left out, and what each piece reached when its artist was left out."""
    fold = [fold_of(lesson.group) for lesson in lessons]
    groves: dict[str, list[Grove]] = {ear: [] for ear in (*EARS, "note")}
    for out in range(FOLDS):
        rest = [lesson for lesson, mine in zip(lessons, fold, strict=True) if mine != out]
        groves["pitch"].append(_whole(rest, "pitch"))
        groves["pulse"].append(_whole(rest, "pulse"))
        groves["passage"].append(_passages(rest))
        groves["note"].append(_notes(rest, _notes(rest, None).grown(_SCOUT)).grown(_TREES))
        step(f"taught fold {out + 1} of {FOLDS}")
    rows: dict[tuple[int, int, int], Floats] = {}
    for song, lesson in enumerate(lessons):
        for number, piece in enumerate(lesson.pieces):
            for index, take in enumerate(piece.takes):
                if take.notes is not None and len(take.voices):
                    evidence = take.notes.rows.astype(np.float64)
                    heard = unresolved(groves["note"][fold[song]](evidence), evidence)
                    rows[song, number, index] = note_rows(heard, take.notes.voice, take.voices, take.whole)
    for out in range(FOLDS):
        groves["notes"].append(_second(rows, lessons, {song for song, mine in enumerate(fold) if mine != out}))
    step("taught wrong notes")
    reached = [
        _reached(groves, rows.get((song, number, index)), take, (song, number, piece.cell), fold[song])
        for song, lesson in enumerate(lessons)
        for number, piece in enumerate(lesson.pieces)
        for index, take in enumerate(piece.takes)
    ]
    return Taught({ear: tuple(trees) for ear, trees in groves.items()}, tuple(reached))


def _reached(
    groves: dict[str, list[Grove]], notes: Floats | None, take: Take, place: tuple[int, int, str], fold: int
) -> Reached:
    rows = {"pitch": take.whole, "pulse": take.whole, "passage": take.passages}
    voices = {"pitch": take.voices, "pulse": take.voices, "passage": take.passage_voice}
    if notes is not None:
        rows["notes"], voices["notes"] = notes, take.voices
    strength, right = {}, {}
    for ear, values in rows.items():
        heard = groves[ear][fold](values.astype(np.float64)) if len(values) else np.zeros(0)
        strength[ear] = float(heard.max(initial=_SILENT))
        right[ear] = bool(len(heard) and voices[ear][int(heard.argmax())] == take.voice)
    return Reached(*place, take.kind, strength, right)
