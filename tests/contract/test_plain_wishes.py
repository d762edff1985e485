"""Plain wishes about how somebody plays: chords under one's own tune, picking, runs, muted chords, what is uneven."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, read_brief, receipt
from libretto.house.compose.composer import compose_score

ORGAN = (
    "Soul jazz for organ, guitar, bass and drums in C major, C, Am, Dm, G over 24 bars. "
    "The organ should lead with smooth melodies and sustained chords."
)


def _asks(text: str) -> set[tuple[str, str, str]]:
    return {(ask.kind, ask.what, ask.who) for ask in read_brief(text).asks}


@pytest.mark.parametrize(
    ("text", "ask"),
    [
        (ORGAN, ("texture", "own chords", "Organ")),
        ("Surf for electric guitar, rhythm guitar and bass. The rhythm guitar should clip out muted chords.",
         ("manner", "chops", "Rhythm Guitar")),
        ("For balalaika and accordion. The balalaika should play melodies with lively tremolo.",
         ("manner", "tremolo", "Balalaika")),
        ("For trumpet, clarinet and tuba. The clarinet should whirl above them with dizzying runs.",
         ("manner", "sixteenths", "Clarinet")),
        ("For celesta and pizzicato strings. The rhythm should tick along in steady eighth notes.",
         ("manner", "eighths", "chords")),
        ("Lo-fi for piano and drums. The piano should play slightly uneven chords.", ("feel", "laid back", "Piano")),
        ("A storm with churning low strings, timpani and horn.", ("manner", "eighths", "Low Strings")),
        ("For children's choir and guitar. The choir should sing the first verse in unison and divide into two parts "
         "for the second.", ("texture", "harmonized", "Children's Choir")),
        ("Dub for bass guitar and melodica. The bass guitar should dominate with a heavy, rounded riff.",
         ("manner", "riff", "Bass Guitar")),
        ("Dub for bass guitar and melodica. The melodica should wander in and out of the mix.",
         ("density", "pauses", "Melodica")),
        ("For morin khuur and throat singing. The morin khuur should bow a rough, horse-like rhythm.",
         ("manner", "gallop", "Morin Khuur")),
    ],
)  # fmt: skip
def test_a_plain_wish_is_heard(text: str, ask: tuple[str, str, str]) -> None:
    assert ask in _asks(text)


@pytest.mark.parametrize(
    ("text", "kind", "what"),
    [
        ("For flute and guitar. The flute has the melody, the guitar sustained chords.", "texture", "own chords"),
        ("For violin, who runs up the hill, and piano with muted colours.", "manner", "chops"),
        ("A cat wanders in and out of the house, for piano and flute.", "density", "pauses"),
        ("A road with uneven stones, for piano and flute.", "feel", "laid back"),
        ("For a choir in two parts and an organ.", "texture", "harmonized"),
        ("For banjo and fiddle, berry picking in the hills.", "manner", "tremolo"),
    ],
)
def test_a_picture_is_no_wish(text: str, kind: str, what: str) -> None:
    assert (kind, what) not in {one[:2] for one in _asks(text)}


def test_an_organ_holds_chords_under_its_own_tune() -> None:
    contract = Contract.from_brief(ORGAN)
    checks = {one.clause: one for one in receipt(contract, compose_score(contract, 0)).checks}
    assert checks["texture: own chords, Organ"].passed is True


def test_parts_into_which_a_choir_divides_count_nobody() -> None:
    text = "For children's choir and guitar. The choir should sing in unison and divide into two parts for the second."
    assert "voices" not in {kind for kind, _, _ in _asks(text)}


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("For dizi and yangqin. The dizi should float a clear, birdlike melody.", False),
        ("For trumpet, piano and bass. The trumpet should tell the story in phrases.", False),
        ("For trumpet and piano. The piano should surround the melody with mist.", True),
    ],
)
def test_who_leads_is_heard_to_have_the_tune(text: str, unread: bool) -> None:
    assert any("melody" in one or "story" in one for one in read_brief(text).unread) is unread


def test_a_rhythm_that_ticks_is_heard_where_a_chart_has_no_chords() -> None:
    text = "A piece for celesta and pizzicato strings in D major. The rhythm should tick along in steady eighth notes."
    contract = Contract.from_brief(text)
    checks = {one.clause: one for one in receipt(contract, compose_score(contract, 0)).checks}
    assert checks["manner: eighths, chords"].passed is True
