"""Strings beside a lead of its own sound hold chords below it."""

from __future__ import annotations

import numpy as np

from libretto.contract import Contract
from libretto.house import compose_score

_BRIEF = (
    "A moody trip-hop piece in D minor, Dm-Bb-Gm-A. Use a drum loop, upright bass, tremolo strings and a lonely "
    "theremin-like lead."
)
_QUARTER, _THEREMIN, _HELD = 40320, 85, 2


def test_tremolo_strings_hold_chords_below_a_theremin() -> None:
    score = compose_score(Contract.from_brief(_BRIEF), seed=0)
    theremin, strings = score.voice("Theremin"), score.voice("Tremolo Strings")
    assert theremin.program == _THEREMIN
    assert np.median(strings.array["duration"]) >= _HELD * _QUARTER
    assert np.median(strings.array["pitch"]) < np.median(theremin.array["pitch"])
