"""Calm pieces stay calm, breaths are slight within a sentence, and broken chords strike no tone twice."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from libretto.contract import read_brief
from libretto.house.compose.composer import compose_score
from libretto.score import QUARTER

_CALM = "A calm, peaceful orchestral piece in F major, F, Dm, Bb, C, 32 bars, strings, oboe and French horn, slow"
_NOCTURNE = "A quiet nocturne for solo piano in A flat major, slow, soft throughout, 28 bars"


@pytest.mark.parametrize("brief", [_CALM, _NOCTURNE])
def test_a_calm_piece_has_no_fortissimo(brief: str) -> None:
    loud = compose_score(read_brief(brief), 0).table["velocity"]
    assert loud.max() < 96
    assert loud.max() > loud.min() + 20  # and an arch all the same


def test_a_calm_piece_that_is_to_grow_has_its_climax() -> None:
    grown = compose_score(read_brief(_CALM + ", building to a loud climax at the end"), 0).table["velocity"]
    assert grown.max() > compose_score(read_brief(_CALM), 0).table["velocity"].max()


def test_breaths_within_a_sentence_are_slight() -> None:
    score = compose_score(read_brief(_NOCTURNE), 0)
    tempos = [60e6 / micros for tick, micros in score.tempos if tick < score.bar_lines[score.bars - 3]]
    slowed = [min(one, two) / max(one, two) for one, two in pairwise(tempos)]
    assert len({round(ratio, 2) for ratio in slowed}) > 1
    assert min(slowed) > 0.86


@pytest.mark.parametrize(("tempo", "strokes"), [("lento", 3.0), ("moderato", 1.3)])
def test_a_rippling_harp_ripples_however_slow_the_piece_is(tempo: str, strokes: float) -> None:
    score = compose_score(
        read_brief(
            f"A {tempo} Scottish lament in B minor, Bm, G, A, Em, 16 bars, for harp and low whistle. The harp should "
            "provide a delicate, rippling accompaniment while the low whistle has the melody."
        ),
        0,
    )
    harp = np.unique(score.voice("Harp").array["onset"])
    quarters = score.bar_lines[-1] / QUARTER * 0.75  # it may rest here and there
    assert len(harp) > strokes * quarters


def test_a_santur_rolls_the_long_notes_of_its_tune() -> None:
    brief = "A contemplative Persian piece in E minor, Em, Am, D, Em, 20 bars, andante, santur and tombak"
    score = compose_score(read_brief(brief), 0)
    assert {voice.name for voice in score.voices} == {"Santur", "Tombak"}  # nobody joins a land's own duo
    notes = score.voice("Santur").array
    assert notes["duration"][notes["onset"] < score.bar_lines[-2]].max() <= QUARTER


def test_nobody_joins_an_ensemble_whose_players_are_told() -> None:
    brief = "A playful march for a small woodwind ensemble with piccolo, bassoon and snare drum, C, G7, Am, F, brisk"
    assert {part.name for part in read_brief(brief).parts} == {"Piccolo", "Bassoon", "Snare Drum"}
    assert {voice.name for voice in compose_score(read_brief(brief), 0).voices} == {"Piccolo", "Bassoon", "Snare Drum"}
