"""Where a brief names nobody, somebody comes for the second line that a chart has and its band leaves out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from libretto.contract import Contract, Part
from libretto.house import compose_score
from libretto.house.charts.casting import cast
from libretto.house.charts.catalogue import charts
from libretto.house.charts.chart import Chart
from libretto.house.compose.colours import colours_away, with_colours
from libretto.house.compose.planning import make_plan
from libretto.house.compose.seating import charted_band

FREE = Contract(genre="pop_rock", bars=32)


def _chart(name: str) -> Chart:
    return next(chart for chart in charts() if chart.name == name)


@pytest.mark.parametrize("seed", range(12))
def test_who_joins_has_the_second_line_and_rests_in_the_quieter_half(seed: int) -> None:
    plan = make_plan(FREE, seed)
    assert plan.chart is not None
    score = compose_score(FREE, seed) if plan.resting else None
    for name, away in plan.resting.items():
        assert score is not None
        assert cast(plan.players, plan.chart.wants)[name] == ("second",)
        assert len(away) <= FREE.bars / 2  # type: ignore[operator]
        voice = next(voice for voice in score.voices if voice.name == name)
        bars = np.searchsorted(score.bar_lines, voice.array["onset"], side="right") - 1
        assert not away.intersection(bars.tolist())


def test_some_bands_are_joined_and_nobody_gives_a_part_away() -> None:
    joined = 0
    for chart in charts():
        band = charted_band(FREE, chart)
        more = with_colours(band, FREE, chart)
        joined += len(more) > len(band)
        own, parts = cast(band, chart.wants), cast(more, chart.wants)
        assert {name: parts[name] for name in own} == own
    assert joined > 20


def test_who_is_named_stays_among_themselves() -> None:
    chart = next(
        chart for chart in charts() if len(with_colours(charted_band(FREE, chart), FREE, chart)) > len(chart.band)
    )
    named = replace(FREE, parts=(Part("Violin", program=40, role="lead"),))
    band = charted_band(named, chart)
    assert with_colours(band, named, chart) == band
    assert colours_away(named, chart, band, ()) == {}


def test_a_room_is_not_filled() -> None:
    chart = _chart("celtic-strathspey-ceilidh")  # a fiddle, an accordion and a guitar
    band = charted_band(FREE, chart)
    assert with_colours(band, FREE, chart) == band
