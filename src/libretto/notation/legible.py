"""A Score as a musician would write it down: the same notes, their starts and lengths made readable.

This is for the eye. What it changes is how played music is rounded; notes somebody wrote on a grid keep their starts,
and keep their lengths but for rests shorter than an eighth. Nothing here belongs on the way to a file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.notation.rounding import Beats, HeldNote, on_lattice, read_lengths, strokes
from libretto.notation.staves import staves_of
from libretto.score import Score, Voice
from libretto.score.build import refit
from libretto.score.general_midi import guess_program

__all__ = ["legible"]

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
    return started


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
