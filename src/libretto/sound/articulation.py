"""How written signs sound: short notes shorter, and notes under the pedal on until it is lifted."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.score import Score, Voice
from libretto.score.marks import SUSTAIN

__all__ = ["articulate"]

_SHORTER = {"staccato": 0.5, "staccatissimo": 0.3, "spiccato": 0.4, "detached-legato": 0.75}  # of the written length
_DOWN = 64  # from this value of its controller on the pedal is down


def articulate(score: Score, notes: NDArray[Any]) -> None:
    """Change the ends of sounding notes (in place, in the order of ``score.table``) as marks and pedals say."""
    table = score.table
    for index, voice in enumerate(score.voices):
        rows = slice(*np.searchsorted(table["voice"], [index, index + 1]))
        _shorten(voice, notes[rows])
        spans = _pedals(voice, score.ticks)
        if spans:
            seconds = score.seconds_at(np.array(spans, dtype=np.int64).ravel()).reshape(-1, 2)
            _sustain(voice, notes[rows], seconds)


def _shorten(voice: Voice, notes: NDArray[Any]) -> None:
    """Notes with a dot or a wedge are left early."""
    short = {(mark.tick, mark.pitch): _SHORTER[mark.kind] for mark in voice.marks if mark.kind in _SHORTER}
    if not short:
        return
    places = zip(voice.array["onset"].tolist(), voice.array["pitch"].tolist(), strict=True)
    share = np.array([short.get(place, 1.0) for place in places])
    notes["stop"] = notes["start"] + (notes["stop"] - notes["start"]) * share


def _pedals(voice: Voice, end: int) -> list[tuple[int, int]]:
    """From when to when the sustaining pedal is down, in ticks: as its controller says, else as it is written."""
    pedal = voice.controls[voice.controls["kind"] == SUSTAIN]
    if not len(pedal):
        marks = [mark for mark in voice.marks if mark.kind == "pedal" and mark.length]
        return [(mark.tick, mark.tick + mark.length) for mark in marks]
    spans, down = [], None
    for tick, _, value in pedal.tolist():
        if value >= _DOWN and down is None:
            down = tick
        elif value < _DOWN and down is not None:
            spans.append((down, tick))
            down = None
    return [*spans, (down, max(end, down + 1))] if down is not None else spans


def _sustain(voice: Voice, notes: NDArray[Any], spans: NDArray[np.float64]) -> None:
    """Notes that are left under the pedal sound until it is lifted, or until their key is struck again."""
    if voice.drums or not len(notes):
        return
    which = np.searchsorted(spans[:, 0], notes["stop"], side="right") - 1
    under = (which >= 0) & (notes["stop"] < spans[np.maximum(which, 0), 1])
    until = np.where(under, spans[np.maximum(which, 0), 1], notes["stop"])
    order = np.lexsort((notes["start"], notes["pitch"]))
    again = np.full(len(notes), np.inf)
    same = notes["pitch"][order][1:] == notes["pitch"][order][:-1]
    again[order[:-1]] = np.where(same, notes["start"][order][1:], np.inf)
    notes["stop"] = np.maximum(notes["stop"], np.minimum(until, np.maximum(again, notes["stop"])))
