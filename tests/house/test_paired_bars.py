"""Charts whose bars are joined two by two: a lullaby in 6/8 for who asks for one in 12/8."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief, receipt
from libretto.house.charts.catalogue import charts, suited_chart
from libretto.house.charts.rebarring import paired
from libretto.house.charts.signs import read_bar
from libretto.house.compose.composer import compose_score
from libretto.house.compose.planning import style_of
from libretto.score import Meter

CRADLE = (
    "A lullaby for violin and piano in A major, andante, in a rocking 12/8. A, F#m, D, E over 20 bars. "
    "The violin sings a simple melody."
)
IN_SIX = [chart for chart in charts() if chart.meter == Meter(6, 8)]


@pytest.mark.parametrize("chart", IN_SIX, ids=lambda chart: chart.name)
def test_joined_bars_hold_two(chart: object) -> None:
    """Every bar of a joined chart can be read and is as long as two, every groove that it names is there, and its forms
    are half as long."""
    joined = paired(chart, Meter(12, 8))  # type: ignore[arg-type]
    if any(scene.bars % 2 for scene in chart.scenes.values()):  # type: ignore[attr-defined]
        assert joined is chart
        return
    assert joined.units == 2 * chart.units  # type: ignore[attr-defined]
    for scene in joined.scenes.values():
        for part, bars in scene.parts.items():
            for bar in filter(None, bars):
                if part in ("drums", "percussion"):
                    assert len(set(map(len, joined.grooves[bar].values()))) <= 1
                else:
                    read_bar(bar, joined.units)
    for bars, names in joined.forms.items():
        assert sum(joined.scenes[name].bars for name in names) == bars


def test_a_cradle_in_twelve_eight_is_a_lullaby() -> None:
    """A lullaby in 12/8 is played from a chart of lullabies, and sings without runs."""
    contract = read_brief(CRADLE)
    suited = suited_chart(contract, style_of(contract), 20, 0)
    assert suited is not None
    assert suited[0].styles[0] == "lullaby"
    score = compose_score(contract, 0)
    assert str(score.meters[0][1]) == "12/8"
    assert score.voice("Violin").array["duration"].min() >= 40320 // 4
    assert receipt(contract, score).passed


def test_a_meter_that_a_chart_has_stays() -> None:
    """A chart that has the meter asked for is as it is."""
    assert all(paired(chart, Meter(6, 8)) is chart for chart in IN_SIX)
