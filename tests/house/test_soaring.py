"""Who growls in the breaks rests elsewhere, and strings that soar are above who sings, and heard."""

from __future__ import annotations

import pytest

from libretto import Contract
from libretto.contract import read_brief
from libretto.contract.asks import Ask
from libretto.contract.checks.check import ask_clauses
from libretto.house.compose.composer import compose_score
from libretto.score import Score

_BRIEF = (
    "An upbeat sixties soul song in A flat major over 32 bars, with the chords Ab, Fm, Db, Eb7. Use lead vocal, "
    "electric bass, drums, baritone saxophone and strings. The baritone saxophone wails in the breaks, and in the "
    "chorus the strings float over the singer."
)


@pytest.fixture(scope="module")
def contract() -> Contract:
    """What the brief asks for."""
    return Contract.from_brief(_BRIEF)


@pytest.fixture(scope="module")
def piece(contract: Contract) -> Score:
    """The piece that the tests here read."""
    return compose_score(contract, 0)


def test_what_is_said_of_breaks_and_of_soaring(contract: Contract) -> None:
    """A lead in breaks, silence in verses and choruses, and a line above the tune."""
    asked = {(ask.kind, ask.what, ask.who, ask.where) for ask in contract.asks}
    sax = "Baritone Saxophone"
    assert {("lead", "", sax, "break"), ("silent", "", sax, "verse"), ("silent", "", sax, "chorus")} <= asked
    assert ("register", "soaring", "Strings", "chorus") in asked


@pytest.mark.parametrize(
    "text",
    [
        "Soul for lead vocal, organ and drums. The vocal wails in the breaks.",
        "Jungle for synth and drums. The drums rip through the breaks.",
        "Soul for lead vocal and strings. The strings hold long chords over the vocal in the chorus.",
    ],
)
def test_what_is_not_meant(text: str) -> None:
    """Who leads and who drums rests nowhere for it, and chords do not soar."""
    asks = read_brief(text).asks
    assert not any(ask.what == "soaring" or (ask.kind == "silent" and ask.where == "verse") for ask in asks)


def test_who_hollers_in_the_breaks() -> None:
    """In other words."""
    text = "Soul for vocal, bass, drums and tenor sax. The tenor sax should holler in the breaks."
    assert ("silent", "Tenor Sax", "verse") in {(ask.kind, ask.who, ask.where) for ask in read_brief(text).asks}


def test_every_clause_is_kept(contract: Contract, piece: Score) -> None:
    """The saxophone is silent where it is sung, and the strings lie above."""
    assert all(ask_clauses[ask.kind](ask, contract, piece)[0] for ask in contract.asks)


def test_what_lies_below_does_not_soar(contract: Contract, piece: Score) -> None:
    """A bass is not above anybody."""
    ask = Ask("register", "soaring", "Electric Bass", "chorus")
    assert ask_clauses["register"](ask, contract, piece)[0] is False
