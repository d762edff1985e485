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


@pytest.mark.parametrize(
    ("brief", "asked"),
    [
        ("A song for voice, fiddle and concertina. The final chorus is a cappella.", "only: Voice, last chorus"),
        ("A song for choir, piano and drums. The verse is sung with just piano.", "only: Choir + Piano, verse"),
        ("A song for voice and fiddle. The fiddle plays a solo between the verses.", "solo: Fiddle, middle"),
        (
            "A shanty for voice and concertina. The singer calls and the crew answers.",
            "texture: call and response, Voice + Crew",
        ),
        (
            "A chant for men's voices. A soloist intones the first phrase, and the choir answers.",
            "texture: call and response, Soloist + Men's Voices",
        ),
        ("A march for flute, guitar and voices. The voices sing the second verse.", "lead: Choir, verse 2"),
    ],
)
def test_who_sings(brief: str, asked: str) -> None:
    assert asked in _asked(brief)


def test_a_crew_of_a_story_does_not_sing() -> None:
    assert [part.name for part in read_brief("A jig for fiddle and flute about a crew lost at sea.").parts] == [
        "Fiddle",
        "Flute",
    ]


def test_percussion_after_its_instruments_is_them() -> None:
    parts = read_brief("A dance with kalimba, djembe and shekere. The percussion enters in bar 5.").parts
    assert [part.name for part in parts] == ["Kalimba", "Djembe", "Shekere"]


@pytest.mark.parametrize(
    ("words", "ending"),
    [
        ("settles into a quiet Amen", "plagal"),
        ("ends with an Amen", "plagal"),
        ("is built on the amen break", ""),
        ("has a big silly ending", "big"),
        ("ends with a sudden boo", "abrupt"),
    ],
)
def test_endings_of_hymns_and_jokes(words: str, ending: str) -> None:
    assert read_brief(f"A piece in C for choir and organ that {words}.").ending == ending


def test_a_slow_beginning_and_a_fast_dance_are_two_tempi() -> None:
    told = read_brief("A dance for clarinet and tuba. Start with a slow clarinet, then break into a fast dance.")
    assert (told.tempo_bpm or (0, 0))[0] > 120
    assert {ask.where for ask in told.asks} == {"first quarter"}
    introduced = read_brief("A dance for clarinet and tuba. A slow introduction, then a fast dance.")
    assert {ask.where for ask in introduced.asks} == {"intro", "after intro"}


def test_the_choir_is_those_who_sing_already() -> None:
    brief = read_brief(
        "A piece in A for SATB choir and strings. The basses begin alone. The choir sings the last verse."
    )
    assert [part.name for part in brief.parts] == ["Soprano", "Alto Voice", "Tenor Voice", "Bass Voice", "Strings"]
    assert "only: Bass Voice, start" in {ask.text for ask in brief.asks}


def test_what_is_not_wanted_is_not_asked_for() -> None:
    assert not read_brief("An organ prelude in C. No big crescendo.").asks
