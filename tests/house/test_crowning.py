"""Crowning: the last chorus of several is the fullest."""

from __future__ import annotations

from dataclasses import replace

from libretto.contract import Contract
from libretto.house.charts.crowning import crowned
from libretto.house.charts.dealing import Deal
from libretto.house.compose.plan import Plan
from libretto.house.compose.planning import make_plan
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER


def _plan() -> Plan:
    """A piece whose first and second section are the same chorus, and others follow."""
    brief = "A pop-rock song in C major, C-G-Am-F, 32 bars, with a singer, piano, bass and drums."
    plan = replace(make_plan(Contract.from_brief(brief), 0), loudness=80, goes_round=False, extended=False)
    one = plan.passages[0]
    scene = replace(one.scene, kind="chorus", bars=4, tune="lead")
    close = replace(one.scene, kind="outro", bars=4, tune="lead")
    rows = ((scene, 0), (scene, 4), (close, 8))
    passages = tuple(replace(one, scene=row, first=first, bars=4, skipped=0) for row, first in rows)
    return replace(plan, passages=passages)


def _parts(plan: Plan) -> dict[str, list[Sketch]]:
    """The same bar of chords, hats and kicks all through."""
    ticks, made = plan.meter.ticks, dict[str, list[Sketch]]()
    for player in plan.players:
        drums = ((0, 36), (0, 42), (QUARTER, 42), (QUARTER, 38))
        chords = ((0, 60), (0, 64), (0, 67))
        keys = drums if player.drums else chords if player.program == 0 else ((0, 48),)
        made[player.name] = [Sketch(bar * ticks + at, QUARTER // 2, key) for bar in range(12) for at, key in keys]
    return made


def _bar(plan: Plan, notes: list[Sketch], bar: int) -> list[tuple[int, int, int]]:
    ticks = plan.meter.ticks
    return sorted((one.onset % ticks, one.pitch, one.accent) for one in notes if one.onset // ticks == bar)


def test_the_last_chorus_is_fuller_and_louder_than_the_first() -> None:
    plan = _plan()
    parts = _parts(plan)
    deal = Deal(plan.passages, {}, {player.name: {} for player in plan.players}, {})
    made = crowned(plan, deal, parts)
    for name, notes in parts.items():
        assert _bar(plan, made[name], 0) == _bar(plan, notes, 0)
        assert _bar(plan, made[name], 8) == _bar(plan, notes, 8)
        assert max(one[2] for one in _bar(plan, made[name], 4)) > 0
    piano = next(player.name for player in plan.players if player.program == 0)
    assert [pitch for _, pitch, _ in _bar(plan, made[piano], 4)] == [60, 64, 67, 72]
    drums = next(player.name for player in plan.players if player.drums)
    assert 51 in {pitch for _, pitch, _ in _bar(plan, made[drums], 4)}


def test_what_goes_round_and_what_is_calm_is_not_crowned() -> None:
    plan = _plan()
    parts = _parts(plan)
    deal = Deal(plan.passages, {}, {player.name: {} for player in plan.players}, {})
    assert crowned(replace(plan, goes_round=True), deal, parts) == parts
    calm = crowned(replace(plan, loudness=60), deal, parts)
    drums = next(player.name for player in plan.players if player.drums)
    assert calm[drums] == sorted(parts[drums])


def test_a_close_that_goes_higher_still_is_the_height_itself() -> None:
    plan = _plan()
    parts = _parts(plan)
    last = plan.passages[-1]
    higher = replace(last, scene=replace(last.scene, energy=plan.passages[-2].scene.energy + 1))
    plan = replace(plan, passages=(*plan.passages[:-1], higher))
    deal = Deal(plan.passages, {}, {player.name: {} for player in plan.players}, {})
    assert crowned(plan, deal, parts) == parts
