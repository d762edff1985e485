"""Chords lie on their roots where nobody plays a bass, and who doubles in thirds goes with the chords."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.contract.contract import Contract
from libretto.house.compose.composer import compose_score
from libretto.score import QUARTER


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_who_plays_chords_without_a_bass_begins_them_on_their_roots(seed: int) -> None:
    brief = "A piece in A minor over Am-G-Em-Am for only dizi and guzheng, at a gentle walking tempo, 24 bars."
    score = compose_score(Contract.from_brief(brief), seed=seed)
    plucked = next(voice for voice in score.voices if voice.name == "Guzheng").array
    rooted = struck = 0
    for start in score.bar_lines[:-1]:
        chord = score.chord_at(start)
        here = plucked[plucked["onset"] == start]
        if chord is not None and len(here):
            struck += 1
            rooted += int(here["pitch"].min()) % 12 == chord.bass_class
    assert rooted >= 0.8 * struck > 0


def test_trumpets_in_thirds_play_tones_of_the_chords_on_beats() -> None:
    brief = "A fast Balkan brass piece in A minor over Am-G-F-E, 32 bars, for two trumpets in thirds, tuba and drums."
    score = compose_score(Contract.from_brief(brief), seed=0)
    first, second = (voice.array for voice in score.voices if voice.name.startswith("Trumpet"))
    beats = [note for note in second if note["onset"] % QUARTER == 0]
    own = apart = 0
    for note in beats:
        chord = score.chord_at(int(note["onset"]))
        above = first["pitch"][first["onset"] == note["onset"]]
        if chord is not None and len(above) and int(above.max()) % 12 in chord.classes:
            own += 1
            apart += int(note["pitch"]) % 12 not in chord.classes
    assert own > 8
    assert apart <= 0.1 * own
    assert np.all(second["pitch"] > 0)
