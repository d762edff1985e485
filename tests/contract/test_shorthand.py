"""What people say for short: the key before its chords, the acoustic, singers a cappella."""

from __future__ import annotations

import pytest

from libretto.contract import Contract


@pytest.mark.parametrize(
    ("words", "key", "chords"),
    [
        ("A blues in E, E7 A7 E7 B7, 12 bars", "E major", ("E7", "A7", "E7", "B7")),
        ("A song in C, C G Am F, for piano", "C major", ("C", "G", "Am", "F")),
        ("A song in C, C, G, Am, F, for piano", "C major", ("C", "G", "Am", "F")),
        ("A folk song in Am, Am F C G", "A minor", ("Am", "F", "C", "G")),
        ("A tune in D, G, and A", "D major", ("D", "G", "A")),
    ],
)
def test_a_key_before_its_chords_is_none_of_them(words: str, key: str, chords: tuple[str, ...]) -> None:
    contract = Contract.from_brief(words)
    assert str(contract.key) == key
    assert contract.chords == chords


def test_the_acoustic_is_the_acoustic_guitar() -> None:
    contract = Contract.from_brief(
        "A rock groove in E minor for slide guitar, acoustic guitar, bass and drums. The slide guitar should moan long "
        "lines and the acoustic should strum steadily."
    )
    assert {part.name: part.role for part in contract.parts if part.role != "drums"} == {
        "Slide Guitar": "lead",
        "Acoustic Guitar": "comping",
        "Bass": "bass",
    }


def test_a_choir_that_opens_a_cappella_is_nobody_new() -> None:
    contract = Contract.from_brief(
        "A choral piece in Eb major, 16 bars, for choir and pipe organ. The choir should open a cappella, and the "
        "organ should enter at bar 9."
    )
    assert [part.name for part in contract.parts] == ["Choir", "Pipe Organ"]
    assert {(ask.kind, ask.who, ask.where) for ask in contract.asks} == {
        ("only", "Choir", "start"),
        ("enter", "Pipe Organ", "bar 9"),
    }
