"""What teachers ask for in plain words is the concept they mean."""

from __future__ import annotations

import pytest
from drill_words import FIRST, SECOND

from libretto.errors import LibrettoError
from libretto.tasks.drill.finding import drill_concept

LEAST_RIGHT = 38  # of forty


@pytest.mark.parametrize("table", [FIRST, SECOND], ids=["first", "second"])
def test_plain_requests_find_their_concept_first(table: tuple[tuple[str, tuple[str, ...]], ...]) -> None:
    assert len(table) == 40
    wrong = []
    for words, names in table:
        try:
            name = drill_concept(words).name
        except LibrettoError as error:
            name = str(error)
        if name not in names:
            wrong.append((words, name))
    assert len(table) - len(wrong) >= LEAST_RIGHT, wrong


@pytest.mark.parametrize("words", ["", "   ", "zzz", "a recipe for soup", "x" * 10_000])
def test_words_that_mean_no_concept_are_refused_in_one_line(words: str) -> None:
    with pytest.raises(LibrettoError) as caught:
        drill_concept(words)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
