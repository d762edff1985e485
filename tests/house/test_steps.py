"""What is faster, louder or higher from one section to the next."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief, receipt
from libretto.contract.asks import Ask
from libretto.house import compose_score


def _steps(text: str) -> list[tuple[str, str]]:
    return sorted((ask.what, ask.where) for ask in read_brief(text).asks if ask.kind == "steps")


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("A folk song in G, three verses, each verse a little faster", [("x1.05", "verse")]),
        ("A klezmer dance for clarinet, each time through a little faster", [("x1.05", "section")]),
        ("A gospel song with four verses, each verse a half step higher", [("+1", "verse")]),
        ("A march for brass band, each strain louder", [("louder", "strain")]),
        ("A bluegrass tune for banjo, every chorus a notch quicker than the last", [("x1.05", "chorus")]),
        ("An Irish reel, getting a bit faster each time round", [("x1.05", "section")]),
        ("A lullaby in three verses, each softer than the last", [("softer", "verse")]),
        ("A pop song, key goes up a tone with every chorus", [("+2", "chorus")]),
        ("Tarantella for mandolin that speeds up with each repeat", [("x1.08", "section")]),
        ("A hymn, each verse softer and slower than the one before", [("softer", "verse"), ("x0.92", "verse")]),
    ],
)
def test_steps_are_heard(text: str, steps: list[tuple[str, str]]) -> None:
    assert _steps(text) == steps


@pytest.mark.parametrize(
    "text",
    [
        "A waltz whose tempo stays the same every time",
        "A pop song in C that gets faster in the chorus",
        "It gets louder each time the drums come in, rock",
    ],
)
def test_what_is_no_step(text: str) -> None:
    assert _steps(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "A folk song in G, three verses, each verse a little faster",
        "A gospel song with four verses, each verse a half step higher",
        "A lullaby in three verses, each softer than the last",
        "A hymn, each verse louder and slower than the one before",
    ],
)
def test_steps_are_taken(text: str) -> None:
    contract = read_brief(text)
    kept = receipt(contract, compose_score(contract))
    assert kept.passed
    assert any(check.clause.startswith("steps") and check.passed for check in kept.checks)


def test_a_piece_that_goes_on_alike_takes_no_steps() -> None:
    contract = read_brief("A folk song in G, three verses")
    asked = read_brief("A folk song in G, three verses, each verse a little faster")
    checks = receipt(asked, compose_score(contract)).checks
    assert next(check for check in checks if check.clause.startswith("steps")).passed is False
    assert Ask("steps", "+1", "", "verse").text == "steps: +1, verse"
