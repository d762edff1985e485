"""Pure edits: every function takes a Score and returns another.

Conventions: bars are named by their numbers, as a person reads them, and ranges include both ends. A bar
whose notes change is written anew on the coarsest grid that holds it exactly; any other bar keeps its grid.

Left out: edits of some voices in some bars (see ``patch``), and anything that needs taste.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import gcd
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from libretto.errors import ScoreError
from libretto.score.chords import NO_CHORD
from libretto.score.grid import nearest
from libretto.score.marks import Mark, credits_of, follow, no_controls, shift_marks
from libretto.score.model import Score
from libretto.score.places import place
from libretto.score.table import Ints
from libretto.score.time import WHOLE, Grid
from libretto.score.transposing import transpose
from libretto.score.validate import MAX_BARS, refit
from libretto.score.voice import Voice

__all__ = [
    "add_voice",
    "join",
    "place",
    "regrid",
    "remove_voice",
    "requantize",
    "sounding_bars",
    "take_bars",
    "transpose",
    "without_controls",
]

T = TypeVar("T")
_FOREVER = 2**62  # ticks; no piece is as long


def regrid(
    voices: Sequence[Voice], bar_lines: Sequence[int], grids: Sequence[Grid], touched: NDArray[np.bool_]
) -> tuple[Grid, ...]:
    """The same grids, but an exact new one for each touched bar in which a note starts."""
    if not voices or not touched.any():
        return tuple(grids)
    lines = np.asarray(bar_lines, dtype=np.int64)
    anew = (touched & sounding_bars(voices, bar_lines)).tolist()
    return tuple(new if fresh else old for old, new, fresh in zip(grids, refit(voices, lines), anew, strict=True))


def sounding_bars(voices: Sequence[Voice], bar_lines: Sequence[int]) -> NDArray[np.bool_]:
    """The bars in which a note of some voices starts."""
    lines = np.asarray(bar_lines, dtype=np.int64)
    sounding = np.zeros(len(lines) - 1, dtype=np.bool_)
    for voice in voices:
        sounding[_bars_of(lines, voice.array)] = True
    return sounding


def _bars_of(lines: Ints, notes: NDArray[Any]) -> Ints:
    """The index of the bar in which each note starts."""
    return np.asarray(np.searchsorted(lines, notes["onset"], side="right") - 1, dtype=np.int64)


def take_bars(score: Score, first: int, last: int) -> Score:
    """Those bars alone, starting at tick 0 with the meter, key, tempo and section in force.

    Every voice stays, silent or not. Notes that ring past the last bar keep their length, notes that began
    before the first are left out. Bars are numbered from 1 again, or from 0 where the pickup is taken along.

    >>> take_bars(Score.build([], bars=8, sections=[(0, "A")]), 3, 6).sections
    ((0, 'A'),)
    """
    low, high = score.index_of(first), score.index_of(last)
    if low > high:
        raise ScoreError(f"bars {first}-{last} run backwards")
    start, end = score.bar_lines[low], score.bar_lines[high + 1]
    return replace(
        score,
        voices=tuple(voice.between(start, end) for voice in score.voices),
        bar_lines=tuple(line - start for line in score.bar_lines[low : high + 2]),
        meters=_changes_within(score.meters, start, end),
        keys=_changes_within(score.keys, start, end),
        tempos=_changes_within(score.tempos, start, end),
        sections=_changes_within(score.sections, start, end),
        chords=score.chords[low : high + 1],
        grids=score.grids[low : high + 1],
        first_bar=0 if first == 0 else 1,
        marks=(
            *credits_of(score.marks),
            *(_inside(mark, end - start) for mark in shift_marks(score.marks, -start, start, end)),
        ),
    )


def _inside(mark: Mark, end: int) -> Mark:
    """A mark of the piece that ends where the piece does: a bracket over endings is no longer than its bars."""
    return mark._replace(length=min(mark.length, end - mark.tick))


def _changes_within(changes: Sequence[tuple[int, T]], start: int, end: int) -> tuple[tuple[int, T], ...]:
    before = [(0, value) for tick, value in changes if tick <= start][-1:]
    return (*before, *((tick - start, value) for tick, value in changes if start < tick < end))


def without_controls(score: Score) -> Score:
    """The piece without controllers, bends and pressure: what a person or a model reads and writes."""
    if not any(len(voice.controls) for voice in score.voices):
        return score
    return replace(score, voices=tuple(replace(voice, controls=no_controls()) for voice in score.voices))


def remove_voice(score: Score, name: str) -> Score:
    """The piece without that voice; its bars, chords and sections stay as they are."""
    gone = score.voice(name)
    voices = tuple(voice for voice in score.voices if voice is not gone)
    return replace(score, voices=voices, grids=_regrid_around(score.bar_lines, voices, score.grids, gone))


def _regrid_around(
    bar_lines: Sequence[int], voices: Sequence[Voice], grids: Sequence[Grid], changed: Voice
) -> tuple[Grid, ...]:
    touched = np.zeros(len(grids), dtype=np.bool_)
    touched[_bars_of(np.asarray(bar_lines, dtype=np.int64), changed.array)] = True
    return regrid(voices, bar_lines, grids, touched)


def add_voice(score: Score, voice: Voice, at: int | None = None) -> Score:
    """The piece with one more voice, at that place (0 is the top) or below all others.

    Where the voice starts notes after the last bar, the piece is extended by whole bars of the last meter.

    >>> from libretto.score import Note
    >>> add_voice(Score.build([], bars=1), Voice.of("BASS", [Note(5 * 40320, 1, 36)])).bars
    2
    """
    where = len(score.voices) if at is None else at
    if not 0 <= where <= len(score.voices):
        raise ScoreError(f"there is no place {where} among {len(score.voices)} voices")
    voices = (*score.voices[:where], voice, *score.voices[where:])
    last, length = int(voice.array["onset"].max(initial=0)), score.meters[-1][1].ticks
    more = max(0, (last - score.ticks) // length + 1)
    if score.bars + more > MAX_BARS:
        raise ScoreError(f"{voice.name} would need {score.bars + more:,} bars; the limit is {MAX_BARS:,}")
    lines = score.bar_lines + tuple(score.ticks + length * (bar + 1) for bar in range(more))
    grids = score.grids + (_grid_within(16, length),) * more
    return replace(
        score,
        voices=voices,
        bar_lines=lines,
        chords=score.chords + ((NO_CHORD,),) * more,
        grids=_regrid_around(lines, voices, grids, voice),
    )


def _grid_within(division: int, length: int) -> Grid:
    """The coarsest refinement of a division that fills a bar of that length."""
    return Grid.of(WHOLE // gcd(Grid.of(division).slot, length))


def join(first: Score, second: Score) -> Score:
    """One piece after the other; voices of the same name play on, the others rest for a while.

    Title, bar numbering and a voice's program are the first piece's where it has them. A pickup of the second
    piece becomes an ordinary short bar. What the second piece begins with (meter, key, tempo, section) is
    written only where it differs from what is in force, so that cutting a piece at a bar line and joining the
    halves gives the piece back. Notes that ring past the end of the first piece ring on.
    """
    shift = first.ticks
    names = dict.fromkeys(voice.name for voice in (*first.voices, *second.voices))
    mine, theirs = ({voice.name: voice for voice in score.voices} for score in (first, second))
    return replace(
        first,
        voices=tuple(_joined(mine.get(name), theirs.get(name), shift) for name in names),
        bar_lines=first.bar_lines + tuple(line + shift for line in second.bar_lines[1:]),
        meters=_carried_over(first.meters, second.meters, shift),
        keys=_carried_over(first.keys, second.keys, shift),
        tempos=_carried_over(first.tempos, second.tempos, shift),
        sections=_carried_over(first.sections, second.sections, shift),
        chords=first.chords + second.chords,
        grids=first.grids + second.grids,
        title=first.title or second.title,
        marks=(
            *first.marks,
            *(mark for mark in credits_of(second.marks) if mark not in first.marks),
            *shift_marks(second.marks, shift, 0, second.ticks),
        ),
    )


def _joined(mine: Voice | None, theirs: Voice | None, shift: int) -> Voice:
    if theirs is None:
        if mine is None:
            raise ScoreError("there is no voice to join")
        return mine
    later = theirs.between(0, _FOREVER, shift)
    if mine is None:
        return later
    if mine.drums != theirs.drums:
        raise ScoreError(f"{mine.name} is percussion in one piece and pitched in the other; rename one of them")
    program = theirs.program if mine.program is None else mine.program
    return replace(mine, program=program).joined(later)


def _carried_over(
    first: Sequence[tuple[int, T]], second: Sequence[tuple[int, T]], shift: int
) -> tuple[tuple[int, T], ...]:
    known = bool(first and second) and second[0] == (0, first[-1][1])
    return (*first, *((tick + shift, value) for tick, value in second[known:]))


def requantize(score: Score, division: int) -> Score:
    """Every start and length on the nearest slot of a whole-note division, such as 16 or 12; idempotent.

    Halves round up; a length is at least one slot. A bar that the division does not fill (7/8 in quarters)
    takes the coarsest refinement that does (eighths). A start that rounds up to the end of the piece takes
    its last slot. Notes of one voice that become the same note (start, length, pitch) are merged into the loudest.
    """
    lines = np.asarray(score.bar_lines, dtype=np.int64)
    slots = np.gcd(np.diff(lines), Grid.of(division).slot)
    touched = np.zeros(score.bars, dtype=np.bool_)
    voices = tuple(_requantized(voice, lines, slots, touched) for voice in score.voices)
    return replace(score, voices=voices, grids=regrid(voices, score.bar_lines, score.grids, touched))


def _requantized(voice: Voice, lines: Ints, slots: Ints, touched: NDArray[np.bool_]) -> Voice:
    """The voice on those slots; bars whose notes change are marked in ``touched``."""
    old, new = voice.array, voice.array.copy()
    bar = _bars_of(lines, old)
    start = lines[bar] + nearest(old["onset"] - lines[bar], slots[bar])
    new["onset"] = np.minimum(start, lines[-1] - slots[-1])
    to = _bars_of(lines, new)
    new["duration"] = np.maximum(nearest(old["duration"], slots[to]), slots[to])
    kept = _merged(old, new)
    changed = (new["onset"] != old["onset"]) | (new["duration"] != old["duration"]) | ~kept
    touched[bar[changed]] = True
    touched[to[changed]] = True
    if not changed.any():
        return voice
    return replace(voice, array=new[kept], marks=follow(voice.marks, old[kept], new[kept]))


def _merged(old: NDArray[Any], new: NDArray[Any]) -> NDArray[np.bool_]:
    """Which notes stay where several became one: the loudest, and whatever was its unison before."""
    kept = np.ones(len(new), dtype=np.bool_)
    if len(new) < 2:
        return kept
    order = np.lexsort((old["duration"], old["onset"], -new["velocity"], new["pitch"], new["duration"], new["onset"]))
    before, after = old[order], new[order]
    leads = np.ones(len(order), dtype=np.bool_)
    leads[1:] = np.any([after[name][1:] != after[name][:-1] for name in ("onset", "duration", "pitch")], axis=0)
    leader = np.flatnonzero(leads)[np.cumsum(leads) - 1]
    same = (before["onset"] == before["onset"][leader]) & (before["duration"] == before["duration"][leader])
    kept[order] = same
    return kept
