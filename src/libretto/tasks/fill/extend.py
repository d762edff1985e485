"""Extend: a song goes on, begins earlier, or is opened in the middle, for so many bars.

The song with empty bars in it is a gap to fill: it is judged as one, against the song's own windows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np

from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.gates.case import check_genre
from libretto.score import Score
from libretto.score.build import refit
from libretto.score.chords import NO_CHORD
from libretto.tasks.fill.gap import LEAST_BARS, MOST_BARS
from libretto.tasks.fill.task import FillTask

__all__ = ["extend_task", "opened"]

T = TypeVar("T")


def opened(song: Score, bars: int, at: str | int = "end") -> tuple[Score, int]:
    """The song with so many empty bars at its end, its start, or before the bar of a number; and their first number."""
    if at == "end":
        index = song.bars
    elif at == "start":
        index = 0
    elif isinstance(at, int) or str(at).lstrip("-").isdigit():
        index = song.index_of(int(at))
    else:
        raise LibrettoError(f"there is no place {at!r}; say end, start or the number of a bar")
    cut = song.bar_lines[index]
    meter = [meter for tick, meter in song.meters if tick < cut or tick == 0][-1]
    more = bars * meter.ticks
    voices = []
    for voice in song.voices:
        array = voice.array.copy()
        array["onset"] += more * (array["onset"] >= cut)
        voices.append(voice.with_notes(array))
    lines = (
        *song.bar_lines[: index + 1],
        *(cut + meter.ticks * (step + 1) for step in range(bars)),
        *(line + more for line in song.bar_lines[index + 1 :]),
    )
    blank = ((NO_CHORD,),) * bars
    grids = refit(voices, np.asarray(lines, dtype=np.int64))
    first_bar = 1 if index == 0 else song.first_bar
    made = replace(
        song,
        voices=tuple(voices),
        bar_lines=lines,
        meters=_later(song.meters, cut, more, keep=True),
        keys=_later(song.keys, cut, more, keep=True),
        tempos=_later(song.tempos, cut, more, keep=True),
        sections=_later(song.sections, cut, more, keep=False),
        chords=song.chords[:index] + blank + song.chords[index:],
        grids=song.grids[:index] + grids[index : index + bars] + song.grids[index:],
        first_bar=first_bar,
    )
    return made, index + first_bar


def _later(changes: tuple[tuple[int, T], ...], cut: int, more: int, *, keep: bool) -> tuple[tuple[int, T], ...]:
    """Changes from a tick on, later by so much; what holds from the very beginning stays there where asked."""
    return tuple((tick + more * (tick >= cut and not (keep and tick == 0)), value) for tick, value in changes)


def extend_task(
    song: Score, bars: int = 8, at: str | int = "end", genre: str | None = None, *, original: bool = True
) -> FillTask:
    """The task of continuing a song (``end``), of leading into it (``start``), or of inserting bars before one."""
    if not 1 <= bars <= MOST_BARS:
        raise LibrettoError(f"{bars} bars cannot be added; from 1 to {MOST_BARS} can")
    if song.bars < LEAST_BARS:
        raise LibrettoError(f"a song of {song.bars} bars is too short to go by; {LEAST_BARS} are needed")
    if not len(song.table):
        raise LibrettoError("the song has no notes")
    check_genre("default", genre)
    context, first = opened(song, bars, at)
    words = {"end": "Continue the song", "start": "Lead into the song"}.get(str(at), f"Insert before bar {at}")
    names = tuple(voice.name for voice in song.voices)
    task = FillTask(
        "extend", f"{words}, {bars} bars", Contract(), genre or "", original=original,
        context=context, first=first, last=first + bars - 1, voices=names,
    )  # fmt: skip
    assert task.around.windows  # refuses a song that is all but silent
    return task
