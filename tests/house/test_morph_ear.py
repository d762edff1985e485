"""The house's ear for morphs: its own features, none of the judge's; and the knobs that a morph answers."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from libretto.contract import Contract
from libretto.gates import Finding
from libretto.house import Controls, compose_score, hearing, morphing, steer, trip
from libretto.house.bank import read_bank
from libretto.house.drafting import knobs
from libretto.house.hearing import hear, how_far

NOTES = [(beat * 40320, 40320, 60 + beat % 4, 0) for beat in range(16)]
LINES, TICKS = [0, 161280, 322560, 483840], [161280] * 4


@pytest.mark.parametrize("module", [hearing, morphing, trip])
def test_whoever_plans_a_morph_does_not_look_at_the_axes_that_judge_it(module: object) -> None:
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))  # type: ignore[attr-defined]
    names = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    for forbidden in ("libretto.axes", "libretto.corpus", "libretto.tasks.road", "libretto.gates"):
        assert not any(name == forbidden or name.startswith(f"{forbidden}.") for name in names)


def test_an_ear_hears_which_end_is_nearer() -> None:
    source = hear(NOTES, LINES, TICKS, 0, 100.0)
    target = hear([(a, 10080, c + 12, None) for a, _, c, _ in NOTES], LINES, TICKS, 7, 160.0)
    half = hear([*NOTES[:8], *((a, 10080, c + 12, None) for a, _, c, _ in NOTES[8:])], LINES, TICKS, 0, 126.0)
    ways = [how_far(each, [source], [target]) for each in (source, half, target)]
    assert ways[0] == 0
    assert ways[2] == 1
    assert 0.2 < ways[1] < 0.8


def test_a_passage_may_be_silent() -> None:
    source, target = hear(NOTES, LINES, TICKS, 0, 100.0), hear(NOTES[:4], LINES, TICKS, 0, 100.0)
    assert 0 < how_far(hear([], LINES, TICKS, 0, 100.0), [source], [target]) < 1


def test_a_morph_answers_two_knobs_and_they_move_its_ends() -> None:
    found = (Finding("start", "not yet like the source", "wait", 5.0, "onset_density", wanted=-1),)
    turned = steer(Controls(), found, knobs["morph"])
    assert turned.to_dict() == {"departure": 0.5}
    assert steer(Controls(), (Finding("order", "x", "y", 5.0, "tempo", wanted=1),), knobs["morph"]) == Controls()
    banks = tuple(
        read_bank(compose_score(Contract.from_brief(f"A {genre} song over 32 bars"), 1)) for genre in ("pop", "jazz")
    )
    plain = trip.plan_trip((banks[0], banks[1]), 54, 0)
    later = trip.plan_trip((banks[0], banks[1]), 54, 0, Controls(departure=1.0, arrival=1.0))
    assert later.depart > plain.depart
    assert later.arrive < plain.arrive
