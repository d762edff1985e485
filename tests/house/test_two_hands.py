"""What two hands can reach: a bass, and chords near the tune."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.contract.contract import Contract
from libretto.house.compose.composer import compose_score

SPAN = 16  # semitones: a tenth


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_pianist_alone_strikes_what_two_hands_reach(seed: int) -> None:
    score = compose_score(
        Contract.from_brief("A fast boogie woogie in C major over a 12-bar blues for solo piano."), seed=seed
    )
    notes = score.voices[0].array
    far = 0
    onsets = np.unique(notes["onset"])
    for onset in onsets:
        pitches = np.sort(notes["pitch"][notes["onset"] == onset].astype(int))
        gaps = np.flatnonzero(np.diff(pitches) > 0)
        ways = [pitches[index] - pitches[0] <= SPAN and pitches[-1] - pitches[index + 1] <= SPAN for index in gaps]
        far += len(pitches) > 1 and not any(ways) and pitches[-1] - pitches[0] > SPAN
    assert far <= 0.01 * len(onsets)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(
    "brief",
    [
        "A lento piano nocturne in E major, E, C#m, F#m, B7 over 20 bars. The piano is the sole instrument, with a "
        "singing melody in the right hand above broad, flowing arpeggios in the left.",
        "A lullaby for piano alone in G major, G, Em, C, D over 16 bars: gentle arpeggios cradle a simple tune.",
    ],
)
def test_broken_chords_take_no_tune_away_from_who_plays_alone(brief: str, seed: int) -> None:
    score = compose_score(Contract.from_brief(brief), seed=seed)
    notes = score.voices[0].array
    ticks = score.meters[0][1].ticks
    bars = set((notes["onset"][notes["pitch"] >= 67] // ticks).tolist())  # above the broken chords of the left hand
    assert len(bars) >= 0.7 * score.bars
