"""Mist: a harp in open fifths, and an oboe that is hardly there."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.contract import read_brief, receipt
from libretto.house.compose.composer import compose_score
from libretto.house.compose.planning import make_plan
from libretto.score import QUARTER, Score

BRIEFS = (
    "A quiet piece for oboe and harp in E dorian, slow, in 6/4, like a lake at dawn.",
    "Fog on the water: a slow, pensive piece in 6/4 for English horn and harp in A minor.",
    "A hushed northern landscape in 6/4 for flute, harp and cello in D dorian, slow.",
)


@pytest.mark.parametrize("brief", BRIEFS)
def test_a_quiet_piece_in_six_four_is_no_flamenco(brief: str) -> None:
    """A slow piece in six quarters has the chart that was written for it, and keeps its contract."""
    contract = read_brief(brief)
    plan = make_plan(contract, 0)
    assert plan.chart is not None
    assert plan.chart.name == "nordic-far-oboe"
    assert receipt(contract, compose_score(contract, 0)).passed


def _starts(score: Score, name: str) -> tuple[np.ndarray, np.ndarray]:
    """The bars, from 0, in which a voice's notes begin, and the notes."""
    notes = score.voice(name).array
    return np.searchsorted(np.array(score.bar_lines), notes["onset"], side="right") - 1, notes


def test_its_oboe_comes_late_sings_long_and_lets_the_harp_be() -> None:
    """The oboe enters after the harp and softer, has no note shorter than a quarter and breathes; it is loudest late
    and nearly silent at the end, and the harp has a bare fifth below every bar."""
    score = compose_score(read_brief(BRIEFS[0]), 0)
    bars, notes = _starts(score, "Oboe")
    levels = notes["velocity"]
    assert bars.min() >= 2
    assert notes["duration"].min() >= QUARTER
    assert notes["duration"].sum() < 0.75 * score.bar_lines[-1]
    loudest = int(bars[np.argmax(levels)])
    assert score.bars // 3 < loudest < score.bars - 4
    assert float(levels[:2].mean()) < float(levels.max()) - 15
    assert float(levels[-2:].mean()) < float(levels.max()) - 15
    bars, notes = _starts(score, "Harp")
    for bar in range(score.bars):
        low = np.sort(notes["pitch"][bars == bar])[:2]
        assert (int(low[1]) - int(low[0])) % 12 == 7
