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
        ("A boogie-woogie for piano over a 12-bar pattern of G7, C7 and D7 in G major.", ("12-bar blues",)),
        ("A lowdown blues in A with A7, D7 and E7 over 24 bars.", ("12-bar blues",)),
        ("A lowdown blues in A with A7, D7 and E7 over 16 bars.", ()),
        ("A boogie-woogie for piano over a 12-bar pattern of G, Em, C and D in G major.", ()),
        ("A folk ballad in G over a 12-bar pattern of G, C and D.", ()),
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


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("The band is two acoustic guitars, violin and double bass. The first guitar chops.",
         ["Acoustic Guitar", "Acoustic Guitar #2", "Violin", "Double Bass"]),
        ("For tenor and baritone saxophones and drums. The horns rest in bars 9 to 12.",
         ["Tenor Saxophones", "Baritone Saxophones", "Drums"]),
        ("For piano and bass guitar.", ["Piano", "Bass Guitar"]),
    ],
)  # fmt: skip
def test_who_plays_is_told_in_lists_and_by_shared_nouns(text: str, players: list[str]) -> None:
    assert [part.name for part in Contract.from_brief(text).parts] == players


@pytest.mark.parametrize(
    ("text", "ask"),
    [
        ("For flute, vibraphone and piano. Flute and vibraphone trade four-bar phrases.",
         "lead: Vibraphone, turns 2 of 2 in 4"),
        ("For sax, electric piano and drums. The sax rests for eight bars in the middle while the electric piano "
         "solos.", "solo: Electric Piano, 8 bars in middle"),
        ("For sax and organ, 16 bars. Everyone swells to a peak in bar 12 and then drops to a hush for the last four "
         "bars.", "dynamics: soft, last 4 bars"),
        ("For sax and organ, 16 bars. Everyone swells to a peak in bar 12.", "dynamics: growing, until bar 12"),
        ("For bass, sax and drums. The bass answers the drums with a rolling ostinato.", "role: ostinato, Bass"),
    ],
)  # fmt: skip
def test_turns_peaks_and_solos_have_their_places(text: str, ask: str) -> None:
    assert ask in asks(text)


def test_chops_on_every_beat_are_no_chops_between_them() -> None:
    said = asks("A gypsy jazz tune for guitar and violin. The guitar chops la pompe on every beat.")
    assert "manner: beats, Guitar" in said
    assert "manner: chops, Guitar" not in said


def test_turns_of_four_bars_each_cover_a_piece() -> None:
    piece = Score.build([Voice.of("Flute", (), 73)], bars=16)
    assert bars_of_place("turns 1 of 2 in 4", piece) == ((1, 4), (9, 12))
    assert bars_of_place("turns 2 of 2 in 4", piece) == ((5, 8), (13, 16))


@pytest.mark.parametrize(
    ("text", "ask"),
    [
        ("A blues in C, 12-bar form played twice, for piano, sax and drums. Stop-time for the first four bars of the "
         "second chorus; the sax leads, the piano comps.", "silent: stop, Piano, 4 bars in chorus 2"),
        ("For trombone, tenor sax and bass, 32 bars. A trombone solo takes the third eight bars.",
         "solo: Trombone, bars 17-24"),
        ("For trombone, tenor sax and bass. Trombone and tenor sax play the melody in harmony.",
         "doubling: Trombone in thirds, Tenor Sax"),
        ("A chanson for clarinet and accordion. The clarinet sings the verse, the accordion takes the refrain.",
         "lead: Clarinet, verse"),
        ("For piano, sax and drums. The piano's right hand plays tremolo chords, the sax leads.",
         "manner: tremolo, Piano"),
        ("For flute, bassoon and piano, 24 bars. The flute asks, the bassoon answers, they quarrel, and finish the "
         "last four bars in unison. The piano comps.", "doubling: Flute, Bassoon, last 4 bars"),
    ],
)  # fmt: skip
def test_places_within_places_and_hands(text: str, ask: str) -> None:
    assert ask in asks(text)


def test_whose_calls_they_are_is_nobody_new() -> None:
    parts = Contract.from_brief("For Hammond organ and choir. The choir answers the organ's calls.").parts
    assert [part.name for part in parts] == ["Hammond Organ", "Choir"]


@pytest.mark.parametrize(
    ("text", "ask"),
    [
        ("For sax, bass, tambourine and drums. Break it down to bass and tambourine for bars 13 to 16.",
         "only: Bass + Tambourine, bars 13-16"),
        ("For voice, cello and piano. The final phrase returns to the voice alone.", "only: Voice, last 4 bars"),
        ("For clarinet, piano and double bass. The double bass plucks only on beat one.",
         "manner: downbeats, Double Bass"),
        ("For sax and bass guitar. The bass guitar plays a busy melodic line.", "density: busy, Bass Guitar"),
        ("For sax, trumpet and drums, 32 bars. The last eight bars are a shout chorus at full volume.",
         "dynamics: loud, last 8 bars"),
    ],
)  # fmt: skip
def test_what_is_left_and_what_is_busy(text: str, ask: str) -> None:
    assert ask in asks(text)


def test_a_big_band_chart_for_some_is_for_those() -> None:
    text = "A big band swing chart in Bb. Use trumpet, trombone, tenor saxophone, piano, double bass, and drums."
    parts = Contract.from_brief(text).parts
    assert [part.name for part in parts][:3] == ["Trumpet", "Trombone", "Tenor Saxophone"]
    assert len(parts) == 6


def test_who_doubles_in_a_place_does_so_there() -> None:
    text = "A waltz for accordion and violin. The violin doubles the melody an octave above in the second half."
    assert "doubling: melody above, Violin, second half" in asks(text)
