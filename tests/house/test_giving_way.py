"""Giving way: nothing that accompanies lies half a tone beside the tune, and no bass beside the chord."""

from __future__ import annotations

from dataclasses import replace

from libretto.contract import Contract
from libretto.house.charts.dealing import Deal
from libretto.house.charts.giving_way import given_way
from libretto.house.compose.plan import Plan
from libretto.house.compose.planning import make_plan
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

_QUARTET = "A classical string quartet in A major, A, D, E7, F#m, 16 bars, for violin, viola, cello and piano."


def _plan() -> Plan:
    plan = make_plan(Contract.from_brief(_QUARTET), 0)
    roles = {"Violin": "lead", "Piano": "comping", "Viola": "counter", "Cello": "bass"}
    players = tuple(replace(player, role=roles.get(player.name, player.role)) for player in plan.players)
    return replace(plan, players=players, chords=(("A",),) * plan.bars)


def _given(plan: Plan, **notes: list[tuple[int, int, int]]) -> dict[str, list[tuple[int, int, int]]]:
    """What is left of notes, each as its beat, its beats and its pitch; the violin has the tune."""
    passages = tuple(replace(one, scene=replace(one.scene, tune="lead")) for one in plan.passages)
    parts = {player.name: (("lead",) if player.name == "Violin" else ("chords",)) for player in plan.players}
    bars = {name: {mine[0]: frozenset(range(plan.bars))} for name, mine in parts.items()}
    made = {
        player.name: [Sketch(at * QUARTER, length * QUARTER, pitch) for at, length, pitch in notes.get(player.name, [])]
        for player in plan.players
    }
    given = given_way(plan, Deal(passages, parts, bars, {}), made)
    return {
        name: [(note.onset // QUARTER, note.duration // QUARTER, note.pitch) for note in mine]
        for name, mine in given.items()
    }


def test_a_chord_leaves_out_what_rubs_and_a_single_note_moves() -> None:
    plan = _plan()
    made = _given(plan, Violin=[(0, 1, 74)], Piano=[(0, 1, 57), (0, 1, 61), (0, 1, 64)], Viola=[(0, 1, 73)])
    assert made["Piano"] == [(0, 1, 57), (0, 1, 64)]  # no c sharp a ninth below the d
    assert made["Viola"][0][2] % 12 in (9, 1, 4)
    assert made["Viola"][0][2] != 73
    assert made["Violin"] == [(0, 1, 74)]


def test_what_is_held_goes_on_until_the_tune_comes_beside_it() -> None:
    plan = _plan()
    held = _given(plan, Violin=[(2, 2, 74)], Viola=[(0, 4, 61)])
    assert held["Viola"] == [(0, 2, 61)]
    plain = _given(plan, Violin=[(2, 2, 76)], Viola=[(0, 4, 61)])
    assert plain["Viola"] == [(0, 4, 61)]


def test_a_bass_stands_on_no_half_tone_beside_the_chord() -> None:
    plan = _plan()
    line = [(0, 2, 45), (2, 2, 50), (4, 2, 49), (6, 1, 52), (7, 1, 50)]
    made = _given(plan, Cello=line)["Cello"]
    assert made[1] == (2, 2, 49)  # d on the third beat of a major
    assert made[0] == (0, 2, 45)


def test_half_tones_that_are_meant_stay() -> None:
    plan = _plan()
    dark = replace(plan, style=replace(plan.style, name="thriller"))
    made = _given(dark, Violin=[(0, 1, 74)], Piano=[(0, 1, 57), (0, 1, 61), (0, 1, 64)])
    assert len(made["Piano"]) == 3
