"""Canons and rounds as far behind as was told, and players who come in so many bars apart."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, read_brief, receipt
from libretto.house import compose_score


def _enters(contract: Contract) -> list[tuple[str, str]]:
    told = [(ask.who, ask.where.removeprefix("from ")) for ask in contract.asks if ask.kind == "enter"]
    return sorted(told, key=lambda one: int(one[1].split()[-1]))


def _canons(contract: Contract) -> int:
    return sum((ask.kind, ask.what) == ("texture", "canon") for ask in contract.asks)


@pytest.mark.parametrize(
    ("text", "enters"),
    [
        ("A canon at the octave two bars later for violin and cello in D minor", [("Cello", "bar 3")]),
        ("Canon for two flutes, the second enters four bars later with the same tune", [("Flute #2", "bar 5")]),
        ("A canon at the fifth below one bar behind for two violas", [("Viola #2", "bar 2")]),
        (
            "A three-part canon for recorders in G, each entering two bars after the one before",
            [("Recorder #2", "bar 3"), ("Recorder #3", "bar 5")],
        ),
        ("A round in three voices, entries four bars apart, in F major", []),
    ],
)
def test_a_canon_is_followed_as_far_behind_as_was_told(text: str, enters: list[tuple[str, str]]) -> None:
    contract = read_brief(text)
    assert (_canons(contract), _enters(contract)) == (1, enters)
    kept = receipt(contract, compose_score(contract))
    assert all(check.passed for check in kept.checks if check.clause.startswith(("texture", "enter")))


@pytest.mark.parametrize(
    ("text", "enters"),
    [
        (
            "A piece for flute, oboe, clarinet and bassoon with entries at four-bar intervals",
            [("Oboe", "bar 5"), ("Clarinet", "bar 9"), ("Bassoon", "bar 13")],
        ),
        (
            "A string quartet, each player enters four bars after the last",
            [("Violin #2", "bar 5"), ("Viola", "bar 9"), ("Cello", "bar 13")],
        ),
    ],
)
def test_players_come_in_so_many_bars_apart(text: str, enters: list[tuple[str, str]]) -> None:
    contract = read_brief(text)
    assert (_canons(contract), _enters(contract)) == (0, enters)
    assert receipt(contract, compose_score(contract)).passed


def test_a_piece_has_room_for_the_last_to_come() -> None:
    assert read_brief("Minimalist piece for four marimbas, entries every eight bars").bars == 40


@pytest.mark.parametrize(
    "text",
    [
        "House track where a new drum fill comes every four bars",
        "Jazz for sax and trumpet: a round of solos",
    ],
)
def test_what_is_no_canon_and_no_row_of_entries(text: str) -> None:
    contract = read_brief(text)
    assert (_canons(contract), _enters(contract)) == (0, [])


def test_a_round_begins_with_its_first_bar() -> None:
    contract = read_brief("A round in three voices, entries four bars apart, in F major")
    score = compose_score(contract)
    firsts = sorted(score.bar_at(int(voice.array["onset"].min())) for voice in score.voices if len(voice.array))
    assert firsts == [0, 4, 8]
