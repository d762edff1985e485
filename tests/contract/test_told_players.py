"""Who is meant, where and how: names that come again, sections, turns, stops, doublings and sounds."""

from __future__ import annotations

import pytest

from libretto.contract import Contract
from libretto.contract.stretches import bars_of_place
from libretto.score import Score, Voice


def names(text: str) -> list[str]:
    return [part.name for part in Contract.from_brief(text).parts]


def asks(text: str) -> list[str]:
    return [ask.text for ask in Contract.from_brief(text).asks]


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("For muted trumpet and piano. The trumpet sings.", ["Muted Trumpet", "Piano"]),
        ("A jig for flute and uilleann pipes. The pipes take the tune.", ["Flute", "Uilleann Pipes"]),
        ("For whistle, harp and low cello drone.", ["Whistle", "Harp", "Cello"]),
        (
            "For congas, timbales and bass. A break with percussion only in bars 9 to 12.",
            ["Congas", "Timbales", "Bass"],
        ),
        ("A brass chorale in F minor for trumpet, horn and tuba.", ["Trumpet", "Horn", "Tuba"]),
        ("A wild brass dance for trumpet, horn and tuba.", ["Trumpet", "Horn", "Tuba"]),
        ("A trumpet leads. Horns and tuba pump.", ["Trumpet", "French Horn", "French Horn #2", "Tuba"]),
        ("A funk tune for trumpet, trombone and drums. The horns answer.", ["Trumpet", "Trombone", "Drums"]),
        ("For strings and horn. It starts with a ticking beat in the strings.", ["Strings", "Horn"]),
        ("For fiddle and guitar. The singer's melody is played by the fiddle.", ["Fiddle", "Guitar"]),
        ("A string quartet. The cello sings, then goes back to the bass.", ["Violin", "Violin #2", "Viola", "Cello"]),
        ("For accordion and frame drum. The frame drum beats slowly.", ["Accordion", "Frame Drum"]),
        ("For trumpet, trombone and piano. The trombone slides a bouncing bass.", ["Trumpet", "Trombone", "Piano"]),
        ("For strings, horns and timpani; it ends with the full orchestra.", ["Strings", "Horns", "Timpani"]),
    ],
)
def test_who_is_named_again_is_nobody_new(text: str, players: list[str]) -> None:
    assert names(text) == players


def test_a_rhythm_section_is_part_of_its_big_band() -> None:
    assert len(names("A big band chart with saxes, trumpets and rhythm section.")) == len(names("A big band chart."))


@pytest.mark.parametrize(
    ("text", "bass"),
    [
        ("A big band number with a walking double bass.", ["Double Bass"]),
        ("Walking double bass under a big band.", ["Double Bass"]),
        ("Salsa band with electric bass and a montuno piano.", ["Electric Bass"]),
        ("A string quartet with double bass.", ["Double Bass"]),
        ("A rock band with a second bass guitar.", ["Bass Guitar", "Bass Guitar #2"]),
    ],
)
def test_a_bass_named_besides_a_band_is_the_bass_of_it(text: str, bass: list[str]) -> None:
    assert [name for name in names(text) if "Bass" in name] == bass


def test_keys_named_besides_a_band_are_those_of_it() -> None:
    assert [name for name in names("A jazz quartet with Rhodes.") if name in ("Piano", "Rhodes")] == ["Rhodes"]


def test_a_section_of_winds_is_two_of_them_and_a_solo_section_is_none() -> None:
    assert names("Fast salsa with piano, bass, congas and a bright trumpet section.").count("Trumpet #2") == 1
    assert "Trumpet #2" not in names("A ballad for strings with a trumpet solo section.")


