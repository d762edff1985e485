"""Cut time: a chart in four quarters is counted in two halves where a brief asks for that."""

from __future__ import annotations

from libretto.contract import Contract, receipt
from libretto.house import compose_score
from libretto.house.compose.planning import make_plan


def test_a_march_in_cut_time_is_played_from_a_chart() -> None:
    contract = Contract.from_brief("A march in Bb major, cut time, for trumpet, tuba and snare drum, 16 bars.")
    score = compose_score(contract, 0)
    assert make_plan(contract, 0).chart is not None
    assert str(score.meter_at(0)) == "2/2"
    assert not [check for check in receipt(contract, score).failed if check.clause == "meter"]


def test_a_tempo_told_in_dotted_quarters_is_not_counted_so_again() -> None:
    contract = Contract.from_brief("A ballad in 6/8 in A at 66 dotted quarters per minute for piano, 24 bars.")
    assert contract.tempo_bpm == (99, 99)
    assert make_plan(contract, 0).tempo == 99
