"""Feasts, dances of the world by their names, and two who trade phrases."""

from __future__ import annotations

import pytest

from libretto.contract import Contract
from libretto.house.compose.planning import make_plan

_FEASTS = {
    "Compose a piece that captures the excitement of a Japanese street festival": True,
    "A raucous klezmer parade in D minor with clarinet and trombone": True,
    "A merengue for the village fiesta": True,
    "An eerie waltz for an abandoned carnival": False,
    "A quiet song after the parade": False,
    "A score for a film festival": False,
}


@pytest.mark.parametrize(("brief", "feast"), _FEASTS.items())
def test_a_feast_is_festive_unless_it_is_over(brief: str, feast: bool) -> None:
    contract = Contract.from_brief(brief)
    assert any(line.startswith("purpose: feast") for line in contract.heard) is feast
    assert ("festive" in contract.mood) is feast


@pytest.mark.parametrize(
    "brief",
    [
        "A piece for a Japanese street festival with shamisen, Am-Dm-E-Am, brisk",
        "A klezmer parade in D minor with clarinet and trombone, Dm-Gm-A7-Dm",
    ],
)
def test_somebody_drums_at_a_feast(brief: str) -> None:
    assert any(player.drums for player in make_plan(Contract.from_brief(brief), 0).players)


_KINDS = {
    "a kopanitsa": "balkan-kopan-eleven",
    "a ranchera in G major": "ranchera",
    "a Swedish polska": "3/4",
    "a pizzica": "tarantella",
    "a baião": "forro",
    "a bhajan": "indian",
}


@pytest.mark.parametrize(("kind", "told"), _KINDS.items())
def test_a_dance_is_played_as_it_is_named(kind: str, told: str) -> None:
    plan = make_plan(Contract.from_brief(f"The Old Well: Compose {kind} for fiddle and guitar."), 0)
    assert plan.chart is not None
    assert told in f"{plan.chart.name} {plan.meter} {plan.style.name} {' '.join(plan.chart.words)}"


_TRADES = {
    "The oud and violin should trade expressive, ornamented phrases": "turns 1 of 2 in 2",
    "The oud and violin exchange fiery, ornamented runs": "turns 1 of 2 in 2",
    "The oud and violin share the melody": "turns 1 of 2 in 4",
    "The oud and violin should share the breathless, winding melody": "turns 1 of 2 in 4",
    "The oud and violin share the same melody in octaves": "",
    "The oud and violin trade places with the drum": "",
}


@pytest.mark.parametrize(("told", "where"), _TRADES.items())
def test_who_trade_phrases_of_any_kind_take_turns(told: str, where: str) -> None:
    contract = Contract.from_brief(f"An Arabic piece in A minor with oud, violin and darbuka. {told}.")
    turns = [ask.where for ask in contract.asks if ask.kind == "lead" and ask.who == "Oud" and "turns" in ask.where]
    assert turns == ([where] if where else [])


def test_a_land_tells_more_than_the_world() -> None:
    garden = Contract.from_brief("A world music piece in the gardens of ancient Persia with santur and ney")
    assert garden.style == "arabic"
    assert Contract.from_brief("A world music piece with kalimba and flute").style == "world"


def test_a_choir_at_work_is_led_and_needs_no_guitar() -> None:
    brief = "A heavy work song in E minor with male voices, hammers on an anvil and call and response, Em-Am-B7-Em"
    plan = make_plan(Contract.from_brief(brief), 0)
    assert {player.role for player in plan.players if not player.drums} == {"lead", "counter"}


def test_what_gets_faster_is_a_dance_and_no_lament() -> None:
    brief = "A Russian folk dance in A minor for balalaika that begins slowly and speeds up to a whirlwind, Am-E7-Am-Dm"
    plan = make_plan(Contract.from_brief(brief), 0)
    assert plan.chart is not None
    assert "lament" not in plan.chart.words


def test_what_is_hushed_does_not_end_loudly() -> None:
    quiet = make_plan(Contract.from_brief("A calm, peaceful, quiet Arabic dance with oud, Am-G-F-E over 32 bars"), 0)
    levels = [sum(passage.scene.levels) / 2 for passage in quiet.passages]
    assert quiet.passages[-1].scene.levels[1] <= max(levels)
    assert quiet.ending != "button"


@pytest.mark.parametrize(
    ("land", "word"),
    [("Jalisco", "mexican"), ("Minsk", "ukrainian"), ("Galicia", "galician"), ("Macedonia", "macedonian")],
)
def test_a_land_calls_for_its_own_dance(land: str, word: str) -> None:
    brief = f"A lively dance from {land} in A minor at a fast tempo with violin and drum, Am-Dm-E-Am over 16 bars"
    plan = make_plan(Contract.from_brief(brief), 0)
    assert plan.chart is not None
    assert word in plan.chart.words
