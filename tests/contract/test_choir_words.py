"""Choirs and chamber groups by the names that people give them."""

from __future__ import annotations

import pytest

from libretto.contract import Contract

SATB = ["Soprano", "Alto Voice", "Tenor Voice", "Bass Voice"]


def names(text: str) -> list[str]:
    return [part.name for part in Contract.from_brief(text).parts]


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("A hushed a cappella choral piece for soprano, alto, tenor and bass. The basses hold a low pedal.",
         ["Soprano", "Alto", "Tenor", "Bass Voice"]),
        ("A motet for SATB choir; the sopranos lead and the basses hold long notes.", SATB),
        ("A carol for soprano, alto, tenor and bass.", ["Soprano", "Alto", "Tenor", "Bass Voice"]),
        ("A lied for tenor and piano.", ["Tenor", "Piano"]),
        ("A tango for alto sax, tenor sax and bass.", ["Alto Sax", "Tenor Sax", "Bass"]),
        ("A clarinet quintet in A.", ["Clarinet", "Violin", "Violin #2", "Viola", "Cello"]),
        ("A movement for clarinet quintet. The first violin leads in the middle, the viola answers, the cello plucks.",
         ["Clarinet", "Violin", "Violin #2", "Viola", "Cello"]),
        ("A jazz quartet of trumpet, piano, bass and drums.", ["Piano", "Acoustic Bass", "Drums", "Trumpet"]),
    ],
)  # fmt: skip
def test_who_sings_and_plays_in_named_groups(text: str, players: list[str]) -> None:
    assert names(text) == players


def test_harmony_that_waits_for_its_last_bar_ends_at_home() -> None:
    assert Contract.from_brief("A nocturne that never quite resolves until the last bar.").ending != "open"
    assert Contract.from_brief("A nocturne that never quite resolves.").ending == "open"


def test_who_leads_accompanies_only_while_another_has_the_tune() -> None:
    text = "For clarinet and violin. The clarinet sings; the violin takes up the melody in the middle while the "
    asks = Contract.from_brief(text + "clarinet weaves arpeggios around it.").asks
    assert ("role", "arpeggio", "Clarinet", "middle") in {(ask.kind, ask.what, ask.who, ask.where) for ask in asks}


def asked(text: str) -> set[tuple[str, str, str, str]]:
    return {(ask.kind, ask.what, ask.who, ask.where) for ask in Contract.from_brief(text).asks}


def test_everything_but_one_for_some_bars() -> None:
    text = "For cello, trumpet and tuba. At bar 17 everything drops out except a lone solo cello for four bars."
    assert asked(text) == {("only", "", "Cello", "bars 17-20")}


def test_two_who_trade_and_then_go_together() -> None:
    text = "For flute, cello and harp. The flute and cello trade phrases, then play together in sixths from bar 13."
    assert ("doubling", "Flute in sixths", "Cello", "from bar 13") in asked(text)
    assert ("texture", "call and response", "Flute + Cello", "until bar 13") in asked(text)


def test_a_tune_that_comes_back_silences_nobody() -> None:
    text = "A waltz for solo piano. The middle eight bars are soft, then the first tune comes back with a flourish."
    assert not any(kind == "enter" for kind, *_ in asked(text))


def test_a_drone_is_who_is_called_so() -> None:
    text = "For synth pad, piano and a field-like low drone. Start with only the drone."
    assert not any(who == "Piano" for *_, who, _ in asked(text))


def test_basses_after_strings_are_strings() -> None:
    assert names("For horns, violas and basses.")[-1] == "Double Bass"


def test_who_takes_the_tune_at_a_bar_keeps_it_and_who_enters_somehow_enters_there() -> None:
    text = "For piano, cello and violins. The cello takes up the melody at bar 9, violins enter with tremolo at bar 17."
    assert ("lead", "", "Cello", "from bar 9") in asked(text)
    assert ("enter", "", "Violin", "bar 17") in asked(text)


def test_a_slow_countermelody_is_no_change_of_tempo() -> None:
    text = "For flute and cello. In the second half a cello joins with a slow countermelody."
    assert not any(kind == "tempo_change" for kind, *_ in asked(text))


def test_a_gigue_is_baroque_and_no_irish_jig() -> None:
    contract = Contract.from_brief("A gigue in C minor for oboe and harpsichord, Presto, 6/8.")
    assert contract.style == "baroque"
    assert contract.tempo_bpm == (168, 200)
