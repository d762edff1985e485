"""Lessons as sheets: on paper, in the browser, in other keys for other instruments, and for a whole class."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from libretto import LibrettoError, parse
from libretto.formats import read
from libretto.knowledge import find_concept
from libretto.report.class_set import make_class, write_class, write_sheets
from libretto.report.lesson import MOST_DRILLS, Lesson, Part
from libretto.report.sheet_page import answers_html, lesson_html
from libretto.report.sheets import read_in, reading_of, sheet_of, sheet_pdf
from libretto.score import Score
from libretto.tasks.drill.request import difficulty_of


def tune(last: str = "E4") -> Score:
    return parse(f"""TITLE: Harmonic minor scale
KEY: E minor | METER: 4/4 | TEMPO: 100 | GRID: 4 | BARS: 4
VOICES: PIANO[prog=0]
@1 [Em]
  PIANO: E4@1>1 F#4@2>1 G4@3>1 A4@4>1
@2 [B7]
  PIANO: B4@1>1 C5@2>1 D#5@3>1 E5@4>1
@3 [B7]
  PIANO: E5@1>1 D#5@2>1 C5@3>1 B4@4>1
@4 [Em]
  PIANO: B4@1>2 {last}@3>2
""")


def lesson(last: str = "E4") -> Lesson:
    concept = find_concept("theory/harmonic-minor-scale")
    score = tune(last)
    return Lesson((Part("01-harmonic-minor", concept, score, difficulty_of(score, concept), True),))


def test_a_sheet_has_title_instruction_staff_and_questions_and_no_answers() -> None:
    page = lesson_html(sheet_of(lesson()))
    assert "<h1>Lesson: Harmonic minor scale</h1>" in page
    assert "Play it at 70, then at 100" in page
    assert page.count('role="img"') == 1
    assert "Name the notes of bar 1." in page
    assert "E4 F#4 G4 A4" not in page
    assert "E4 F#4 G4 A4" in answers_html(sheet_of(lesson()))


def test_the_answers_are_right() -> None:
    (exercise,) = sheet_of(lesson()).exercises
    answers = dict(exercise.questions)
    assert answers["Name the notes of bar 1."] == "E4 F#4 G4 A4"
    assert answers["Where is the widest leap, and between which notes?"] == "B4 to E4, into bar 4"
    assert answers["In which bars do you find: Harmonic minor scale?"] == "in 1-4"


def test_the_page_sounds_what_is_written() -> None:
    music = json.loads(re.findall(r"const MUSIC = (\[.*?\]);\n", lesson_html(sheet_of(lesson())))[0])
    assert [row[2] for row in music[0]] == [64, 66, 67, 69, 71, 72, 75, 76, 76, 75, 72, 71, 71, 64]
    assert [row[0] for row in music[0]][:3] == [0, 0.6, 1.2]


def test_what_a_title_says_is_no_markup() -> None:
    sheet = sheet_of(lesson(), whom='<b>#panic("x")</b>')
    assert "<b>#panic" not in lesson_html(sheet)
    assert sheet_pdf([sheet]).startswith(b"%PDF")


@pytest.mark.parametrize(("reading", "up", "key"), [("Bb", 2, "F# minor"), ("Eb", 9, "C# minor"), ("F", 7, "B minor")])
def test_parts_are_read_in_other_keys(reading: str, up: int, key: str) -> None:
    score = read_in(tune(), reading)
    assert (score.table["pitch"] - tune().table["pitch"]).tolist() == [up] * 14
    assert str(score.key) == key
    with pytest.raises(LibrettoError, match="no parts in"):
        read_in(tune(), "H")


def test_sheets_lie_in_a_folder_the_same_bytes_every_time(tmp_path: Path) -> None:
    paths = write_sheets(lesson(), tmp_path / "a", ["Bb"])
    names = {path.name for path in paths}
    assert {"lesson.pdf", "answers.pdf", "lesson.html", "answers.html", "lesson-Bb.pdf"} <= names
    assert str(read(tmp_path / "a" / "01-harmonic-minor.Bb.musicxml").key) == "F# minor"
    again = write_sheets(lesson(), tmp_path / "b", ["Bb"])
    assert [path.read_bytes() for path in paths if path.suffix == ".pdf"] == [
        path.read_bytes() for path in again if path.suffix == ".pdf"
    ]
    with pytest.raises(LibrettoError, match="exists"):
        write_sheets(lesson(), tmp_path / "a")


def test_a_class_has_a_page_each_and_one_file_of_answers(tmp_path: Path) -> None:
    ends = ["E4", "G4", "B4"]
    lessons = make_class(lambda seed: lesson(ends[seed // MOST_DRILLS % 3]), 3)
    assert len({seed for seed, _ in lessons}) == 3
    write_class(lessons, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "answers.json", "answers.pdf", "class.pdf", "student-01", "student-02", "student-03",
    ]  # fmt: skip
    assert not list(tmp_path.glob("student-*/answers*"))
    assert "answers.html" not in (tmp_path / "student-01" / "lesson.html").read_text(encoding="utf-8")
    key = json.loads((tmp_path / "answers.json").read_text(encoding="utf-8"))
    assert [row["student"] for row in key["students"]] == [1, 2, 3]
    assert len({str(row["drills"]) for row in key["students"]}) > 1


def test_a_class_of_equal_pages_is_refused() -> None:
    with pytest.raises(LibrettoError, match="different pages"):
        make_class(lambda seed: lesson(), 2)
    with pytest.raises(LibrettoError, match="not within"):
        make_class(lambda seed: lesson(), 99)


@pytest.mark.parametrize(
    ("name", "program", "reading", "up"),
    [("TENOR SAX", 66, "Bb", 14), ("TRUMPET", 56, "Bb", 2), ("ALTO SAX", 65, "Eb", 9), ("FLUTE", 73, "concert", 0)],
)
def test_a_lesson_for_an_instrument_is_read_as_its_players_read(
    name: str, program: int, reading: str, up: int, tmp_path: Path
) -> None:
    voice = replace(tune().voices[0], name=name, program=program)
    score = replace(tune(), voices=(voice,))
    assert reading_of(score) == reading
    assert (read_in(score, reading).table["pitch"] - score.table["pitch"]).tolist() == [up] * len(score.table)
    part = replace(lesson().parts[0], score=score)
    names = {path.name for path in write_sheets(replace(lesson(), parts=(part,)), tmp_path)}
    assert (f"lesson-{reading}.pdf" in names) == (reading != "concert")
