"""Charts for briefs of a few words."""

from __future__ import annotations

from libretto.contract import Contract
from libretto.house.compose.planning import make_plan


def test_who_leads_is_there_once() -> None:
    plan = make_plan(Contract.from_brief("12 bar blues for harmonica"), 0)
    assert sum(player.program == 22 for player in plan.players) == 1


def test_a_bass_that_is_asked_for_is_the_bass() -> None:
    plan = make_plan(Contract.from_brief("funk groove for slap bass"), 0)
    assert [player.role for player in plan.players if player.program == 36] == ["bass"]


def test_a_style_is_in_its_own_meter_where_nobody_asks() -> None:
    assert str(make_plan(Contract.from_brief("country song about a truck"), 0).meter) == "4/4"
    assert str(make_plan(Contract.from_brief("country waltz"), 0).meter) == "3/4"


def test_a_chart_that_is_called_goes_before_those_for_one_line() -> None:
    plan = make_plan(Contract.from_brief("klezmer clarinet tune"), 0)
    assert plan.chart is not None
    assert plan.chart.styles[0] == "klezmer"
