"""Blues by other names, lines that climb, who leaves for a section, and what a bass carries."""

from __future__ import annotations

import pytest

from libretto.contract import Contract
from libretto.contract.stretches import bars_of_place
from libretto.score import Score, Voice


def asks(text: str) -> list[str]:
    return [ask.text for ask in Contract.from_brief(text).asks]


def roles(text: str) -> dict[str, str]:
    return {part.name: part.role for part in Contract.from_brief(text).parts}


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("A slow blues in E, the blues changes E7, A7, B7, 12 bars played twice.", ("12-bar blues",)),
        ("A jump blues in F over 24 bars with piano and tenor sax.", ("12-bar blues",)),
        ("A slow blues in A minor, Am, F, C, G over 24 bars.", ()),
        ("A rhythm and blues song in F over 24 bars.", ()),
    ],
)
def test_choruses_of_the_blues_are_named_in_many_ways(text: str, form: tuple[str, ...]) -> None:
    assert Contract.from_brief(text).form == form


@pytest.mark.parametrize(
    ("text", "ask"),
    [
        ("For sax, trumpet and piano, AABA. In the bridge the trumpet drops out.", "silent: Trumpet, bridge"),
        ("For sax, trumpet and piano. The trumpet drops out after the bridge.", "leave: Trumpet, after bridge"),
        ("A waltz for voice and piano. The voice begins almost spoken and rises to a cry by the end.",
         "register: rising, Voice"),
        ("For sax and organ. The sax starts low and breathy, then climbs to a wail.", "register: rising, Sax"),
    ],
)  # fmt: skip
def test_what_is_said_of_somebody_is_asked(text: str, ask: str) -> None:
    assert ask in asks(text)


def test_who_improvises_alone_has_the_band_behind_it() -> None:
    text = "For sax, trumpet, piano and bass, AABA. In the bridge the sax improvises alone."
    assert not any(ask.startswith("only") for ask in asks(text))


def test_a_bass_that_carries_a_riff_does_not_lead() -> None:
    text = (
        "For melodica, organ and bass guitar. The melodica plays a melody, the organ chops, the bass guitar carries a "
        "heavy riff."
    )
    assert roles(text) == {"Melodica": "lead", "Organ": "comping", "Bass Guitar": "bass"}


def test_a_chorus_is_found_by_other_names() -> None:
    piece = Score.build([Voice.of("Flute", (), 73)], bars=16)
    lines = piece.bar_lines
    piece = Score.build(piece.voices, bars=16, sections=[(lines[0], "Theme"), (lines[8], "Outro")])
    assert bars_of_place("last chorus", piece) == ((9, 16),)
    assert bars_of_place("chorus", piece) == ((1, 8),)


def test_a_clause_that_hangs_on_a_tune_speaks_of_who_plays_it() -> None:
    text = "For melodica, organ and bass. The melodica plays a long, lonely melody that leaves lots of space."
    assert "density: sparse, Melodica" in asks(text)