@pytest.mark.parametrize(
    ("text", "ask"),
    [
        ("For whistle and harp. The whistle plays the melody alone for the first four bars.",
         "only: Whistle, first 4 bars"),
        ("For piano, cello and drums. The verse is only piano and soft cello.", "only: Piano + Cello, verse"),
        ("For guitar, bass and drums. The bass and drums start alone.", "only: Bass + Drums, start"),
        ("For piano and drums. The drums drop out for two bars before the last chorus.",
         "silent: Drums, 2 bars before last chorus"),
        ("For piano and drums. The drums drop out in bar 9 and come back in bar 13.",
         "silent: Drums, from bar 9 until bar 13"),
        ("For piano and drums. Everyone stops for one bar before bar 17.", "silent: 1 bars before bar 17"),
        ("For piano, bass and drums. Everything but the drums drops out in bars 9 to 12.", "only: Drums, bars 9-12"),
        ("For voice, guitar and glockenspiel. The glockenspiel only plays in the chorus.",
         "silent: Glockenspiel, outside chorus"),
        ("For music box and celesta. The celesta doubles it an octave above.", "doubling: melody above, Celesta"),
        ("For violin, cello and piano. The violin and the cello play in octaves.", "doubling: Violin, Cello"),
        ("For clarinet and oboe. The clarinet and the oboe play in thirds.", "doubling: Clarinet in thirds, Oboe"),
        ("For choir, organ and piano. The choir and the organ are in call and response.",
         "texture: call and response, Choir + Organ"),
        ("For trumpet, saxophone and piano. The saxophone answers the trumpet in the bridge.",
         "role: counter, Saxophone, bridge"),
        ("For bass and sparse piano.", "density: sparse, Piano"),
        ("For flute and a low cello.", "register: low, Cello"),
        ("It slows at the end of each verse, for harp.", "tempo change: ritardando, section ends"),
        ("For piano and cello; the cello comes in later.", "enter: Cello, later"),
        ("For two guitars. The first guitar strums, the second plays fast runs.", "manner: sixteenths, Guitar #2"),
        ("For fiddle and bass. The bass alternates root and fifth.", "manner: two-beat, Bass"),
        ("Handclaps land on two and four, with piano.", "drums: claps, drums"),
    ],
)  # fmt: skip
def test_what_is_said_of_players_is_asked_of_them(text: str, ask: str) -> None:
    assert ask in asks(text)


def test_leads_take_turns() -> None:
    said = asks("A string quartet. The cello has the melody first; then the first violin takes over.")
    assert {"lead: Cello, first half", "lead: Violin, second half"} <= set(said)


def test_players_come_one_by_one() -> None:
    said = asks("For strings, horn and timpani; instruments are added one by one.")
    assert {"enter: Horn, entry 2 of 3", "enter: Timpani, entry 3 of 3"} <= set(said)


@pytest.mark.parametrize(
    "text",
    [
        "Everyone stops for one bar before the end.",
        "The second violin imitates it two bars later.",
        "The drums start with a four-bar street beat.",
        "The kick drops out for four bars before the end.",
    ],
)
def test_bars_in_passing_are_no_length(text: str) -> None:
    assert Contract.from_brief(f"A piece for drums and two violins. {text}").bars is None


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("The ending never quite resolves.", "open"),
        ("The band stops dead before the last chorus.", ""),
        ("Ends on a held major seventh.", "held"),
        ("It slows at the end of each round.", ""),
    ],
)
def test_endings_are_endings(text: str, ending: str) -> None:
    assert Contract.from_brief(f"A tune for piano and drums. {text}").ending == ending


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("A synth pop song. Warm synthesizers hold the chords.", 89),
        ("A rock song with guitar and drums.", 27),
        ("A piece for pizzicato strings.", 45),
        ("A silly tune on a saloon piano.", 3),
    ],
)
def test_words_say_how_instruments_sound(text: str, program: int) -> None:
    assert Contract.from_brief(text).parts[0].program == program


