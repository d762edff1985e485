"""Shapes that briefs tell: rubato, a tune that goes to and fro, a climax that comes to rest, shuffles and tremors."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, receipt
from libretto.house import compose_score

TRIO = "A Romantic piece in E flat minor, 24 bars, for violin, cello and piano. "


def asks(text: str) -> set[tuple[str, str, str, str]]:
    """What is read of a sentence about a piano trio."""
    return {(ask.kind, ask.what, ask.who, ask.where) for ask in Contract.from_brief(TRIO + text).asks}


@pytest.mark.parametrize(
    "text",
    ["Andante with plenty of rubato.", "The tempo breathes.", "A tempo that varies like the wind.", "Play it rubato."],
)
def test_rubato(text: str) -> None:
    assert ("feel", "rubato", "", "") in asks(text)


def test_rubato_is_played_and_checked() -> None:
    contract = Contract.from_brief(TRIO + "Andante, with plenty of rubato.")
    score = compose_score(contract, 0)
    assert len(score.tempos) > 24
    assert receipt(contract, score).passed
    steady = Contract.from_brief(TRIO)
    assert any("rubato" in str(one.clause) for one in receipt(contract, compose_score(steady, 0)).failed)


@pytest.mark.parametrize(
    "text",
    [
        "The melody should pass between the violin and cello like two people longing for each other.",
        "Violin and cello trade the tender melody every four bars.",
        "The theme is tossed back and forth between the violin and the cello.",
    ],
)
def test_a_tune_that_goes_to_and_fro(text: str) -> None:
    turns = {(who, where) for kind, _, who, where in asks(text) if kind == "lead"}
    assert turns == {("Violin", "turns 1 of 2 in 4"), ("Cello", "turns 2 of 2 in 4")}


def test_a_climax_that_comes_to_rest_is_no_growing_to_the_end() -> None:
    told = asks("It builds gradually to a passionate climax before fading away.")
    assert ("dynamics", "growing", "", "until last quarter") in told
    assert ("dynamics", "growing", "", "") not in told
    assert ("dynamics", "growing", "", "") in asks("It builds to a triumphant climax and ends with a bang.")


def test_who_opens_with_a_tune_has_it_at_the_start() -> None:
    assert ("lead", "", "Cello", "start") in asks("The cello should open the piece with a fragile, childlike melody.")


def test_small_words() -> None:
    assert ("manner", "tremolo", "Violin", "") in asks("The violin adds trembling, high-pitched tension.")
    assert ("density", "seldom", "Piano", "") in asks("The piano is used sparingly.")
    assert ("tempo_change", "accelerando", "", "") in asks("The tempo gradually increases.")
    assert ("feel", "swing", "", "") in asks("Create a shuffling, two-step rhythm.")
    assert not any(kind == "density" for kind, *_ in asks("It keeps the dance floor packed."))


def test_what_begins_slow_and_becomes_fast_begins_slow() -> None:
    contract = Contract.from_brief(
        "An ecstatic qawwali in C# minor, 24 bars, for harmonium, tabla and lead vocal, with a tempo that begins slow "
        "and gradually becomes fast."
    )
    assert ("tempo_change", "to x2.20") in {(ask.kind, ask.what) for ask in contract.asks}
    score = compose_score(contract, 0)
    assert score.tempos[-1][1] * 1.4 < score.tempos[0][1]
    assert receipt(contract, score).passed


def test_a_free_tempo_may_be_slow() -> None:
    contract = Contract.from_brief("A lament for two flutes in A minor, set to a very slow, free tempo.")
    assert contract.tempo_bpm is not None
    assert contract.tempo_bpm[1] <= 66
    assert ("feel", "rubato") in {(ask.kind, ask.what) for ask in contract.asks}


def test_lively_in_a_style_that_is_faster() -> None:
    assert Contract.from_brief("An upbeat rockabilly tune for guitar, bass and drums.").tempo_bpm == (150.0, 184.0)


def test_winds_in_the_plural_are_two_and_a_male_chorus_sings() -> None:
    def players(text: str) -> list[str]:
        return [part.name for part in Contract.from_brief(text).parts]

    assert players("A march for cornets, tuba and snare drum.") == ["Cornet", "Cornet #2", "Tuba", "Snare Drum"]
    assert players("A march for two cornets and tuba.") == ["Cornet", "Cornet #2", "Tuba"]
    assert "Male Chorus" in players("A shanty for concertina, fiddle and a male chorus.")
