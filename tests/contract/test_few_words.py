"""Who plays where a brief has few words."""

from __future__ import annotations

import pytest

from libretto.contract import Contract


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("cello duet", ["Cello", "Cello #2"]),
        ("funeral march for trombones", ["Trombone", "Trombone #2", "Trombone #3"]),
        ("two violins playing a slow duet", ["Violin", "Violin #2"]),
        ("jazz waltz, piano trio", ["Piano", "Acoustic Bass", "Drums"]),
        ("piano trio in G major", ["Violin", "Cello", "Piano"]),
        ("house music with piano chords", ["Piano", "Synth Bass", "Drums"]),
        ("drum and bass, female vocals", ["Voice", "Synth Pad", "Synth Bass", "Drums"]),
        ("rock song for electric guitar and bass", ["Electric Guitar", "Bass"]),
        ("old west duel, trumpet guitar and whistling", ["Trumpet", "Guitar", "Whistling"]),
        ("suspense, low strings and timpani", ["Low Strings", "Timpani"]),
        ("hymn for organ and congregation", ["Organ", "Congregation"]),
        ("trap beat", ["Drum Machine"]),
    ],
)
def test_who_plays(text: str, names: list[str]) -> None:
    assert [part.name for part in Contract.from_brief(text).parts] == names


def test_two_rich_chords_are_a_progression() -> None:
    contract = Contract.from_brief("slow jam, rhodes and bass, Am7 D9")
    assert contract.chords == ("Am7", "D9")
    assert contract.style == "rnb"


def test_a_summer_holiday_is_not_christmas() -> None:
    assert Contract.from_brief("summer holiday song with steel drums").style == "calypso"
