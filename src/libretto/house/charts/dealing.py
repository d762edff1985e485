"""Dealing: which parts of a chart everybody plays in which bars, when all is said that a brief and a style have to say.

What is written is shared out first; then come sessions, sections that come again, who was asked to lead or to rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from libretto.house.charts.afterbeats import with_afterbeats
from libretto.house.charts.casting import cast, under_picking
from libretto.house.charts.chart import Chart
from libretto.house.charts.form import Passage
from libretto.house.charts.grounding import grounded
from libretto.house.charts.hooks import with_hooks
from libretto.house.charts.leading import handed_over, left_alone, rested, unburdened
from libretto.house.charts.reprise import taken_over
from libretto.house.charts.session import in_session
from libretto.house.charts.sharing import rolling_on, shared_out
from libretto.house.charts.skills import SELDOM
from libretto.house.charts.squeezing import in_harmony, pumping
from libretto.house.charts.staying import staying
from libretto.house.compose.plan import Plan

__all__ = ["Deal", "dealt"]

_INNER = "third"
#: Manners of who goes on under the tune.
_STEADY = frozenset(
    ("two-beat", "strums", "beats", "off-beats", "chops", "montuno", "bubble", "tremolo", "scratch")
)  # fmt: skip


class Deal(NamedTuple):
    """The sections as they are played, the part that everybody has by casting, the bars in which everybody plays which
    part, and who has the tune for once, by bar."""

    passages: Sequence[Passage]
    parts: Mapping[str, tuple[str, ...]]
    bars: Mapping[str, Mapping[str, frozenset[int]]]
    taken: Mapping[int, str]


def dealt(plan: Plan, chart: Chart, passages: Sequence[Passage]) -> Deal:
    """Who plays what, bar by bar."""
    parts, steady = pumping(plan, _cast(plan, chart)), _steady(plan)
    passages = with_afterbeats(parts, chart, grounded(plan.players, chart, passages))
    bars = rolling_on(plan.players, parts, shared_out(plan.players, parts, passages, steady), passages)
    bars = with_hooks(plan.players, parts, in_session(plan, parts, bars, passages), passages)
    bars = in_harmony(plan, parts, bars, passages)
    taken = taken_over(plan, parts, passages, steady)
    leads = {**taken, **plan.leads}
    bars = handed_over(plan.players, bars, passages, leads, plan.absent) if leads else bars
    bars = unburdened(plan.players, bars, plan.extended)
    bars = left_alone(plan.players, bars, passages, plan.absent) if plan.absent else bars
    passages, bars = staying(plan, chart.units, passages, rested(bars, plan.resting))
    return Deal(passages, parts, bars, taken)


def _cast(plan: Plan, chart: Chart) -> dict[str, tuple[str, ...]]:
    """The part of everybody; who is heard now and then has no line that others would miss."""
    seldom = [player for player in plan.players if SELDOM in plan.manners.get(player.name, ())]
    others = [player for player in plan.players if player not in seldom]
    parts = cast(others, chart.wants) if others else cast(plan.players, chart.wants)
    return {player.name: parts.get(player.name, (_INNER,)) for player in plan.players}


def _steady(plan: Plan) -> frozenset[str]:
    """Who was asked to strum, scratch, pick or hold chords, holds them under a picker, or accompanies the only other
    one: they have no tune besides."""
    told = [one for one in plan.players if one.role in ("arpeggio", "pad") and one.name in plan.manners]
    names = {name for name, manners in plan.manners.items() if _STEADY & set(manners)}
    return frozenset(
        names.union(plan.resting, plan.backing, (player.name for player in (*told, *under_picking(plan.players))))
    )
