"""A drill as a study: in which key, meter, tempo and register it is written, and whether it keeps every clause."""

from __future__ import annotations

from dataclasses import replace

from libretto.contract.instruments import instrument_of_program
from libretto.gates.originality import CITED_CEILING
from libretto.house.core.dice import Dice, dice
from libretto.house.drill.keys import moved_example
from libretto.house.drill.sheet import DrillSheet, score_of
from libretto.house.drill.studies.study import StudyAsk, study_of
from libretto.notation.clefs import clefs_of_instrument
from libretto.score import Key, Meter
from libretto.score.time import micros_of_bpm
from libretto.tasks.drill.checks import checks_of
from libretto.tasks.drill.request import ACCIDENTALS, TEMPOS
from libretto.tasks.drill.task import DrillTask, novelty_of

__all__ = ["studied"]

_TRIES = 3
_USUAL_BARS = 8
_MIDDLES = {("G", 2): 71, ("F", 4): 50, ("C", 3): 60, ("C", 4): 57}  # the pitch on the middle line under each clef


def studied(task: DrillTask, seed: int) -> DrillSheet | None:
    """The drill as a study that keeps every clause, on the piano where it does not lie on the example's own instrument
    and nobody asked for one; None where there is none."""
    model = moved_example(_in_simple_key(task))
    meter = task.meter or model.bars[0].meter
    if task.meter is None and any(bar.meter != meter for bar in model.bars):
        return None
    model = model._replace(micros=micros_of_bpm(task.tempo or TEMPOS[task.level]))
    for number in range(_TRIES):
        sheet = _tried(task, model, meter, dice(seed, "drill", "studies", number))
        if sheet is not None:
            return sheet
    if task.instrument or not model.program:
        return None
    return _tried(task, model._replace(name="PIANO", program=0), meter, dice(seed, "drill", "studies", "piano"))


def _tried(task: DrillTask, model: DrillSheet, meter: Meter, rng: Dice) -> DrillSheet | None:
    """One study, where it keeps every clause."""
    low, high = _register(task, model)
    middle = _middle(task, model, low, high)
    ask = StudyAsk(task.concept, model.bars[0].key, meter, _bars(task), task.level, low, high, middle, model, rng)
    sheet = study_of(ask)
    if sheet is None:
        return None
    score = score_of(sheet, task.concept.title)
    kept = not any(check.passed is False for check, _ in checks_of(task, score))
    return sheet if kept and novelty_of(score, task.example) < CITED_CEILING else None


def _bars(task: DrillTask) -> int:
    """How many bars: as asked, else eight, or what the concept's challenge has."""
    if task.bars is not None:
        return task.bars
    asked = task.concept.challenge
    return min(max(_USUAL_BARS, asked.least), asked.most or _USUAL_BARS)


def _in_simple_key(task: DrillTask) -> DrillTask:
    """The task in a key that its level reads easily, where nobody asked for one."""
    key = task.example.key
    if task.tonic is not None or abs(key.signature) <= ACCIDENTALS[task.level]:
        return task
    tonic = min(range(-5, 7), key=lambda name: (abs(Key(name, key.mode).signature), name))
    return replace(task, tonic=tonic)


def _register(task: DrillTask, model: DrillSheet) -> tuple[int, int]:
    """From which pitch to which: what was asked as far as the instrument goes, else what lies well on it."""
    own = instrument_of_program(model.program or 0)
    low, high = own.comfortable
    if task.low is not None:
        low = max(task.low, own.low)
    if task.high is not None:
        high = min(task.high, own.high)
    return low, high


def _middle(task: DrillTask, model: DrillSheet, low: int, high: int) -> int:
    """The pitch in the middle of the staff on which the instrument is read; of the range, where one was asked."""
    if task.low is not None or task.high is not None:
        return (low + high) // 2
    clefs = clefs_of_instrument(model.program or 0, model.span[0])
    return _MIDDLES[clefs[0].sign, clefs[0].line] + 12 * clefs[0].octaves
