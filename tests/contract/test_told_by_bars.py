"""A piece that is told by the numbers of its bars: who plays where, what is struck there, and what it closes on."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief, receipt
from libretto.contract.contract import Contract
from libretto.house.compose.composer import compose_score


def asked(text: str) -> set[str]:
    return {ask.text for ask in read_brief(text).asks}


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("For organ and choir in D. Bars 1-8 organ alone with a pedal point; bars 9-16 choir unaccompanied; bars 17-24 "
         "choir and organ.", {"only: Organ, bars 1-8", "only: Choir, bars 9-16"}),
        ("A house track: bass from bar 9, electric piano from bar 17, synth lead from bar 25.",
         {"enter: Electric Piano, bar 17", "enter: Synth Lead, bar 25"}),
        ("In G: bars 1-4 solo oboe, bars 5-8 oboe and harp, bars 9-16 oboe, harp and cello.",
         {"only: Oboe, bars 1-4", "only: Oboe + Harp, bars 5-8", "only: Oboe + Harp + Cello, bars 9-16"}),
        ("For oboe, harp and cello. Bars 1-8 oboe alone. Bars 9-16 the harp comes in. Bars 17-24 everyone.",
         {"only: Oboe, bars 1-8", "enter: Harp, bar 9", "enter: Cello, bar 17"}),
    ],
)  # fmt: skip
def test_who_plays_in_numbered_bars(text: str, asks: set[str]) -> None:
    assert asks <= asked(text)


def test_a_range_of_bars_counts_no_players() -> None:
    parts = [part.name for part in read_brief("Bars 1-4 drums only, bars 5-8 drums and bass, bars 9-16 all.").parts]
    assert parts == ["Drums", "Bass"]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("A nocturne in C minor for piano; last chord a Cm(maj7) held with a fermata.", "Cm(maj7)"),
        ("A bossa in F for guitar. Ends on Fmaj9.", "Fmaj9"),
        ("A quartet in G minor that ends on a G minor sixth chord.", "Gm6"),
        ("Metal in E minor, with a riff and a final ringing power chord.", "E5"),
        ("A choir piece in F minor; the choir ends a cappella on an F major chord.", "F"),
        ("A lullaby in A minor, closing on a soft added ninth chord.", "Amadd9"),
        ("A song in D that ends in G major.", ""),
        ("A piece for strings in C, ending with a unison C.", ""),
    ],
)
def test_the_last_chord(text: str, what: str) -> None:
    assert next((ask.what for ask in read_brief(text).asks if ask.kind == "last_chord"), "") == what


def test_a_chord_at_the_end_is_no_key() -> None:
    brief = read_brief("For choir and organ in F minor. The choir ends on an F major chord.")
    assert str(brief.key) == "F minor"
    assert not [ask for ask in brief.asks if ask.kind == "key_change"]


@pytest.mark.parametrize(
    "text",
    [
        "A tango in A minor ending with the typical V-I chan-chan.",
        "A jazz waltz in B flat with a ii-V-I ending.",
    ],
)
def test_a_closing_cadence_is_not_the_progression(text: str) -> None:
    assert read_brief(text).chords == ()


@pytest.mark.parametrize(
    ("text", "ask"),
    [
        ("A march for brass and timpani. Timpani roll for the first two bars.", "drums: roll, Timpani, first 2 bars"),
        ("For guitar, bass, drums and timpani: timpani rolls lead into each new section.",
         "drums: roll, Timpani, section ends"),
        ("Rock for guitar, bass and drums with a drum roll into bar 17.", "drums: roll, Drums, 1 bars before bar 17"),
        ("Rock for guitar, bass and drums with a drum fill in bar 8.", "drums: fill, Drums, bar 8"),
        ("For brass and gong; a gong stroke at bar 9.", "drums: crash, Gong, bar 9"),
        ("For brass and timpani; the final chord comes with a timpani roll.", "drums: roll, Timpani, last 1 bars"),
    ],
)  # fmt: skip
def test_what_is_struck_and_where(text: str, ask: str) -> None:
    assert ask in asked(text)


@pytest.mark.parametrize(
    ("text", "tempo"),
    [
        ("A march in 6/8 at 64 to the dotted quarter.", 96.0),
        ("An adagio at 80 to the eighth note.", 40.0),
        ("A hymn, 50 beats to the minim.", 100.0),
        ("An andante, 60 to the quarter.", 60.0),
    ],
)
def test_so_many_to_a_note(text: str, tempo: float) -> None:
    assert read_brief(text).tempo_bpm == (tempo, tempo)


@pytest.mark.parametrize(
    ("text", "bars"),
    [
        ("A polka in F, 48 bars with a trio in B flat.", 48),
        ("Study for piano in A flat major, 32 bars, middle section in E major.", 32),
        ("Song of 24 bars with verse and chorus.", 24),
    ],
)
def test_a_length_beside_a_section(text: str, bars: int) -> None:
    assert read_brief(text).bars == bars


def test_a_key_in_the_title_counts_where_no_other_is_named() -> None:
    assert str(read_brief("Rock in E: drum fills every four bars, guitar, bass, drums.").key) == "E major"


def test_the_lead_is_not_left_out_with_the_drums() -> None:
    brief = read_brief("For square lead and synth bass, no drums, and the lead drops an octave for the last phrase.")
    assert not [ask for ask in brief.asks if ask.kind == "without"]


def test_percussion_that_waits_is_not_left_out() -> None:
    brief = read_brief("For oud, ney and riq: oud taqsim for 8 bars with no percussion, then the riq enters.")
    assert [part.name for part in brief.parts] == ["Oud", "Ney", "Riq"]


def test_strings_beside_one_cello_are_a_section() -> None:
    names = [part.name for part in read_brief("A lone oboe over a cello drone, then strings join at bar 9.").parts]
    assert names == ["Oboe", "Cello", "Strings"]


def test_a_plain_noun_after_a_name_is_the_same_player() -> None:
    assert [part.name for part in read_brief("Igil fiddle melody over a throat singing drone.").parts] == [
        "Igil", "Throat Singing"]  # fmt: skip


@pytest.mark.parametrize(
    "brief",
    [
        "A bossa in F for flute, guitar and bass, 16 bars. Ends on Fmaj9.",
        "A sax quartet in G minor, 16 bars, end on a G minor sixth chord.",
        "A march in C for brass and timpani, 16 bars. Timpani roll for the first two bars.",
        "Rock in E for guitar, bass and drums, 16 bars, with a drum roll into bar 9 and a cymbal crash at bar 9.",
        "For oboe, harp and cello in D minor, 24 bars. Bars 1-8 oboe alone. Bars 9-16 the harp comes in. Bars 17-24 "
        "everyone.",
    ],
)
def test_the_piece_does_as_it_was_told(brief: str) -> None:
    contract = Contract.from_brief(brief)
    kept = receipt(contract, compose_score(contract, 0))
    assert not [check.evidence for check in kept.checks if check.passed is False]


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("For horn and harp. Measures 1 to 8 are for solo horn; measures 9 to 16 add the harp.",
         {"only: Horn, bars 1-8", "enter: Harp, bar 9"}),
        ("Techno: bar 1 drums, bar 17 bass, bar 49 everything drops to the pad alone, bar 57 full groove.",
         {"only: Pad, bars 49-56"}),
        ("Piano alone until bar 9, cellos from bar 9, violins from bar 17, all from bar 25.",
         {"only: Piano, until bar 9", "enter: Violin, bar 17"}),
    ],
)  # fmt: skip
def test_other_ways_to_number_bars(text: str, asks: set[str]) -> None:
    assert asks <= asked(text)


def test_numbered_bars_make_the_length() -> None:
    text = "For wind quintet: oboe solo bars 1-4, flute and clarinet bars 5-8, all five bars 9-16, tutti until bar 28."
    assert read_brief(text).bars == 28


def test_a_tempo_before_a_list_of_sections_is_that_of_the_piece() -> None:
    brief = read_brief("Pop song at 100 bpm in D: Intro (4), Verse (8), Chorus (8), Outro (4). Piano, bass, drums.")
    assert brief.tempo_bpm == (100.0, 100.0)
    assert not [ask for ask in brief.asks if ask.kind == "tempo_change"]


def test_a_solo_in_a_chorus_is_accompanied() -> None:
    asks = asked("Blues for guitar, harmonica and bass: chorus 1 guitar alone, chorus 2 all, chorus 3 harmonica solo.")
    assert {"only: Guitar, chorus 1", "solo: Harmonica, chorus 3"} <= asks
    assert "only: Harmonica, chorus 3" not in asks
