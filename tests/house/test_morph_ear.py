"""The house's ear for morphs: its own features, none of the judge's; and the knobs that a morph answers."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from libretto.contract import Contract
from libretto.gates import Finding
from libretto.house import Controls, compose_score, steer
from libretto.house.drafting import knobs
from libretto.house.morph import handover, morphing, trip
from libretto.house.morph import handover as hearing
from libretto.house.morph.bank import Bank, read_bank
from libretto.house.morph.handover import Ear, Floats, count, hear

NOTES = [(beat * 40320, 40320, 60 + beat % 4, 80, 0) for beat in range(16)]
LINES, TICKS = [0, 161280, 322560, 483840], [161280] * 4


def heard(notes: Sequence[tuple[int, int, int, int, int | None]], tonic: int, tempo: float) -> Floats:
    return hear(count(notes, LINES, TICKS, [tonic] * 4).sum(axis=0, keepdims=True), 4, tempo)


@pytest.mark.parametrize("module", [hearing, handover, morphing, trip])
def test_whoever_plans_a_morph_does_not_look_at_the_axes_that_judge_it(module: object) -> None:
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))  # type: ignore[attr-defined]
    names = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    for forbidden in ("libretto.axes", "libretto.corpus", "libretto.tasks.morph.road", "libretto.gates"):
        assert not any(name == forbidden or name.startswith(f"{forbidden}.") for name in names)


def test_an_ear_hears_which_end_is_nearer() -> None:
    other = [(a, 10080, c + 12, 60, None) for a, _, c, _, _ in NOTES]
    source, target = heard(NOTES, 0, 100.0), heard(other, 7, 160.0)
    ear = Ear.of(source, target)
    ways = [float(ear.how_far(each)[0]) for each in (source, heard([*NOTES[:8], *other[8:]], 0, 126.0), target)]
    assert ways[0] == pytest.approx(0)
    assert ways[2] == pytest.approx(1)
    assert 0.2 < ways[1] < 0.8


def test_a_passage_may_be_silent_and_ends_alike() -> None:
    source, target = heard(NOTES, 0, 100.0), heard(NOTES[:4], 0, 100.0)
    assert np.isfinite(Ear.of(source, target).how_far(heard([], 0, 100.0))).all()
    assert np.isfinite(Ear.of(source, source).how_far(target)).all()


def test_what_players_do_adds_up() -> None:
    together = count(NOTES, LINES, TICKS, [0] * 4)
    apart = [count(each, LINES, TICKS, [0] * 4) for each in (NOTES[::2], NOTES[1::2])]
    assert np.allclose((apart[0] + apart[1])[:, :-1], together[:, :-1])  # but two play where one did
    assert (apart[0] + apart[1])[:, -1].tolist() == [2, 2, 2, 2]


def test_changes_come_one_by_one_where_the_way_sounds_even() -> None:
    banks = (_bank("pop"), _bank("jazz"))
    way = trip.plan_trip(banks, 54, 0)
    changes = handover.changes_of(banks)
    cost, timed = handover.order_changes(way, changes, handover.ear_between(banks), 0)
    assert len(timed) == len(changes)
    bars = [bar for bar, _ in timed]
    assert bars == sorted(bars)
    assert all(way.depart <= bar <= way.arrive for bar in bars)
    assert len(set(bars)) > len(bars) // 2
    assert cost < 0.1


def _bank(genre: str) -> Bank:
    return read_bank(compose_score(Contract.from_brief(f"A {genre} song over 32 bars"), 1))


def test_a_morph_answers_two_knobs_and_they_move_its_ends() -> None:
    found = (Finding("start", "not yet like the source", "wait", 5.0, "onset_density", wanted=-1),)
    turned = steer(Controls(), found, knobs["morph"])
    assert turned.to_dict() == {"departure": 0.5}
    assert steer(Controls(), (Finding("order", "x", "y", 5.0, "tempo", wanted=1),), knobs["morph"]) == Controls()
    banks = (_bank("pop"), _bank("jazz"))
    plain = trip.plan_trip(banks, 54, 0)
    later = trip.plan_trip(banks, 54, 0, Controls(departure=1.0, arrival=1.0))
    assert later.depart > plain.depart
    assert later.arrive < plain.arrive
