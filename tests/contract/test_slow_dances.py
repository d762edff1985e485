"""Slow dances of a decade are that decade's, and waltzes go as fast as they are danced."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief


@pytest.mark.parametrize(
    "text",
    [
        "A sixties slow dance in C for a wedding",
        "A 1960s slow dance song in G",
        "Fifties slow dance for tenor sax, piano, bass and drums",
        "A slow dance from the sixties in F major with saxophone and piano",
    ],
)
def test_a_slow_dance_of_a_decade_is_soul(text: str) -> None:
    contract = read_brief(text)
    assert contract.style == "soul"
    assert contract.tempo_bpm == (56, 76)


@pytest.mark.parametrize(
    ("text", "tempo"),
    [
        ("A Viennese waltz for strings, gentle and flowing.", (150, 180)),
        ("A Viennese waltz for piano, wistful and slow.", (56, 76)),
        ("A flowing waltz in D major at a lilting waltz tempo.", (112, 152)),
    ],
)
def test_a_waltz_goes_as_it_is_danced(text: str, tempo: tuple[int, int]) -> None:
    assert read_brief(text).tempo_bpm == tempo
