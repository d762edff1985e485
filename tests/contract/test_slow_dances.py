"""Slow dances of a decade are that decade's."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief


@pytest.mark.parametrize(
    "text",
    [
        "A sixties slow dance in C for a wedding",
        "A 1960s slow dance song in G",
        "Fifties slow dance for tenor sax, piano, bass and drums",
    ],
)
def test_a_slow_dance_of_a_decade_is_soul(text: str) -> None:
    contract = read_brief(text)
    assert contract.style == "soul"
    assert contract.tempo_bpm == (56, 76)
