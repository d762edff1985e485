"""Music of the steppe: a long song in five tones with a third, by steps, that climbs as it gathers speed."""

from __future__ import annotations

import numpy as np

from libretto.contract import Contract
from libretto.house import compose_score

_BRIEF = (
    "A contemplative Mongolian folk piece built on an A pentatonic scale. Feature morin khuur with a low drone and "
    "light percussion. The tempo should be moderate, starting still and opening into a gallop."
)
_TRIAD, _MOST = (9, 0, 4), 0.8  # A C E, and how much of the tune may be of it
_CLIMB, _BOWED = 3, 43  # semitones; a low string, and no synthesizer


def test_a_long_song_goes_by_its_scale_and_climbs_into_the_gallop() -> None:
    score = compose_score(Contract.from_brief(_BRIEF), seed=0)
    tune = score.voice("Morin Khuur").array
    classes = tune["pitch"] % 12
    assert set(classes.tolist()) == {9, 0, 2, 4, 7}
    assert np.isin(classes, _TRIAD).mean() < _MOST
    third = len(tune) // 3
    assert tune["pitch"][third:].max() >= tune["pitch"][:third].max() + _CLIMB
    assert score.voice("Drone").program == _BOWED
