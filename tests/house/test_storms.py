"""Storms that come nearer: low strings that surge where they are at home, and an end with weight."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.contract import read_brief
from libretto.house.compose.composer import compose_score
from libretto.house.compose.planning import make_plan
from libretto.score import QUARTER, Score

STORMS = (
    "A stormy orchestral piece: low strings rumble, brass and timpani, the storm builds and the tempo accelerates, in "
    "D minor, 32 bars",
    "A storm at sea: low strings, horns and timpani in C minor, fast and dramatic, with crashing waves",
    "A raging storm for low strings, brass and timpani, growing faster",
)


def _level(score: Score, first: int, last: int) -> float:
    """The mean velocity of some bars."""
    table = score.table
    return float(table["velocity"][(table["bar"] >= first) & (table["bar"] < last)].mean())


@pytest.mark.parametrize("brief", STORMS)
def test_low_strings_surge_in_a_storm_and_it_ends_with_weight(brief: str) -> None:
    score = compose_score(read_brief(brief))
    strings = score.voice("Low Strings").array
    second = strings[strings["onset"] >= score.ticks // 2]
    quarters = (score.ticks - score.ticks // 2) / QUARTER
    assert len(np.unique(second["onset"])) / quarters >= 1.5, "they do not only hold chords"
    assert np.median(strings["pitch"]) <= 57, "they are no violins"
    assert _level(score, score.bars - 4, score.bars) >= _level(score, 0, score.bars) + 10


def test_what_grows_faster_gets_faster_and_no_louder_by_that() -> None:
    asks = {(ask.kind, ask.what) for ask in read_brief("A storm for strings and brass, growing faster").asks}
    assert ("tempo_change", "accelerando") in asks
    assert ("dynamics", "growing") not in asks


def test_a_stormy_piece_for_piano_keeps_its_own() -> None:
    chart = make_plan(read_brief("A stormy piano piece in C minor, passionate"), 0).chart
    assert chart is not None
    assert chart.name == "romantic-north-wind"
