"""Slips that people make."""

from __future__ import annotations

import pytest

from libretto.contract import Contract
from libretto.contract.spelling import spelled
from libretto.contract.tongues import in_english


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("a walz for guitr", "a waltz for guitar"),
        ("clarient and trumptet", "clarinet and trumpet"),
        ("swinging canons, a story", "swinging canons, a story"),
    ],
)
def test_slips_are_put_right(text: str, right: str) -> None:
    assert spelled(in_english(text)).text == right


def test_what_was_written_is_given_back() -> None:
    contract = Contract.from_brief("tango for violin and acordion, with glorps")
    assert [part.name for part in contract.parts] == ["Violin", "Accordion"]
    assert 'instrument: Accordion ("acordion")' in contract.heard
    assert contract.unread == ("with glorps",)
