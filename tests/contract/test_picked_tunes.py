"""Tunes that are picked with the fingers are tunes, and an oud is of Arabia."""

from __future__ import annotations

import pytest

from libretto import Contract


def _role(contract: Contract, name: str) -> str:
    return next(part.role for part in contract.parts if part.name == name)


@pytest.mark.parametrize("what", ["fingerpicked melodies", "a tender fingerpicked melody", "a finger-picked tune"])
def test_who_picks_a_melody_leads(what: str) -> None:
    contract = Contract.from_brief(f"A folk piece in G major: the guitar plays {what}, while the ukulele strums.")
    assert _role(contract, "Guitar") == "lead"
    assert not any(ask.who == "Guitar" and ask.what in ("rolls", "arpeggio") for ask in contract.asks)


def test_who_picks_patterns_has_them() -> None:
    contract = Contract.from_brief("A folk piece in G major: the guitar plays fingerpicked patterns, the flute sings.")
    assert _role(contract, "Guitar") == "arpeggio"
    assert ("rolls", "Guitar") in {(ask.what, ask.who) for ask in contract.asks}


@pytest.mark.parametrize(
    ("brief", "style"),
    [
        ("A winding motif in D minor for oud and frame drum that conveys heat and mystery.", "arabic"),
        ("A winding motif in D minor for clarinet and frame drum that conveys heat and mystery.", "thriller"),
        ("A jazz ballad for oud and double bass.", "jazz"),
        ("A flamenco dance for guitar and oud.", "flamenco"),
    ],
)
def test_an_oud_is_of_arabia_where_no_music_is_named(brief: str, style: str) -> None:
    assert Contract.from_brief(brief).style == style
