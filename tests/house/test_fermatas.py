"""Pauses at the ends of phrases on which everybody waits, and keys that a piece passes through."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, receipt
from libretto.house.compose.composer import compose_score

PAUSES = "texture: fermatas, phrase ends"
CHORALE = (
    "Write a four-part chorale for brass quartet in E flat major, two trumpets, horn, and trombone, with quiet opening "
    "phrases that grow in confidence, passing through C minor before returning home. Keep it to 16 bars, with a pause "
    "at the end of every phrase."
)


@pytest.mark.parametrize(
    "text",
    [
        CHORALE,
        "A slow hymn for string quartet in D major with fermatas at the end of each phrase. 24 bars.",
        "A spiritual for choir in G minor, 3/4; every line ends with a fermata.",
        "Jazz ballad in B flat for piano, bass and drums over 32 bars with a long pause at the end of every phrase.",
        "Folk song for flute and guitar in E minor, 6/8, each phrase ends on a held chord.",
        "An organ chorale in F major. The music pauses at the end of each line.",
        "A solemn piece for horns in C with pauses at phrase endings.",
    ],
)
def test_everybody_waits_at_the_ends_of_phrases(text: str) -> None:
    contract = Contract.from_brief(text)
    assert PAUSES in {ask.text for ask in contract.asks}
    assert not [ask for ask in contract.asks if (ask.kind, ask.where) == ("tempo_change", "phrase ends")]
    score = compose_score(contract, 0)
    checks = {check.clause: check for check in receipt(contract, score).checks}
    assert checks[PAUSES].passed is True, checks[PAUSES].evidence
    assert any(mark.kind == "fermata" for voice in score.voices for mark in voice.marks)


@pytest.mark.parametrize(
    "text",
    [
        "A fado whose singer lingers on the last note of each phrase.",
        "A ballad in C slowing a little at the end of each phrase.",
        "A tune for flute with pauses between phrases.",
        "A march in G with a pause before the last chorus.",
        "A rock song with a drum fill at the end of every phrase.",
    ],
)
def test_other_pauses_are_not(text: str) -> None:
    assert PAUSES not in {ask.text for ask in Contract.from_brief(text).asks}


@pytest.mark.parametrize(
    "words",
    ["passing through C minor before returning home", "which travels through C minor", "briefly visiting C minor",
     "moving by way of C minor back home", "touching on C minor in the middle", "wandering through C minor"],
)  # fmt: skip
def test_a_key_that_is_passed_through_is_a_change_of_key(words: str) -> None:
    contract = Contract.from_brief(f"A piece for piano in E flat major, {words}.")
    assert [ask.what for ask in contract.asks if ask.kind == "key_change"] == ["C minor"]


def test_a_chorale_in_four_parts_has_them_from_its_first_bar_on() -> None:
    score = compose_score(Contract.from_brief(CHORALE), 0)
    first = score.bar_lines[4]
    assert all((voice.array["onset"] < first).sum() >= 4 for voice in score.voices)
