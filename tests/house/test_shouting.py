"""Brass that answers with shouts is high and loud."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief
from libretto.house.compose.composer import compose_score


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("A swing tune for big band. The trumpets respond with high, brassy blasts.", True),
        ("A swing tune for big band. The trumpets shout back at the saxes.", True),
        ("A ballad for muted trumpet, piano and bass. The trumpet answers with soft distant shouts.", False),
        ("A big band number where trumpets play a shout chorus riff.", False),
    ],
)
def test_who_shouts_is_told(text: str, told: bool) -> None:
    assert any(ask.what == "shouting" for ask in read_brief(text).asks) is told


def test_trumpets_that_shout_lie_high_and_are_loud() -> None:
    text = "Big band swing, 16 bars. The saxes have the riff while the trumpets answer with bright, brassy shouts."
    score = compose_score(read_brief(text), 0)
    trumpet = next(voice for voice in score.voices if voice.name.startswith("Trumpet")).array
    tops = [trumpet["pitch"][trumpet["onset"] == onset].max() for onset in set(trumpet["onset"].tolist())]
    assert sum(tops) / len(tops) >= 73  # of chords the tone that is heard
    assert trumpet["velocity"].mean() >= 94
