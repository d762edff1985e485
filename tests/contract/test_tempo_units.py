"""The receipt tells a tempo of dotted beats in the unit in which it lies in the band."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, receipt
from libretto.score import Meter, Score, Voice
from libretto.score.time import micros_of_bpm


@pytest.mark.parametrize(
    ("meter", "bpm", "kept", "told"),
    [
        ("12/8", 133, True, "it opens at 89 dotted quarters, within 66-112"),
        ("6/8", 100, True, "it opens at 100, within 66-112"),
        ("4/4", 100, True, "it opens at 100, within 66-112"),
        ("6/8", 240, False, "66-112 was asked for; it opens at 160 dotted quarters"),
        ("6/8", 50, False, "66-112 was asked for; it opens at 50"),
    ],
)
def test_one_unit_in_one_line(meter: str, bpm: int, kept: bool, told: str) -> None:
    score = Score.build(
        [Voice.of("Flute", (), 73)], bars=8, meters=((0, Meter.parse(meter)),), tempos=((0, micros_of_bpm(bpm)),)
    )
    contract = Contract(tempo_bpm=(66.0, 112.0))
    check = next(check for check in receipt(contract, score).checks if check.clause == "tempo")
    assert (check.passed, check.evidence) == (kept, told)
