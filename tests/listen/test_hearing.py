"""One trial: reading, repairs, one more try, and what is counted."""

from __future__ import annotations

from typing import Any

import pytest

from libretto.listen.ears import Heard
from libretto.listen.kinds import kinds
from libretto.listen.prompting import CONDITIONS, form_of, page, system_page
from libretto.listen.replies import Fault, read_answer
from libretto.listen.trial import change_of, hear_trial, refuses

CHORD = kinds["chord_quality_4"]
GOOD = "chord(t1, [60, 64, 67])"
OPEN = "chord(t1, [60, 61, 62])"


def play(replies: list[str], task: str = "chord_quality_4", condition: str = "logiclm", model: bool = True) -> Any:
    """What comes of these replies, and what was asked."""
    asked: list[tuple[str, str]] = []

    def ask(purpose: str, messages: Any) -> Heard:
        asked.append((purpose, messages[0].text if messages else ""))
        text = replies[len(asked) - 1]
        return Heard(text, failure="timeout") if text == "late" else Heard(text)

    kind = kinds[task]
    return hear_trial(kind, "t1", form_of(kind, "t1"), condition, (), ask, model=model), asked


def test_a_good_reply_needs_one_call() -> None:
    found, asked = play([GOOD])
    assert (found["status"], found["given"], found["calls"], len(asked)) == ("answered", "A", 1, 1)


def test_form_is_mended_and_counted_as_form() -> None:
    found, asked = play(["```\nchord(x, [60.0, 64, 67])\n```", GOOD])
    assert (found["given"], found["form"], found["content"], found["first_fault"]) == ("A", 1, 0, "parse")
    purpose, text = asked[1]
    assert purpose == "repair"
    for part in (
        "chord(x, [60.0, 64, 67])",
        "parse error",
        "chord(t1, [p1, p2, ..., pK])",
        "0 to 127",
        "no code fences",
    ):
        assert part in text


def test_changed_values_are_counted_apart() -> None:
    found, _ = play(["chord(t2, [60, 63, 67])", GOOD])
    assert (found["given"], found["form"], found["content"]) == ("A", 0, 1)
    found, _ = play(["chord(t2, [60, 63, 67])", "chord(t3, [60, 63, 67])", "chord(t1, [60, 63, 67])"])
    assert (found["given"], found["form"], found["content"], found["calls"]) == ("B", 1, 0, 3)


def test_two_repairs_and_no_more() -> None:
    found, asked = play(["bad"] * 9)
    assert (found["status"], found["calls"], len(asked)) == ("unparsed", 3, 3)
    assert found["last_fault"] == "parse"


def test_an_undecided_reply_is_asked_for_once_more() -> None:
    found, asked = play(["bad", "bad again", OPEN, OPEN])
    assert [purpose for purpose, _ in asked] == ["first", "repair", "repair", "undecided"]
    assert (found["status"], found["given"]) == ("undecidable", None)
    found, asked = play([OPEN, GOOD])
    assert (found["given"], found["content"], "parse error" in asked[1][1]) == ("A", 1, True)
    found, _ = play([OPEN, "now it is broken"])
    assert (found["status"], found["calls"]) == ("undecidable", 2)


def test_failures_end_a_trial_and_keep_what_was_known() -> None:
    assert play(["late"])[0]["status"] == "failed"
    found, _ = play(["bad", "late"])
    assert (found["status"], found["calls"]) == ("unparsed", 2)
    assert play([OPEN, "late"])[0]["status"] == "undecidable"


def test_an_ear_that_is_no_model_is_not_asked_to_mend() -> None:
    found, asked = play(["chord(t1, [])"], model=False, condition="cot")
    assert (found["status"], found["last_fault"], len(asked)) == ("unparsed", "structural", 1)


def test_refusals_are_known() -> None:
    found, _ = play(["I'm sorry, I can't listen to audio."] * 3)
    assert found["refused"]
    assert found["status"] == "unparsed"
    assert not refuses("bad")
    assert play(["I cannot hear that."], condition="standalone")[0]["refused"]


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (GOOD, GOOD + "\n", ""),
        ("melody(b, [65])\nmelody(a, [60])", "melody(a, [60])\nmelody(b, [65])", "form"),
        ("chord(t1, [60-64-67])", GOOD, "form"),
        ("I hear 60, 64 and 67", GOOD, "form"),
        ("I hear a chord", GOOD, "content"),
        ("rhythm(t1, [1, 1])", "rhythm(t1, [1])", "content"),
    ],
)
def test_changes_of_form_and_content(before: str, after: str, kind: str) -> None:
    assert change_of(before, after) == kind


@pytest.mark.parametrize(
    ("task", "condition", "text", "answer"),
    [
        ("chord_quality_4", "cot", "Bright.\n\nFinal Answer: A\n", "A"),
        ("chord_quality_4", "standalone", "final answer: b", "B"),
        ("transposition", "standalone", "No, these are not the same melody.", "no"),
        ("transposition", "cot", "So:\nFinal Answer: Yes, these are the same melody.", "yes"),
        ("contour", "cot", "Final Answer: InvArch", "InvArch"),
        ("chord_quality_4", "cot", "Final Answer: A or B", "structural"),
        ("chord_quality_4", "cot", "Final Answer: E", "structural"),
        ("chord_quality_4", "cot", "Final Answer: A\nFinal Answer: B", "structural"),
        ("chord_quality_4", "cot", "Final Answer: A\nOr perhaps not.", "parse"),
        ("chord_quality_4", "cot", "A", "parse"),
        ("chord_quality_4", "cot", "", "parse"),
        ("chord_quality_4", "cot", "x" * 300_000, "parse"),
        ("chord_quality_4", "standalone", "Hm.\nFinal Answer: A", "structural"),
        ("transposition", "cot", "Yes, these are the same melody.", "parse"),
    ],
)
def test_final_answers_are_read_strictly(task: str, condition: str, text: str, answer: str) -> None:
    said = read_answer(text, kinds[task], condition)
    assert (said.kind if isinstance(said, Fault) else said) == answer


@pytest.mark.parametrize("name", list(kinds))
def test_every_task_has_its_pages(name: str) -> None:
    for condition in CONDITIONS:
        text = system_page(kinds[name], condition)
        assert "{" not in text
        assert "Purpose" not in text
        for choice in kinds[name].choices if condition != "logiclm" else ():
            assert kinds[name].said(choice) in text
    assert "Final Answer" not in system_page(kinds[name], "logiclm")
    assert "{prior}" in page("repair")
