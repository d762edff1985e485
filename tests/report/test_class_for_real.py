"""A class set as a teacher asks for it: no drill twice, answers that are right, a page that a browser plays."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from studio_browser import browsing

from libretto import read
from libretto.report.class_set import make_class, write_class
from libretto.report.lesson import Lesson, make_lesson
from libretto.score import Score
from libretto.score.pitch import parse_pitch

CONCEPTS = ["harmonic minor", "melodic intervals"]


def one(seed: int) -> Lesson:
    return make_lesson(CONCEPTS, ["E", "A"], 2, instrument="piano", seed=seed)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("verovio", reason="needs the extra notation")
    pytest.importorskip("typst", reason="needs the extra notation")
    place = tmp_path_factory.mktemp("class")
    write_class(make_class(one, 5), place)
    return place


def in_time(score: Score) -> list[tuple[int, int]]:
    """Bar and pitch of every note of a line."""
    return [(score.bar_at(note.onset) + score.first_bar, note.pitch) for note in score.voices[0].notes]


def test_no_drill_of_a_class_is_there_twice(folder: Path) -> None:
    drills = [read(path).digest for path in sorted(folder.glob("student-*/*.libretto"))]
    assert len(drills) == 10
    assert len(set(drills)) == 10


def test_every_answer_is_right(folder: Path) -> None:
    key = json.loads((folder / "answers.json").read_text(encoding="utf-8"))
    asked = 0
    for row in key["students"]:
        for drill in row["drills"]:
            notes = in_time(read(folder / f"student-{row['student']:02d}" / f"{drill['drill']}.libretto"))
            for pair in drill["answers"]:
                asked += 1
                question, answer = pair["question"], pair["answer"]
                number = re.search(r"bar (\d+)", question)
                if question.startswith("Name the notes"):
                    assert number is not None
                    wanted = [pitch for bar, pitch in notes if bar == int(number[1])]
                    assert [parse_pitch(name)[0] for name in answer.split()] == wanted  # type: ignore[index]
                elif question.startswith("How many semitones"):
                    assert number is not None
                    wanted = [pitch for bar, pitch in notes if bar == int(number[1])]
                    assert int(answer) == max(wanted) - min(wanted)
                elif question.startswith("Where is the widest leap"):
                    said = re.match(r"(\S+) to (\S+), into bar (\d+)", answer)
                    assert said is not None
                    low, high = (parse_pitch(said[place])[0] for place in (1, 2))  # type: ignore[index]
                    widest = max(abs(b[1] - a[1]) for a, b in pairwise(notes))
                    assert abs(high - low) == widest
                    assert any((a[1], b) == (low, (int(said[3]), high)) for a, b in pairwise(notes)), answer
    assert asked >= 25


def test_a_page_is_shown_and_played_by_a_browser(folder: Path) -> None:
    with browsing() as browser:
        page = browser.new_page(viewport={"width": 900, "height": 1200})
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto((folder / "student-01" / "lesson.html").as_uri())
        assert page.locator("section").count() == 2
        assert page.locator("section > svg").count() >= 2
        for staff in page.locator("section > svg").all():
            box = staff.bounding_box()
            assert box is not None
            assert box["width"] > 500
            assert box["height"] > 60
        assert "right hand 1 2 3 1 2 3 4" in page.inner_text("body")
        assert not page.locator("a[href*=answers]").count()
        page.click("button[data-drill='1'][data-pace='1']")
        assert page.evaluate("sounding.length") == page.evaluate("MUSIC[1].length") > 10
        page.click("button[data-drill='1'][data-pace='0']")
        assert page.evaluate("sounding.length") == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= 900
        assert said == []
