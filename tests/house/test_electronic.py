"""What the electronic styles ask of the house composer."""

import itertools

import pytest

from libretto.contract import Contract
from libretto.house import compose_score, load_style, make_plan

ELECTRONIC = (
    "ambient", "chiptune", "cyberpunk", "drumnbass", "dubstep", "edm", "electronic", "electronic_dance", "house",
    "industrial", "steampunk", "synthpop", "synthwave", "techno", "trance",
)  # fmt: skip


@pytest.mark.parametrize("style", ELECTRONIC)
@pytest.mark.parametrize("bars", [8, 32, 96])
def test_every_style_fills_its_bars(style: str, bars: int) -> None:
    score = compose_score(Contract(style=style, genre=load_style(style).genre, bars=bars), 3)
    assert score.bars == bars
    assert set(range(bars)) == set(score.table["bar"].tolist())


@pytest.mark.parametrize("bars", range(28, 132, 4))
def test_a_build_leads_to_a_drop(bars: int) -> None:
    kinds = [each.kind for each in make_plan(Contract(style="trance", bars=bars), 1).sections]
    assert "drop" in kinds
    assert all(after == "drop" for kind, after in itertools.pairwise(kinds) if kind == "build")


def test_one_voice_breaks_whole_chords() -> None:
    score = compose_score(Contract(style="chiptune", bars=32), 0)
    others = [voice for voice in score.voices[1:] if not voice.drums]
    assert any(len({int(pitch) % 12 for pitch in voice.array["pitch"]}) >= 6 for voice in others)
