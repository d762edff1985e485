"""An ostinato that is set up before the tune, a bass that locks in and breaks loose, and a solo with brushes."""

from __future__ import annotations

import pytest

from libretto import Contract
from libretto.contract import read_brief
from libretto.contract.asks import Ask
from libretto.contract.checks.check import ask_clauses
from libretto.house.compose.composer import compose_score
from libretto.score import Score

_BRIEF = (
    "Cool jazz in 5/4 in D minor over 20 bars, with the chords Dm7, Gm7, Em7b5, A7, for vibraphone, clarinet, double "
    "bass and drums. The vibraphone sets up an ostinato and the clarinet has the melody. The bass clicks in with the "
    "ostinato, then wanders off into freer lines. The drums, played with brushes, should take a solo."
)
_KIT = (38, 44, 36)


@pytest.fixture(scope="module")
def contract() -> Contract:
    """What the brief asks for."""
    return Contract.from_brief(_BRIEF)


@pytest.fixture(scope="module")
def piece(contract: Contract) -> Score:
    """The piece that most tests here read."""
    return compose_score(contract, 0)


def test_what_is_set_up_and_who_locks_in(contract: Contract) -> None:
    """The tune waits, the bass has one rhythm and is free in the middle, and the kit a solo."""
    asked = {(ask.kind, ask.what, ask.who, ask.where) for ask in contract.asks}
    assert {
        ("enter", "", "Clarinet", "bar 5"),
        ("manner", "riff", "Double Bass", ""),
        ("role", "free", "Double Bass", "4 bars in middle"),
        ("solo", "", "Drums", ""),
    } <= asked
    assert ("role", "ostinato", "Double Bass", "") not in asked


def test_no_tune_waits_for_its_own_ostinato() -> None:
    """Nor for drums, nor in a piece of eight bars."""
    for text in (
        "Jazz for sax and drums over 24 bars. The sax leads. The drums set up a pattern.",
        "Jazz for sax and piano over 8 bars. The sax leads. The piano sets up an ostinato.",
        "Jazz for solo piano over 24 bars. It sets up an ostinato.",
    ):
        assert not any(ask.kind == "enter" for ask in read_brief(text).asks)


def test_every_clause_is_kept(contract: Contract, piece: Score) -> None:
    """All of it is heard in the piece."""
    assert all(ask_clauses[ask.kind](ask, contract, piece)[0] for ask in contract.asks)


def test_a_bass_that_repeats_itself_is_not_free(piece: Score, contract: Contract) -> None:
    """The bars in which it is locked in are no free lines."""
    ask = Ask("role", "free", "Double Bass", "bars 5-8")
    assert ask_clauses["role"](ask, contract, piece)[0] is False


def test_a_solo_with_brushes_stays_on_the_snare(piece: Score) -> None:
    """No toms and no crash; the first beat is there in every bar of it."""
    kit = next(voice for voice in piece.voices if voice.drums).array
    start, end = piece.bar_lines[12], piece.bar_lines[16]
    solo = kit[(kit["onset"] >= start) & (kit["onset"] < end)]
    assert set(solo["pitch"].tolist()) <= set(_KIT)
    assert {piece.bar_lines[bar] for bar in range(12, 16)} <= set(solo["onset"].tolist())


def test_a_solo_is_told_after_a_word_on_how() -> None:
    """Brushes stand between the drummer and what is to be played; who locks on to a figure is a bass."""
    text = (
        "Jazz for piano, sax, bass and drums over 24 bars. The drummer, always with brushes, gets a solo. The bass "
        "locks onto the same figure before it breaks free into roaming lines."
    )
    asked = {(ask.kind, ask.what, ask.who) for ask in read_brief(text).asks}
    assert {("solo", "", "Drums"), ("manner", "riff", "Bass"), ("role", "free", "Bass")} <= asked


def test_an_ostinato_of_chords_is_one_figure() -> None:
    """From the first bar on, whatever the chart comps."""
    text = (
        "Cool jazz in 4/4 in D minor over 24 bars, with the chords Dm7, Gm7, Em7b5, A7, for vibraphone, flute, double "
        "bass and drums. The vibraphone sets up a swaying ostinato and the flute has the melody."
    )
    score = compose_score(Contract.from_brief(text), 0)
    mallets = next(voice for voice in score.voices if voice.name == "Vibraphone").array
    rhythms = [
        tuple(sorted({int(tick) - score.bar_lines[bar] for tick in mallets["onset"] if score.bar_at(int(tick)) == bar}))
        for bar in range(8)
    ]
    assert len(set(rhythms)) == 1
    assert len(rhythms[0]) > 3
