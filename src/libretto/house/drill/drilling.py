"""How the house writes a drill: from the concept's conditions where they say what the notes are, else from its example.

The example is moved to the key, the meter and the bars that were asked; where it is then no longer seen, the concept
does not go with them. What is left is written anew, bar by bar, as far as the concept is still seen. Of several
attempts, at most ``MOST_ATTEMPTS``, the newest that keeps every clause is taken.
"""

from __future__ import annotations

from libretto.contract.instruments import instrument_of_program
from libretto.errors import LibrettoError
from libretto.gates.originality import CITED_CEILING
from libretto.house.core.controls import Controls
from libretto.house.core.dice import dice
from libretto.house.drafting import Made, writers
from libretto.house.drill.agreement import agreed
from libretto.house.drill.chords import TEXTURES, chord_sheet
from libretto.house.drill.marking import marked
from libretto.house.drill.meters import drawn_out, drawn_together
from libretto.house.drill.models import broken_clauses, fits, models_of
from libretto.house.drill.refusing import refusal
from libretto.house.drill.scales import scale_sheet
from libretto.house.drill.sheet import DrillSheet, layers_of, score_of
from libretto.house.drill.sieve import Likeness, Sieve
from libretto.house.drill.studying import studied
from libretto.house.drill.whole import awkwardness
from libretto.knowledge import shows
from libretto.score import parse_chord
from libretto.tasks import Task
from libretto.tasks.drill.checks import checks_of
from libretto.tasks.drill.task import DrillTask, novelty_of

__all__ = ["MOST_ATTEMPTS", "broken_clauses", "fits", "write_drill"]

MOST_ATTEMPTS = 12
_NEW_ENOUGH = 0.07
_FAULT = 0.004  # an awkward place more than the model has weighs as much as so much likeness
_TURNS = (0, 1, 4, 3, 2, 5)  # which ways to turn the whole sheet are tried in which attempt
_STEPS, _LAST_STEPS = 120, 360
_PATIENCE = ((4, 1.0), (7, 1.3), (10, 1.7), (MOST_ATTEMPTS, 2.0))  # until which attempt how much likeness is allowed
_FROM_SCALES, _FROM_CHORDS = 10, 8  # attempts that write from nothing but a scale, or chords
_FIRST_MODEL = 7  # times that the first model comes before the others
_REROOTED = 0.7  # how often chords come from other roots
_LOWEST, _HIGHEST = 21, 103  # A0 and G7, between which drills are written
_DIATONIC = 7  # tones of a scale


#: What a drill is worth, the less the better: clauses broken, likeness and awkwardness; then its likeness, and itself.
Ranked = tuple[tuple[int, float], float, DrillSheet]


@writers.register("drill")
def write_drill(task: Task, seed: int, controls: Controls) -> Made:
    """A drill, and how many attempts it took."""
    if not isinstance(task, DrillTask):
        raise LibrettoError("this is not a task of writing a drill")
    study = studied(task, seed)
    if study is not None:
        made = marked(score_of(study, task.concept.title), task.concept)
        return made, {"attempts": 1, "overlap": round(_overlap(task, study), 4)}
    models = list(models_of(task))
    if not models:
        raise LibrettoError(refusal(task))
    models = _with_other_paces(task, models)
    attempts = 1
    best = _ranked(task, _attempt(task, models[0], seed, attempts), models[0])
    while attempts < MOST_ATTEMPTS and not (best[0][0] == 0 and best[0][1] <= _enough(attempts)):
        model = models[attempts % len(models)]
        attempts += 1
        best = _better(best, _ranked(task, _attempt(task, model, seed, attempts), model))
    if best[1] > _NEW_ENOUGH:
        best = _better(best, _ranked(task, _freshened(task, best[2], models[0], seed, _LAST_STEPS), models[0]))
    made = marked(score_of(best[2], task.concept.title), task.concept)
    return made, {"attempts": attempts, "overlap": round(best[1], 4)}


def _with_other_paces(task: DrillTask, models: list[DrillSheet]) -> list[DrillSheet]:
    """Ways to write from: the first model most, others now and then; where chords are struck, also with chords that
    change half as often or twice as often, since their row alone is half of what there is to recognize."""
    if not _struck(models[0]):
        return [models[0]] * _FIRST_MODEL + models[1:]
    paces = [sheet for way in (drawn_out, drawn_together) if (sheet := next(models_of(task, way), None)) is not None]
    return [sheet for pair in zip(paces * 2, [models[0]] * 4, strict=False) for sheet in pair] + models


def _struck(model: DrillSheet) -> bool:
    """Whether most bars strike chords or hold two notes under a named one, all in one meter."""
    struck = 0
    for bar in model.bars:
        under = layers_of(bar).under
        held = len(under) == 2 and all(note.duration * 2 > bar.length for note in under)
        struck += len(under) >= 3 or (held and parse_chord(bar.labels[0]) is not None)
    return struck * 3 >= len(model.bars) * 2 and len({bar.meter for bar in model.bars}) == 1


