"""Where a drill lies: its tempo, its instrument, and the octave in which a player reads it most easily."""

from __future__ import annotations

import numpy as np

from libretto.contract.instruments import Instrument, instrument_named, instrument_of_program
from libretto.house.drill.sheet import Sheet
from libretto.notation.clefs import clefs_of_instrument, ledger_cost, staff_steps
from libretto.score.time import micros_of_bpm
from libretto.tasks.drill.task import DrillTask

__all__ = ["paced", "placed", "voiced"]

_LINE = 1.3  # with no more notes at once than this it is a line, read in one clef
_OCTAVES = (0, -12, 12, -24, 24, -36, 36, -48, 48)
_OUTSIDE, _OTHER_CLEF, _AWAY = 0.2, 1.0, 0.2  # a semitone outside, a clef that is not the first, an octave away


def paced(sheet: Sheet, task: DrillTask) -> Sheet:
    """The sheet in the tempo asked; changes of tempo keep their proportions."""
    if task.tempo is None:
        return sheet
    wanted = micros_of_bpm(task.tempo)
    bars = [
        bar._replace(tempos=tuple((tick, max(1000, round(m * wanted / sheet.micros))) for tick, m in bar.tempos))
        for bar in sheet.bars
    ]
    return sheet._replace(micros=wanted, bars=tuple(bars))


def voiced(sheet: Sheet, task: DrillTask) -> Sheet:
    """The instrument that was asked; the piano where a clef or range does not suit the example's own."""
    if task.instrument:
        found = instrument_named(task.instrument)
        assert found is not None
        return sheet._replace(name=found.name.upper(), program=found.program)
    own = instrument_of_program(sheet.program or 0)
    outside = (task.low is not None and task.low < own.low) or (task.high is not None and task.high > own.high)
    return sheet._replace(name="PIANO", program=0) if outside else sheet


def placed(sheet: Sheet, task: DrillTask) -> Sheet:
    """The sheet in the octave that suits the range; where none was asked, in which the instrument's clef holds it."""
    own = instrument_of_program(sheet.program or 0)
    low, high = sheet.span
    if task.low is not None and task.high is not None:
        floor, roof = task.low, task.high
        if floor <= low and high <= roof:
            return sheet
        best = min(_OCTAVES, key=lambda by: (max(0, floor - low - by) + max(0, high + by - roof), abs(by)))
    elif _is_line(sheet):
        best = min(_OCTAVES, key=lambda by: _reading(sheet, own, by))
    else:
        floor, roof = own.comfortable
        best = min(_OCTAVES, key=lambda by: (max(0, floor - low - by) + max(0, high + by - roof), abs(by)))
    if not best:
        return sheet
    bars = [bar._replace(notes=tuple(n._replace(pitch=n.pitch + best) for n in bar.notes)) for bar in sheet.bars]
    return sheet.with_bars(bars)


def _is_line(sheet: Sheet) -> bool:
    notes = sum(len(bar.notes) for bar in sheet.bars)
    onsets = sum(len({note.onset for note in bar.notes}) for bar in sheet.bars)
    return notes <= _LINE * onsets


def _reading(sheet: Sheet, own: Instrument, by: int) -> float:
    """How hard a line is to read and to play so much higher: ledger lines, strange clefs, strange registers."""
    low, high = sheet.span
    floor, roof = own.comfortable
    outside = max(0, floor - low - by) + max(0, high + by - roof)
    notes = np.array(
        [(note.pitch + by, note.spelling) for bar in sheet.bars for note in bar.notes],
        dtype=[("pitch", np.int64), ("spelling", np.int64)],
    )
    if not len(notes) or low + by < own.low or high + by > own.high:
        return 1e6 + outside
    steps, clefs = staff_steps(notes), clefs_of_instrument(sheet.program or 0, low + by)
    dear = min(
        float(ledger_cost(steps, clef).mean()) + (_OTHER_CLEF if clef != clefs[0] else 0.0) for clef in clefs[:2]
    )
    return dear + _OUTSIDE * outside + _AWAY * abs(by) / 12
