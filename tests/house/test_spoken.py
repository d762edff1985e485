"""Beginnings that go as one speaks, over chords that are held, before the beat comes in."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, receipt
from libretto.house.compose.composer import compose_score


@pytest.mark.parametrize(
    "text",
    [
        "A klezmer dance in D minor for clarinet, accordion, tuba and snare. Begin slowly, almost like a speech "
        "and gather speed until the whole village is spinning.",
        "A tango in A minor for bandoneon, violin, piano and bass that opens like a recitative.",
        "A chamber piece in C minor for cello and strings with a declamatory intro for the cello.",
        "Gospel in F for organ, bass and drums: it starts as if someone were preaching, then the beat comes in.",
        "A ballad in G minor, 3/4, for violin and piano, with a recitative-like opening over held chords.",
        "Film cue in E minor for horn, strings and timpani, the beginning almost spoken, quiet and free.",
        "Solo piano in B minor: start freely, like someone speaking, then turn into a fast waltz.",
    ],
)  # fmt: skip
def test_a_beginning_is_spoken(text: str) -> None:
    contract = Contract.from_brief(text)
    assert [ask.text for ask in contract.asks if ask.what == "spoken"] == ["texture: spoken, start"]
    score = compose_score(contract, 0)
    checks = {check.clause: check for check in receipt(contract, score).checks}
    assert checks["texture: spoken, start"].passed is True, checks["texture: spoken, start"].evidence
    assert checks["polyphony"].passed is True


@pytest.mark.parametrize(
    "text",
    [
        "A hip hop beat in C minor with a speech sample over drums.",
        "A trap track that begins with a spoken word intro.",
        "A duet for flute and cello like a conversation, starting softly.",
        "An African piece that starts with talking drums, then adds marimba.",
        "A march in F that begins with a trumpet call.",
        "A jazz tune in which bass and sax speak to each other.",
    ],
)
def test_other_speech_is_not(text: str) -> None:
    assert not [ask for ask in Contract.from_brief(text).asks if ask.what == "spoken"]
