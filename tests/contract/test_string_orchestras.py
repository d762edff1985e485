"""String orchestras: one whose sections are named is those, and nobody besides."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief


@pytest.mark.parametrize(
    ("brief", "parts"),
    [
        (
            "A slow air for string orchestra: first violins, second violins, violas, cellos and double basses.",
            ["First Violins", "Second Violins", "Viola", "Cello", "Double Basses"],
        ),
        (
            "A serenade for string orchestra. The violins lead, the violas and cellos accompany.",
            ["Violin", "Viola", "Cello"],
        ),
        (
            "An air for string ensemble: violin, viola, cello and double bass.",
            ["Violin", "Viola", "Cello", "Double Bass"],
        ),
        ("A serenade for string orchestra with a solo violin.", ["String Orchestra", "Solo Violin"]),
        (
            "A concerto for string orchestra and violin, viola and cello.",
            ["String Orchestra", "Violin", "Viola", "Cello"],
        ),
    ],
)
def test_a_string_orchestra_whose_sections_are_named_is_those(brief: str, parts: list[str]) -> None:
    assert [part.name for part in read_brief(brief).parts] == parts