def _overlap(task: DrillTask, sheet: DrillSheet) -> float:
    return novelty_of(score_of(sheet), task.example)


def _better(one: Ranked, two: Ranked) -> Ranked:
    return two if two[0] < one[0] else one


def _ranked(task: DrillTask, sheet: DrillSheet, model: DrillSheet) -> Ranked:
    """A drill with what it is worth: the clauses it breaks, then what it shares and where it is awkward."""
    score = score_of(sheet, task.concept.title)
    share = novelty_of(score, task.example)
    broken = sum(check.passed is False for check, _ in checks_of(task, score)) + (share >= CITED_CEILING)
    return (broken, share + _FAULT * max(0, awkwardness(sheet) - awkwardness(model))), share, sheet


def _freshened(task: DrillTask, sheet: DrillSheet, model: DrillSheet, seed: int, steps: int) -> DrillSheet:
    """A sheet changed where it is like the example."""
    low, high = _bounds(task, model)
    writer = Sieve(sheet, lambda trial: _good(task, trial), seed * 31 + steps, low, high, task.level)
    writer.freshen(Likeness(task.example, _NEW_ENOUGH), steps, awkwardness(model))
    writer.relabel()
    plain = agreed(writer.sheet)
    return plain if _good(task, plain) or not _good(task, writer.sheet) else writer.sheet


def _good(task: DrillTask, sheet: DrillSheet) -> bool:
    score = score_of(sheet, task.concept.title)
    return bool(sheet.bars[-1].notes) and not any(check.passed is False for check, _ in checks_of(task, score))


def _enough(attempts: int) -> float:
    """How much likeness is little enough after so many attempts: patience has an end."""
    return _NEW_ENOUGH * next(patience for most, patience in _PATIENCE if attempts <= most)


def _attempt(task: DrillTask, model: DrillSheet, seed: int, number: int) -> DrillSheet:
    """One drill: from the conditions or the chords where they say enough, else from the model; then freshened."""
    low, high = _bounds(task, model)
    made = _from_scale(task, model, seed, number) if number <= _FROM_SCALES else None
    if made is None and number <= _FROM_CHORDS:
        made = _from_chords(task, model, seed, number, low, high)
    if made is None or not _good(task, made):
        writer = Sieve(model, lambda sheet: _good(task, sheet), seed * 31 + number, low, high, task.level)
        writer.turned(_TURNS[number % len(_TURNS)])
        made = writer.run(number % 3)
    return _freshened(task, made, model, seed * 13 + number, _STEPS)


def _from_scale(task: DrillTask, model: DrillSheet, seed: int, number: int) -> DrillSheet | None:
    """A drill from the steps of a scale, where that is all the concept is."""
    conditions = [condition for condition in task.concept.detector if condition["kind"] == "scale"]
    if not conditions or any(len(bar.key.scale) != _DIATONIC or bar.meter != model.bars[0].meter for bar in model.bars):
        return None
    low, high = _bounds(task, model)
    names = {note.pitch % 12: note.spelling for bar in model.bars for note in bar.notes}
    bars = len(model.bars) - (1 if model.first_bar == 0 else 0)
    return scale_sheet(
        conditions[0]["steps"],
        conditions[0].get("marks", ()),
        model.bars[0].key,
        model.bars[0].meter,
        bars,
        task.level,
        low,
        high,
        dice(seed, "drill", "scale", number),
        names,
        model,
    )


def _from_chords(task: DrillTask, model: DrillSheet, seed: int, number: int, low: int, high: int) -> DrillSheet | None:
    """A drill from the chords of the model, where most of its bars strike chords; some of them from other roots."""
    if not _struck(model):
        return None
    rng = dice(seed, "drill", "chords", number)
    base = model
    if any(condition["kind"] == "scale" for condition in task.concept.detector):
        return None
    if rng.random() < _REROOTED:
        moved = Sieve(model, lambda sheet: shows(score_of(sheet), task.concept), seed + number, low, high, task.level)
        base = moved.reroot()
    return chord_sheet(base, TEXTURES[(number - 1 + seed) % len(TEXTURES)], low, high, task.level, rng)


def _bounds(task: DrillTask, model: DrillSheet) -> tuple[int, int]:
    """Between which pitches the drill may move."""
    low, high = model.span
    floor = task.low if task.low is not None else max(_LOWEST, low - 2)
    roof = task.high if task.high is not None else min(_HIGHEST, max(high + 3, low + 12))
    own = instrument_of_program(model.program or 0)
    return max(floor, min(own.low, low)), min(roof, max(own.high, high))
