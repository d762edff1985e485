"""Strains of so many bars: a form of their own, and the one that goes to another key."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, receipt
from libretto.house import compose_score

_RAG = (
    "A cheerful classic ragtime for solo piano in A flat major, not too fast, with a steady oom-pah left hand and a "
    "syncopated right hand. Build it from three strains of 16 bars each, the third one moving to D flat major."
)


def moved(text: str) -> list[tuple[str, str]]:
    return [(ask.what, ask.where) for ask in Contract.from_brief(text).asks if ask.kind == "key_change"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (_RAG, ("Db major", "bars 33-48")),
        ("A cakewalk in C major for piano in four strains of 8 bars each, the last strain in F major.", "bars 25-32"),
        ("A rag in C major for piano with two 16-bar strains, the second in G major.", "second half"),
        ("A march in G major for brass in three strains, the last of them in C major.", "last third"),
    ],
)
def test_a_strain_goes_to_its_key_there_and_not_before(text: str, place: tuple[str, str] | str) -> None:
    wanted = place if isinstance(place, str) else place[1]
    assert [where for _, where in moved(text)] == [wanted]


def test_three_strains_are_three_tunes() -> None:
    contract = Contract.from_brief(_RAG)
    assert (contract.form, contract.bars) == (("A", "B", "C"), 48)
    piece = compose_score(contract, 0)
    assert [label for _, label in piece.sections] == ["A", "B", "C"]
    assert not receipt(contract, piece).failed


def test_what_is_said_of_each_hand_is_its_own() -> None:
    feels = [ask.who for ask in Contract.from_brief(_RAG).asks if ask.kind == "feel"]
    assert feels == ["melody"]
