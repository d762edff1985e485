"""A brief that asks for room has low phrases with rests and chords that ring, and nothing that picks on and on."""

from __future__ import annotations

import numpy as np

from libretto.contract import Contract
from libretto.house import compose_score

_BRIEF = (
    "A spacious rock instrumental like a desert road, for baritone electric guitar, bass and brushed drums. Use "
    "Am-C-D-Am at a slow tempo, and leave room between the phrases."
)
_LOW, _CLEAN = 57, 27  # a pitch below which such a guitar lies, and a sound that is not driven
_STROKES, _LOUDEST = 4, 105  # times in a bar that somebody strikes chords; a velocity


def test_a_road_with_nobody_on_it_leaves_room() -> None:
    score = compose_score(Contract.from_brief(_BRIEF), seed=0)
    tune = score.voice("Baritone Electric Guitar")
    assert np.median(tune.array["pitch"]) < _LOW
    assert {voice.program for voice in score.voices if not voice.drums} <= {_CLEAN, 26, 33}
    lines = np.array(score.bar_lines)
    heard = np.unique(np.searchsorted(lines, tune.array["onset"], side="right"))
    assert len(heard) <= len(lines) * 3 // 4
    for voice in score.voices:
        if not voice.drums:
            _, counts = np.unique(
                np.searchsorted(lines, np.unique(voice.array["onset"]), side="right"), return_counts=True
            )
            assert counts.max() <= _STROKES + 1
            assert np.median(counts) <= _STROKES
            assert voice.array["velocity"].max() <= _LOUDEST
    assert tune.array[-1]["onset"] + tune.array[-1]["duration"] > lines[-2]
