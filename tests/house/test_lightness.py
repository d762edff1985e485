"""Light percussion beside percussion of any weight."""

from __future__ import annotations

from libretto.contract import Contract
from libretto.house.compose.composer import compose_score
from libretto.score import Voice

_BRIEF = "A Chinese lantern festival in G major, G-Em-Am-D, 32 bars, for dizi flute, guzheng and {}percussion."


def _drums(kind: str) -> Voice:
    score = compose_score(Contract.from_brief(_BRIEF.format(kind)))
    return next(voice for voice in score.voices if voice.drums)


def test_light_percussion_is_softer_and_does_not_crash() -> None:
    """The same strokes are softer, and a triangle rings where others crash."""
    light, other = _drums("light ").array, _drums("").array
    assert light["velocity"].mean() < other["velocity"].mean() - 8
    assert 49 in other["pitch"]
    assert 49 not in light["pitch"]
