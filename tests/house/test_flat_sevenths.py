"""The seventh of a major key is flat in a piece whose chords all have it flat."""

from __future__ import annotations

from libretto.contract import Contract
from libretto.house.compose.planning import make_plan


def lowered(chords: str) -> dict[int, int]:
    plan = make_plan(
        Contract.from_brief(f"A lively piece in C major for trumpet, piano and bass, {chords}, 16 bars"), 0
    )
    assert not plan.own_scale
    for span in plan.harmony:
        scale = plan.scale_at(span)
        assert not plan.lowered or (11 not in scale and 10 in scale)
    return plan.lowered


def test_chords_that_all_have_a_flat_seventh_take_it_into_the_scale() -> None:
    assert lowered("C7, Bb7, F7, C7") == {11: 10}
    assert lowered("C, Bb, F, C") == {11: 10}


def test_a_chord_with_the_seventh_of_the_key_keeps_it() -> None:
    assert lowered("C, Bb, F, G") == {}
    assert lowered("C, Am, F, C") == {}
