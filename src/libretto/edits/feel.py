"""Feel: eighths that swing, straight ones, beats that come early or late."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.edits.spans import Notes, Spans, changed, stretches
from libretto.errors import LibrettoError
from libretto.score import QUARTER, Score, Voice
from libretto.score.table import Ints

__all__ = ["laid_back", "on_the_beat", "straightened", "swing_share", "swung", "syncopated"]

_HALF, _LONG = QUARTER // 2, 2 * QUARTER // 3  # where the second of two eighths begins: evenly, and swung 2:1
_NEAR = QUARTER // 16  # a start that lies nearer to a place is meant to be there
_EARLY = QUARTER // 2  # how much earlier a syncopated note comes
_LATE = QUARTER // 24  # how much later a note comes that is laid back
_LEAST = QUARTER // 8  # no note becomes shorter
_TWO_HANDS, _RIGHT = 30, 57  # semitones that two hands span, and A3: from where on the right one plays


def swing_share(score: Score, names: Sequence[str] = (), spans: Spans = None) -> float | None:
    """The share of the second eighths that are swung, of those that are swung or even; None where there are none."""
    ticks, even, late = stretches(score, spans), 0, 0
    lines = np.asarray(score.bar_lines)
    for voice in score.voices:
        if names and voice.name not in names:
            continue
        onset = voice.array["onset"]
        inside = np.zeros(len(onset), dtype=np.bool_)
        for start, end in ticks:
            inside |= (onset >= start) & (onset < end)
        place = _places(lines, np.unique(onset[inside])) % QUARTER
        even += int((np.abs(place - _HALF) < _NEAR).sum())
        late += int((np.abs(place - _LONG) < _NEAR).sum())
    return late / (even + late) if even + late else None


def _places(lines: Ints, onset: Ints) -> Ints:
    """How far starts lie from the lines of their bars."""
    return np.asarray(onset - lines[np.searchsorted(lines, onset, side="right") - 1], dtype=np.int64)


def swung(score: Score, spans: Spans = None, names: Sequence[str] = ()) -> Score:
    """Pairs of eighths long and short, two to one; finer notes go along, beats stay where they are.

    A passage that swings already stays as it is, and so does one in threes.
    """
    share = swing_share(score, names, spans)
    if share is not None and share > 1 / 2:
        return score
    return _warped(
        score, names, spans, lambda place: np.where(place < _HALF, place * 4 // 3, _LONG + (place - _HALF) * 2 // 3)
    )


def straightened(score: Score, spans: Spans = None, names: Sequence[str] = ()) -> Score:
    """Swung eighths even again; a sign that says to swing goes where the whole piece is meant."""

    def even(place: Ints) -> Ints:
        return np.where(place < _LONG, place * 3 // 4, _HALF + (place - _LONG) * 3 // 2)

    made = score
    if (swing_share(score, names, spans) or 0.0) > 0:
        made = _warped(score, names, spans, even, only=_LONG)
    if spans is None or (stretches(score, spans) == [(0, score.ticks)] and not names):
        made = replace(made, marks=tuple(mark for mark in made.marks if mark.kind != "swing"))
    return made


def _warped(
    score: Score, names: Sequence[str], spans: Spans, warp: Callable[[Ints], Ints], only: int | None = None
) -> Score:
    """The piece with places inside beats moved; ``only`` are beats of a voice in which something starts there."""
    if any(score.meter_at(start).is_compound for start, _ in stretches(score, spans)):
        raise LibrettoError("beats of three parts do not swing; this is in " + str(score.meter))
    lines = np.asarray(score.bar_lines)

    def moved(voice: Voice, notes: Notes) -> Notes:
        onset = notes["onset"].astype(np.int64)
        place = _places(lines, onset)
        beat = onset - place % QUARTER
        fine = np.ones(len(notes), dtype=np.bool_)
        if only is not None:
            swinging = np.unique(beat[np.abs(place % QUARTER - only) < _NEAR])
            fine = np.isin(beat, swinging)
        new = beat + warp(place % QUARTER)
        end = onset + notes["duration"]
        last = end - _places(lines, np.minimum(end, lines[-1])) % QUARTER
        stop = np.where(end > lines[-1], end, last + warp(end - last))
        stop = np.where(fine, stop, end)
        new = np.where(fine, new, onset)
        notes["onset"], notes["duration"] = new, np.maximum(stop - new, np.minimum(notes["duration"], _LEAST))
        return notes

    return changed(score, names, spans, moved, drums=True)


def syncopated(score: Score, names: Sequence[str] = (), spans: Spans = None, *, strong: bool = False) -> Score:
    """Notes on weak beats come an eighth early, where nothing of their voice is in the way; of two hands the right one
    moves over what the left one plays.

    ``strong``: on strong beats too, but for the first of a bar.
    """
    ticks = stretches(score, spans)
    lines = np.asarray(score.bar_lines)

    def early(voice: Voice, notes: Notes) -> Notes:
        onset = notes["onset"].astype(np.int64)
        place = _places(lines, onset)
        free = np.zeros(len(notes), dtype=np.bool_)
        for hand in _hands(notes["pitch"]):
            starts = np.unique(onset[hand])
            before = starts[np.maximum(np.searchsorted(starts, onset[hand]) - 1, 0)]
            free[hand] = (onset[hand] - before > _EARLY) | (before == onset[hand])
        weak = (place % QUARTER == 0) & ((place % (2 * QUARTER) != 0) | (strong & (place > 0)))
        first = np.isin(onset - place, [start for start, _ in ticks]) & (place < _EARLY)
        move = weak & free & ~first & (notes["duration"] >= _EARLY)
        notes["onset"] = np.where(move, onset - _EARLY, onset)
        return notes

    return changed(score, names, spans, early)


def _hands(pitches: NDArray[Any]) -> list[NDArray[np.bool_]]:
    """Which notes each hand plays: two where the notes span two hands, else one."""
    right = pitches >= _RIGHT
    wide = len(pitches) > 0 and int(pitches.max()) - int(pitches.min()) >= _TWO_HANDS
    return [right, ~right] if wide else [np.ones(len(pitches), dtype=np.bool_)]


def on_the_beat(score: Score, names: Sequence[str] = (), spans: Spans = None) -> Score:
    """Notes that anticipate a beat by an eighth come on it, where nothing of their voice is there already."""
    ticks = stretches(score, spans)
    lines = np.asarray(score.bar_lines)

    def later(voice: Voice, notes: Notes) -> Notes:
        onset = notes["onset"].astype(np.int64)
        there = onset + _EARLY
        inside = np.zeros(len(notes), dtype=np.bool_)
        for start, end in ticks:
            inside |= (there >= start) & (there < end)
        late = _places(lines, onset) % QUARTER == _HALF
        move = late & inside & ~np.isin(there, onset) & (notes["duration"] > _EARLY)
        notes["onset"] = np.where(move, there, onset)
        notes["duration"] = np.where(move, notes["duration"] - _EARLY, notes["duration"])
        return notes

    return changed(score, names, spans, later)


def laid_back(score: Score, names: Sequence[str] = (), spans: Spans = None) -> Score:
    """Those notes a little behind the beat; none comes so late that it leaves its stretch of bars."""
    ends = np.array([end for _, end in stretches(score, spans)], dtype=np.int64)

    def late(voice: Voice, notes: Notes) -> Notes:
        border = ends[np.searchsorted(ends, notes["onset"], side="right")]
        by = np.where(notes["onset"] + _LATE < border, _LATE, 0)
        notes["onset"] += by
        notes["duration"] = np.maximum(notes["duration"] - by, 1)
        return notes

    return changed(score, names, spans, late, drums=True)
