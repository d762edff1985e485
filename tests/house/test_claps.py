"""Who has nothing but hands claps in time: on the weak beats, or on every one where that is asked for."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief, receipt
from libretto.house.compose.composer import compose_score
from libretto.score import QUARTER, Score

_CLAP = 39


def _claps(score: Score) -> dict[int, list[float]]:
    """The places of strokes by bar, in quarters from 1."""
    voice = next(voice for voice in score.voices if voice.drums and "clap" in voice.name.lower())
    assert set(voice.array["pitch"].tolist()) == {_CLAP}
    bars: dict[int, list[float]] = {}
    for tick in voice.array["onset"].tolist():
        bar = score.bar_at(tick)
        bars.setdefault(bar, []).append((tick - score.bar_lines[bar]) / QUARTER + 1)
    return bars


@pytest.mark.parametrize("where", ["on the off-beats", "on two and four"])
def test_hands_clap_on_the_weak_beats(where: str) -> None:
    score = compose_score(read_brief(f"Pop in C major, 16 bars, hand-claps {where}, piano and bass."), 0)
    bars = _claps(score)
    assert len(bars) > score.bars // 2
    drummed = [places for bar, places in bars.items() if bar < score.bars - 1]
    assert all(places == [2, 4] for places in drummed)


def test_hands_clap_on_every_beat_where_that_is_asked_for() -> None:
    contract = read_brief("Pop song in C major, 16 bars, with claps on every beat, piano and bass.")
    score = compose_score(contract, 0)
    assert all(places == [1, 2, 3, 4] for bar, places in _claps(score).items() if bar < score.bars - 1)
    assert next(one for one in receipt(contract, score).checks if one.clause.startswith("manner: beats")).passed
