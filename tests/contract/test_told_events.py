"""What happens in the course of a piece, told as clients tell it; and stories, which ask for nothing."""

from __future__ import annotations

import pytest

from libretto.contract import Contract
from libretto.contract.stories import stories

BAND = "A rock track in E minor, 32 bars, over Em, C, G, D. The electric bass pumps. The guitar rings. A synth hums. "
BAND += "The drums keep time. "


def asked(text: str) -> list[str]:
    return [ask.text for ask in Contract.from_brief(text).asks]


@pytest.mark.parametrize(
    ("words", "ask"),
    [
        ("Drop everything but the bass at bar 25 and slam back in.", "only: Electric Bass, bars 25-28"),
        ("Everything drops away for the last two bars except the synth.", "only: Synth, last 2 bars"),
        ("Break everything for two bars at bar 24 so that only the drums play.", "only: Drums, bars 24-25"),
        ("Mute the drums in bars 8 and 16.", "silent: Drums, bar 8 + bar 16"),
        ("At bar 25 pull the drums for two bars.", "silent: Drums, bars 25-26"),
        ("Raise the key by a half step at bar 17.", "key change: +1, bar 17"),
        ("The drums switch to half time at bar 17.", "drums: half time, Drums, from bar 17"),
        ("End with guitar and synth alone.", "only: Guitar + Synth, end"),
        ("Nothing ever gets louder than piano.", "dynamics: soft"),
        ("The bass is the boss: deep, melodic, lots of rests.", "density: sparse, Electric Bass"),
    ],
)
def test_what_happens(words: str, ask: str) -> None:
    assert ask in asked(BAND + words)


@pytest.mark.parametrize(
    "words",
    [
        "The synth repeats its phrase a fourth higher.",
        "The guitar imitates it a fifth lower.",
        "A figure comes back, each time starting a step higher.",
    ],
)
def test_a_line_at_another_height_is_no_other_key(words: str) -> None:
    assert not [ask for ask in asked(BAND + words) if ask.startswith("key change")]


@pytest.mark.parametrize(
    "tale",
    [
        "The door of their house is still swinging in the wind.",
        "Someone is climbing the stairs in an empty building and hears another pair of shoes.",
        "The bride's quiet sister finally gets up to dance.",
    ],
)
def test_a_story_asks_for_nothing(tale: str) -> None:
    assert stories("A slow air for fiddle. " + tale)
    assert asked("A slow air for fiddle. " + tale) == asked("A slow air for fiddle.")


@pytest.mark.parametrize("words", ["It should swing, and the ending fades.", "Build to a huge climax, then stop dead."])
def test_what_is_told_is_no_story(words: str) -> None:
    assert not stories("A slow air for fiddle. " + words)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A quiet piece in C. The guitar chimes clipped arpeggios. A flute has the tune.", ["Guitar", "Flute"]),
        ("A harp piece in E. Solo harp. Nothing gets louder than piano, ever.", ["Harp"]),
        (
            "Disco. Bass guitar in octaves, strings on top. Start with just strings and bass.",
            ["Bass Guitar", "Strings", "Drums"],
        ),
        (
            "A dance in 7/8. Clarinet leads. Accordion holds the chords. Tuba marks the beat. Then the band returns.",
            ["Clarinet", "Accordion", "Tuba"],
        ),
        ("A hip-hop tune for piano. Drums are swung: kick, snare on 2 and 4, lazy hats.", ["Piano", "Drums"]),
        ("Pulse wave one plays a jumpy lead. Pulse wave two fires arpeggios.", ["Pulse Wave", "Pulse Wave #2"]),
        ("Gospel for piano. The storm took the roof and the congregation sang on under the stars.", ["Piano"]),
    ],
)
def test_who_plays(text: str, names: list[str]) -> None:
    assert [part.name for part in Contract.from_brief(text).parts] == names


def test_no_drums_at_the_beginning_leaves_them_for_later() -> None:
    contract = Contract.from_brief(
        "Drum and bass, 32 bars. Begin with eight bars of soft synth pad, no drums. The breakbeat enters at bar 9."
    )
    assert contract.drums
    assert "only: Synth Pad, first 8 bars" in [ask.text for ask in contract.asks]


@pytest.mark.parametrize(
    ("text", "bars"),
    [
        ("An Irish jig in AABB form with 8-bar parts, so 32 bars.", 32),
        ("A chiptune, 16 bars that loop seamlessly.", 16),
        ("A boss theme that must loop after 32 bars.", 32),
    ],
)
def test_how_long(text: str, bars: int) -> None:
    assert Contract.from_brief(text).bars == bars


def test_the_notes_of_a_mode_are_no_chords() -> None:
    brief = "A freylekhs in D freygish (D, Eb, F#, G, A, Bb, C) for clarinet; the accordion stays on D, Gm and Cm."
    assert Contract.from_brief(brief).chords == ("D", "Gm", "Cm")


def test_who_is_added_comes_in_one_after_the_other() -> None:
    told = asked(BAND + "Start with bass and drums alone for four bars, add the guitar, then the synth.")
    assert {"enter: Guitar, bar 5", "enter: Synth, bar 9"} <= set(told)
    told = asked(BAND + "Start with just drums and bass, then add guitar, then synth.")
    assert {"enter: Guitar, entry 2 of 3", "enter: Synth, entry 3 of 3"} <= set(told)


