"""Breath: who blows or sings takes one where a phrase has gone on for as long as a breath lasts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.instruments import instrument_named, instrument_of_program
from libretto.edits.spans import remade
from libretto.score import QUARTER, Score, Voice

__all__ = ["breathed"]

_LASTS = 9.0  # seconds that are played on one breath
_LEAST = 2.5  # seconds after one before which nobody takes another
_TAKES = 0.14  # seconds that are enough for one
_CUTS = (QUARTER // 2, QUARTER)  # ticks by which a note is shortened for it: the first that takes long enough
_KEPT = 0.5  # of a note, which is heard before a breath
_PHRASES = {4: 2.0, 2: 1.2, 1: 0.6}  # how good it is to breathe after so many bars of a section
_LONGEST = 3.0  # beats: a longer note before a breath makes it no better
_LATE = 1.5  # how much better a late breath is than an early one
_CIRCULAR = frozenset(("didgeridoo",))  # who breathes in while blowing


def breathed(score: Score) -> Score:
    """The piece with a breath in every stretch of a wind or a voice that is longer than one lasts: the note before it
    is shortened. Several in one part breathe where nobody of them holds a note."""
    voices = [_with_breaths(score, voice) if _breathes(voice) else voice for voice in score.voices]
    changed = any(new is not old for new, old in zip(voices, score.voices, strict=True))
    return remade(score, voices, None) if changed else score


def _breathes(voice: Voice) -> bool:
    """Whether who plays a part needs breath."""
    if voice.drums or voice.program is None or not len(voice.array):
        return False
    named = instrument_named(voice.name)
    known = named if named is not None and voice.program in named.programs else instrument_of_program(voice.program)
    return known.breathes and known.name not in _CIRCULAR


def _with_breaths(score: Score, voice: Voice) -> Voice:
    """A part with the breaths that it lacks."""
    notes = voice.array.copy()
    order = np.argsort(notes["onset"], kind="stable")
    starts, first = np.unique(notes["onset"][order], return_index=True)
    ends = _ends(notes)[order]
    held = np.append(0, np.maximum.accumulate(ends))[first].tolist()  # until when what was before
    until = np.maximum.reduceat(ends, first).tolist()
    last, places = int(starts[0]), list[int]()
    for start, before, end in zip(map(int, starts), held, until, strict=True):
        if before < start and _seconds(score, before, start) >= _TAKES:
            last, places = start, []
        elif before == start:
            places.append(start)
        while _seconds(score, last, end) > _LASTS:
            best = _best(score, notes, places, last)
            if best is None:
                break
            _shorten(score, notes, best)
            last, places = best, [place for place in places if place > best]
    return voice if np.array_equal(notes, voice.array) else voice.with_notes(notes)


def _best(score: Score, notes: NDArray[Any], places: Sequence[int], last: int) -> int | None:
    """Where it is best to breathe of some places since the last breath: at the end of a phrase, after a long note, and
    not sooner than has to be; None where no note is long enough to end early."""
    able = [
        place
        for place in places
        if _LEAST <= _seconds(score, last, place) <= _LASTS and _cut(score, notes, place) is not None
    ]
    return max(able, key=lambda place: _good(score, notes, place, last), default=None)


def _good(score: Score, notes: NDArray[Any], place: int, last: int) -> float:
    """How good a place is to breathe."""
    section = max((tick for tick, _ in score.sections if tick <= place), default=0)
    bars = [number for number, line in enumerate(score.bar_lines) if section < line <= place]
    at_bar = bool(bars) and score.bar_lines[bars[-1]] == place
    phrase = max((good for count, good in _PHRASES.items() if at_bar and len(bars) % count == 0), default=0.0)
    beats = int(_ending(notes, place)["duration"].max()) / QUARTER
    return phrase + min(beats, _LONGEST) + _LATE * _seconds(score, last, place) / _LASTS


def _cut(score: Score, notes: NDArray[Any], place: int) -> int | None:
    """By how much the notes before a place are to end early; None where they are too short for that."""
    shortest = int(_ending(notes, place)["duration"].min())
    return next(
        (cut for cut in _CUTS if cut <= shortest * _KEPT and _seconds(score, place - cut, place) >= _TAKES), None
    )


def _shorten(score: Score, notes: NDArray[Any], place: int) -> None:
    """The notes before a place, ended in time for a breath."""
    ending = _ends(notes) == place
    notes["duration"][ending] -= _cut(score, notes, place) or 0


def _ending(notes: NDArray[Any], place: int) -> NDArray[Any]:
    """The notes that end at a place."""
    return np.asarray(notes[_ends(notes) == place])


def _ends(notes: NDArray[Any]) -> NDArray[np.int64]:
    """Where notes end."""
    return np.asarray(notes["onset"] + notes["duration"], dtype=np.int64)


def _seconds(score: Score, start: int, end: int) -> float:
    """How long it is from one tick to another."""
    first, last = score.seconds_at(np.array([start, end]))
    return float(last - first)
