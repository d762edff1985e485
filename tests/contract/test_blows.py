"""What falls into music, who arrives bit by bit, and what is soft as a whole."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.contract import Contract, receipt
from libretto.contract.stretches import bars_of_place
from libretto.house import compose_score

_ANTS = (
    "A tiny march in C minor for piccolo, xylophone, pizzicato strings, and snare drum, quick. The dynamics mostly "
    "very soft, with a crescendo as more and more ants arrive and a sudden silence when a shoe falls. Use "
    "Cm-G7-Cm-Fm and finish with the survivors marching on."
)
_MICE = (
    "A sneaking dance in D minor for clarinet, bassoon, pizzicato strings and tambourine, 40 bars. It is almost always "
    "quiet and grows as the crowd gathers. When the cat jumps in, everyone freezes. Then they tiptoe on."
)


def asked(text: str) -> list[tuple[str, str, str, str]]:
    return [(ask.kind, ask.what, ask.who, ask.where) for ask in Contract.from_brief(text).asks]


@pytest.mark.parametrize("text", [_ANTS, _MICE])
def test_a_blow_is_a_stroke_and_a_bar_of_nothing(text: str) -> None:
    asks = asked(text)
    assert ("silent", "crash", "", "1 bars before last quarter") in asks
    assert ("silent", "", "", "1 bars in last quarter") in asks
    assert ("dynamics", "soft", "", "after 1 bars in last quarter") in asks
    assert ("dynamics", "soft", "", "") in asks


def test_those_who_arrive_come_in_after_the_beat_and_the_accompaniment() -> None:
    enters = [row[2:] for row in asked(_ANTS) if row[0] == "enter"]
    assert enters == [("Piccolo", "entry 2 of 3"), ("Xylophone", "entry 3 of 3")]


@pytest.mark.parametrize("text", [_ANTS, _MICE])
def test_a_blow_is_heard(text: str) -> None:
    contract = Contract.from_brief(text)
    piece = compose_score(contract, 0)
    assert not [check.clause for check in receipt(contract, piece).failed if ":" in check.clause]
    blow = bars_of_place("1 bars before last quarter", piece)[0][0] - 1
    table = piece.table
    assert set(np.unique(table["velocity"][table["bar"] == blow]).tolist()) == {118}
    assert not (table["bar"] == blow + 1).any()
    loud = [float(table["velocity"][(table["bar"] >= bar) & (table["bar"] < bar + 4)].mean()) for bar in (0, blow - 4)]
    assert loud[0] + 8 < loud[1]


@pytest.mark.parametrize(
    "text",
    [
        "A song in G major for voice and piano. The dead silence of the house at night.",
        "A quiet waltz for piano in A minor.",
        "A rock song for guitar, bass and drums; everyone stops for one bar before bar 17.",
    ],
)
def test_what_is_no_blow(text: str) -> None:
    assert not [row for row in asked(text) if row[1] == "crash" or row == ("dynamics", "soft", "", "")]
