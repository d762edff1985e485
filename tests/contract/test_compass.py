"""The compass of a part: measured from its lowest to its highest note, and kept by the house."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.contract import read_brief, receipt
from libretto.grammar import parse
from libretto.house.compose.composer import compose_score

_BRIEF = "A tune for recorder in C major, 2/4, 8 bars, range of a fifth."
_WIDE = """KEY: C major | METER: 2/4 | TEMPO: 100 | GRID: 16th | BARS: 2
VOICES: Recorder[prog=74]
@1 [C]
  Recorder: C5@1>4 C6@5>4
@2 [C]
  Recorder: C5@1>8
"""


def test_a_line_of_an_octave_is_no_fifth() -> None:
    check = next(one for one in receipt(read_brief(_BRIEF), parse(_WIDE)).checks if one.clause.startswith("range:"))
    assert check.passed is False
    assert "12 semitones" in check.evidence


@pytest.mark.parametrize("seed", [0, 2])
def test_the_house_stays_in_the_compass_that_was_asked_for(seed: int) -> None:
    pitches = compose_score(read_brief(_BRIEF), seed).voices[0].array["pitch"].astype(int)
    assert np.ptp(pitches) <= 7


def test_nobody_joins_two_beginners() -> None:
    brief = "A children's song in C major, very simple, 2/4, 8 bars, xylophone and recorder."
    assert [voice.name for voice in compose_score(read_brief(brief), 0).voices] == ["Xylophone", "Recorder"]
