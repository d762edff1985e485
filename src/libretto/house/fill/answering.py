"""A second tune for a song: it answers the first in its own rhythms, a phrase later, where it leaves room."""

from __future__ import annotations

import numpy as np

from libretto.house.core.controls import Controls
from libretto.house.core.dice import dice
from libretto.house.core.patterns import Sketch
from libretto.house.fill.beside import Beside, with_ends
from libretto.house.fill.retelling import retold
from libretto.score import QUARTER
from libretto.score.table import NOTE

__all__ = ["answer_tune"]

_PHRASE, _PERIOD = 4, 8  # bars
_ACCENT = 4
_LEAD, _LEAD_LOWEST, _LEAD_HIGHEST, _LEAD_REGISTER = 71, 58, 84, (60, 82)
_LEAD_MOST = 12  # notes of a bar that are still taken for an answer
_LEAD_FREEDOM, _LEAD_LOUDNESS = 0.8, 80


def answer_tune(beside: Beside, seed: int, controls: Controls) -> list[Sketch]:
    """A second tune that answers the first: in its rhythms, a phrase later, where it leaves room."""
    reading, lines = beside.reading, beside.lines
    bars = np.flatnonzero(beside.playing).tolist()
    others = [index for index in range(len(reading.score.voices)) if index != beside.voice]
    tune = reading.tune(bars, others)
    notes: list[tuple[int, int, int, int, int]] = []
    for bar in bars:
        if bar // _PHRASE % 4 == 3 and controls.layers <= 0:
            continue
        notes += _answer(beside, tune, bar) or _own_notes(beside, bar, seed)
    if not notes:
        return []
    array = np.sort(np.array(notes, dtype=NOTE), order=["onset", "pitch"])
    array = array[np.append(True, np.diff(array["onset"]) > 0)]
    following = np.append(array["onset"][1:], lines[-1])
    array["duration"] = np.maximum(QUARTER // 8, np.minimum(array["duration"], following - array["onset"]))
    array["pitch"] = np.clip(array["pitch"], _LEAD_LOWEST, _LEAD_HIGHEST)

    def start_of_bar(tick: int) -> int:
        return int(lines[max(0, int(np.searchsorted(lines, tick, side="right")) - 1)])

    drawn = retold(
        array, beside.chord, reading.home(reading.score.bars // 2), start_of_bar, _LEAD_REGISTER, controls, seed,
        freedom=_LEAD_FREEDOM, before=None,
    )  # fmt: skip
    return [Sketch(int(row["onset"]), int(row["duration"]), int(row["pitch"]), _ACCENT) for row in drawn]


def _answer(beside: Beside, tune: int | None, bar: int) -> list[tuple[int, int, int, int, int]]:
    """What the tune played two bars ago, in the register of a lead; nothing where that is no answer."""
    reading, lines = beside.reading, beside.lines
    if tune is None or bar < 2 or lines[bar + 1] - lines[bar] != lines[bar - 1] - lines[bar - 2]:
        return []
    rows = reading.notes(tune, bar - 2)
    if len(rows) > _LEAD_MOST:
        return []
    shift, higher = int(lines[bar] - lines[bar - 2]), _LEAD - round(reading.heights[tune])
    return [
        (int(row["onset"]) + shift, int(row["duration"]), int(row["pitch"]) + higher, _LEAD_LOUDNESS, 0) for row in rows
    ]


def _own_notes(beside: Beside, bar: int, seed: int) -> list[tuple[int, int, int, int, int]]:
    """A few notes on the places that the song likes."""
    places = beside.usual(bar, 3 + dice(seed, "lead", bar % _PERIOD).randrange(3))
    return [
        (tick, max(QUARTER // 4, after - tick), _LEAD, _LEAD_LOUDNESS, 0)
        for _, tick, after in with_ends(places, int(beside.lines[bar + 1]))
    ]
