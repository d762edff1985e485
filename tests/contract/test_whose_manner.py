"""Whose a way to play is: of two who share it, of a bass, of who leads; and what is a picture or a style."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief
from libretto.contract.stretches import bars_of_place
from libretto.house.compose.asking import skeleton


def _asks(text: str) -> list[tuple[str, str, str]]:
    return [(ask.kind, ask.what, ask.who) for ask in read_brief(text).asks]


def _roles(text: str) -> dict[str, str]:
    return {part.name: part.role for part in read_brief(text).parts}


def test_two_share_an_oom_pah_and_the_bass_strikes_no_chords() -> None:
    asks = _asks("A waltz for clarinet, piano and double bass. The piano and bass keep the oom-pah-pah.")
    assert {("manner", "two-beat", "Piano"), ("manner", "two-beat", "Double Bass")} <= set(asks)
    assert ("role", "comping", "Double Bass") not in asks


def test_who_leads_has_chords_under_its_own_tune() -> None:
    asks = _asks("Jazz for piano, bass and drums. The piano plays a theme in the right hand with left-hand comping.")
    assert not [ask for ask in asks if ask[0] == "role"]


def test_block_chords_of_one_player_are_no_texture_of_all() -> None:
    asks = _asks("Swing for piano, bass and drums. The piano leads, with block chords in the last chorus.")
    assert not [ask for ask in asks if ask[0] == "texture"]


def test_free_imitation_is_no_canon() -> None:
    assert ("texture", "canon", "") not in _asks("For flute and oboe. The lines chase each other.")
    assert ("texture", "canon", "") in _asks("For flute and oboe, in canon.")


@pytest.mark.parametrize(
    ("text", "name", "role"),
    [
        ("For violin, harpsichord and cello. The harpsichord fills in the harmony.", "Harpsichord", "comping"),
        ("For violin and viola. The violin leads, the viola weaves restless inner lines.", "Viola", "counter"),
        ("For trumpet and trombone. The trumpet leads, the trombone anchors the bass.", "Trombone", "bass"),
        ("For lead synth and pads. The lead sings the tune, the pads hold the harmony.", "Pads", "pad"),
    ],
)
def test_roles_by_what_is_done(text: str, name: str, role: str) -> None:
    assert _roles(text)[name] == role


def test_chords_and_blows_belong_to_who_plays_them() -> None:
    asks = _asks("For electric piano and lead synth. The electric piano should supply mellow, jazzy syncopated chords.")
    assert ("feel", "syncopated", "Electric Piano") in asks
    asks = _asks("For cello, piano and drums. The piano drops single, sparse notes.")
    assert ("density", "sparse", "Piano") in asks


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("A two-step garage track", "house"),
        ("A jungle track for synth bass", "drumnbass"),
        ("A drone piece for organ", "ambient"),
        ("A hyperpop song", "synthpop"),
        ("A trio for piano, bass and drums: a swinging tune, the bass walks, the drums play brushes.", "jazz"),
    ],
)
def test_styles_by_other_names(text: str, style: str) -> None:
    assert read_brief(text).style == style


def test_a_packed_club_and_an_easy_motion_ask_for_nothing() -> None:
    assert not _asks("It should feel like a packed club where nobody sits down.")
    assert not _asks("A kora piece with an easy and flowing motion.")


def test_the_second_chorus_of_a_piece_with_one_is_the_second_time_round() -> None:
    assert bars_of_place("chorus 2", skeleton([(0, "Head"), (8, "Solo"), (24, "Chorus")], 32)) == ((17, 32),)


@pytest.mark.parametrize(
    ("text", "instrument"),
    [
        ("A slow march for brass and a bell that tolls.", "church bell"),
        ("A slow march for brass, with the toll of distant bells.", "church bell"),
        ("A slow march for brass and a lone bell.", "church bell"),
        ("A carol for choir, organ and bright bells.", "bells"),
        ("A carol for choir and church bells.", "church bell"),
        ("A carol for choir and tubular bells.", "tubular bells"),
    ],
)
def test_which_bells_toll(text: str, instrument: str) -> None:
    assert [part.instrument for part in read_brief(text).parts if "ell" in part.name] == [instrument]


def test_the_whistle_and_the_bell_are_those_named_before() -> None:
    text = "A western for whistling, trumpet and a church bell. Begin with just the whistle and the bell."
    assert [part.name for part in read_brief(text).parts] == ["Whistling", "Trumpet", "Church Bell"]


def test_who_rises_to_a_climax_leads_and_climbs() -> None:
    asks = _asks(
        "A western for guitar, trumpet and drums. Begin with the guitar, then let the trumpet rise to a climax."
    )
    assert {("lead", "", "Trumpet"), ("register", "rising", "Trumpet")} <= set(asks)
    asks = _asks("A western for guitar, trumpet and drums. The guitar leads. Let it all build to a climax with drums.")
    assert not [ask for ask in asks if ask[0] == "register"]
