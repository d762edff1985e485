"""Those who have the tune by turns and at last together, and who begins as a solo player."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief

JIG = "A jig for fiddle, tin whistle and bodhran, two 8-bar parts that are each repeated. "


def asked(brief: str) -> set[str]:
    return {ask.text for ask in read_brief(brief).asks}


@pytest.mark.parametrize(
    ("said", "doubled"),
    [
        ("Fiddle and whistle share the tune, first taking turns and then playing together.", "Fiddle"),
        ("The fiddle and the whistle alternate and finally play in thirds.", "Fiddle in thirds"),
        ("Fiddle and whistle trade phrases before joining forces.", "Fiddle"),
    ],
)
def test_by_turns_and_then_together(said: str, doubled: str) -> None:
    asks = asked(JIG + said)
    assert f"doubling: {doubled}, Tin Whistle, second half" in asks
    assert {f"lead: {who}, turns {n} of 2 in 4 of first half" for n, who in ((1, "Fiddle"), (2, "Tin Whistle"))} <= asks


def test_turns_alone_are_no_union() -> None:
    assert not any(ask.startswith("doubling") for ask in asked(JIG + "Fiddle and whistle take turns with the tune."))


def test_parts_that_are_each_repeated() -> None:
    assert read_brief(JIG).bars == 32


def test_a_solo_piano_begins_alone() -> None:
    asks = asked(
        "A film theme for piano and strings. Let a solo piano introduce the melody over the first 8 bars, then have "
        "the strings take it over and swell for another 16 bars."
    )
    assert {"only: Piano, bars 1-8", "lead: Strings, bars 9-24", "dynamics: growing, Strings, bars 9-24"} <= asks
    assert not any(ask.startswith("role") for ask in asks)


def test_those_who_are_listed_after_a_form_are_the_players() -> None:
    assert not any(
        ask.startswith("lead") for ask in asked("A song with a verse and a chorus for flute, strings and drums")
    )
