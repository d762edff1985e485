"""Swells and glissandi: heard, played and checked."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, read_brief, receipt
from libretto.house import compose_score

_TURNS = {("growing", "turns 1 of 2 in 2"), ("fading", "turns 2 of 2 in 2")}


def _asks(text: str, kind: str) -> list[tuple[str, str]]:
    return [(ask.what, ask.who) for ask in read_brief(text).asks if ask.kind == kind]


@pytest.mark.parametrize(
    "text",
    [
        "A piece for strings, horn and harp with swelling strings.",
        "A piece with swells in the strings under a flute.",
        "The strings swell and fade under a solo flute.",
        "A piece for flute, harp and timpani with string swells.",
    ],
)
def test_who_swells_grows_and_fades_by_turns(text: str) -> None:
    asks = [ask for ask in read_brief(text).asks if ask.kind == "dynamics"]
    assert {(ask.what, ask.where) for ask in asks} == _TURNS
    assert {ask.who for ask in asks} == {"Strings"}


def test_what_swells_to_a_climax_comes_in_no_waves() -> None:
    for text in ("The strings swell to a climax over timpani.", "A pop song; in the bridge the strings swell."):
        asks = [ask for ask in read_brief(text).asks if ask.kind == "dynamics"]
        assert not {ask.where for ask in asks} & {where for _, where in _TURNS}


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("A piece for strings, horn and harp with glissandi on the harp.", [("glissandi", "Harp")]),
        ("A cinematic piece with strings, a harp glissando into each section and timpani", [("glissandi", "Harp")]),
        ("The violins play glissandi while the cello drones.", [("slides", "Violin")]),
        ("A piano piece with glissandi", [("glissandi", "Piano")]),
        ("A piece for harp and flute without glissandi", []),
    ],
)
def test_glissandi_are_heard(text: str, asks: list[tuple[str, str]]) -> None:
    assert _asks(text, "articulation") == asks


def test_swells_and_glissandi_are_played() -> None:
    contract = Contract.from_brief(
        "An orchestral piece in D major for strings, horn and harp over 32 bars with swelling strings and glissandi on "
        "the harp"
    )
    checks = receipt(contract, compose_score(contract, 0)).checks
    assert [check.clause for check in checks if check.passed is False] == []
    assert sum("turns" in check.clause or "glissandi" in check.clause for check in checks) == 3
