"""Lengths for reading: what is a hair short or a hair long ends where the next note starts.

Conventions: a stream is what one hand plays on one staff. A gap is closed when it is a sixteenth or less, or an eighth
of the distance to the next start; an overlap when it is as small, or when the instrument plays one note at a time.
Rests shorter than an eighth are taken into the note before them. At most two layers share a staff. Percussion has no
lengths: a stroke lasts until the next one of its stream or the end of its beat.
"""

from __future__ import annotations

from typing import NamedTuple

from libretto.notation.lattice import Beats
from libretto.score import QUARTER

__all__ = ["Sound", "read_lengths", "strokes"]

_SMALL = QUARTER // 4
_EIGHTH = QUARTER // 2
_SHARE = 8  # of the distance to the next start, what may be closed
_ALIKE = 0.75  # ends of one chord this near are one end
_LAYERS = 2


class Sound(NamedTuple):
    """A note of a stream: its start as shown, its end as played."""

    start: int
    end: int


def strokes(starts: list[int], beats: Beats) -> list[int]:
    """Ends for the strokes of one stream of a drum kit, in order of time."""
    ends: list[int] = []
    for start, later in zip(starts, _later(starts), strict=True):
        limit = beats.end_of_beat(start)
        ends.append(limit if later is None else min(later, limit))
    return ends


def _later(starts: list[int]) -> list[int | None]:
    """For each start the next one that is not the same."""
    found: list[int | None] = [None] * len(starts)
    for index in range(len(starts) - 2, -1, -1):
        found[index] = starts[index + 1] if starts[index + 1] > starts[index] else found[index + 1]
    return found


def read_lengths(sounds: list[Sound], beats: Beats, single: bool) -> list[int]:
    """Ends for the notes of one stream, in order of time; ``single`` plays one thing at a time."""
    groups = _together(sounds)
    ends = [0] * len(sounds)
    for number, group in enumerate(groups):
        start = sounds[group[0]].start
        later = sounds[groups[number + 1][0]].start if number + 1 < len(groups) else None
        for index in group:
            ends[index] = _end(start, sounds[index].end, later, beats, single)
        _agree(start, group, ends)
    _thin(sounds, groups, ends)
    return ends


def _together(sounds: list[Sound]) -> list[list[int]]:
    groups: list[list[int]] = []
    for index, sound in enumerate(sounds):
        if groups and sounds[groups[-1][0]].start == sound.start:
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups


def _end(start: int, end: int, later: int | None, beats: Beats, single: bool) -> int:
    """Where one note is shown to end."""
    if later is not None:
        apart = later - start
        close = max(_SMALL, apart // _SHARE if end % _EIGHTH else 0)
        if end > later:
            return later if single or end - later <= max(_SMALL, apart // 4) else _rounded(start, end, beats)
        if later - end <= close and end - start >= later - end:
            return later
    end = _rounded(start, end, beats)
    up = beats.locate(end)[2] + -(-(end - beats.locate(end)[2]) // _EIGHTH) * _EIGHTH
    short = _SMALL % beats.step(end) == 0 and 0 < up - end <= min(_SMALL, end - start)
    if short:
        end = up
    return end if later is None else min(end, later)


def _rounded(start: int, end: int, beats: Beats) -> int:
    """An end on the lattice of its beat, after its start."""
    _, _, origin = beats.locate(end)
    step = beats.step(end if end > origin else start)
    shown = origin + round((end - origin) / step) * step
    if shown > start:
        return shown
    return min(start + beats.step(start), max(beats.end_of_beat(start), start + 1))


def _agree(start: int, group: list[int], ends: list[int]) -> None:
    """Let the notes of a chord end together where they nearly do, and at no more than two moments in any case."""
    moments = sorted({ends[index] for index in group}, reverse=True)
    kept = [moments[0]]
    for moment in moments[1:]:
        near = kept[-1] - moment <= _SMALL or moment - start >= _ALIKE * (kept[-1] - start)
        if not near and len(kept) < _LAYERS:
            kept.append(moment)
    for index in group:
        ends[index] = min(kept, key=lambda moment: (abs(moment - ends[index]), -moment))


def _thin(sounds: list[Sound], groups: list[list[int]], ends: list[int]) -> None:
    """Cut what would need a third layer where the third begins."""
    active: list[list[int]] = []  # for each layer in use, the notes that sound in it
    for group in groups:
        start = sounds[group[0]].start
        active = [chord for chord in active if ends[chord[0]] > start]
        by_end: dict[int, list[int]] = {}
        for index in group:
            by_end.setdefault(ends[index], []).append(index)
        while active and len(active) + len(by_end) > _LAYERS:
            soonest = min(active, key=lambda chord: ends[chord[0]])
            for index in soonest:
                ends[index] = start
            active.remove(soonest)
        active += by_end.values()
