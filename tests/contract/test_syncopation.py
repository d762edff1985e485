"""Syncopation is heard where notes hang over the beat, not where they only run between beats."""

from __future__ import annotations

from libretto.contract.checks.syncopation import syncopated_share
from libretto.score import QUARTER, Note, Score, Voice

_EIGHTH = QUARTER // 2


def _piece(places: list[int], pitch: int = 72) -> Score:
    """Four bars with notes at those eighths of each bar."""
    notes = [Note(bar * 4 * QUARTER + place * _EIGHTH, _EIGHTH, pitch, 80) for bar in range(4) for place in places]
    return Score.build([Voice.of("Flute", notes, 73)], bars=4)


def test_running_eighths_are_not_syncopated() -> None:
    assert syncopated_share(_piece(list(range(8))), [0], ((1, 4),)) == 0.0


def test_three_three_two_is() -> None:
    assert syncopated_share(_piece([0, 3, 6]), [0], ((1, 4),)) == 1.0


def test_a_dotted_rhythm_that_lands_on_the_beat_is_not() -> None:
    assert syncopated_share(_piece([0, 3, 4, 7]), [0], ((1, 4),)) == 0.0


def test_a_left_hand_on_the_beats_does_not_hide_it() -> None:
    stride = [Note(tick, QUARTER, 36, 80) for tick in range(0, 16 * QUARTER, QUARTER)]
    right = [Note(bar * 4 * QUARTER + place * _EIGHTH, _EIGHTH, 72, 80) for bar in range(4) for place in (0, 3, 6)]
    piece = Score.build([Voice.of("Piano", sorted(stride + right), 0)], bars=4)
    assert syncopated_share(piece, [0], ((1, 4),)) == 1.0
