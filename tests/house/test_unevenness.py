"""Irregular rhythms: heard of whom they are, and leaned on in groups that change."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, read_brief, receipt
from libretto.contract.asks import Ask
from libretto.contract.checks.check import ask_clauses
from libretto.contract.checks.unevenness import groups_in
from libretto.house import compose_score
from libretto.score import Meter, Score, Voice


def _feels(text: str) -> list[tuple[str, str]]:
    return [(ask.what, ask.who) for ask in read_brief(text).asks if ask.kind == "feel"]


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("A tense piece in E minor for piano, cello and percussion, with irregular rhythms.", ""),
        ("The drums play erratic, shifting rhythms under a calm flute melody.", "Drums"),
        ("A piece for marimba and clarinet whose rhythm is irregular.", ""),
        ("A piece for strings, the accents shifting from bar to bar.", ""),
        ("A rock song for guitar, bass and drums with unpredictable, jagged accents.", ""),
    ],
)
def test_irregular_rhythms_are_heard(text: str, who: str) -> None:
    feels = _feels(text)
    assert {what for what, _ in feels} == {"irregular"}
    assert not who or feels == [("irregular", who)]


@pytest.mark.parametrize(
    "text",
    [
        "A piece for piano in an irregular meter.",
        "A piece for piano with shifting moods and colours.",
        "A piece for strings like the irregular breathing of the sea.",
        "A march with a regular rhythm for brass.",
        "A Bulgarian kopanitsa in 11/8 for gaida and tambura; the tambura strums the uneven rhythm.",
    ],
)
def test_what_is_no_irregular_rhythm(text: str) -> None:
    assert _feels(text) == []


@pytest.mark.parametrize(
    ("meter", "groups"),
    [
        ("4/4", {(3, 3, 2), (2, 3, 3), (3, 2, 3)}),
        ("3/4", {(3, 3), (3, 2, 1)}),
        ("6/8", {(2, 2, 2), (2, 3, 1)}),
        ("7/8", {(3, 2, 2), (2, 2, 3)}),
        ("2/4", {(3, 3, 2), (2, 3, 3), (3, 2, 3)}),
    ],
)
def test_groups_fill_the_bar_and_change(meter: str, groups: set[tuple[int, ...]]) -> None:
    piece = Score.build([Voice.of("Flute", (), 73)], bars=8, meters=((0, Meter.parse(meter)),))
    assert {groups_in(piece, bar) for bar in range(8)} == groups


@pytest.mark.parametrize(
    "brief",
    [
        "A tense piece in E minor for piano, cello and percussion over 24 bars, with irregular rhythms.",
        "An energetic rock piece in A minor for electric guitar, bass and drums over 24 bars. The drums play "
        "irregular, shifting rhythms.",
        "A nervous piece for solo piano in B minor over 20 bars with erratic rhythms",
        "A 6/8 piece for marimba, clarinet and bass in D minor over 24 bars, the rhythm irregular",
    ],
)
def test_irregular_rhythms_are_played(brief: str) -> None:
    contract = Contract.from_brief(brief)
    checks = receipt(contract, compose_score(contract, 0)).checks
    assert [check.evidence for check in checks if "irregular" in check.clause and check.passed is not True] == []
    assert any("irregular" in check.clause for check in checks)


def test_even_rhythms_are_not_irregular() -> None:
    contract = Contract.from_brief("A rock song in A for guitar, bass and drums over 16 bars")
    score = compose_score(contract, 0)
    assert ask_clauses["feel"](Ask("feel", "irregular"), contract, score)[0] is False
