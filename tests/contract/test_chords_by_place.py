"""Chords that a section has of its own: read, played and checked."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, receipt
from libretto.house import compose_score

_BAND = "for electric guitar, bass and drums, 32 bars"


def _owned(brief: str) -> list[tuple[str, str]]:
    return [(ask.what, ask.where) for ask in Contract.from_brief(brief).asks if ask.kind == "chords"]


@pytest.mark.parametrize(
    ("words", "main", "owned"),
    [
        ("The chords are Am G F E, with a switch to F, C, Dm, A for the chorus.", "Am G F E", [("F C Dm A", "chorus")]),
        ("Verse: G D Em C. Chorus: C G D Em.", "G D Em C", [("C G D Em", "chorus")]),
        ("Fm Db Ab Eb in the verses and Db Eb Fm Ab in the choruses.", "Fm Db Ab Eb", [("Db Eb Fm Ab", "chorus")]),
        ("The first part goes D G A D, the second Bm G D A.", "D G A D", [("Bm G D A", "second half")]),
        ("The chorus is F G C Am, the verses are C F C G.", "C F C G", [("F G C Am", "chorus")]),
        ("Chords C G Am F. Bridge in the relative minor on Am F C E.", "C G Am F", [("Am F C E", "bridge")]),
        ("C G Am F all the way through.", "C G Am F", []),
    ],
)
def test_a_place_has_its_own_chords(words: str, main: str, owned: list[tuple[str, str]]) -> None:
    brief = f"A rock song {_BAND}. {words}"
    assert " ".join(Contract.from_brief(brief).chords) == main
    assert _owned(brief) == owned


def test_a_key_before_a_colon_is_no_chord() -> None:
    contract = Contract.from_brief("A bossa in C: Cmaj7 A7 Dm7 G7, for flute and nylon guitar, 16 bars.")
    assert contract.chords == ("Cmaj7", "A7", "Dm7", "G7")


def test_own_chords_are_played_and_checked() -> None:
    brief = f"A surf rock piece in A minor {_BAND}. The chords are Am G F E, and F C Dm A in the chorus."
    contract = Contract.from_brief(brief)
    score = compose_score(contract, 0)
    assert not receipt(contract, score).failed
    rows = [bar[0] for bar in score.chords]
    assert any(rows[at : at + 4] == ["F", "C", "Dm", "A"] for at in range(len(rows)))
    without = compose_score(Contract.from_brief(brief.replace(", and F C Dm A in the chorus", "")), 0)
    assert any(check.clause.startswith("chords: F C") for check in receipt(contract, without).failed)
