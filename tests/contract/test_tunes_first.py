"""Who leads a list that begins with a beat, and mood words that are denied or are none."""

from __future__ import annotations

import pytest

from libretto.contract import Contract


def leader(text: str) -> str:
    return next(part.name for part in Contract.from_brief(text).parts if part.role == "lead")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("A tarantella in A minor for tambourine, organetto and violin.", "Violin"),
        ("A dance in G minor for frame drum, accordion and clarinet.", "Clarinet"),
        ("A waltz in D minor for accordion, violin and double bass.", "Accordion"),
        ("A dance for tambourine, violin and accordion. The accordion leads.", "Accordion"),
    ],
)
def test_after_a_beat_a_line_leads_before_free_reeds(text: str, name: str) -> None:
    assert leader(text) == name


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A tarantella with a rhythm that cannot stand still.", ()),
        ("A jig that can't sit still.", ()),
        ("A still, frosty air for oboe.", ("still",)),
        ("A march for brass. The dynamics grow from bar 9.", ()),
        ("A feverish, frenzied dance.", ("feverish", "frenzied")),
    ],
)
def test_moods_that_are_meant(text: str, words: tuple[str, ...]) -> None:
    assert Contract.from_brief(text).mood == words
