"""Who has the tune where a brief for clubs leaves it open, gives it later, or asks for a solo."""

from __future__ import annotations

import numpy as np

from libretto.contract import Contract
from libretto.house.compose.composer import compose_score
from libretto.house.compose.planning import make_plan


def _plan(brief: str):  # type: ignore[no-untyped-def]
    return make_plan(Contract.from_brief(brief), 0)


def test_pads_beside_a_beat_hold_and_another_has_the_tune() -> None:
    players = {one.name: one.role for one in _plan("Drum and bass with breakbeats, a reese bass and pads.").players}
    assert players["Pads"] == "pad"
    assert "lead" in players.values()
    told = {one.name: one.role for one in _plan("Drum and bass with a bass and pads. The pads lead.").players}
    assert told["Pads"] == "lead"


def test_a_tune_that_comes_later_rests_before() -> None:
    plan = _plan("A deep house track with bass, organ and drums over 16 bars, adding a melody in the second half.")
    heard = [bool(passage.bar("lead", bar).strip("z:0123456789 "))
             for passage in plan.passages for bar in range(passage.bars)]  # fmt: skip
    assert not any(heard[:8])
    assert sum(heard[8:]) >= 6


def test_a_solo_has_more_than_long_notes() -> None:
    brief = (
        "Disco in E minor with drums, bass, rhythm guitar and strings. The strings take the tune in the chorus and a "
        "saxophone solos after the second chorus."
    )
    contract = Contract.from_brief(brief)
    score = compose_score(contract, 0)
    solo = next(one for one in make_plan(contract, 0).sections if one.kind == "bridge" or "solo" in one.name)
    notes = score.voice("Saxophone").array
    bars = np.searchsorted(score.bar_lines, notes["onset"], side="right") - 1
    assert ((bars >= solo.first) & (bars < solo.end)).sum() >= 3.5 * solo.bars
