"""Cymbals that are named alone clash where sections begin, on the kind that was named, and keep no time."""

from __future__ import annotations

from collections import Counter

import pytest

from libretto.contract import read_brief, receipt
from libretto.house.compose.composer import compose_score
from libretto.score import QUARTER


@pytest.mark.parametrize(
    ("brief", "key"),
    [
        ("A piece for flute, harp and crash cymbal, 24 bars", 49),
        ("A rock ballad with piano, bass guitar and splash cymbal", 55),
        ("A piece for cello, piano and china cymbal", 52),
    ],
)
def test_cymbals_clash_seldom_and_on_their_own_key(brief: str, key: int) -> None:
    contract = read_brief(brief)
    score = compose_score(contract)
    voice = next(voice for voice in score.voices if voice.drums).array
    assert set(voice["pitch"].tolist()) == {key}
    strokes = Counter(score.bar_at(int(tick)) for tick in voice["onset"])
    assert max(strokes.values()) == 1, "no time is kept on them"
    assert len(strokes) <= score.bars / 3
    starts = {tick for tick, _ in score.sections}
    assert len(starts & set(voice["onset"].tolist())) >= len(starts) / 2
    assert all(check.passed for check in receipt(contract, score).checks if check.clause == "parts")


def test_a_suspended_cymbal_swells() -> None:
    score = compose_score(read_brief("A piece for cello, piano and suspended cymbal"))
    voice = next(voice for voice in score.voices if voice.drums).array
    rolled = voice[voice["duration"] <= QUARTER // 4]
    assert len(rolled) >= 8
    assert rolled["velocity"][7] > rolled["velocity"][0] + 10, "it grows"
