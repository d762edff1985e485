"""Canons stay within the range of who follows, and a deep instrument takes the bass that nobody else reaches."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief
from libretto.house.charts.casting import cast
from libretto.house.compose.composer import compose_score
from libretto.house.compose.planning import make_plan


@pytest.mark.parametrize(
    ("brief", "lowest"),
    [
        ("A canon at the octave for flute and oboe in D minor, 16 bars", {"Flute": 60, "Oboe": 58}),
        ("A canon at the octave for oboe and flute in G major, 16 bars", {"Flute": 60, "Oboe": 58}),
        ("A canon for violin and flute in A minor, 16 bars", {"Flute": 60, "Violin": 55}),
    ],
)
def test_who_follows_stays_on_the_instrument(brief: str, lowest: dict[str, int]) -> None:
    score = compose_score(read_brief(brief), 0)
    for name, low in lowest.items():
        assert min(note.pitch for note in score.voice(name).notes) >= low, name


@pytest.mark.parametrize(
    ("brief", "deep"),
    [
        ("A gentle folk song for voice, ukulele and cello in C major, 16 bars", "Cello"),
        ("A waltz for mandolin, flute and bass clarinet in G major, 16 bars", "Bass Clarinet"),
    ],
)
def test_a_deep_instrument_has_the_bass_that_nobody_else_reaches(brief: str, deep: str) -> None:
    plan = make_plan(read_brief(brief), 0)
    assert plan.chart is not None
    parts = cast(plan.players, plan.chart.wants)
    player = next(player for player in plan.players if deep in player.name)
    assert parts[player.name] == ("bass",)
