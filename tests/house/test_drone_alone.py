"""A tune over one held tone and hand drums: no chords where a brief wants none, and a tune of its own scale."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.contract import Contract, read_brief, receipt
from libretto.house import compose_score

_BRIEF = (
    "A street piece in E Phrygian dominant. Feature {reed}, darbuka and riq, with a drone underneath instead of full "
    "chords, in a crowded alley. The tempo should begin moderate and gradually quicken."
)


@pytest.mark.parametrize(
    ("words", "joined"),
    [
        ("Feature oud, darbuka and a drone instead of full chords.", False),
        ("Feature sitar and tabla with a tanpura drone rather than changing harmonies.", False),
        ("Feature saxophone, bass and drums, without chords.", False),
        ("Feature saxophone, bass and drums.", True),
        ("Feature saxophone, bass and drums, without chords in the intro.", True),
        ("Feature banjo and drums. The banjo plays riffs rather than chords.", True),
        ("Feature saxophone, bass and drums with arpeggios instead of strummed chords.", True),
    ],
)
def test_nobody_joins_for_chords_that_are_not_wanted(words: str, joined: bool) -> None:
    assert Contract.from_brief(words).open is joined


@pytest.mark.parametrize("reed", ["a reed flute", "a clarinet"])
def test_a_reed_over_a_drone_winds_alone_and_leaves_rests_to_the_drums(reed: str) -> None:
    contract = read_brief(_BRIEF.format(reed=reed))
    score = compose_score(contract, 0)
    assert [voice.name for voice in score.voices] == [part.name for part in contract.parts]
    tune = score.voices[0].array
    drone = next(voice.array for voice in score.voices if voice.name == "Drone")
    assert len(np.unique(drone["pitch"] % 12)) <= 2
    assert len(np.unique(tune["pitch"] % 12)) == 7  # all the scale, and nothing else
    steps = np.abs(np.diff(tune["pitch"].astype(int)))
    assert (steps <= 3).mean() > 0.8
    silent = [
        (tune["onset"] >= start).any() and not ((tune["onset"] >= start) & (tune["onset"] < end)).any()
        for start, end in zip(score.bar_lines, score.bar_lines[1:], strict=False)
    ]
    assert sum(silent) >= 2
    assert score.tempos[0][1] > 1.2 * min(micros for _, micros in score.tempos)
    assert [check.clause for check in receipt(contract, score).checks if check.passed is False] == []
