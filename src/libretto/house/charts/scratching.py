"""Scratching: what turntables have to say. They answer at the ends of phrases and leave the beat to who has it.

A record is pushed and pulled under its needle: a short push and pull is a chirp, several in a row are a stutter, and a
long pull draws a phrase out. Where a chart was written for turntables they play what it has for scrapers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from libretto.house.charts.form import Passage
from libretto.house.compose.plan import Plan
from libretto.house.core.dice import dice
from libretto.house.core.patterns import DRUM_KEYS, Sketch
from libretto.score import QUARTER

__all__ = ["NEEDLE", "PUSH", "has_turntables", "scratched"]

#: A word of charts whose scrapers are records.
NEEDLE = "turntables"
#: The keys of General MIDI 2 on which a record is pushed, and pulled back.
PUSH, PULL = 29, 30
_WRITTEN = {DRUM_KEYS["guiro"]: PUSH, DRUM_KEYS["guiro_long"]: PULL}  # what charts have for a needle
_PHRASE = 4  # bars
_SLOT = QUARTER // 4
# The end of a phrase in sixteenths: a push, a pull, one that is drawn out, nothing.
_ANSWERS = (
    "....><.>.<><>-..",
    ".........>.<><>-",
    "..><..><.>.<>-..",
    ".......>-<.><><.",
    "....>-..><><.>-.",
    "........><.>.<>-",
)
_WORDS = ("............><>-", ".............>.<", "..........>-.<..")  # in the middle of a phrase
_FLOURISHES = ("><.>.<><..>.<>-.", ">.<><.>-<..><.><", "><><.>.<>-..>.<.")  # where nobody but the beat is there
_LAST = "><>-"
_DUST = -20  # the accent of what only crackles
_SIGNS = {">": PUSH, "<": PULL}
_FULL, _LOUD, _SOFT = 2, 4, -8  # slots of what is drawn out; accents of an answer, and of a word


def has_turntables(keys: Sequence[int]) -> bool:
    """Whether somebody's drums are records under a needle."""
    return PUSH in keys


def scratched(plan: Plan, passages: Sequence[Passage], notes: Sequence[Sketch]) -> list[Sketch]:
    """What turntables play: what is written for them in some bars, else an answer in the last bar of every phrase, now
    and then a word in its middle, a flourish in every other bar of a break, and one last push and pull."""
    told = [note for note in notes if note.pitch in _WRITTEN and note.accent > _DUST]
    own = [note._replace(pitch=_WRITTEN[note.pitch]) for note in told]
    there = {note.onset // plan.meter.ticks for note in own}
    free = [passage for passage in passages if not there & set(range(passage.first, passage.first + passage.bars))]
    return _apart(sorted([*own, *_answers(plan, free), *([] if plan.bars - 1 in there else _farewell(plan))]))


def _answers(plan: Plan, passages: Sequence[Passage]) -> list[Sketch]:
    """What is scratched in some passages, but for the last bar of the piece; no answer twice in turn."""
    made: list[Sketch] = []
    ticks, before = plan.meter.ticks, ""
    places = [(passage, number) for passage in passages for number in range(passage.bars)]
    for passage, number in places:
        bar, rows = passage.first + number, _rows_of(passage, number)
        chosen = [row for row in rows if row != before]
        if chosen and bar < plan.bars - 1:
            before = dice(plan.seed, "scratch", bar).choice(chosen)
            made += _strokes(before, bar * ticks, ticks, _LOUD if rows is not _WORDS else _SOFT)
    return made


def _farewell(plan: Plan) -> list[Sketch]:
    """One last push and pull where the piece ends."""
    ticks = plan.meter.ticks
    return _strokes(_LAST + "." * (ticks // _SLOT - len(_LAST)), (plan.bars - 1) * ticks, ticks, _LOUD)


def _rows_of(passage: Passage, number: int) -> tuple[str, ...]:
    """What may be scratched in a bar of a passage."""
    if passage.scene.kind == "break" and number % 2:
        return _FLOURISHES
    if number % _PHRASE == _PHRASE - 1 or number == passage.bars - 1:
        return _ANSWERS
    odd = (passage.first + number) // _PHRASE % 2
    return _WORDS if odd and number % _PHRASE == 1 else ()


def _strokes(row: str, start: int, ticks: int, accent: int) -> list[Sketch]:
    """The strokes of a row of sixteenths that ends with its bar."""
    slots = ticks // _SLOT
    row = row[-slots:].rjust(slots, ".")
    made = []
    for slot, sign in enumerate(row):
        if sign in _SIGNS:
            long = row[slot + 1 : slot + 2] == "-"
            made.append(Sketch(start + slot * _SLOT, _SLOT * (_FULL if long else 1), _SIGNS[sign], accent))
    return made


def _apart(notes: list[Sketch]) -> list[Sketch]:
    """Strokes that end where the next begins: one hand moves the record."""
    if not notes:
        return notes
    single = [one for one, after in pairwise(notes) if one.onset < after.onset] + notes[-1:]
    kept = [one._replace(duration=min(one.duration, after.onset - one.onset)) for one, after in pairwise(single)]
    return [*kept, single[-1]]
