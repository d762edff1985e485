"""Solos of several, lists of who plays alone, and who goes along with others."""

from __future__ import annotations

import pytest

from libretto.contract import Contract
from libretto.contract.stretches import bars_of_place
from libretto.score import Score, Voice

_BAND = "Bluegrass for banjo, fiddle, mandolin, guitar and bass."


def _asks(brief: str) -> set[tuple[str, str, str]]:
    return {(ask.kind, ask.who, ask.where) for ask in Contract.from_brief(brief).asks}


def _roles(brief: str) -> dict[str, str]:
    return {part.name: part.role for part in Contract.from_brief(brief).parts}


@pytest.mark.parametrize(
    "said", ["Fiddle, mandolin and guitar each take a break.", "Then come solos from fiddle, mandolin and guitar."]
)
def test_each_of_several_has_a_solo(said: str) -> None:
    names = ("Fiddle", "Mandolin", "Guitar")
    turns = {("lead", name, f"round {number} of 3") for number, name in enumerate(names, 1)}
    assert turns <= _asks(f"{_BAND} {said}")


def test_rounds_follow_each_other_between_the_first_tune_and_the_last() -> None:
    piece = Score.build([Voice.of("Flute", (), 73)], bars=48)
    places = [bars_of_place(f"round {number} of 3", piece) for number in (1, 2, 3)]
    assert places == [((13, 20),), ((21, 28),), ((29, 36),)]
    assert bars_of_place("round 4 of 3", piece) == ()


def test_taking_turns_with_a_tune_is_no_round_of_solos() -> None:
    asks = _asks("Flute and oboe take turns with the melody over a harp.")
    assert ("lead", "Oboe", "turns 2 of 2 in 4") in asks


@pytest.mark.parametrize(
    ("brief", "ask"),
    [
        ("In the verse only bass, drums and voice play; piano joins later.", ("only", "Bass + Drums + Voice", "verse")),
        (
            "Sax, piano and bass. Midway, the piano solos before the sax returns to close.",
            ("solo", "Piano", "second half"),
        ),
        (
            "Trumpet takes the tune in the first 8 bars, trombone in the next 8.",
            ("lead", "Trombone", "bars 9-16"),
        ),
        ("Strings and horns; a lone soprano drifts in near the end.", ("enter", "Soprano", "end")),
        (
            "A voice sings the verses accompanied by concertina, and a fiddle joins on the refrain.",
            ("enter", "Fiddle", "chorus"),
        ),
    ],
)
def test_who_comes_and_leads_where(brief: str, ask: tuple[str, str, str]) -> None:
    assert ask in _asks(brief)
    assert ("enter", "Concertina", "chorus") not in _asks(brief)


@pytest.mark.parametrize(
    ("brief", "leads"),
    [
        ("A horn section answers the Hammond organ, which has the melody, over bass and drums.", "Hammond Organ"),
        ("Rhodes, drums and bass. A vocal chop comes in now and then.", "Rhodes"),
        ("Pop with piano, bass and drums. Occasionally a trumpet plays a fill.", "Piano"),
        ("The oud winds through a melody over a frame drum.", "Oud"),
        ("First violins have the tune, second violins and violas the after-beats.", "First Violins"),
        ("A sultry alto singer, piano and trumpet. Trumpet noodles around the vocal line.", "Alto Singer"),
        ("Violins whip up runs, trumpet blazes out the storm motif.", "Trumpet"),
        ("A humorous tuba solo with piano accompaniment.", "Tuba"),
        ("Jazz guitar, upright bass and brushes. Let the bass have the melody for the last eight bars.", "Jazz Guitar"),
        ("Strings, a brass section and a singer.", "Singer"),
        ("A music box, a cute vocal chop melody and saw chords.", "Vocal Chop"),
        ("Solo cello and synth pads; a hint of distant choir in the last quarter.", "Solo Cello"),
        ("Calliope, piccolo and xylophone. The xylophone gets a showy eight-bar solo.", "Calliope"),
        ("Flutes and clarinets flutter over violins while a solo horn calls.", "Solo Horn"),
    ],
)
def test_who_leads(brief: str, leads: str) -> None:
    assert [name for name, role in _roles(brief).items() if role == "lead"] == [leads]


def test_a_horn_section_that_has_the_tune_leads() -> None:
    assert _roles("A horn section plays the melody, answered by guitar.")["Trumpet"] == "lead"