def test_places_told_by_others_have_bars() -> None:
    piece = Score.build([Voice.of("Flute", (), 73)], bars=16)
    assert bars_of_place("2 bars before bar 9", piece) == ((7, 8),)
    assert bars_of_place("from bar 5 until bar 9", piece) == ((5, 8),)
    assert bars_of_place("outside bars 5-12", piece) == ((1, 4), (13, 16))
    assert bars_of_place("phrase ends", piece) == ((4, 4), (8, 8), (12, 12), (16, 16))
    assert bars_of_place("entry 2 of 3", piece) == ((5, 16),)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("A tango for violin and piano. The piano should mark the sharp, staccato rhythm.", ["Piano"]),
        ("A tango for violin and piano. The violin moves between biting staccato phrases and long slides.", []),
        ("A tango for violin and piano. The piano has accented chords and sudden low runs.", []),
    ],
)
def test_short_notes_and_low_runs_are_of_whom_they_are_said(text: str, told: list[str]) -> None:
    asks = [ask for ask in Contract.from_brief(text).asks if ask.kind in ("articulation", "register")]
    assert [ask.who for ask in asks if ask.what != "slides"] == told


@pytest.mark.parametrize(
    ("brief", "solo", "bars"),
    [
        ("A riff played over 16 bars, followed by an 8-bar guitar solo. Use electric guitar, bass and drums.",
         ("Electric Guitar", "bars 17-24"), 24),
        ("For sax, piano, bass and drums: sixteen bars of melody, then eight bars of piano solo before the melody "
         "returns.", ("Piano", "bars 17-24"), 32),
        ("For trumpet, piano, bass and congas. There is a piano solo after the theme.", ("Piano", ""), None),
    ],
)  # fmt: skip
def test_a_solo_is_somebodys_for_a_while(brief: str, solo: tuple[str, str], bars: int | None) -> None:
    contract = Contract.from_brief(brief)
    assert [(ask.who, ask.where) for ask in contract.asks if ask.kind == "solo"] == [solo]
    assert contract.bars == bars


def test_who_has_a_solo_keeps_its_role() -> None:
    salsa = Contract.from_brief("For trumpet, piano, bass and congas. There is a piano solo after the theme.")
    assert {part.name: part.role for part in salsa.parts}["Piano"] == "comping"
    trio = Contract.from_brief("Sax solos over piano, bass and drums.")
    assert {part.name: part.role for part in trio.parts}["Sax"] == "lead"


GLEN = (
    "A Scottish march with bagpipes, snare drum, fiddle and low whistle. Open with 8 bars of drums and a pipe drone, "
    "followed by a proud 16-bar melody. A softer middle part for the low whistle should bring a touch of sorrow before "
    "the pipes return."
)


def test_pipes_that_drone_first_lead_then_rest_and_return() -> None:
    contract = Contract.from_brief(GLEN)
    assert contract.parts[0].role == "lead"
    assert {ask.text for ask in contract.asks} >= {
        "role: drone, Bagpipes, bars 1-8",
        "lead: Bagpipes, bars 9-24",
        "lead: Low Whistle, bars 25-32",
        "silent: Bagpipes, bars 25-32",
        "lead: Bagpipes, from bar 33",
    }


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("For trumpet and strings. The trumpet has the theme, the strings have a quiet middle section, and then the "
         "trumpet returns.", ["silent: Trumpet, middle"]),
        ("For oboe and strings. The oboe leads. At the end the oboe returns to the theme softly.", []),
        ("For oboe and strings. The oboe leads. In the bridge the strings swell, and then the theme returns.", []),
    ],
)  # fmt: skip
def test_who_returns_was_away_where_another_had_a_place(text: str, told: list[str]) -> None:
    assert [one for one in asks(text) if one.startswith("silent")] == told


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("A barcarolle with the mellow voice of the clarinet and the depth of the cello.", ["Clarinet", "Cello"]),
        ("A song for the voice of a young woman and harp.", ["Voice", "Harp"]),
        ("A Latin pop song with a nylon-string guitar melody over a gentle groove.",
         ["Nylon-String Guitar", "Piano", "Acoustic Bass", "Drums"]),
        ("A quiet guitar melody, played alone.", ["Guitar"]),
    ],
)  # fmt: skip
def test_voices_of_instruments_and_melodies_over_a_groove(text: str, players: list[str]) -> None:
    assert names(text) == players
