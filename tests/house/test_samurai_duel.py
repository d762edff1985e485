"""A duel of swordsmen: five tones with half tones, silence, short bursts, and one last stroke."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.contract import read_brief
from libretto.house.compose.composer import compose_score
from libretto.house.compose.planning import make_plan
from libretto.score import QUARTER

DUELS = (
    "A samurai duel at dawn: tense, in A minor, with shamisen, shakuhachi, taiko and tremolo strings",
    "A samurai duel in A harmonic minor with strings and taiko",
    "A tense Japanese duel scene in A minor for koto and strings",
)
TUNE = {9, 10, 2, 4, 5}  # A, B flat, D, E, F


def _chart(brief: str) -> str:
    chart = make_plan(read_brief(brief), 0).chart
    return chart.name if chart is not None else ""


@pytest.mark.parametrize("brief", DUELS)
def test_a_duel_has_a_chart_of_its_own(brief: str) -> None:
    assert _chart(brief) == "asian-two-blades"


@pytest.mark.parametrize(
    "brief",
    ["A calm samurai garden at dusk, koto and shakuhachi, slow", "A festive taiko performance at a matsuri",
     "A western duel at high noon with a harmonica and guitar"],
)  # fmt: skip
def test_gardens_and_feasts_have_none_of_it(brief: str) -> None:
    assert _chart(brief) != "asian-two-blades"


def test_silence_stands_between_the_blows_and_a_stroke_of_all_ends_it() -> None:
    score = compose_score(read_brief(DUELS[0]))
    onsets = np.concatenate([voice.array["onset"] for voice in score.voices])
    bars = np.bincount(np.searchsorted(score.bar_lines, onsets, side="right") - 1, minlength=score.bars)
    assert (bars <= 1).sum() >= 2, "ma: bars in which next to nothing is heard"
    last = score.bar_lines[-2]
    struck = [voice for voice in score.voices if last in voice.array["onset"]]
    assert len(struck) == len(score.voices)
    assert all(voice.array["onset"].max() == last for voice in struck), "and nothing follows"
    table = score.table
    ends = table[table["onset"] == last]
    assert ends["velocity"].mean() > table["velocity"].mean()
    assert ends["duration"].max() <= 2 * QUARTER


def test_the_tune_has_the_five_tones_of_its_land() -> None:
    score = compose_score(read_brief(DUELS[0]))
    for name in ("Shamisen", "Shakuhachi"):
        classes = score.voice(name).array["pitch"] % 12
        assert np.isin(classes, list(TUNE)).mean() > 0.9
        assert np.isin(classes, [10, 5]).any(), "half tones above the tonic and the fifth"