@pytest.mark.parametrize(
    ("brief", "ask"),
    [
        ("The flute improvises for 8 bars, then the sax for 8, over guitar.", ("lead", "Sax", "round 2 of 2")),
        ("Fiddle and bodhran. The bodhran waits until the repeat.", ("silent", "Bodhran", "until second time")),
        ("Solo violin and solo cello speak to one another.", ("texture", "Solo Violin + Solo Cello", "")),
        ("Piano starts alone, joined by cello and later flute.", ("enter", "Flute", "entry 3 of 3")),
        ("Strings and horns. A choir enters at the climax.", ("enter", "Choir", "last third")),
        ("Cello and piano, joined by a trumpet in the second verse.", ("enter", "Trumpet", "verse 2")),
        ("Drums, bass and guitar. Let a trumpet wander in during the outro.", ("enter", "Trumpet", "outro")),
        ("The piano has the first strain to itself, clarinet takes the second.", ("lead", "Piano", "A")),
        (
            "Horns, flute and bells. The flute comes after the horns played alone for 8 bars.",
            ("only", "Horns", "first 8 bars"),
        ),
        ("Guitar and voice. Bass and brushed snare enter on verse 2.", ("enter", "Bass", "verse 2")),
        ("Violin and guitar. The guitar comes forward in the second half.", ("lead", "Guitar", "second half")),
        ("Trumpets play, then everything calms to a lone oboe.", ("only", "Oboe", "end")),
        ("The tune passes from the flute to the oboe and then to the horn.", ("lead", "Horn", "last third")),
        ("Oboe, clarinet and bassoon take the theme in turn.", ("lead", "Bassoon", "turns 3 of 3 in 4")),
        ("Piano states the head, the bass takes a chorus.", ("solo", "Bass", "")),
        ("The guitar fills gaps left by the singer and takes a solo in the bridge.", ("solo", "Guitar", "bridge")),
        ("Guitar and drums with a sax break in the bridge.", ("solo", "Sax", "bridge")),
        ("A quena soars over the strummed charango.", ("manner", "Charango", "")),
    ],
)
def test_whose_words_they_are(brief: str, ask: tuple[str, str, str]) -> None:
    assert ask in _asks(brief)


def test_who_just_does_something_is_not_alone() -> None:
    asks = _asks("Clarinet, accordion and tuba. In the trio the clarinet leads and the accordion just pumps chords.")
    assert not any(kind == "only" for kind, _, _ in asks)


def test_who_is_told_not_to_lead_plays() -> None:
    roles = _roles("For string quartet. The viola, not the first violin, should carry the theme.")
    assert (roles["Violin"], roles["Viola"]) == ("counter", "lead")


def test_strains_of_one_kind_are_counted() -> None:
    sections = [(0, "Strain"), (8 * 4 * 40320, "Strain 2")]
    piece = Score.build([Voice.of("Flute", (), 73)], bars=16, sections=sections)
    assert [bars_of_place(place, piece) for place in ("A", "B", "C")] == [((1, 8),), ((9, 16),), ()]


_QUINTET = "A swing tune for trumpet, tenor sax, piano, bass and drums."


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("Trumpet and tenor play the head in unison. Then each takes a solo.", ("Trumpet", "Tenor Sax")),
        ("The horns play the head. Each horn takes a solo.", ("Trumpet", "Tenor Sax")),
        ("The head is played by trumpet and sax; both then solo.", ("Trumpet", "Tenor Sax")),
        ("The trumpet takes the first solo and the piano the second.", ("Trumpet", "Piano")),
        ("First solo goes to the sax, the second to the piano.", ("Tenor Sax", "Piano")),
        ("A trumpet solo is followed by a piano solo, then the head returns.", ("Trumpet", "Piano")),
        ("Trumpet solos first, then tenor, then piano.", ("Trumpet", "Tenor Sax", "Piano")),
        ("Let the tenor sax improvise a chorus, then the trumpet.", ("Tenor Sax", "Trumpet")),
        ("Each player takes a solo.", ("Trumpet", "Tenor Sax", "Piano")),
        ("There is room for piano and bass solos.", ("Piano", "Bass")),
        ("The sax and trumpet trade solos.", ("Tenor Sax", "Trumpet", "Tenor Sax", "Trumpet")),
    ],
)
def test_solos_come_one_after_the_other(said: str, names: tuple[str, ...]) -> None:
    turns = {("lead", name, f"round {number} of {len(names)}") for number, name in enumerate(names, 1)}
    asks = _asks(f"{_QUINTET} {said}")
    assert turns <= asks
    assert not any(kind in ("solo", "only") for kind, _, _ in asks)


