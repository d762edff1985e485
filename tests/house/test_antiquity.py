"""Antiquity has music of its own: modes, open fifths and a steady stroke, and no dance of a tavern."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief
from libretto.house.compose.composer import compose_score
from libretto.house.compose.planning import make_plan

OARS = (
    "Compose an epic piece that evokes the world of ancient Greece. Use the lyre, aulos, and frame drum in a moderate, "
    "heroic tempo. The rhythm should be steady, like oars striking the sea."
)


def chart_of(brief: str) -> str:
    chart = make_plan(read_brief(brief), 0).chart
    return chart.name if chart is not None else ""


@pytest.mark.parametrize(
    "brief",
    [OARS, "A heroic piece about ancient Greece for flute, harp and drums", "Ancient Greek music with bouzouki"],
)
def test_ancient_greece_is_no_tavern(brief: str) -> None:
    assert chart_of(brief) not in ("greek-taverna-lamps", "rebetiko-harbour-smoke", "zeibekiko-last-glass")


def test_a_tavern_keeps_its_dance() -> None:
    assert chart_of("A lively Greek taverna dance with bouzouki and accordion") == "greek-taverna-lamps"


def test_music_of_old_has_no_leading_tone_and_no_haste() -> None:
    contract = read_brief(OARS)
    plan, score = make_plan(contract, 0), compose_score(contract, 0)
    tonic = plan.key.tonic_class
    pitched = [voice.array["pitch"] for voice in score.voices if not voice.drums]
    assert not any(((pitches - tonic) % 12 == 11).any() for pitches in pitched)
    assert len(score.tempos) == 1
    tune = next(voice.array["pitch"].astype(int) for voice in score.voices if voice.name == "Aulos")
    steps = abs(tune[1:] - tune[:-1])
    assert (steps <= 2).mean() > 0.8, "long arches go by step"


def test_what_is_to_be_steady_does_not_hurry() -> None:
    brief = "A lively Greek taverna dance with bouzouki and accordion"
    assert any(section.pace != (1.0, 1.0) for section in make_plan(read_brief(brief), 0).sections)
    told = make_plan(read_brief(f"{brief}. The rhythm should be steady."), 0)
    assert all(section.pace == (1.0, 1.0) for section in told.sections)


@pytest.mark.parametrize(
    "brief",
    [
        "A piece that evokes ancient Greece, solemn, with a steady tempo for flute, harp and drum",
        "Music of ancient Greece for strings and flute, moderate tempo, 32 bars",
        "Ancient Greece, heroic, orchestral, 24 bars, D minor",
    ],
)
def test_ancient_greece_without_a_temple_keeps_its_tempo(brief: str) -> None:
    contract = read_brief(brief)
    assert chart_of(brief) == "ancient-oars-and-bronze"
    assert len(compose_score(contract, 0).tempos) == 1
    others = {make_plan(contract, seed).chart for seed in (1, 2)}
    assert not {chart.styles[0] for chart in others if chart is not None} & {"greek", "rebetiko", "zeibekiko"}


@pytest.mark.parametrize("brief", ["An ancient Greek procession with lyre and aulos", "An ancient Greek temple rite"])
def test_a_procession_of_old_is_no_march_of_today(brief: str) -> None:
    assert chart_of(brief) in ("greek-temple-steps", "ancient-oars-and-bronze")
