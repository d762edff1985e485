"""Lines are read to the letter, and every fault gets its kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libretto.listen.kinds import kinds
from libretto.listen.prompting import form_of, page, system_page
from libretto.listen.replies import RANGES, Form, read_lines

ONE = {name: Form(name, ("t1",)) for name in RANGES}
TWO = Form("melody", ("t1_1", "t1_2"))

FAULTS = [
    ("rhythm", "", "parse"),
    ("rhythm", " \n\t\n", "parse"),
    ("rhythm", "I am sorry, I cannot listen to audio.", "parse"),
    ("rhythm", "```\nrhythm(t1, [1, 3])\n```", "parse"),
    ("rhythm", "```rhythm(t1, [1, 3])```", "parse"),
    ("rhythm", "Here it is: rhythm(t1, [1, 3])", "parse"),
    ("rhythm", "rhythm(t1, [1, 3])\nI hope this helps.", "parse"),
    ("rhythm", "rhythm(t1, [1, 3]).", "parse"),
    ("rhythm", "rhythm(t1, 1, 3)", "parse"),
    ("rhythm", "rhythm(t1 [1, 3])", "parse"),
    ("rhythm", "rhythm(t1, [1, 3)", "parse"),
    ("rhythm", "rhythm(t1, [[1, 3]])", "parse"),
    ("rhythm", "rhythm([1, 3])", "parse"),
    ("rhythm", "rhythm(t1, [1, 3]) rhythm(t1, [1, 3])", "parse"),
    ("rhythm", "rhythm(t1, [" + "1, " * 40_000 + "3])", "parse"),
    ("rhythm", "(" * 100_000, "parse"),
    ("rhythm", "melody(t1, [1, 3])", "structural"),
    ("rhythm", "Rhythm(t1, [1, 3])", "structural"),
    ("rhythm", "rhythm(t1, [1, 3])\nrhythm(t1, [1, 3])", "structural"),
    ("rhythm", "rhythm(t2, [1, 3])", "structural"),
    ("rhythm", "rhythm('t1', [1, 3])", "structural"),
    ("rhythm", "rhythm(t1.wav, [1, 3])", "structural"),
    ("rhythm", "rhythm(identifier.wav, [n1, n2, ..., nK])", "structural"),
    ("rhythm", "rhythm(t1, [n1, n2, ..., nK])", "structural"),
    ("rhythm", "rhythm(example.wav, [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31])", "structural"),
    ("rhythm", "rhythm(t1, [])", "structural"),
    ("rhythm", "rhythm(t1, [  ])", "structural"),
    ("rhythm", "rhythm(t1, [1, 3,])", "structural"),
    ("rhythm", "rhythm(t1, [1 3])", "structural"),
    ("rhythm", "rhythm(t1, [1, 3.0])", "structural"),
    ("rhythm", "rhythm(t1, [1, +3])", "structural"),
    ("rhythm", "rhythm(t1, [1, 03])", "structural"),
    ("rhythm", "rhythm(t1, [1, 1e1])", "structural"),
    ("rhythm", "rhythm(t1, [1, ٣])", "structural"),
    ("rhythm", "rhythm(t1, [1, ３])", "structural"),
    ("rhythm", "rhythm(t1, [1, ²])", "structural"),
    ("rhythm", "rhythm(t1, [1\u2028, 3])", "structural"),
    ("rhythm", "rhythm(t1, [(1), (3)])", "structural"),
    ("rhythm", "rhythm(t1, [0, 3])", "domain"),
    ("rhythm", "rhythm(t1, [1, 33])", "domain"),
    ("rhythm", "rhythm(t1, [-1, 3])", "domain"),
    ("rhythm", "rhythm(t1, [1, 3, 3])", "domain"),
    ("rhythm", "rhythm(t1, [1, " + "9" * 5_000 + "])", "domain"),
    ("chord", "chord(t1, [60-64-67])", "structural"),
    ("chord", "chord(t1, [65.0, 69])", "structural"),
    ("chord", "chord(t1, [C4, E4, G4])", "structural"),
    ("chord", "chord(Audio_X, [56, 60, 64, 67, 72, 76])", "structural"),
    ("chord", "chord(t1, [60, 64, 128])", "domain"),
    ("chord", "chord(t1, [-64])", "domain"),
]


@pytest.mark.parametrize(("functor", "text", "kind"), FAULTS, ids=[f"{each[2]}-{each[1][:30]}" for each in FAULTS])
def test_every_fault_gets_its_kind(functor: str, text: str, kind: str) -> None:
    reading = read_lines(text, ONE[functor])
    assert reading.values == ()
    assert reading.fault is not None
    assert reading.fault.kind == kind
    assert len(str(reading.fault)) < 200


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("melody(t1_2, [65, 67])\nmelody(t1_1, [60, 62])", "structural"),
        ("melody(t1_1, [60, 62])", "structural"),
        ("melody(t1_1, [60, 62])\nmelody(t1_1, [60, 62])", "structural"),
        ("melody(Audio1, [60, 62, 64])\nmelody(Audio2, [65, 67, 69])", "structural"),
        ("melody(t1_1, [60, 62])\nmelody(t1_2, [])", "structural"),
        ("melody(t1_1, [60, 62])\nmelody(t1_2, [65.0, 67])", "structural"),
        ("melody(t1_1, [60, 62])\nmelody(t1_2, [165, 67])", "domain"),
        ("melody(t1_1, [60, 62]), melody(t1_2, [65, 67])", "parse"),
    ],
)
def test_two_lines_have_an_order_and_a_number(text: str, kind: str) -> None:
    fault = read_lines(text, TWO).fault
    assert fault is not None
    assert fault.kind == kind


def test_order_is_told_from_a_wrong_identifier() -> None:
    swapped = read_lines("melody(t1_2, [65])\nmelody(t1_1, [60])", TWO).fault
    assert swapped is not None
    assert "order" in swapped.message


@given(st.lists(st.lists(st.integers(0, 127), min_size=1, max_size=40), min_size=2, max_size=2))
def test_what_is_written_is_read(lists: list[list[int]]) -> None:
    assert read_lines(TWO.write(lists), TWO).values == tuple(map(tuple, lists))
    spaced = TWO.write(lists).replace(",", " ,  ").replace("(", " ( ").replace("\n", " \r\n\n")
    assert read_lines(spaced, TWO).values == tuple(map(tuple, lists))


@given(st.text(max_size=300))
def test_nothing_breaks_the_reader(text: str) -> None:
    for form in (*ONE.values(), TWO):
        reading = read_lines(text, form)
        assert (reading.fault is None) == bool(reading.values)


@pytest.mark.parametrize("name", list(kinds))
def test_no_line_of_a_prompt_can_be_handed_in_as_an_answer(name: str) -> None:
    form = form_of(kinds[name], "t1")
    shown = [*system_page(kinds[name], "logiclm").split("\n"), *page("repair").split("\n"), *str(form).split("\n")]
    assert read_lines(str(form), form).fault is not None
    for line in shown:
        assert read_lines(line, Form(form.functor, ("t1",))).fault is not None
