"""Sheets written to a folder: for one learner, in the readings of several instruments, or for a whole class.

Conventions: every student of a class gets drills of seeds of their own on the same concepts and keys, so that no two
have the same page; the answers of all are in one file for the teacher, and none lie in a student's folder.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from libretto.errors import LibrettoError
from libretto.formats import write, write_bytes
from libretto.report.lesson import MOST_DRILLS, Lesson
from libretto.report.sheet_page import ANSWERS_PAGE, LESSON_PAGE, answers_html, lesson_html
from libretto.report.sheets import READINGS, Sheet, read_in, reading_of, sheet_of, sheet_pdf

__all__ = ["MOST_STUDENTS", "check_readings", "make_class", "write_class", "write_sheets"]

MOST_STUDENTS = 40
_TRIES = 4  # seeds for a student, until one has a page, and drills, that nobody else has
Files = dict[str, bytes]


def check_readings(readings: Sequence[str]) -> list[str]:
    """The readings other than concert, each once; one that is not known is refused."""
    for reading in readings:
        if reading not in READINGS:
            raise LibrettoError(f"there are no parts in {reading[:20]!r}; there are {', '.join(READINGS)}")
    return [reading for reading in dict.fromkeys(readings) if reading != "concert"]


def write_sheets(
    lesson: Lesson, folder: str | Path, readings: Sequence[str] = (), *, force: bool = False
) -> list[Path]:
    """A lesson as ``lesson.pdf`` and ``lesson.html``, the answers as files of their own, and parts in other readings.

    A part in B flat is ``lesson-Bb.pdf`` with a MusicXML file a drill; that of the lesson's own instrument is always
    there. Nothing is replaced without ``force``.
    """
    others, sheet = check_readings([*readings, *(reading_of(part.score) for part in lesson.parts)]), sheet_of(lesson)
    made: Files = {
        "lesson.pdf": sheet_pdf([sheet]),
        "answers.pdf": sheet_pdf([sheet], answers=True),
        LESSON_PAGE: lesson_html(sheet).encode(),
        ANSWERS_PAGE: answers_html(sheet).encode(),
    }
    for reading in others:
        part = sheet_of(lesson, reading)
        made[f"lesson-{reading}.pdf"] = sheet_pdf([part])
        made[f"answers-{reading}.pdf"] = sheet_pdf([part], answers=True)
    paths = _write(Path(folder), made, force)
    for reading in others:
        for part_of in lesson.parts:
            path = Path(folder) / f"{part_of.name}.{reading}.musicxml"
            write(read_in(part_of.score, reading), path, force=force)
            paths.append(path)
    return paths


def make_class(make: Callable[[int], Lesson], students: int, seed: int = 0) -> list[tuple[int, Lesson]]:
    """A lesson for every student with its seed, no two the same; ``make`` writes the lesson of a seed.

    Where so many different pages cannot be had, that is said.
    """
    if not 1 <= students <= MOST_STUDENTS:
        raise LibrettoError(f"students: {students} is not within 1 and {MOST_STUDENTS}")
    lessons: list[tuple[int, Lesson]] = []
    pages: set[tuple[str, ...]] = set()
    drills: set[str] = set()
    for student in range(students):
        seeds = [seed + (student + again * students) * MOST_DRILLS for again in range(_TRIES)]
        number, lesson, music = _fresh(make, seeds, pages, drills)
        pages.add(music)
        drills.update(music)
        lessons.append((number, lesson))
    return lessons


def _fresh(
    make: Callable[[int], Lesson], seeds: Sequence[int], pages: set[tuple[str, ...]], drills: set[str]
) -> tuple[int, Lesson, tuple[str, ...]]:
    """A page that nobody has: of some seeds the first with no drill of anybody else's, else with as few as may be."""
    best: tuple[int, int, Lesson, tuple[str, ...]] | None = None
    for number in seeds:
        lesson = make(number)
        music = tuple(sorted(part.score.digest for part in lesson.parts))
        shared = len(drills.intersection(music))
        if music not in pages and (best is None or shared < best[0]):
            best = (shared, number, lesson, music)
        if best is not None and not best[0]:
            break
    if best is None:
        raise LibrettoError(
            f"there are only {len(pages)} different pages of this lesson; ask for more drills, bars or keys"
        )
    return best[1:]


def write_class(lessons: Sequence[tuple[int, Lesson]], folder: str | Path, *, force: bool = False) -> list[Path]:
    """A folder a student with sheet, page and drills; ``class.pdf`` to print; ``answers.pdf`` and ``answers.json``."""
    place = Path(folder)
    made: Files = {}
    sheets: list[Sheet] = []
    key: list[dict[str, Any]] = []
    for student, (seed, lesson) in enumerate(lessons, start=1):
        name = f"student-{student:02d}"
        sheet = sheet_of(lesson, whom=f"Student {student}")
        sheets.append(sheet)
        made[f"{name}/{LESSON_PAGE}"] = lesson_html(sheet, link=False).encode()
        key.append({"student": student, "seed": seed, "drills": _key(lesson, sheet)})
    made["class.pdf"] = sheet_pdf(sheets)
    made["answers.pdf"] = sheet_pdf(sheets, answers=True)
    made["answers.json"] = (json.dumps({"students": key}, ensure_ascii=False, indent=1) + "\n").encode()
    paths = _write(place, made, force)
    for student, (_, lesson) in enumerate(lessons, start=1):
        for part in lesson.parts:
            path = place / f"student-{student:02d}" / f"{part.name}.libretto"
            write(part.score, path, force=force)
            paths.append(path)
    return paths


def _key(lesson: Lesson, sheet: Sheet) -> list[dict[str, Any]]:
    """The answers of one student as plain data."""
    return [
        {
            "drill": part.name,
            "concept": part.concept.key,
            "answers": [{"question": ask, "answer": answer} for ask, answer in exercise.questions],
        }
        for part, exercise in zip(lesson.parts, sheet.exercises, strict=True)
    ]


def _write(place: Path, made: Files, force: bool) -> list[Path]:
    """Write files below a folder, all or none of them where one is there already."""
    paths = [place / name for name in made]
    taken = [path for path in paths if path.exists()]
    if taken and not force:
        raise LibrettoError(f"{taken[0]} exists; --force replaces it")
    for path, data in zip(paths, made.values(), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(data, path, force=True)
    return paths