def test_who_leaves_in_the_order_in_which_they_came() -> None:
    quartet = "A movement for string quartet in A minor. The viola begins alone. Second violin enters at bar 5, "
    quartet += "the cello at bar 9, the first violin last. Then the players drop out one by one in the order they came."
    leaves = [ask for ask in Contract.from_brief(quartet).asks if ask.kind == "leave"]
    assert sorted((ask.where, ask.who) for ask in leaves) == [
        ("exit 1 of 4", "Viola"),
        ("exit 2 of 4", "Violin #2"),
        ("exit 3 of 4", "Cello"),
    ]


LIST = """Thrash in E minor, 32 bars. Two distorted guitars, bass, drums.
- Bars 1-4: guitar one alone.
- 5-16: everybody in, in unison.
- 25-31: full speed, guitar two solos."""


def test_a_list_of_bars_says_where() -> None:
    told = asked(LIST)
    assert {"only: Distorted Guitar, bars 1-4", "texture: unison, bars 5-16"} <= set(told)
    assert "solo: Distorted Guitar #2, bars 25-31" in told


def test_who_heads_a_sentence_is_spoken_of_in_all_of_it() -> None:
    text = "Trip-hop, 16 bars. Drums: dusty. Upright bass: three notes, lots of air. Muted trumpet: a few phrases, far "
    text += "away, second half only. Drums drop out for the last bar."
    assert set(asked(text)) == {
        "density: sparse, Upright Bass",
        "silent: Muted Trumpet, outside second half",
        "silent: Drums, last 1 bars",
    }


@pytest.mark.parametrize(
    ("text", "chords"),
    [
        ("House over Fm9 and Dbmaj9, two bars each, 32 bars.", "Fm9 Fm9 Dbmaj9 Dbmaj9"),
        ("A reel, AABB. Chords for A: G, C, G, D. For B: G, F, C, G.", "G C G D"),
    ],
)
def test_how_long_chords_are_held_and_which_letters_are_sections(text: str, chords: str) -> None:
    assert " ".join(Contract.from_brief(text).chords) == chords


@pytest.mark.parametrize(
    ("text", "bars"),
    [
        ("A passacaglia. The theme is eight bars long, forty bars in total.", 40),
        ("A reel. Two parts of eight bars, each played twice.", 32),
        ("A bolero, one bar for each chord. It makes three times, 24 bars.", 24),
    ],
)
def test_the_whole_is_longer_than_its_parts(text: str, bars: int) -> None:
    assert Contract.from_brief(text).bars == bars


def test_instruments_are_not_in_the_key_of_the_piece() -> None:
    assert str(Contract.from_brief("For two trumpets in B flat, horn and tuba. Key of E flat.").key) == "Eb major"


@pytest.mark.parametrize(
    ("text", "leads"),
    [
        (
            "For Rhodes, bass and saxophone. The Rhodes plays chords with movement on top, the saxophone sings.",
            "Saxophone",
        ),
        ("For clavinet, saxophone and bass. The clavinet plays a riff, the saxophone bluesy lines.", "Saxophone"),
        ("For vibraphone, flute and bass. The vibraphone plays a loop, the flute plays a hook.", "Flute"),
        ("For violin, synth lead and bass. The violin plays a soaring melody, the synth lead answers.", "Violin"),
    ],
)
def test_who_leads(text: str, leads: str) -> None:
    assert [part.name for part in Contract.from_brief(text).parts if part.role == "lead"] == [leads]


def test_two_guitars_are_two() -> None:
    text = "For two electric guitars, bass guitar and drums. The first guitar leads, the second guitar repeats a riff."
    assert len(Contract.from_brief(text).parts) == 4


def test_what_a_piece_is_to_be_like_adds_nobody() -> None:
    text = "An invention for solo harpsichord in D minor. Picture tiny brass wheels meshing in a quiet workshop."
    assert [part.name for part in Contract.from_brief(text).parts] == ["Harpsichord"]
    assert not asked("For fiddle, in A. It should evoke a whole village swinging and building up.")


def test_a_tempo_after_so_many_bars_and_chords_towards_the_end() -> None:
    reel = "A strathspey that turns into a reel for fiddle: 16 bars at 84 BPM, then 16 at 112 BPM."
    assert "tempo change: 112, from bar 17" in asked(reel)
    cue = Contract.from_brief(
        "A cue for clarinet, 28 bars, using Cm, Abmaj7, Fm, G7, then Cm, Db, G7, Cm towards the end."
    )
    assert cue.chords == ("Cm", "Abmaj7", "Fm", "G7")
    assert "chords: Cm Db G7 Cm, last 4 bars" in [ask.text for ask in cue.asks]


def test_a_harmony_that_stays_and_a_loop_that_restarts() -> None:
    text = "Desert blues in A minor. Stay mostly on Am, moving to G and Em now and then. The loop restarts seamlessly."
    contract = Contract.from_brief(text)
    assert contract.chords == ("Am", "Am", "Am", "G", "Am", "Am", "Am", "Em")
    assert contract.ending == "open"
