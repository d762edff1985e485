"""Tunes in a church mode have the tones of that mode."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief
from libretto.house.compose.composer import compose_score

DORIAN = frozenset((0, 2, 3, 5, 7, 9, 10))


@pytest.mark.parametrize(
    ("brief", "who"),
    [
        ("A Bulgarian folk dance in D dorian for clarinet and accordion.", "Clarinet"),
        ("A romantic waltz in D dorian for violin and piano.", "Violin"),
    ],
)
def test_no_leading_tone_is_raised_in_a_mode(brief: str, who: str) -> None:
    """A tune in Dorian has no tone that the mode has not: none leads by half a tone that is no step of it."""
    tones = compose_score(read_brief(brief), 0).voice(who).array["pitch"]
    assert {(int(tone) - 2) % 12 for tone in tones} <= DORIAN


def test_who_plays_through_half_tones_does_so_in_a_mode() -> None:
    """Where a style goes through half tones anyway, a mode does not stop it."""
    tones = compose_score(read_brief("A swing tune in D dorian for trumpet, piano, bass and drums."), 0)
    heard = {(int(tone) - 2) % 12 for tone in tones.voice("Trumpet").array["pitch"]}
    assert not heard <= DORIAN
