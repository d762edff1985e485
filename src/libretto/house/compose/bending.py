"""Bends: what is written as a quick note sliding into another is bent by instruments that can, and long ones sing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from libretto.score import QUARTER, Score, Voice
from libretto.score.marks import BEND, CONTROL

__all__ = ["bent"]

_BENDING = frozenset((22, *range(26, 31), 64, 65, 66, 67, 77, 104))  # harmonica, electric guitars, saxes, bamboo, sitar
_SEMITONE = 4096  # of a bend whose range is a tone each way
_QUICK = QUARTER // 6  # how long a note is at most that slides
_WIDEST = 2  # semitones
_LEAST, _SUNG = QUARTER // 2, 2 * QUARTER  # how long a note is that is bent, and one that is shaken then
_CURVE = ((0, 1.0), (1, 0.75), (2, 0.4), (4, 0.0))  # quarters of the time it takes, and how far it still is
_SLOW, _FAST = QUARTER // 2, QUARTER // 4  # the time it takes
_MODULATION, _SHAKEN = 1, 50  # a controller, and its value


def bent(score: Score) -> Score:
    """The piece with slides bent by who can bend them."""
    voices = tuple(_voice(voice) if voice.program in _BENDING and not voice.drums else voice for voice in score.voices)
    return replace(score, voices=voices)


def _voice(voice: Voice) -> Voice:
    """A part whose slides are bends: the quick note goes, the other begins where it was."""
    slides = list(_slides(voice))
    if not slides:
        return voice
    notes = voice.array.copy()
    rows: list[tuple[int, int, int]] = []
    for quick, long in slides:
        start, end = int(notes["onset"][quick]), int(notes["onset"][long] + notes["duration"][long])
        rise = int(notes["pitch"][long]) - int(notes["pitch"][quick])
        notes["onset"][long], notes["duration"][long] = start, end - start
        took = _SLOW if end - start >= _SUNG else _FAST
        rows += [(start + took * part // 4, BEND, -round(left * rise * _SEMITONE)) for part, left in _CURVE]
        if end - start >= _SUNG:
            rows += [(start + QUARTER, _MODULATION, _SHAKEN), (end, _MODULATION, 0)]
    kept = np.delete(notes, [quick for quick, _ in slides])
    controls = np.concatenate((voice.controls, np.asarray(rows, dtype=CONTROL)))
    return Voice(voice.name, voice.program, voice.drums, kept, voice.marks, controls[np.argsort(controls["tick"])])


def _slides(voice: Voice) -> Iterator[tuple[int, int]]:
    """Pairs of notes, by their places, of which a quick one slides up into the other, and nothing else sounds then."""
    onset, pitch = voice.array["onset"].astype(np.int64), voice.array["pitch"].astype(np.int64)
    ends = onset + voice.array["duration"]
    for quick, long in pairwise(range(len(onset))):
        near = 0 < onset[long] - onset[quick] <= _QUICK and 0 < pitch[long] - pitch[quick] <= _WIDEST
        if not near or ends[quick] - onset[quick] > _QUICK or ends[long] - onset[long] < _LEAST:
            continue
        sounding = (onset < ends[long]) & (ends > onset[quick])
        if int(sounding.sum()) == 2:
            yield quick, long
