"""Lessons on paper: sheets with title, instruction, staff and questions, and the answers on sheets of their own.

Conventions: a *reading* is the key in which players read: concert, or that of a transposing instrument. Texts reach the
typesetter as data, so that nothing in a title can be taken for markup.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.instruments import instrument_named, instrument_of_program
from libretto.corpus.overlap import runs_of
from libretto.engraving import Paper, set_music
from libretto.engraving.raster import typeset
from libretto.errors import LibrettoError
from libretto.knowledge import Concept, detect
from libretto.report.lesson import Lesson, Part
from libretto.score import Score
from libretto.score.pitch import pitch_name
from libretto.score.transposing import transpose
from libretto.tasks.drill.fingering import SCALE_STEPS, fingering_line

__all__ = [
    "READINGS",
    "Exercise",
    "Sheet",
    "drawings_of",
    "exercise_of",
    "read_in",
    "reading_of",
    "sheet_of",
    "sheet_pdf",
]

#: How many semitones above its sound each kind of instrument reads.
READINGS = {"concert": 0, "Bb": 2, "Eb": 9, "F": 7}
_HIGHEST = 86  # D6: higher parts are read an octave lower
_OCTAVE = 12
_STAFF_PAPER = Paper(width=174.0, margin=2.0)  # what an A4 sheet has between its margins
_SLOWLY = 0.7  # of the tempo, for practising
_PIANOS = range(8)  # programs
_ABOUT_INTERVALS = {"interval_row", "feature_interval"}  # detectors of concepts that are about intervals
_MELODIC = {0, 2, 3, 5, 7, 8, 9, 10, 11}  # the steps of melodic minor up and down
_SHOWN = 12  # notes of a bar that are asked for at most


@dataclass(frozen=True)
class Exercise:
    """One drill on a sheet: its heading, what to do, the music, and questions with their answers."""

    heading: str
    instruction: str
    score: Score
    questions: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Sheet:
    """What one person gets: a title, for whom it is, and the exercises."""

    title: str
    whom: str
    exercises: tuple[Exercise, ...]


def read_in(score: Score, reading: str) -> Score:
    """The piece as players of such an instrument read it: its own players as far above the sound as they do, a tenor
    saxophone a ninth; for others a part that would lie too high is read an octave lower."""
    if reading not in READINGS:
        raise LibrettoError(f"there are no parts in {reading[:20]!r}; there are {', '.join(READINGS)}")
    up, own = READINGS[reading], _written_above(score)
    if up and own % _OCTAVE == up:
        return transpose(score, own)
    if up and len(score.table) and int(score.table["pitch"].max()) + up > _HIGHEST:
        up -= _OCTAVE
    return transpose(score, up) if up else score


def reading_of(score: Score) -> str:
    """In which key the player of a drill reads: concert, where the instrument does not transpose."""
    above = _written_above(score) % _OCTAVE
    return next(name for name, up in READINGS.items() if up == above) if above in READINGS.values() else "concert"


def _written_above(score: Score) -> int:
    """How many semitones above its sound the instrument of a drill is written."""
    voice = score.voices[0] if score.voices else None
    if voice is None or voice.drums or voice.program is None:
        return 0
    named = instrument_named(voice.name)
    player = named if named is not None and voice.program in named.programs else instrument_of_program(voice.program)
    return player.transposition


def exercise_of(part: Part, number: int, reading: str = "concert", *, met: bool = False) -> Exercise:
    """One drill as an exercise, in a reading; the idea is told where it was not met before."""
    score = read_in(part.score, reading)
    slowly, tempo = round(_SLOWLY * score.bpm), round(score.bpm)
    about = "" if met else re.split(r"(?<=[.!?])\s", " ".join(part.concept.about.split()))[0] + " "
    fingers = _fingers(score) if reading == "concert" else ""
    instruction = f"{about}Play it at {slowly}, then at {tempo}; then answer. {fingers}".strip()
    heading = f"{number}. {part.concept.title} in {score.key}"
    return Exercise(heading, instruction, replace(score, title=""), tuple(_questions(part, score)))


def _fingers(score: Score) -> str:
    """The usual fingerings of a scale for both hands, where a piano plays one."""
    if len(score.voices) != 1 or score.voices[0].program not in _PIANOS:
        return ""
    home = score.key.tonic_class
    steps = tuple(sorted({(pitch - home) % _OCTAVE for pitch in score.table["pitch"].tolist()}))
    form = next((form for form, own in SCALE_STEPS.items() if own == steps), "")
    form = "melodic minor" if set(steps) == _MELODIC else form
    return fingering_line(home, form)


def _questions(part: Part, score: Score) -> list[tuple[str, str]]:
    """Questions that the page can answer, and their answers."""
    places = detect(part.score, part.concept)
    bars = sorted({bar for place in places for bar in range(place.first, place.last + 1)})
    asked = _interval_questions(part.concept, score)
    if bars and not asked:
        where = ", ".join(f"{a}-{b}" if a != b else str(a) for a, b in runs_of(bars))
        asked.append((f"In which bars do you find: {part.concept.title}?", f"in {where}"))
    names = _names(score)
    if names:
        bar = max(names, key=lambda number: (min(len(names[number]), _SHOWN), -number))
        asked.append((f"Name the notes of bar {bar}.", " ".join(names[bar])))
    leap = _widest(score)
    if leap:
        asked.append(("Where is the widest leap, and between which notes?", leap))
    return asked


def _interval_questions(concept: Concept, score: Score) -> list[tuple[str, str]]:
    """How wide the interval of a bar is, where the drill is about intervals: of the widest that is no octave."""
    if not {item["kind"] for item in concept.detector} & _ABOUT_INTERVALS:
        return []
    spans: dict[int, int] = {}
    for index, number in enumerate(score.numbers):
        pitches = {int(row["pitch"]) for row in score.table if int(row["bar"]) == index}
        if len(pitches) == 2:
            spans[number] = max(pitches) - min(pitches)
    if not spans:
        return []
    asked = max(spans, key=lambda number: (spans[number] % _OCTAVE, -number))
    return [(f"How many semitones apart are the notes of bar {asked}?", str(spans[asked]))]


def _names(score: Score) -> dict[int, list[str]]:
    """The notes of every bar by name, low notes of a chord first."""
    names: dict[int, list[str]] = {}
    for row in _in_time(score):
        names.setdefault(int(row["bar"]) + score.first_bar, []).append(
            pitch_name(int(row["pitch"]), int(row["spelling"]))
        )
    return names


def _in_time(score: Score) -> NDArray[Any]:
    table = score.table
    order = sorted(range(len(table)), key=lambda i: (int(table["onset"][i]), int(table["pitch"][i])))
    return np.asarray(table[order])


def _widest(score: Score) -> str:
    """The widest leap of a single line in words; empty where there is none or chords are played."""
    rows = _in_time(score)
    if len(rows) != len(set(rows["onset"].tolist())):
        return ""
    pairs = [(abs(int(b["pitch"]) - int(a["pitch"])), a, b) for a, b in pairwise(rows)]
    if not pairs:
        return ""
    size, a, b = max(pairs, key=lambda pair: pair[0])
    if not size:
        return ""
    first, second = (pitch_name(int(row["pitch"]), int(row["spelling"])) for row in (a, b))
    return f"{first} to {second}, into bar {int(b['bar']) + score.first_bar}"


def sheet_of(lesson: Lesson, reading: str = "concert", whom: str = "") -> Sheet:
    """A lesson as one sheet, in a reading, for somebody."""
    ideas = list(dict.fromkeys(part.concept.title for part in lesson.parts))
    title = f"Lesson: {', '.join(ideas)}" + ("" if reading == "concert" else f" (part in {reading})")
    exercises, met = [], set()
    for number, part in enumerate(lesson.parts, start=1):
        exercises.append(exercise_of(part, number, reading, met=part.concept.key in met))
        met.add(part.concept.key)
    return Sheet(title, whom, tuple(exercises))


def drawings_of(exercise: Exercise, prefix: str = "") -> tuple[str, ...]:
    """The staff of an exercise as SVG drawings, one a page."""
    return set_music(exercise.score, cropped=True, timed=False, prefix=prefix, paper=_STAFF_PAPER).pages


def sheet_pdf(sheets: Sequence[Sheet], *, answers: bool = False) -> bytes:
    """Sheets as one PDF, each beginning on a new page; with ``answers`` the key instead of staff and questions."""
    drawings: list[str] = []
    told = []
    for sheet in sheets:
        rows = []
        for exercise in sheet.exercises:
            first = len(drawings)
            if not answers:
                drawings += drawings_of(exercise)
            shown = [f"page{number}" for number in range(first, len(drawings))]
            questions = [{"question": ask, "answer": answer} for ask, answer in exercise.questions]
            rows.append(
                {
                    "heading": exercise.heading,
                    "instruction": exercise.instruction,
                    "drawings": shown,
                    "asked": questions,
                }
            )
        title = f"Answers. {sheet.title}" if answers else sheet.title
        told.append({"title": title, "whom": sheet.whom, "exercises": rows})
    data = {"sheets": told, "answers": answers}
    source = files("libretto.report").joinpath("assets", "sheet.typ").read_text(encoding="utf-8")
    return typeset(source, drawings, {"sheet": json.dumps(data)}, sheets[0].title if sheets else "")
