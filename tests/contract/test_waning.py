"""Ends that wane with what they picture are softer."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, receipt
from libretto.house import compose_score


@pytest.mark.parametrize("brief", [
    "A waltz for piano and flute in G major. Keep it moderate, slowing toward the end as the memory fades.",
    "A folk tune for violin and guitar, fading like a memory.",
    "Strings and horn in F major, 24 bars, ending quietly while the last light of day disappears.",
])  # fmt: skip
def test_a_piece_that_ends_while_something_fades_is_softer_there(brief: str) -> None:
    contract = Contract.from_brief(brief)
    assert ("dynamics", "fading") in {(ask.kind, ask.what) for ask in contract.asks}


@pytest.mark.parametrize("brief", [
    "A piano piece about a summer fading into autumn.",
    "A march for brass that builds as the enemy disappears, loud to the last bar.",
    "A slow air for harp. The night fades and the birds begin to sing.",
])  # fmt: skip
def test_other_things_that_fade_say_nothing_of_the_end(brief: str) -> None:
    assert not any(ask.what == "fading" for ask in Contract.from_brief(brief).asks)


def test_its_last_bars_are_softer_than_what_comes_before_them() -> None:
    contract = Contract.from_brief(
        "A wistful piece for piano and celesta in D minor, 32 bars, in 6/8, slowing toward the end as the dream fades."
    )
    score = compose_score(contract, 0)
    table = score.table
    late = table["onset"] >= score.bar_lines[-5]
    early = (table["onset"] >= score.bar_lines[-13]) & ~late
    assert table["velocity"][late].mean() < table["velocity"][early].mean() - 6
    assert receipt(contract, score).passed
