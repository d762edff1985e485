"""Phrases that hold for one player in one place, and words that only sound like them."""

from __future__ import annotations

import pytest

from libretto.contract import Contract

_BAND = "A piece in D minor for voice, concertina, fiddle and guitar, 24 bars. "


def _asks(words: str, brief: str = _BAND) -> set[tuple[str, str, str, str]]:
    asks = Contract.from_brief(brief + words).asks
    return {(ask.kind, ask.what, ask.who, ask.where) for ask in asks}


@pytest.mark.parametrize(
    ("words", "ask"),
    [
        ("The fiddle creeps in alone.", ("only", "", "Fiddle", "start")),
        ("In the last four bars everybody fades but the concertina.", ("only", "", "Concertina", "last 4 bars")),
        ("Drop everything but the guitar for bars 15 and 16.", ("only", "", "Guitar", "bars 15-16")),
        ("Three quarters of the way through the guitar drops out.", ("leave", "", "Guitar", "last quarter")),
        ("It opens with a slow half, then a fast half.", ("tempo_change", "x0.45", "", "first half")),
        ("The guitar plays choppy sixteenth-note strums.", ("manner", "scratch", "Guitar", "")),
        ("The guitar strums until the chorus explodes.", ("dynamics", "loud", "", "chorus")),
        ("The voice leads the first strain, the fiddle the second.", ("lead", "", "Fiddle", "B")),
        (
            "At bar 17 only the fiddle plays for four bars before the band returns.",
            ("only", "", "Fiddle", "bars 17-20"),
        ),
    ],
)
def test_what_is_told_of_a_place(words: str, ask: tuple[str, str, str, str]) -> None:
    assert ask in _asks(words)


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("The voice carries the verse almost alone over held concertina chords.", "only"),
        ("The verses stay quiet with a muted guitar figure.", "silent"),
        ("The guitar plays a melody drenched in tremolo.", "manner"),
        ("The concertina plays block chords in the last chorus.", "texture"),
        ("The guitar chips in on the backbeat.", "drums"),
    ],
)
def test_what_only_sounds_so(words: str, kind: str) -> None:
    assert kind not in {ask[0] for ask in _asks(words)}


def test_a_verb_is_no_player() -> None:
    contract = Contract.from_brief(_BAND + "The guitar chimes in steady eighth notes.")
    assert [part.name for part in contract.parts] == ["Voice", "Concertina", "Fiddle", "Guitar"]
    assert ("manner", "eighths", "Guitar", "") in _asks("The guitar chimes in steady eighth notes.")


def test_a_bass_that_answers_stays_a_bass() -> None:
    brief = "A garage track for lead synth, electric piano, sub bass and drums. "
    assert ("role", "counter", "Sub Bass", "") not in _asks("The sub bass answers the kick with slides.", brief)


def test_choruses_with_their_length_are_the_length() -> None:
    contract = Contract.from_brief(
        "A blues in C, two choruses of twelve bars. Turnaround on C7 A7 D7 G7. Guitar, drums."
    )
    assert (contract.bars, contract.chords) == (24, ())
    assert not any(ask.kind == "section_bars" for ask in contract.asks)


def test_who_rocks_plays_no_rock() -> None:
    brief = "A string trio in A flat for violin, viola and cello. The viola rocks between two notes. "
    assert Contract.from_brief(brief).style != "rock"
    assert ("only", "", "Violin", "end") in _asks("The close should thin out to a single violin note.", brief)


def test_who_returns_was_there() -> None:
    brief = (
        "A lullaby in F for kora, balafon, calabash and voice, 24 bars. Halfway through the kora takes a solo over the "
    )
    asks = _asks("calabash alone, then the voice returns.", brief)
    assert not {ask[0] for ask in asks} & {"only", "enter"}


def test_strings_of_a_guitar_are_no_strings() -> None:
    brief = "A romance in G minor for solo guitar with seven strings, 16 bars, a weeping tremolo at the climax."
    contract = Contract.from_brief(brief)
    assert [part.name for part in contract.parts] == ["Guitar"]
    assert not any(ask.kind == "manner" for ask in contract.asks)


def test_one_place_is_not_loud_and_soft() -> None:
    asks = _asks("The last four bars lift to a full climax before a hushed cadence.")
    assert {ask[1] for ask in asks if ask[0] == "dynamics" and ask[3] == "last 4 bars"} == {"loud"}
