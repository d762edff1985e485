"""What is asked of one is no one else's: who is told behind a way to play, and licks that answer one another."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, read_brief, receipt
from libretto.house import compose_score


def _asks(text: str, kind: str) -> list[tuple[str, str]]:
    return [(ask.what, ask.who) for ask in read_brief(text).asks if ask.kind == kind]


@pytest.mark.parametrize(
    ("text", "kind", "asks"),
    [
        ("A duet for violin and piano with tremolo on the violin.", "manner", [("tremolo", "Violin")]),
        ("Use violin and piano with tremolo in the violin.", "manner", [("tremolo", "Violin")]),
        ("For flute, violin and cello; pizzicato on the cello.", "articulation", [("pizzicato", "Cello")]),
        (
            "A blues for electric guitar, piano, bass and drums; licks in call and response on the guitar.",
            "texture",
            [("call and response", "Electric Guitar")],
        ),
        (
            "A blues in A for guitar and piano; guitar licks in call and response.",
            "texture",
            [("call and response", "Guitar")],
        ),
        (
            "A blues for guitar and piano, with phrases in call and response between guitar and piano.",
            "texture",
            [("call and response", "Guitar + Piano")],
        ),
    ],
)
def test_who_is_told_behind_it_plays_so_alone(text: str, kind: str, asks: list[tuple[str, str]]) -> None:
    assert _asks(text, kind) == asks


def test_licks_of_one_guitar_answer_one_another() -> None:
    contract = Contract.from_brief(
        "A blues in E for electric guitar, piano, bass and drums over 24 bars; guitar licks in call and response."
    )
    score = compose_score(contract, 0)
    told = {check.clause: check for check in receipt(contract, score).checks}
    assert told["texture: call and response, Electric Guitar"].passed
    guitar = next(voice for voice in score.voices if voice.name == "Electric Guitar")
    bars = {score.bar_at(int(onset)) for onset in guitar.array["onset"]}
    assert len(bars) >= 0.75 * score.bars
