"""Scopes: what a change is about, and the proof that everything else stayed.

Conventions: a scope names voices and stretches of bars by number, both ends included; a note belongs to the bar in
which it starts. What changes in the course of a piece (key, tempo) is in scope inside those bars only, and outside of
them is compared as it holds, bar by bar. Like ``Score.digest``, the proof does not see grids.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from libretto.errors import ScoreError
from libretto.score.model import Score, in_force
from libretto.score.voice import Voice

__all__ = ["HEAD", "Scope", "digest_outside", "same_outside"]

#: What of a piece's head a change may be about.
HEAD = ("title", "keys", "meters", "tempos", "sections")
_NEVER = 2**62  # ticks; no piece is as long
T = TypeVar("T")
Stretches = list[tuple[int, int]]


@dataclass(frozen=True)
class Scope:
    """What a change is about: what some voices start in some bars, and what of the head.

    ``chords`` are the labels of those bars, ``head`` what holds in them, ``programs`` the sounds of voices anywhere,
    ``whole`` voices that come or go.
    """

    voices: tuple[str, ...] = ()
    bars: tuple[tuple[int, int], ...] = ()
    chords: bool = False
    head: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    whole: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        unknown = set(self.head) - set(HEAD)
        if unknown:
            raise ScoreError(f"a piece's head has {', '.join(HEAD)}, not {', '.join(sorted(unknown))}")
        for first, last in self.bars:
            if first > last:
                raise ScoreError(f"bars {first}-{last} run backwards")


def digest_outside(score: Score, scope: Scope) -> str:
    """A fingerprint of all the music except what a scope is about.

    >>> piece = Score.build([], bars=4, title="A")
    >>> other = Score.build([], bars=4, title="B")
    >>> digest_outside(piece, Scope(head=("title",))) == digest_outside(other, Scope(head=("title",)))
    True
    """
    bars = _bars(score, scope)
    ticks = [(score.bar_lines[low], score.bar_lines[high + 1]) for low, high in bars]
    total = hashlib.sha256(repr((scope, _head(score, scope, ticks))).encode())
    inside = {bar for low, high in bars for bar in range(low, high + 1)} if scope.chords else set()
    total.update(repr([labels for bar, labels in enumerate(score.chords) if bar not in inside]).encode())
    for voice in score.voices:
        if voice.name not in scope.whole:
            _add(total, voice, scope, ticks)
    total.update(repr([(_place(score, mark.tick), mark._replace(tick=0)) for mark in score.marks]).encode())
    return total.hexdigest()


def _head(score: Score, scope: Scope, ticks: Stretches) -> list[object]:
    """What a piece's head has outside of what a scope is about."""
    reshaped = "meters" in scope.head and not len(score.table)  # of an empty piece the bars may become longer
    told: list[object] = [score.first_bar, score.bars, "" if "title" in scope.head else score.title]
    told.append(None if reshaped else score.bar_lines)
    kinds: dict[str, Sequence[tuple[int, object]]] = {
        "meters": score.meters,
        "keys": score.keys,
        "tempos": score.tempos,
    }
    for name, changes in kinds.items():
        held = _held(changes, ticks, score.ticks) if name in scope.head else changes
        told.append([(_place(score, tick), value) for tick, value in held])
    told.append([(_place(score, tick), name) for tick, name in _sections(score, scope, ticks)])
    return told


def _bars(score: Score, scope: Scope) -> Stretches:
    """The stretches of bars by index, in order and apart from one another."""
    joined: Stretches = []
    for low, high in sorted((score.index_of(first), score.index_of(last)) for first, last in scope.bars):
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return joined


def _within(ticks: Stretches, tick: int) -> bool:
    """Whether a tick lies in one of some stretches."""
    at = bisect_right(ticks, (tick, _NEVER)) - 1
    return at >= 0 and tick < ticks[at][1]


def _place(score: Score, tick: int) -> tuple[int, int]:
    bar = score.bar_at(tick)
    return bar, tick - score.bar_lines[bar]


def _held(changes: Sequence[tuple[int, T]], ticks: Stretches, end: int) -> list[tuple[int, T]]:
    """What holds outside some stretches: every change there, and what holds where each stretch is over."""
    outside = {tick: value for tick, value in changes if not _within(ticks, tick)}
    stops = {stop for _, stop in ticks if stop < end}
    outside |= {stop: in_force(changes, stop) for stop in stops}
    plain: list[tuple[int, T]] = []
    for tick, value in sorted(outside.items(), key=lambda change: change[0]):
        if tick in stops or not plain or plain[-1][1] != value:
            plain.append((tick, value))
    return plain


def _sections(score: Score, scope: Scope, ticks: Stretches) -> list[tuple[int, str]]:
    """The sections that begin outside of what the scope is about."""
    if "sections" not in scope.head:
        return list(score.sections)
    return [(tick, name) for tick, name in score.sections if not _within(ticks, tick)]


def _add(total: hashlib._Hash, voice: Voice, scope: Scope, ticks: Stretches) -> None:
    """Put into a digest what a voice has outside of a scope."""
    program = None if voice.name in scope.programs else voice.program
    notes, marks = voice.array, voice.marks
    if voice.name in scope.voices:
        kept = np.ones(len(notes), dtype=np.bool_)
        for start, stop in ticks:
            kept &= (notes["onset"] < start) | (notes["onset"] >= stop)
        notes = notes[kept]
        marks = tuple(mark for mark in marks if not _within(ticks, mark.tick))
    total.update(repr((voice.name, program, voice.drums, len(notes), tuple(marks))).encode())
    total.update(notes.tobytes() + voice.controls.tobytes())


def same_outside(before: Score, after: Score, scope: Scope) -> bool:
    """Whether everything outside a scope is the same music in both."""
    return before.numbers == after.numbers and digest_outside(before, scope) == digest_outside(after, scope)
