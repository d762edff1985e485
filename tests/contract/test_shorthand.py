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


def test_a_solo_cello_is_a_player_and_no_solo() -> None:
    contract = Contract.from_brief("A film cue in E minor for piano and solo cello, 20 bars.")
    assert not [ask for ask in contract.asks if ask.kind == "solo"]


def test_who_enters_after_counted_bars_waits_for_them() -> None:
    contract = Contract.from_brief(
        "A piece for sitar, bansuri and tabla, 32 bars, starting with a free alap of four bars before the tabla enters."
    )
    enters = [(ask.kind, ask.who, ask.where) for ask in contract.asks if ask.who]
    assert enters == [("enter", "Tabla", "bar 5")]


def test_hats_that_enter_are_no_drummer() -> None:
    contract = Contract.from_brief("A techno track for synth bass and drum machine. The hi-hats enter at bar 9.")
    assert not [ask for ask in contract.asks if ask.kind == "enter"]


def test_a_piece_that_builds_builds_as_a_whole() -> None:
    contract = Contract.from_brief(
        "A trailer piece for strings, brass and choir. It should start with low strings and build to a climax."
    )
    assert [ask.who for ask in contract.asks if ask.what == "growing"] == [""]


def test_what_a_piece_has_besides_is_no_role_of_the_last_player() -> None:
    contract = Contract.from_brief(
        "A dixieland tune for clarinet, trumpet, trombone, banjo and tuba, with collective improvisation at the end."
    )
    assert contract.parts[-1].role == "bass"


def test_a_counterpoint_of_one_player_is_its_line() -> None:
    contract = Contract.from_brief("A duo for flute and cello, 16 bars. The cello adds a warm counterpoint.")
    assert not [ask for ask in contract.asks if ask.kind == "texture"]
    contract = Contract.from_brief("A duo for violin and viola, 16 bars. Violin and viola move in counterpoint.")
    assert [ask.what for ask in contract.asks if ask.kind == "texture"] == ["counterpoint"]


def test_riffs_and_tremolos_are_ornaments() -> None:
    contract = Contract.from_brief("A boogie for piano and drums. The right hand tosses out riffs and tremolos.")
    assert not [ask for ask in contract.asks if ask.kind == "manner"]


def test_a_calabash_is_a_drum() -> None:
    assert [part.name for part in Contract.from_brief("A piece for kora, balafon and calabash").parts][-1] == "Calabash"
