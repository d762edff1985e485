"""Who hands the tune to whom, and from where on."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, receipt
from libretto.house import compose_score


@pytest.mark.parametrize(
    ("words", "leads"),
    [
        (
            "The flute should take the melody first and hand it to the cello halfway.",
            {("Flute", "first half"), ("Cello", "second half")},
        ),
        (
            "The flute has the tune, then passes it to the cello at bar 9.",
            {("Flute", "until bar 9"), ("Cello", "from bar 9")},
        ),
        (
            "Let the melody pass from the flute to the cello in the middle.",
            {("Flute", "until middle"), ("Cello", "from middle")},
        ),
        (
            "The flute plays the theme for 16 bars before handing it over to the cello.",
            {("Flute", "first 16 bars"), ("Cello", "after first 16 bars")},
        ),
        ("In the chorus the flute gives the tune to the cello.", {("Flute", "outside chorus"), ("Cello", "chorus")}),
        ("The flute leads, and at bar 13 the cello takes over.", {("Cello", "from bar 13")}),
        ("Flute and cello pass the melody back and forth.", set()),
        ("The harp gives harmonic support to the flute.", set()),
    ],
)
def test_hand_overs_are_read(words: str, leads: set[tuple[str, str]]) -> None:
    contract = Contract.from_brief(f"A trio in F major, 24 bars, for flute, cello and harp. {words}")
    assert {(ask.who, ask.where) for ask in contract.asks if ask.kind == "lead"} == leads


def test_a_tune_that_is_handed_over_is_played_so() -> None:
    contract = Contract.from_brief(
        "A waltz in G major, 32 bars, for violin, oboe, guitar and bass. The violin has the melody and hands it to the "
        "oboe halfway."
    )
    score = compose_score(contract, 0)
    assert not receipt(contract, score).failed
    oboe = next(voice for voice in score.voices if voice.name == "Oboe")
    late = [note for note in oboe.notes if score.bar_at(note.onset) >= 16]
    assert len(late) >= 16


@pytest.mark.parametrize("words", ["gathering heat as it goes", "speeding up bit by bit", "that gathers speed"])
def test_what_gathers_heat_gets_faster(words: str) -> None:
    contract = Contract.from_brief(f"A wild dance in D minor, 24 bars, for clarinet and accordion, {words}.")
    assert [ask.what for ask in contract.asks if ask.kind == "tempo_change"] == ["accelerando"]


def test_who_enters_only_at_a_bar_plays_on_from_there() -> None:
    contract = Contract.from_brief("A song in C, 32 bars, for piano, bass and drums. The drums enter only in bar 9.")
    assert [(ask.kind, ask.where) for ask in contract.asks if ask.who == "Drums"] == [("enter", "bar 9")]


def test_who_opens_with_the_tune_is_not_alone() -> None:
    contract = Contract.from_brief("A duo in F, 16 bars, for flute and harp. The flute opens with a lilting tune.")
    assert not [ask for ask in contract.asks if ask.kind == "only"]


def test_who_is_handed_the_tune_is_not_of_the_list_that_follows() -> None:
    contract = Contract.from_brief(
        "A waltz in G major for pedal steel, fiddle, guitar and bass. The fiddle takes the melody first and hands it "
        "to the pedal steel halfway, the guitar plays a soft boom-chick-chick."
    )
    assert {part.name: part.role for part in contract.parts}["Pedal Steel"] == "counter"


@pytest.mark.parametrize("words", ["strums gently on the second and third beats", "strums on two and three"])
def test_who_strums_on_two_and_three_rests_on_one(words: str) -> None:
    contract = Contract.from_brief(f"A waltz in A major for pedal steel, acoustic guitar and bass. The guitar {words}.")
    assert [ask.what for ask in contract.asks if ask.kind == "manner"] == ["off-beats"]


def test_a_honky_tonk_waltz_names_no_piano() -> None:
    contract = Contract.from_brief("A lonely honky-tonk waltz in E minor for fiddle and acoustic guitar.")
    assert [part.instrument for part in contract.parts] == ["fiddle", "acoustic guitar"]


def test_what_hurries_all_through_has_a_tempo_a_bar_and_a_tapan() -> None:
    contract = Contract.from_brief(
        "A wild Macedonian wedding dance in 7/8 in D minor, 28 bars, gathering heat as it goes, for clarinet, "
        "accordion and tapan."
    )
    assert contract.style == "folk"
    assert contract.parts[-1].drums
    score = compose_score(contract, 0)
    assert {tick for tick, _ in score.tempos} <= set(score.bar_lines)
    assert score.tempos[-1][1] < 0.8 * score.tempos[0][1]
