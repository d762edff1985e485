"""Brass that stabs: bright chords struck together by a section of its own; riffs of deep horns are no trumpets'."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from libretto.contract import Contract, receipt
from libretto.house import compose_score
from libretto.house.charts.catalogue import charts
from libretto.score import Score

MOTOWN = "A Motown song in C major with {}, bass, tambourine, drums and a soulful singer"


def _played(brief: str) -> tuple[Contract, Score]:
    contract = Contract.from_brief(brief)
    return contract, compose_score(contract)


@pytest.mark.parametrize("horns", ["horn stabs", "horns that stab"])
def test_a_section_of_brass_stabs_in_bright_chords(horns: str) -> None:
    contract, score = _played(MOTOWN.format(horns))
    brass = [voice for voice in score.voices if voice.program in range(56, 64)]
    assert len(brass) == 1, "nobody of an orchestra joins"
    struck = Counter(brass[0].array["onset"].tolist())
    assert sum(count >= 3 for count in struck.values()) > len(struck) / 3
    assert np.median(brass[0].array["pitch"]) >= 62
    kept = {check.clause: check.passed for check in receipt(contract, score).checks}
    assert kept[next(name for name in kept if name.startswith("manner: stabs"))]


def test_stabs_lie_bright_wherever_the_chords_of_a_chart_do() -> None:
    _, score = _played("A disco track with strings, brass stabs, funky guitar, bass and drums")
    brass = next(voice for voice in score.voices if voice.name == "Brass Stabs")
    assert np.median(brass.array["pitch"]) >= 60


def test_a_riff_of_a_deep_saxophone_is_an_octave_higher_on_horns() -> None:
    chart = next(chart for chart in charts() if chart.name == "soul-saturday-heels")
    assert (chart.lies["second"] < 58, chart.wants["second"][0]) == (True, 67)
    heights = {}
    for name in ("horns", "baritone saxophone"):
        _, score = _played(f"A Motown song in C major with {name}, piano, bass, drums and a singer")
        voice = next(voice for voice in score.voices if voice.name.lower() == name)
        heights[name] = float(np.median(voice.array["pitch"]))
    assert heights["horns"] >= heights["baritone saxophone"] + 7
