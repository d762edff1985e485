"""A Score as a musician would write it down: the same notes, their starts and lengths made readable.

This is for the eye. What it changes is how played music is rounded; notes somebody wrote on a grid keep their starts,
and keep their lengths but for rests shorter than an eighth. Nothing here belongs on the way to a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.notation.staves import staves_of
from libretto.notation.values import beam_group, in_threes
from libretto.score import QUARTER, Score, Voice
from libretto.score.general_midi import guess_program
from libretto.score.marks import Mark, follow
from libretto.score.validate import refit

__all__ = ["Beats", "HeldNote", "legible", "on_lattice", "read_lengths", "strokes"]

_PASSES = 4  # rounds of hands and lengths; nearly every voice agrees after two
#: Instruments that sound one note at a time: basses, solo brass and woodwind, harmonica.
_SINGLE = frozenset({22, *range(32, 40), *range(56, 61), *range(64, 80)})


def legible(score: Score) -> Score:
    """The piece rounded for reading: idempotent, every note kept but doubles, nothing past the last bar line."""
    beats = Beats(score)
    voices = tuple(_legible_voice(score, voice, beats) for voice in score.voices)
    grids = refit(voices, np.asarray(score.bar_lines, dtype=np.int64))
    return replace(score, voices=voices, grids=grids)


def _legible_voice(score: Score, voice: Voice, beats: Beats) -> Voice:
    """One voice rounded: its starts first, then its ends, until hands and ends agree."""
    if not len(voice.array):
        return voice
    marked, voice = voice, voice.with_marks(())
    played = voice.array.copy()
    played["duration"] = np.minimum(played["duration"], score.ticks - played["onset"])
    ends = played["onset"] + played["duration"]
    shown = on_lattice(played, beats)
    played["onset"] = shown
    played["duration"] = np.maximum(1, ends - shown)
    started = voice.with_notes(_without_doubles(played))
    program = guess_program(voice.name) if voice.program is None else voice.program
    for _ in range(_PASSES):  # lengths tell the hands apart, and hands decide lengths
        streams = [stream for staff in staves_of(started, score.bar_lines) for stream in staff.streams]
        rounded = [_rounded_stream(stream, beats, score.ticks, single=program in _SINGLE) for stream in streams]
        again = voice.with_notes(np.concatenate(rounded))
        if again == started:
            break
        started = again
    return replace(marked, array=started.array, marks=_marks(marked, shown, started))


def _marks(voice: Voice, shown: NDArray[np.int64], rounded: Voice) -> tuple[Mark, ...]:
    """The marks of a voice on its notes as they are shown; of doubles all go to the one that is left."""
    if not any(mark.on_note for mark in voice.marks):
        return voice.marks
    lengths = {(start, pitch): length for start, length, pitch, *_ in rounded.array.tolist()}
    new = voice.array.copy()
    new["onset"] = shown
    new["duration"] = [lengths[at] for at in zip(shown.tolist(), voice.array["pitch"].tolist(), strict=True)]
    return follow(voice.marks, voice.array, new)


def _rounded_stream(stream: Voice, beats: Beats, last: int, single: bool) -> NDArray[Any]:
    """The notes of one hand (or of a kit's hands or feet) with ends for the eye."""
    notes = stream.array.copy()
    starts = notes["onset"].tolist()
    if stream.drums:
        ends = strokes(starts, beats)
    else:
        stops = (notes["onset"] + notes["duration"]).tolist()
        ends = read_lengths([HeldNote(*pair) for pair in zip(starts, stops, strict=True)], beats, single)
    notes["duration"] = np.maximum(1, np.minimum(np.array(ends, dtype=np.int64), last) - notes["onset"])
    return notes


def _without_doubles(notes: NDArray[Any]) -> NDArray[Any]:
    """Notes with one of each pitch at each moment: the longest."""
    order = np.lexsort((-notes["duration"], notes["pitch"], notes["onset"]))
    ordered = notes[order]
    same = (np.diff(ordered["onset"], prepend=-1) == 0) & (np.diff(ordered["pitch"].astype(np.int64), prepend=-1) == 0)
    return np.asarray(ordered[~same])


_Q = QUARTER
#: Lattices for a beat that divides in two, and in three, with their difficulty.
_IN_TWO = ((_Q // 2, 0.0), (_Q // 4, 0.3), (_Q // 3, 0.6), (_Q // 8, 1.8), (_Q // 6, 1.9), (_Q // 16, 4.0))
_IN_THREE = ((_Q // 2, 0.0), (_Q // 4, 0.3), (3 * _Q // 4, 0.9), (_Q // 8, 1.8), (_Q // 6, 1.9), (_Q // 16, 4.0))
_EXACT = (_Q // 4, _Q // 3, _Q // 8, _Q // 6, _Q // 12, _Q // 5, _Q // 7, 3 * _Q // 8)
_OFF, _OFF_COST = 0.06, 0.3  # what a start off by 0.06 quarters costs; the price grows with the square
_LOST = 1.5  # two starts that become one
_APART = _Q // 18  # starts nearer than this were meant together
_SMALL = QUARTER // 4  # a gap or an overlap of a sixteenth is closed
_EIGHTH = QUARTER // 2
_SHARE = 8  # of the distance to the next start, what may be closed
_ALIKE = 0.75  # ends of one chord this near are one end
_LAYERS = 2  # of one staff, at most


class Beats:
    """The beats of a piece, and for one voice the lattice of each: what lengths are rounded to."""

    def __init__(self, score: Score) -> None:
        self.lines = np.asarray(score.bar_lines, dtype=np.int64)
        meters = [score.meter_at(line) for line in score.bar_lines[:-1]]
        self.in_threes = np.array([in_threes(meter) for meter in meters], dtype=np.bool_)
        self.beat = np.array([beam_group(meter) for meter in meters], dtype=np.int64)
        self.steps: dict[tuple[int, int], int] = {}

    def locate(self, tick: int) -> tuple[int, int, int]:
        """The bar, the beat in it, and the tick where that beat begins."""
        bar = min(max(int(np.searchsorted(self.lines, tick, side="right")) - 1, 0), len(self.beat) - 1)
        start, length = int(self.lines[bar]), int(self.beat[bar])
        beat = (tick - start) // length
        return bar, beat, start + beat * length

    def step(self, tick: int) -> int:
        """The lattice of the beat in which a tick lies: sixteenths where nothing starts in it."""
        bar, beat, _ = self.locate(tick)
        return self.steps.get((bar, beat), _Q // 4)

    def end_of_beat(self, tick: int) -> int:
        """Where the beat of a tick ends: at the next beat or bar line."""
        bar, _, start = self.locate(tick)
        return min(start + int(self.beat[bar]), int(self.lines[bar + 1]))


def on_lattice(notes: NDArray[Any], beats: Beats) -> NDArray[np.int64]:
    """The starts of one voice as they are to be read, in the order of its notes; fills ``beats.steps``."""
    beats.steps = {}
    onsets = notes["onset"].astype(np.int64)
    shown = onsets.copy()
    bar = np.clip(np.searchsorted(beats.lines, onsets, side="right") - 1, 0, len(beats.beat) - 1)
    beat = (onsets - beats.lines[bar]) // beats.beat[bar]
    begins = np.flatnonzero((np.diff(bar, prepend=-1) != 0) | (np.diff(beat, prepend=-1) != 0)).tolist()
    for first, stop in zip(begins, [*begins[1:], len(notes)], strict=True):
        where = int(bar[first])
        origin = int(beats.lines[where] + beat[first] * beats.beat[where])
        positions = (onsets[first:stop] - origin).tolist()
        step = next((step for step in _EXACT if not any(at % step for at in positions)), None)
        if step is None:
            lattices = _IN_THREE if beats.in_threes[where] else _IN_TWO
            step = min(lattices, key=lambda lattice: _cost(positions, *lattice))[0]
            latest = int(beats.lines[-1]) - min(step, _Q // 4)
            shown[first:stop] = [max(origin, min(origin + round(at / step) * step, latest)) for at in positions]
        beats.steps[where, int(beat[first])] = step
    return shown


def _cost(positions: Sequence[int], step: int, difficulty: float) -> float:
    """How far-fetched a lattice is for the starts of a beat."""
    cost = difficulty
    before, slot_before = -_Q, -1
    for at in positions:
        if at - before <= _APART // 2:
            continue
        slot = round(at / step)
        cost += _OFF_COST * ((at - slot * step) / _Q / _OFF) ** 2
        if slot == slot_before and at - before > _APART:
            cost += _LOST
        before, slot_before = at, slot
    return cost


class HeldNote(NamedTuple):
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
    later: list[int | None] = [None] * len(starts)
    for index in range(len(starts) - 2, -1, -1):
        later[index] = starts[index + 1] if starts[index + 1] > starts[index] else later[index + 1]
    return later


def read_lengths(sounds: list[HeldNote], beats: Beats, single: bool) -> list[int]:
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


def _together(sounds: list[HeldNote]) -> list[list[int]]:
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


def _thin(sounds: list[HeldNote], groups: list[list[int]], ends: list[int]) -> None:
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
