"""Room for who raps, stabs that are stabs, and a bass that loops its figure under both."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, receipt
from libretto.house.compose.composer import compose_score

BEAT = (
    "A gritty hip hop instrumental with dusty drums, a looped upright bass figure and stabs of muted trumpet. "
    "Use a progression like Ebm7-Abm7-Bb7 and leave plenty of room for a rapper."
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "who"),
    [
        (BEAT, "Muted Trumpet"),
        ("A lo-fi beat in D minor for piano, bass and drums with space for vocals.", "Piano"),
        ("Trap in F minor for flute, 808 bass and drums, leaving lots of room for an MC.", "Flute"),
        ("A soul groove in A minor, 6/8, for organ, guitar, bass and drums; make room for the singer.", "Guitar"),
        ("Dub in G minor for melodica, bass and drums with plenty of room for toasting.", "Melodica"),
        ("Drum and bass at 172 bpm in C minor for synth lead, bass and drums. Keep space for rhymes.", "Synth Lead"),
    ],
)
def test_room_for_words_is_the_leaders(text: str, who: str) -> None:
    contract = Contract.from_brief(text)
    told = [ask for ask in contract.asks if ask.kind == "density"]
    assert [ask.what for ask in told] == ["room"]
    assert told[0].who == who
    checks = {check.clause: check for check in receipt(contract, compose_score(contract, 0)).checks}
    assert checks[told[0].text].passed is True, checks[told[0].text].evidence


@pytest.mark.parametrize(
    "text",
    [
        "A song for a singer in a small room, with piano.",
        "A rapper's beat in D minor for bass and drums.",
        "Chamber music for a large room with voices and strings.",
    ],
)
def test_other_rooms_are_not(text: str) -> None:
    contract = Contract.from_brief(text)
    assert not [ask for ask in contract.asks if ask.kind == "density" and ask.who]


@pytest.mark.parametrize(
    ("text", "who"),
    [
        (BEAT, "Muted Trumpet"),
        (
            "A hip hop beat in C minor with bass and drums and muted trumpet. The muted trumpet plays short stabs.",
            "Muted Trumpet",
        ),
        ("House in A minor at 124 bpm for bass, drums and pads with jabs of saxophone.", "Saxophone"),
    ],
)
def test_who_stabs_plays_no_tune(text: str, who: str) -> None:
    contract = Contract.from_brief(text)
    told = [ask for ask in contract.asks if ask.what == "stabs"]
    assert [ask.who for ask in told] == [who]
    score = compose_score(contract, 0)
    checks = {check.clause: check for check in receipt(contract, score).checks}
    assert checks[told[0].text].passed is True, checks[told[0].text].evidence
    notes = score.voice(who).array
    assert int(notes["duration"].sum()) <= score.ticks / 2


def test_the_bass_keeps_its_figure() -> None:
    score = compose_score(Contract.from_brief(BEAT), 0)
    assert len(score.voice("Upright Bass").array) >= 4 * score.bars
