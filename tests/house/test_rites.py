"""Rites of old peoples: drums that pile up, a tune of few tones, and nobody whom such a people never heard."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.contract import read_brief, receipt
from libretto.house.compose.composer import compose_score
from libretto.house.compose.planning import make_plan

RITE = (
    "A ritualistic piece inspired by ancient Mesoamerica, with clay flutes, log drums, rattles and conch shell. The "
    "melody should rely on few notes. Keep the tempo steady, gradually layering the percussion until it becomes "
    "overwhelming."
)


@pytest.mark.parametrize(
    "brief",
    [RITE, "An Aztec ritual for ocarina and drums, dark and primal.", "A Mayan ceremony for flute, conch shell "
     "and rattles."],
)  # fmt: skip
def test_a_rite_has_its_chart_and_no_guests(brief: str) -> None:
    """A rite is played by who is named, and by drums at most."""
    contract = read_brief(brief)
    plan = make_plan(contract, 0)
    assert plan.chart is not None
    assert plan.chart.name == "ritual-obsidian-steps"
    named = {part.name for part in contract.parts}
    assert all(player.drums for player in plan.players if player.name not in named)


def test_its_tune_has_five_tones_and_it_grows() -> None:
    """The flutes have five tones, and the drums strike more and more, louder and louder."""
    contract = read_brief(RITE)
    score = compose_score(contract, 0)
    assert len({int(pitch) % 12 for pitch in score.voice("Flute").array["pitch"]}) <= 5
    logs = score.voice("Log Drums").array
    first, last = (logs[logs["onset"] // (score.bar_lines[-1] // 4) == quarter] for quarter in (0, 3))
    assert len(last) > 2 * len(first)
    assert float(np.mean(last["velocity"])) > float(np.mean(first["velocity"])) + 20
    assert receipt(contract, score).passed


@pytest.mark.parametrize(
    ("text", "who"),
    [
        (RITE, {"Rattles"}),
        ("A festive piece for flute, tambourine, congas and shaker; the percussion is layered gradually.",
         {"Congas", "Shaker"}),
        ("A calm piece for flute, tambourine and congas with layered rhythms.", set()),
    ],
)  # fmt: skip
def test_drums_that_pile_up_come_one_after_the_other(text: str, who: set[str]) -> None:
    """Who drums comes in after another who drums, where they are laid one upon the other, and nobody else does."""
    assert {ask.who for ask in read_brief(text).asks if ask.kind == "enter"} == who
