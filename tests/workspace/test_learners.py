"""A learner's record: only ever added to, and what to practise next is chosen by what went wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from libretto import LibrettoError
from libretto.tasks.drill.progress import next_steps
from libretto.workspace import Workspace
from libretto.workspace.learners import Answer, add_answer, answers_of


def answer(concept: str, score: int, heard: bool = True, **rest: object) -> Answer:
    return Answer("2026-01-01T00:00:00Z", "d.libretto", concept, "E minor", score, {"wrong note": 2}, heard, **rest)  # type: ignore[arg-type]


def test_answers_are_added_and_read_in_order(tmp_path: Path) -> None:
    home = Workspace(tmp_path)
    for score in (40, 70):
        add_answer(home, "ada", answer("Dorian mode", score))
    assert [one.score for one in answers_of(home, "ada")] == [40, 70]
    path = tmp_path / ".libretto" / "learners" / "ada.jsonl"
    before = path.read_bytes()
    add_answer(home, "ada", answer("Dorian mode", 95))
    assert path.read_bytes().startswith(before)


def test_lines_that_cannot_be_read_are_passed_over(tmp_path: Path) -> None:
    home = Workspace(tmp_path)
    add_answer(home, "ada", answer("Dorian mode", 40))
    path = tmp_path / ".libretto" / "learners" / "ada.jsonl"
    path.write_bytes(path.read_bytes() + b'{"score": "x"}\n\xff\n[1]\n{"cut off')
    add_answer(home, "ada", answer("Dorian mode", 60))
    assert [one.score for one in answers_of(home, "ada")] == [40, 60]


@pytest.mark.parametrize("name", ["../ada", "", "a/b", "Ada Lovelace", "x" * 300])
def test_a_name_is_no_path(tmp_path: Path, name: str) -> None:
    with pytest.raises(LibrettoError):
        add_answer(Workspace(tmp_path), name, answer("Dorian mode", 40))
    assert not (tmp_path / ".libretto" / "learners").exists() or not list(tmp_path.rglob("*.jsonl"))


def test_nobody_is_known_before_the_first_answer(tmp_path: Path) -> None:
    with pytest.raises(LibrettoError, match="nothing is known"):
        answers_of(Workspace(tmp_path), "ada")


def test_the_weakest_comes_first_and_what_is_mastered_last() -> None:
    answers = [
        answer("Dorian mode", 95),
        answer("Harmonic minor scale", 40),
        answer("Melodic minor scale", 70),
        answer("Harmonic minor scale", 60),
    ]
    steps = next_steps(answers, 3)
    assert [step.concept for step in steps] == ["Harmonic minor scale", "Melodic minor scale", "Dorian mode"]
    assert steps[0].key == "E minor"
    assert "60 of 100" in steps[0].why
    assert steps[2].key == "B"


def test_a_concept_that_was_not_heard_stays_open() -> None:
    steps = next_steps([answer("Dorian mode", 98, heard=False), answer("Melodic minor scale", 92)], 1)
    assert [step.concept for step in steps] == ["Dorian mode"]


def test_what_helps_comes_after_what_went_wrong() -> None:
    steps = next_steps([answer("Harmonic minor scale", 50, practise=("Major scale", "no such thing at all"))], 4)
    assert [step.concept for step in steps] == ["Harmonic minor scale", "Major scale"]


def test_without_concepts_nothing_can_be_chosen() -> None:
    with pytest.raises(LibrettoError, match="names what it practised"):
        next_steps([answer("", 50)], 2)
