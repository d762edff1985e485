"""A theme that somebody introduces alone, and a murmur below who takes it up."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, read_brief, receipt
from libretto.house.compose.composer import compose_score

STRINGS = "A slow romantic piece in E minor over 32 bars for string orchestra. "
ALONE = "The cellos introduce the main theme alone before the first violins take it up. "
MURMUR = "The second violins and violas supply a murmuring accompaniment, growing in motion, over the double basses."


def test_who_introduces_a_theme_alone_has_the_first_quarter() -> None:
    asks = {(ask.kind, ask.who, ask.where) for ask in read_brief(STRINGS + ALONE + MURMUR).asks}
    assert {("only", "Cello", "first quarter"), ("lead", "First Violins", "outside first quarter")} <= asks


@pytest.mark.parametrize(
    ("told", "what", "who"),
    [
        (STRINGS + ALONE + MURMUR, "murmur growing", "Second Violins + Viola"),
        ("A lullaby for flute and viola. The viola has a murmuring accompaniment.", "murmur", "Viola"),
        ("A trio. The clarinet and bassoon murmur beneath the oboe.", "murmur", "Clarinet + Bassoon"),
    ],
)
def test_who_murmurs_is_read(told: str, what: str, who: str) -> None:
    asks = [ask for ask in read_brief(told).asks if ask.kind == "texture"]
    assert [(ask.what, ask.who) for ask in asks] == [(what, who)]


def test_a_murmur_rocks_and_quickens_after_the_theme_was_alone() -> None:
    contract = Contract.from_brief(STRINGS + ALONE + MURMUR)
    checks = {check.clause: check for check in receipt(contract, compose_score(contract)).checks}
    told = [check for name, check in checks.items() if name.startswith(("only: ", "texture: murmur"))]
    assert [check.passed for check in told] == [True, True]
    plain = compose_score(Contract.from_brief(STRINGS + "First violins, second violins, violas, cellos, basses."))
    missed = [check for check in receipt(contract, plain).checks if check.clause.startswith("texture: murmur")]
    assert [check.passed for check in missed] == [False]
