"""Phrasing: a line grows towards the highest note of its phrase and goes back from there, whatever is written."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

from libretto.house.charts.form import Passage
from libretto.house.charts.hands import TUNES
from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import Sketch

__all__ = ["phrased"]

_SWELL = {"lead": 5.0}  # velocities by which the goal of a phrase is louder than its middle
_INNER_SWELL = 3.0  # and by which that of any other line is
_BY_HEIGHT, _MOST_BY_HEIGHT = 0.35, 4.0  # velocities by semitones above the middle of the phrase, and at most
_RESTS = 0.5  # beats of silence that end a phrase
_LONG = 2  # beats that its last note lasts, where no rest follows
_SHORTEST, _LONGEST = 1, 4  # bars of a phrase: what rests sooner goes on, what goes on longer breathes there
_FEW = 3  # strokes: fewer have no goal


class _Stroke(NamedTuple):
    """What is struck together: its place in the line, when, until when and how high."""

    first: int
    last: int
    onset: int
    end: int
    top: int


def phrased(plan: Plan, passages: Sequence[Passage], part: str, notes: Sequence[Sketch]) -> list[Sketch]:
    """The notes of a part; those of a line are louder the nearer they come to the goal of their phrase, its highest
    note, and softer on the way back, so that the phrase as a whole is as loud as it was."""
    if part not in TUNES:
        return list(notes)
    line = sorted(notes)
    swell = _SWELL.get(part, _INNER_SWELL)
    for phrase in _phrases(plan, passages, _strokes(line)):
        for stroke, more in zip(phrase, _arch(phrase, swell), strict=True):
            for place in range(stroke.first, stroke.last):
                line[place] = line[place]._replace(accent=line[place].accent + more)
    return line


def _strokes(line: Sequence[Sketch]) -> list[_Stroke]:
    """What is struck together in a line that is in order."""
    made: list[_Stroke] = []
    for place, note in enumerate(line):
        end = note.onset + note.duration
        if made and made[-1].onset == note.onset:
            before = made[-1]
            made[-1] = before._replace(last=place + 1, end=max(before.end, end), top=max(before.top, note.pitch))
        else:
            made.append(_Stroke(place, place + 1, note.onset, end, note.pitch))
    return made


def _phrases(plan: Plan, passages: Sequence[Passage], strokes: Sequence[_Stroke]) -> list[list[_Stroke]]:
    """The phrases of a line: up to a rest or a long note that comes after a bar or more, up to the next section, and
    no longer than a phrase of four bars."""
    ticks, beat = plan.meter.ticks, plan.meter.beat
    firsts = sorted(passage.first * ticks for passage in passages)
    made = [[stroke] for stroke in strokes[:1]]
    for before, stroke in pairwise(strokes):
        start = made[-1][0].onset
        closes = stroke.onset - before.end >= _RESTS * beat or stroke.onset - before.onset >= _LONG * beat
        enough = stroke.onset - start >= _SHORTEST * ticks
        section = next((first for first in firsts if before.onset < first <= stroke.onset), None)
        phrase = max((first for first in firsts if first <= stroke.onset), default=0)
        over = (stroke.onset - phrase) // (_LONGEST * ticks) > (before.onset - phrase) // (_LONGEST * ticks)
        if (closes and enough) or section is not None or over:
            made.append([])
        made[-1].append(stroke)
    return made


def _arch(phrase: Sequence[_Stroke], swell: float) -> list[int]:
    """How much louder every stroke of a phrase is than it was: least where the phrase begins and ends, most at its
    highest note, of several the last."""
    if len(phrase) < _FEW:
        return [0] * len(phrase)
    top = max(stroke.top for stroke in phrase)
    goal = max(place for place, stroke in enumerate(phrase) if stroke.top == top)
    first, peak, last = (phrase[place].onset for place in (0, goal, -1))
    middle = fmean(stroke.top for stroke in phrase)
    made = []
    for stroke in phrase:
        way, far = (stroke.onset - first, peak - first) if stroke.onset <= peak else (last - stroke.onset, last - peak)
        near = way / far if far else 1.0  # 0 at either end, 1 at the goal
        height = max(-_MOST_BY_HEIGHT, min(_MOST_BY_HEIGHT, _BY_HEIGHT * (stroke.top - middle)))
        made.append(swell * (2 * near - 1) + height)
    level = fmean(made)
    return [round(more - level) for more in made]
