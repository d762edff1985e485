"""Sections that are somebody's, who begins, and who is named only to say that it does not play."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief

_MARCH = "Parade: A march in B flat major for trumpets, clarinets, euphonium, tuba and drums. "
_REEL = "Cabin: A bluegrass tune in G for banjo, fiddle, mandolin, guitar and bass. "


def _asked(brief: str) -> set[str]:
    return {ask.text for ask in read_brief(brief).asks}


@pytest.mark.parametrize(
    ("sentence", "asked"),
    [
        ("First strain for trumpets, second strain for clarinets.", {"lead: Trumpet, A", "lead: Clarinet, B"}),
        ("The trio belongs to the euphonium.", {"lead: Euphonium, trio"}),
        ("A softer trio in E flat with a lyrical euphonium melody.", {"lead: Euphonium, trio"}),
        ("In the trio the euphonium sings a lyrical melody.", {"lead: Euphonium, trio"}),
        ("The last chorus has handclaps.", {"enter: Handclaps, last chorus"}),
    ],
)
def test_a_section_is_somebody_s(sentence: str, asked: set[str]) -> None:
    assert asked <= _asked(_MARCH + sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The verse is for dancing.",
        "The euphonium plays a counter melody in the trio.",
        "The last chorus is for the drums.",
    ],
)
def test_a_section_is_nobody_s(sentence: str) -> None:
    assert not any(one.startswith("lead") for one in _asked(_MARCH + sentence))


def test_who_has_one_section_does_not_lead_all_through() -> None:
    parts = read_brief(_MARCH + "In the trio the euphonium sings a lyrical melody.").parts
    assert [part.name for part in parts if part.role == "lead"] == ["Trumpet"]


@pytest.mark.parametrize(
    "sentence",
    [
        "The banjo starts.",
        "Banjo kicks it off.",
        "The banjo gets things going, then the others join.",
        "The banjo opens the tune and the fiddle joins in.",
    ],
)
def test_who_begins_plays_alone_at_the_start(sentence: str) -> None:
    assert "only: Banjo, start" in _asked(_REEL + sentence)


@pytest.mark.parametrize(
    "sentence",
    ["When the banjo starts, the fiddle stops.", "From the start, the banjo rolls.", "The banjo starts verse 2."],
)
def test_who_starts_later_does_not_begin(sentence: str) -> None:
    assert "only: Banjo, start" not in _asked(_REEL + sentence)


def test_who_is_not_there_at_the_start_is_silent_there() -> None:
    raga = (
        "Monsoon: An Indian piece with sitar, tanpura and tabla. Begin with a slow alap without tabla, then the tabla "
    )
    assert {ask for ask in _asked(raga + "enters and the sitar becomes faster.") if "start" in ask} == {
        "silent: Tabla, start"
    }


def test_a_backbeat_on_which_somebody_plays_is_no_drummer() -> None:
    assert read_brief(_REEL + "The mandolin chops on the backbeat.").drums is None
    assert read_brief("Song: A rock song with a heavy backbeat.").drums
