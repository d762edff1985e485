"""Arpeggios that sparkle lie high, and are not played on the very sound of who leads."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.contract import read_brief, receipt
from libretto.house.compose.composer import compose_score

SHIMMER = "A synthwave track with shimmering arpeggios, a synth lead, bass and drums"


def _registers(brief: str) -> set[tuple[str, str]]:
    return {(ask.what, ask.who) for ask in read_brief(brief).asks if ask.kind == "register"}


@pytest.mark.parametrize(
    ("brief", "who"),
    [
        (SHIMMER, "Shimmering Arpeggios"),
        ("An electronic track: sparkling synth arpeggios over a warm pad, a soft lead, and bass", "Synth Arpeggios"),
        ("A trance track with plucky arpeggios that shimmer, supersaw lead, bass, drums", "Plucky Arpeggios"),
    ],
)
def test_what_sparkles_lies_high(brief: str, who: str) -> None:
    assert ("high", who) in _registers(brief)


@pytest.mark.parametrize(
    "brief",
    [
        "A synthwave track with driving arpeggios, a synth lead, bass and drums",
        "A synthwave track with sparkling arpeggios beneath a synth lead, bass and drums",
        "A folk song for guitar and a shimmering cymbal",
    ],
)
def test_what_drives_or_lies_beneath_does_not(brief: str) -> None:
    assert not _registers(brief)


def test_who_sparkles_has_another_sound_than_the_lead_and_lies_above_the_middle() -> None:
    contract = read_brief(SHIMMER)
    score = compose_score(contract)
    voices = {voice.name: voice for voice in score.voices}
    arpeggios = voices["Shimmering Arpeggios"]
    assert arpeggios.program != voices["Synth Lead"].program
    assert np.median(arpeggios.array["pitch"]) >= 72
    assert all(check.passed for check in receipt(contract, score).checks if check.clause in ("parts", "ranges"))
