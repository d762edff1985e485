"""Bars, or what some voices play in them, put elsewhere: copied or moved to before a bar, or over what is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from libretto.edits.sections import moved, reordered
from libretto.errors import LibrettoError
from libretto.score import Score, Voice
from libretto.score.edit import regrid
from libretto.score.played import order_of

__all__ = ["copied", "placed"]


def copied(score: Score, first: int, last: int, to: int) -> Score:
    """Those bars once more, before the bar of that number; the number after the last one means the end."""
    low, high = score.index_of(first), score.index_of(last)
    if low > high:
        raise LibrettoError(f"bars {first}-{last} run backwards")
    target = score.bars if to == score.numbers[-1] + 1 else score.index_of(to)
    order = order_of(score)
    at = order.index(target) if target in order else len(order)
    return reordered(score, [*order[:at], *range(low, high + 1), *order[at:]])[0]


def placed(score: Score, names: Sequence[str], first: int, last: int, to: int, *, leave: bool = False) -> Score:
    """What those voices play in some bars, put into as many bars from another on, in place of what they play there.

    With no names whole bars are moved to before the bar ``to``. ``leave`` takes the notes away from where they were.
    """
    if not names:
        return moved(score, [(first, last)], to)[0]
    low, high, target = score.index_of(first), score.index_of(last), score.index_of(to)
    if low > high:
        raise LibrettoError(f"bars {first}-{last} run backwards")
    beyond = target + high - low + 1
    if beyond > score.bars:
        raise LibrettoError(f"bars {first}-{last} do not fit from bar {to} on; the last bar is {score.numbers[-1]}")
    lines = score.bar_lines
    begin, end, there, stop = lines[low], lines[high + 1], lines[target], lines[beyond]
    if stop - there != end - begin:
        raise LibrettoError(f"the bars from {to} on are not as long as bars {first}-{last}")
    for name in names:
        score.voice(name)
    voices = tuple(
        _placed(voice, (begin, end), (there, stop), leave) if voice.name in names else voice for voice in score.voices
    )
    touched = np.zeros(score.bars, dtype=np.bool_)
    touched[low : high + 1] |= leave
    touched[target:beyond] = True
    return replace(score, voices=voices, grids=regrid(voices, lines, score.grids, touched))


def _placed(voice: Voice, source: tuple[int, int], target: tuple[int, int], leave: bool) -> Voice:
    """One voice with a stretch of its notes, and the marks on them, put over another stretch."""
    stretch = voice.between(*source, target[0])
    onset = voice.array["onset"]
    gone = (onset >= target[0]) & (onset < target[1])
    if leave:
        gone |= (onset >= source[0]) & (onset < source[1])
    rest = voice.with_notes(voice.array[~gone])
    marks = tuple(mark for mark in stretch.marks if mark.on_note)
    return replace(rest, array=np.concatenate((rest.array, stretch.array)), marks=(*rest.marks, *marks))
