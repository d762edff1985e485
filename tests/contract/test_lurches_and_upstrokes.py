"""Tempi that slow and speed up unexpectedly, and guitars that are told upstrokes."""

from __future__ import annotations

from itertools import pairwise

import pytest

from libretto.contract import read_brief, receipt
from libretto.house.charts.catalogue import suited_chart
from libretto.house.compose.composer import compose_score
from libretto.house.compose.planning import style_of
from libretto.score.time import bpm_of_micros


@pytest.mark.parametrize(
    "words",
    ["a moderate tempo that slows and speeds up unexpectedly", "a moderate tempo that suddenly drags and rushes"],
)
def test_a_tempo_that_nobody_expects_lurches(words: str) -> None:
    contract = read_brief(f"An eerie waltz in D minor, Dm-A7-Bb-A7 over 24 bars for music box and cello. Set {words}.")
    assert [(ask.kind, ask.what) for ask in contract.asks] == [("tempo_change", "in waves")]
    score = compose_score(contract, 0)
    speeds = [bpm_of_micros(micros) for _, micros in score.tempos]
    low, high = contract.tempo_bpm or (0, 0)
    assert low <= speeds[0] <= high, "it opens at the tempo that was told"
    leaps = [after / before for before, after in pairwise(speeds)]
    assert max(leaps) > 1.2, "it is jerked forward, and not only pushed"
    assert min(speeds) < 0.8 * speeds[0] < 0.8 * max(speeds)
    assert receipt(contract, score).passed


@pytest.mark.parametrize("words", ["sharp, choppy upstrokes", "tight, clipped skanks", "crisp and bright up-strokes"])
def test_sharp_and_choppy_upstrokes_are_off_the_beat_and_no_punk(words: str) -> None:
    contract = read_brief(
        f"A cheerful ska tune in A major for guitar, horns, bass and drums. The guitar supplies {words}."
    )
    assert [(ask.what, ask.who) for ask in contract.asks if ask.kind == "manner"] == [("off-beats", "Guitar")]
    chosen = suited_chart(contract, style_of(contract), 32, 0)
    assert chosen is not None
    assert chosen[0].name == "ska-checkerboard"
