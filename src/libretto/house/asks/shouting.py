"""Brass that shouts: its phrases as high as it plays them well, and loud."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.checks.shouting import shout_floor
from libretto.contract.checks.where import Spans
from libretto.contract.instruments import instrument_of_program
from libretto.edits.spans import changed, starts_in, stretches
from libretto.house.asks.notes import Row, rows_of
from libretto.score import QUARTER, Score, Voice

__all__ = ["shouting"]

_OCTAVE = 12
_LOUD = 102  # a velocity of shouts
_ABOVE = 4  # semitones above where it is at ease that a shout may touch
_PART = 0.3  # of how much louder or softer a note was than others that stays


def shouting(score: Score, index: int, spans: Spans) -> Score:
    """The piece with the phrases of a voice by octaves above where shouts begin, where they fit, and loud."""
    voice = score.voices[index]
    program = voice.program or 0
    floor, top = shout_floor(program), instrument_of_program(program).comfortable[1] + _ABOVE
    inside = starts_in(voice.array, stretches(score, spans))
    up: dict[tuple[int, int], int] = {}
    for phrase in _phrases(rows_of(voice.array[inside])):
        lift = 0
        highest, middle = max(row.pitch for row in phrase), sum(row.pitch for row in phrase) / len(phrase)
        while middle + lift < floor and highest + lift + _OCTAVE <= top:
            lift += _OCTAVE
        up.update({(row.onset, row.pitch): lift for row in phrase})
    usual = float(voice.array["velocity"][inside].mean()) if inside.any() else _LOUD

    def louder(_voice: Voice, notes: NDArray[Any]) -> NDArray[Any]:
        for place, note in enumerate(notes):
            notes["pitch"][place] += up.get((int(note["onset"]), int(note["pitch"])), 0)
        goal = _LOUD + _PART * (notes["velocity"] - usual)
        notes["velocity"] = np.round(np.clip(np.maximum(goal, notes["velocity"]), 1, 127))
        return notes

    return changed(score, [voice.name], spans, louder)


def _phrases(rows: list[Row]) -> list[list[Row]]:
    """Rows parted where a beat or more is silent."""
    made: list[list[Row]] = []
    end = -QUARTER
    for row in sorted(rows):
        if row.onset - end >= QUARTER:
            made.append([])
        made[-1].append(row)
        end = max(end, row.onset + row.duration)
    return made
