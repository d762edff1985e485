"""Who is said to sing: an instrument by the word before its name is no singer."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief


@pytest.mark.parametrize(
    ("brief", "names"),
    [
        ("A slow folk song in D major for piano and singing strings over 24 bars", {"Piano", "Strings"}),
        ("A slow piece for piano with a singing high cello", {"Piano", "Cello"}),
        ("A ballad with a singing lead guitar and piano", {"Lead Guitar", "Piano"}),
        ("A campfire song with singing, guitar and harmonica", {"Voice", "Guitar", "Harmonica"}),
        ("A folk tune with singing and guitar", {"Voice", "Guitar"}),
        ("A meditation for a singing bowl and a flute", {"Singing Bowl", "Flute"}),
    ],
)
def test_an_instrument_that_sings_seats_no_singer(brief: str, names: set[str]) -> None:
    assert {part.name for part in read_brief(brief).parts} == names
