"""A band of which nothing more is said is the one that plays the music that is named."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief
from libretto.house import compose_score

_ROCK = {"Overdriven Guitar", "Clean Guitar", "Bass Guitar", "Drums"}


@pytest.mark.parametrize(
    ("text", "player"),
    [
        ("March for band", "Piccolo"),
        ("A band march in 6/8", "Tuba"),
        ("A fanfare for a band, 16 bars", "French Horn"),
        ("Funeral march for full band", "Bass Drum"),
        ("A chorale for band", "Alto Sax"),
        ("Piece for school band", "Flute"),
        ("A polka for band", "Accordion"),
        ("A jazz waltz where the band plays softly", "Acoustic Bass"),
        ("A country waltz for the band", "Pedal Steel"),
        ("Samba for band", "Surdo"),
    ],
)
def test_a_bare_band_plays_the_music_that_is_named(text: str, player: str) -> None:
    names = {part.name for part in read_brief(text).parts}
    assert player in names
    assert not names & {"Overdriven Guitar"}


@pytest.mark.parametrize("text", ["Rock song for band", "A rock march for band", "A loud piece for band"])
def test_a_band_that_plays_rock_or_nothing_that_is_told_is_one_of_rock(text: str) -> None:
    assert {part.name for part in read_brief(text).parts} == _ROCK


def test_a_full_band_of_a_song_is_as_it_was() -> None:
    parts = {part.name for part in read_brief("A soul ballad with a full band").parts}
    assert {"Voice", "Electric Piano"} <= parts


def test_a_march_for_band_has_brass_winds_and_drums() -> None:
    score = compose_score(read_brief("March for band"))
    playing = {voice.name for voice in score.voices if len(voice.array)}
    assert {"Piccolo", "Clarinet", "Trumpet", "Trombone", "Tuba", "Snare Drum", "Bass Drum"} <= playing
