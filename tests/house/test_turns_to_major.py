"""A piece in minor that turns to the major in its final bars does so there."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, read_brief, receipt
from libretto.house.compose.composer import compose_score

WALTZ = "A waltz in D minor over 32 bars for violin and piano. "


@pytest.mark.parametrize(
    "told",
    [
        "In the final bars the music turns briefly to the major.",
        "In the closing bars it shifts quietly to major.",
        "The last few bars turn into major.",
    ],
)
def test_the_final_bars_may_turn_to_the_major(told: str) -> None:
    asks = [(ask.what, ask.where) for ask in read_brief(WALTZ + told).asks if ask.kind == "key_change"]
    assert asks == [("major", "end")]


def test_the_final_bars_of_a_section_are_no_end() -> None:
    asks = read_brief("A rock song. In the final bars of the bridge the drums stop.").asks
    assert [ask.where for ask in asks if ask.kind == "leave"] == ["bridge"]


def test_final_bars_in_the_major_close_there() -> None:
    contract = Contract.from_brief(WALTZ + "In the final bars the music turns briefly to the major.")
    score = compose_score(contract)
    assert [str(score.key_at(score.bar_lines[bar])) for bar in (0, -2)] == ["D minor", "D major"]
    assert all(check.passed for check in receipt(contract, score).checks if check.clause.startswith("key_change"))
