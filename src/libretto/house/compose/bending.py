"""Bends: what is written as a quick note sliding into another is bent by instruments that can, and long ones sing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from libretto.contract.asks import STEEL, Ask
from libretto.contract.checks.where import voices_of
from libretto.contract.instruments import instrument_named
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
_GLIDING = frozenset((22, *range(24, 44), *range(52, 88), *range(104, 112)))  # whose pitch is not fixed
_HIGHEST = 8191  # bend
_TOGETHER = 3  # notes that slide together at most
_FALL = QUARTER // 2  # the time in which a long note falls by half a tone before a rest


def bent(score: Score, asks: Sequence[Ask] = ()) -> Score:
    """The piece with slides bent by who can bend them; who plays with a slide, or is asked to, glides besides."""
    sliding = {index for ask in asks if ask.what == "slides" for index in voices_of(ask.who, score)}
    voices = []
    for index, voice in enumerate(score.voices):
        made = _voice(voice) if voice.program in _BENDING and not voice.drums else voice
        slides = (index in sliding and voice.program in _GLIDING) or _steel(voice)
        voices.append(_glided(made) if slides and not voice.drums else made)
    return replace(score, voices=tuple(voices))


def _steel(voice: Voice) -> bool:
    """Whether somebody plays with a slide by the nature of the instrument."""
    instrument = instrument_named(voice.name.partition(" (")[0])
    return instrument is not None and instrument.name in STEEL


def _glided(voice: Voice) -> Voice:
    """A part that glides into its long notes, alone or together, and falls from the last of a phrase."""
    bends = voice.controls["tick"][voice.controls["kind"] == BEND]
    rows: list[tuple[int, int, int]] = []
    for start, end, rise, last in _long(voice):
        sung = end - start >= _SUNG
        if start not in bends:
            took = QUARTER if sung else _SLOW
            rows += [(start + took * part // 4, BEND, _towards(left, rise)) for part, left in _CURVE]
            rows += [(start + QUARTER, _MODULATION, _SHAKEN), (end, _MODULATION, 0)] if sung else []
        if last and sung:
            rows += [(end - _FALL * left // 4, BEND, -_SEMITONE * (4 - left) // 4) for left in (4, 2, 1)]
            rows.append((end, BEND, 0))
    controls = np.concatenate((voice.controls, np.asarray(rows, dtype=CONTROL)))
    return replace(voice, controls=controls[np.argsort(controls["tick"], kind="stable")])


def _towards(left: float, rise: int) -> int:
    """The bend of a note that still has a share of its rise, or of its fall, before it."""
    return min(_HIGHEST, -round(left * rise * _SEMITONE))


def _long(voice: Voice) -> Iterator[tuple[int, int, int, bool]]:
    """From when to when long notes sound that begin together while nothing else does, how far they rise from where
    they come from (less than nothing where the line falls by a step), and whether a rest follows."""
    onset, pitch = voice.array["onset"].astype(np.int64), voice.array["pitch"].astype(np.int64)
    ends = onset + voice.array["duration"]
    before, until = 0, -_SUNG
    for start, after in pairwise([*np.unique(onset).tolist(), int(ends.max(initial=0)) + _SUNG]):
        here = onset == start
        top, end = int(pitch[here].max()), int(ends[here].max())
        step = top - before if start - until < _LEAST else _WIDEST
        alone = until <= start + _QUICK and end <= after + _QUICK and int(here.sum()) <= _TOGETHER
        if alone and step and end - start >= QUARTER:
            yield start, end, step if -_WIDEST <= step < _WIDEST else _WIDEST, after - end >= QUARTER
        before, until = top, max(until, end)


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
