"""A piece in the order in which it sounds: repeats written out, everything on one clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from libretto.score.marks import REPEAT_MARKS, credits_of, follow, shift_marks
from libretto.score.mending import join_split_bars
from libretto.score.model import Score
from libretto.score.voice import Voice

__all__ = ["order_of", "played", "ways_played"]

T = TypeVar("T")
_TIED, _RINGING, _CUE = "tied-in", "let-ring", "cue"


def order_of(score: Score) -> list[int]:
    """The indices of the written bars in the order in which they sound."""
    if not any(mark.kind in REPEAT_MARKS for mark in score.marks):
        return list(range(score.bars))
    from libretto.score.repeats import play_order, signs_of_marks  # most pieces have no repeats

    return play_order(signs_of_marks(score.marks, score.bar_lines))


def played(score: Score) -> Score:
    """The piece with its repeats written out and without cue notes; the piece itself where it has neither.

    A note that rings past a bar after which the play jumps is cut there, or tied into the bar that follows where the
    piece writes such a tie. A short bar and the upbeat that it is repeated with are one bar.
    """
    score = _without_cues(score)
    if not any(mark.kind in REPEAT_MARKS for mark in score.marks):
        return score
    runs = _runs(order_of(score))
    starts = np.cumsum([0, *(score.bar_lines[stop] - score.bar_lines[first] for first, stop in runs)]).tolist()
    marks = [*credits_of(score.marks)]
    marks += [
        mark
        for (first, stop), to in zip(runs, starts, strict=False)
        for mark in shift_marks(score.marks, to - score.bar_lines[first], score.bar_lines[first], score.bar_lines[stop])
        if mark.kind not in REPEAT_MARKS
    ]
    lines = [
        to + line - score.bar_lines[first]
        for (first, stop), to in zip(runs, starts, strict=False)
        for line in score.bar_lines[first:stop]
    ]
    unfolded = replace(
        score,
        voices=tuple(_played(voice, score.bar_lines, runs, starts) for voice in score.voices),
        bar_lines=(*lines, starts[-1]),
        meters=_changes(score.meters, score.bar_lines, runs, starts),
        keys=_changes(score.keys, score.bar_lines, runs, starts),
        tempos=_changes(score.tempos, score.bar_lines, runs, starts),
        sections=_changes(score.sections, score.bar_lines, runs, starts, again=True),
        chords=tuple(labels for first, stop in runs for labels in score.chords[first:stop]),
        grids=tuple(grid for first, stop in runs for grid in score.grids[first:stop]),
        marks=tuple(marks),
    )
    seams = np.cumsum([stop - first for first, stop in runs])[:-1].tolist()
    return join_split_bars(unfolded, seams)


def ways_played(score: Score) -> list[tuple[float, float, int, int]]:
    """What sounds when, in order of play: seconds from and to, and the ticks of the page they go over at an even pace.

    A repeat begins a stretch of its own, and so does a change of tempo; the seconds are those of ``played(score)``.

    >>> ways_played(Score.build([], bars=2))
    [(0.0, 4.0, 0, 322560)]
    """
    sounding, ways, now = played(score), list[tuple[float, float, int, int]](), 0
    for first, stop in _runs(order_of(score)):
        begin, end = score.bar_lines[first], score.bar_lines[stop]
        paces = [tick for tick, _ in sounding.tempos if now < tick < now + end - begin]
        edges = [now, *paces, now + end - begin]
        seconds = sounding.seconds_at(np.array(edges)).tolist()
        ways += [
            (one, other, here - now + begin, there - now + begin)
            for (one, other), (here, there) in zip(pairwise(seconds), pairwise(edges), strict=True)
        ]
        now += end - begin
    return ways


def _without_cues(score: Score) -> Score:
    """The piece without the small notes that only show what others play."""
    if not any(mark.kind == _CUE for voice in score.voices for mark in voice.marks):
        return score
    return replace(score, voices=tuple(map(_silenced, score.voices)))


def _silenced(voice: Voice) -> Voice:
    cues = {(mark.tick, mark.pitch, mark.length) for mark in voice.marks if mark.kind == _CUE}
    columns = (voice.array[name].tolist() for name in ("onset", "pitch", "duration"))
    return voice.with_notes(voice.array[[place not in cues for place in zip(*columns, strict=True)]]) if cues else voice


def _runs(order: Sequence[int]) -> list[tuple[int, int]]:
    """Stretches of bars that follow one another on the page, each as first and stop."""
    edges = [0, *(place for place in range(1, len(order)) if order[place] != order[place - 1] + 1), len(order)]
    return [(order[first], order[stop - 1] + 1) for first, stop in pairwise(edges)]


def _changes(
    changes: Sequence[tuple[int, T]],
    lines: Sequence[int],
    runs: Sequence[tuple[int, int]],
    starts: Sequence[int],
    again: bool = False,
) -> tuple[tuple[int, T], ...]:
    """What changes in the course of the piece as played: where a run begins, what holds there if it is another.

    ``again`` says once more what is written where a run begins, as sections are.
    """
    made: list[tuple[int, T]] = []
    for (first, stop), to in zip(runs, starts, strict=False):
        begin, end = lines[first], lines[stop]
        held = [value for tick, value in changes if tick <= begin][-1:]
        said = again and bool(held) and (begin, held[0]) in changes
        here = [(to, value) for value in held if not made or made[-1][1] != value or said]
        made += here + [(tick - begin + to, value) for tick, value in changes if begin < tick < end]
    return tuple(made)


class _Run(NamedTuple):
    """One run of a voice: its notes as written and as played, and which of those are part of an earlier note."""

    part: Voice
    notes: NDArray[Any]
    gone: NDArray[np.bool_]


def _played(voice: Voice, lines: Sequence[int], runs: Sequence[tuple[int, int]], starts: Sequence[int]) -> Voice:
    """One voice as played."""
    done: list[_Run] = []
    waiting: dict[int, int] = {}  # pitches that ring over a jump, and their rows in the run before
    for index, ((first, stop), to) in enumerate(zip(runs, starts, strict=False)):
        part = voice.between(lines[first], lines[stop], to)
        notes, end = part.array.copy(), starts[index + 1]
        gone = np.zeros(len(notes), dtype=np.bool_)
        if done:
            _tie(done[-1], waiting, part, notes, gone)
        rings = notes["onset"] + notes["duration"] > end
        if index + 1 < len(runs) or stop < len(lines) - 1:
            notes["duration"] = np.minimum(notes["duration"], end - notes["onset"])
        rings = _let_ring(part, notes, rings, end)
        waiting = {int(notes["pitch"][row]): row for row in np.flatnonzero(rings).tolist()}
        done.append(_Run(part, notes, gone))
    marks = [mark for run in done for mark in follow(run.part.marks, run.part.array, run.notes)]
    return replace(
        voice,
        array=np.concatenate([run.notes[~run.gone] for run in done]),
        marks=tuple(mark for mark in marks if mark.kind != _TIED),
        controls=np.concatenate([run.part.controls for run in done]),
    )


def _let_ring(part: Voice, notes: NDArray[Any], rings: NDArray[np.bool_], end: int) -> NDArray[np.bool_]:
    """Which notes ring over the end of a run; those among them, too, whose tie leads to no note on the page."""
    ringing = {(mark.tick, mark.pitch, mark.length) for mark in part.marks if mark.kind == _RINGING}
    if not ringing:
        return rings
    rows = zip(*(part.array[name].tolist() for name in ("onset", "pitch", "duration")), strict=True)
    tied = rings | np.array([row in ringing for row in rows], dtype=np.bool_)
    return np.asarray(tied & (notes["onset"] + notes["duration"] == end), dtype=np.bool_)


def _tie(before: _Run, waiting: dict[int, int], part: Voice, notes: NDArray[Any], gone: NDArray[np.bool_]) -> None:
    """Let the notes that are tied in from a jump lengthen those that wait for them."""
    tied = {(mark.tick, mark.pitch) for mark in part.marks if mark.kind == _TIED}
    for row, (onset, pitch) in enumerate(zip(notes["onset"].tolist(), notes["pitch"].tolist(), strict=True)):
        earlier = waiting.get(pitch)
        if earlier is None or (onset, pitch) not in tied:
            continue
        note = before.notes[earlier]
        if int(note["onset"] + note["duration"]) == onset:
            before.notes["duration"][earlier] += notes["duration"][row]
            gone[row] = True
