"""Phrases whose ends are stretched, and somebody who plays only between them, whatever the chart was written with."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, receipt
from libretto.house.compose.composer import compose_score

LAMENT = (
    "A sorrowful fado in A minor, andante, Am, E7, Dm, E7 over 24 bars, for voice, Portuguese guitar and classical "
    "guitar. The voice carries the melody, stretching the ends of phrases, and the Portuguese guitar weaves ornaments "
    "between the lines."
)
AIR = (
    "A slow Irish air in G major for flute, harp and violin over 16 bars. G, C, D, G. The flute has the tune and "
    "lingers on the last note of each phrase; the violin answers only in the pauses."
)


@pytest.mark.parametrize(
    ("text", "ask"),
    [
        (LAMENT, ("long ends", "")),
        (LAMENT, ("between lines", "Portuguese Guitar")),
        (AIR, ("long ends", "Flute")),
        (AIR, ("between lines", "Violin")),
        ("A fado for singer, guitarra portuguesa and guitar. The guitarra opens alone and then answers only in the "
         "singer's pauses with trills.", ("between lines", "Guitarra Portuguesa")),
    ],
)  # fmt: skip
def test_it_is_read_who_waits_for_whom(text: str, ask: tuple[str, str]) -> None:
    """Also where the singer is named only for her pauses."""
    assert ask in {(one.what, one.who) for one in Contract.from_brief(text).asks}


@pytest.mark.parametrize("text", [LAMENT, AIR])
@pytest.mark.parametrize("seed", [0, 1])
def test_ends_are_held_and_filled(text: str, seed: int) -> None:
    contract = Contract.from_brief(text)
    checks = {check.clause: check for check in receipt(contract, compose_score(contract, seed)).checks}
    told = [check for name, check in checks.items() if name.startswith("texture: ")]
    assert len(told) == 2
    assert [check.evidence for check in told if check.passed is not True] == []


def test_the_guitar_of_a_fado_opens_before_the_voice() -> None:
    score = compose_score(Contract.from_brief(LAMENT), 0)
    first = score.bar_lines[4]
    assert int(score.voice("Voice").array["onset"].min()) >= first
    assert (score.voice("Portuguese Guitar").array["onset"] < first).sum() > 12
