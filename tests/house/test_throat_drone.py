"""Who sings from the throat and is told to hold a drone lets its overtones whistle above it."""

from __future__ import annotations

import numpy as np

from libretto.contract import read_brief, receipt
from libretto.house.compose.composer import compose_score
from libretto.score import QUARTER

STEPPE = "A Mongolian steppe: throat singer holds a drone, horse-head fiddle plays the melody, 32 bars"


def test_a_drone_from_the_throat_has_overtones_and_stays_a_drone() -> None:
    contract = read_brief(STEPPE)
    score = compose_score(contract)
    voice = score.voice("Throat Singer").array
    low = voice[voice["pitch"] == voice["pitch"].min()]
    assert low["duration"].sum() >= (score.ticks - 4 * QUARTER), "it never stops"
    above = voice[voice["pitch"] > voice["pitch"].min()]
    sounding = np.unique(np.searchsorted(score.bar_lines, above["onset"], side="right"))
    assert score.bars // 3 <= len(sounding) <= score.bars // 2 + 1, "in about every other bar"
    assert len(set((above["pitch"] - voice["pitch"].min()).tolist())) >= 4, "and not always the same"
    assert all(check.passed for check in receipt(contract, score).checks if check.clause.startswith("role: drone"))


def test_another_drone_is_one_tone() -> None:
    score = compose_score(
        read_brief("A folk tune in D major: harmonium holds a drone, fiddle plays the melody, 16 bars")
    )
    assert len(set(score.voice("Harmonium").array["pitch"].tolist())) == 1


def test_a_horse_head_fiddle_is_of_the_steppe() -> None:
    contract = read_brief("A steppe song for throat singer and horse-head fiddle, 32 bars")
    assert {part.instrument for part in contract.parts} == {"throat singing", "morin khuur"}