@pytest.mark.parametrize("said", ["The piano takes a solo in the bridge.", "The sax solos over a walking bass."])
def test_one_solo_is_no_round(said: str) -> None:
    assert not any("round" in where for _, _, where in _asks(f"{_QUINTET} {said}"))


def test_who_play_together_part_for_their_solos_and_trade_with_the_drums() -> None:
    asks = _asks(
        f"{_QUINTET} Trumpet and sax play a unison head. Both take a solo, then they trade fours with the drums."
    )
    assert ("doubling", "Tenor Sax", "outside round 2 of 3 or round 3 of 3 or round 1 of 3") in asks
    assert ("solo", "Drums", "turns 2 of 4 in 4 of round 3 of 3") in asks


def test_rounds_lie_between_the_tune_and_its_return() -> None:
    sections = [(bar * 4 * 40320, name) for bar, name in ((0, "Head"), (16, "Solo"), (24, "Bridge"), (32, "Head 2"))]
    piece = Score.build([Voice.of("Flute", (), 73)], bars=40, sections=sections)
    assert [bars_of_place(f"round {number} of 2", piece) for number in (1, 2)] == [((17, 24),), ((25, 32),)]


@pytest.mark.parametrize(
    ("brief", "ask"),
    [
        ("Sax, piano and bass. The bass takes a solo before the sax returns.", ("silent", "Sax", "solo")),
        (
            "Flute, guitar and piano. The piano solos in the middle until the flute comes back.",
            ("silent", "Flute", "middle"),
        ),
        ("Accordion, flute and bass. The accordion opens, the flute answers.", ("lead", "Accordion", "start")),
        (
            "Bass, piano and trumpet. The bass starts a vamp, the piano joins, then the trumpet.",
            ("only", "Bass", "start"),
        ),
        (
            "Violin and piano. In the middle the piano takes over the melody while the violin plays pizzicato.",
            ("articulation", "Violin", "middle"),
        ),
        ("Accordion and clarinet alternate the melody every eight bars.", ("lead", "Clarinet", "turns 2 of 2 in 8")),
        ("Tango with two guitars. One guitar strums while the lead guitar sings.", ("manner", "Guitar #2", "")),
    ],
)
def test_who_does_what_where(brief: str, ask: tuple[str, str, str]) -> None:
    assert ask in _asks(brief)


def test_the_head_goes_out_and_nobody_leaves() -> None:
    asks = _asks(f"{_QUINTET} The drums fill before the head out. Trumpet and sax get a break before the out-chorus.")
    assert not any(kind in ("leave", "silent") for kind, _, _ in asks)


def test_a_bass_named_beside_who_plays_a_figure_is_a_player() -> None:
    assert _roles("Salsa. Piano plays a montuno, the bass a tumbao, with congas.")["Bass"] == "bass"
    assert "Bass" not in _roles("The tuba plays a deep, steady bass under the clarinet.")


def test_bars_of_who_starts_alone_are_not_the_piece() -> None:
    brief = "Samba for flute, guitar and pandeiro. The pandeiro starts alone for eight bars, then the guitar joins."
    assert Contract.from_brief(brief).bars is None
    assert Contract.from_brief("A jingle of 4 bars for flute.").bars == 4


@pytest.mark.parametrize(
    ("brief", "ask"),
    [
        (
            "Requinto, guitar and voice. The requinto introduces the theme, then the voice sings it.",
            ("lead", "Voice", "second half"),
        ),
        ("Sax, piano and bass. The piano takes a solo while the sax lays out.", ("silent", "Sax", "solo")),
        (
            "Jazz for vibraphone, guitar and bass. Guitar plays the A sections, vibraphone takes the bridge.",
            ("lead", "Guitar", "A"),
        ),
        (
            "Accordion and trumpets take turns with the melody, four bars each, and end together.",
            ("lead", "Accordion", "turns 1 of 2 in 4"),
        ),
        (
            "The bass opens alone, the drums join, then the piano, and finally the trumpet.",
            ("enter", "Trumpet", "entry 4 of 4"),
        ),
        (
            "Samba with trumpet, surdo and tamborim. The percussion plays a break in the middle.",
            ("only", "Surdo + Tamborim", "8 bars in middle"),
        ),
    ],
)
def test_who_comes_when(brief: str, ask: tuple[str, str, str]) -> None:
    assert ask in _asks(brief)


def test_who_alone_has_chords_does_not_leave_them_for_a_bass() -> None:
    assert _roles("Blues for guitar and harmonica. The guitar plays an alternating bass.")["Guitar"] != "bass"
    assert _roles("Jazz. The organ plays the bass, guitar has the melody, with drums.")["Organ"] == "bass"
