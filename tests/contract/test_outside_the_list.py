"""Names outside the list of players, turns after a tune, and words of a tempo that a style knows faster."""

from __future__ import annotations

import pytest

from libretto.contract import Contract


def _players(brief: str) -> list[str]:
    return [part.name for part in Contract.from_brief(brief).parts]


@pytest.mark.parametrize(
    ("brief", "players"),
    [
        ("A swing tune for clarinet, guitar and double bass, walking bass.", ["Clarinet", "Guitar", "Double Bass"]),
        ("A trap beat in C minor for bells, 808 bass and drums.", ["Bells", "808 Bass", "Drums"]),
        ("A Balkan brass dance for trumpet, clarinet and tuba.", ["Trumpet", "Clarinet", "Tuba"]),
        ("A Spanish guitar solo in E minor for solo flamenco guitar.", ["Flamenco Guitar"]),
        ("A boogie for piano and guitar; the guitar chips in on the backbeat.", ["Piano", "Guitar"]),
        (
            "A soca tune for steel pan, synth brass, bass and drums; the brass stabs.",
            ["Steel Pan", "Synth Brass", "Bass", "Drums"],
        ),
        (
            "A bolero for voice, two guitars and bass; the first guitar answers with requinto runs.",
            ["Voice", "Guitar", "Guitar #2", "Bass"],
        ),
        (
            "A piano trio piece: swinging melody, upright bass walks, drums play brushes.",
            ["Piano", "Upright Bass", "Drums"],
        ),
        ("A song for recorder and lute; the lute adds a second voice.", ["Recorder", "Lute"]),
    ],
)
def test_who_is_not_listed_does_not_play(brief: str, players: list[str]) -> None:
    assert _players(brief) == players


def test_a_piece_and_its_players_beside_a_list() -> None:
    contract = Contract.from_brief("A mariachi piece in G for two trumpets, violin, vihuela and guitarrón.")
    assert contract.style == "latin"
    assert contract.bars is None
    assert [part.name for part in contract.parts][:3] == ["Trumpet", "Trumpet #2", "Violin"]


def test_turns_come_after_the_tune() -> None:
    brief = (
        "A hard bop tune for trumpet, tenor saxophone, piano, bass and drums. The trumpet plays the head, then they "
    )
    asks = Contract.from_brief(brief + "trade solos.").asks
    assert {ask.where for ask in asks if ask.kind == "lead"} == {f"turns {n} of 2 in 4 of second half" for n in (1, 2)}
    assert not any(ask.kind == "texture" for ask in asks)


def test_fast_words_do_not_slow_a_style_down() -> None:
    low, _ = Contract.from_brief("An up-tempo bebop tune in F for alto saxophone and piano.").tempo_bpm or (0, 0)
    assert low >= 190
    assert Contract.from_brief("A bebop tune at 140 bpm, up-tempo.").tempo_bpm == (140, 140)


def test_bells_are_bright_unless_they_toll() -> None:
    programs = [
        Contract.from_brief(f"A piece for {bells} and piano.").parts[0].program for bells in ("bells", "church bells")
    ]
    assert programs == [9, 14]


def test_an_anthem_is_no_march() -> None:
    assert Contract.from_brief("A stadium anthem for electric guitar, bass and drums.").style == "rock"
    assert Contract.from_brief("A national anthem for brass.").style == "march"
