"""Fills: what comes more than once begins small, over the groove that goes on, and is whole the last time."""

from __future__ import annotations

from dataclasses import replace

from libretto.contract import Contract
from libretto.house.charts.fills import answered, saved_up
from libretto.house.compose.plan import Plan
from libretto.house.compose.planning import make_plan
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

_HAT, _KICK, _SNARE, _TOMS = 42, 36, 38, (48, 45, 41)


def _plan() -> Plan:
    return make_plan(Contract.from_brief("a rock song with drums, C-G-Am-F, 32 bars"), 0)


def _strokes(plan: Plan) -> list[Sketch]:
    """A groove with one and the same fill of a whole bar every four bars."""
    made = []
    for bar in range(plan.bars):
        start = bar * plan.meter.ticks
        if bar % 4 == 3 and bar < plan.bars - 1:
            drums = (_SNARE, *_TOMS)
            made += [Sketch(start + turn * QUARTER // 4, QUARTER // 4, drums[turn // 4], 0) for turn in range(16)]
            continue
        made += [Sketch(start + turn * QUARTER // 2, QUARTER // 4, _HAT, 0) for turn in range(8)]
        made += [Sketch(start + beat * QUARTER, QUARTER // 4, (_KICK, _SNARE)[beat % 2], 0) for beat in range(4)]
    return sorted(made)


def _bar(plan: Plan, strokes: list[Sketch], bar: int) -> set[tuple[int, int]]:
    ticks = plan.meter.ticks
    return {(one.onset % ticks, one.pitch) for one in strokes if one.onset // ticks == bar}


def _fill_bars(plan: Plan, strokes: list[Sketch]) -> list[int]:
    return [bar for bar in range(3, plan.bars - 1, 4) if len(_bar(plan, strokes, bar)) > 8]


def test_a_fill_is_small_over_the_groove_at_first_and_whole_the_last_time() -> None:
    plan = _plan()
    strokes = _strokes(plan)
    made = saved_up(plan, plan.passages, strokes)
    bars = _fill_bars(plan, strokes)
    assert _bar(plan, made, bars[-1]) == _bar(plan, strokes, bars[-1])
    first = _bar(plan, made, bars[0])
    early = {one for one in first if one[0] < 2 * QUARTER}
    assert early == {one for one in _bar(plan, strokes, 0) if one[0] < 2 * QUARTER}
    assert sum(pitch in (_SNARE, *_TOMS) and onset >= 3 * QUARTER for onset, pitch in first) == 4
    shapes = [frozenset(_bar(plan, made, bar)) for bar in bars]
    assert len(set(shapes)) >= len(shapes) - 1
    assert made == saved_up(plan, plan.passages, strokes)


def test_hats_go_on_under_a_small_fill_and_what_goes_round_stays() -> None:
    plan = _plan()
    strokes = _strokes(plan)
    made = saved_up(plan, plan.passages, strokes)
    bar = _fill_bars(plan, strokes)[0]
    assert sum(pitch == _HAT for _, pitch in _bar(plan, made, bar)) == 8
    assert saved_up(replace(plan, goes_round=True), plan.passages, strokes) == strokes


def test_a_fill_leaves_room_for_singers_who_answer() -> None:
    plan = _plan()
    strokes = _strokes(plan)
    last = _fill_bars(plan, strokes)[-1]
    made = saved_up(plan, plan.passages, strokes, frozenset((last,)))
    skins = {one for one in _bar(plan, made, last) if one[1] in (_SNARE, *_TOMS) and one[0] >= 2 * QUARTER}
    assert all(onset >= 3 * QUARTER for onset, pitch in skins if pitch in _TOMS)
    assert len(skins) < 8


def test_singers_beside_who_leads_answer() -> None:
    plan = make_plan(
        Contract.from_brief(
            "A 1960s soul song in A flat major, 24 bars, with bass guitar, drums, horns that lead, and a vocal group "
            "that answers them."
        ),
        0,
    )
    singers = next(player.name for player in plan.players if player.program in (52, 53, 54))
    line = {singers: {"second": frozenset(range(plan.bars)), "third": frozenset(range(plan.bars))}}
    roles = tuple(replace(player, role="counter") if player.name == singers else player for player in plan.players)
    assert answered(replace(plan, players=roles), plan.passages, line)
    assert not answered(plan, plan.passages, {})
