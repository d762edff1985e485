"""Groupings of uneven bars: read, heard in drums, bass and strum whatever a chart was written in, and checked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from libretto.contract import Contract, receipt
from libretto.contract.asks import Ask
from libretto.contract.checks.grouping import grouping_of
from libretto.house.compose.composer import compose_score

DANCE = (
    "A lively Macedonian dance in E minor in 7/8 {} with gaida, kaval, tambura and tapan. Em, D, C, B7 over 24 bars. "
    "The tambura strums the uneven rhythm."
)


@pytest.mark.parametrize(
    ("words", "groups"),
    [
        ("grouped 2+2+3", "2+2+3"),
        ("counted 3 + 2 + 2", "3+2+2"),
        ("felt short-short-long", "2+2+3"),
        ("that goes long, short, short", "3+2+2"),
        ("", ""),
    ],
)
def test_groupings_are_read(words: str, groups: str) -> None:
    asks = [ask.what for ask in Contract.from_brief(DANCE.format(words)).asks if ask.kind == "feel"]
    assert asks == [groups] * bool(groups)


@pytest.mark.parametrize("groups", ["2+2+3", "3+2+2"])
@pytest.mark.parametrize("seed", [0, 1])
def test_a_band_plays_the_grouping_that_is_asked_for(groups: str, seed: int) -> None:
    """Whatever a chart was written in; and nobody joins who was not named."""
    contract = Contract.from_brief(DANCE.format(f"grouped {groups}"))
    score = compose_score(contract, seed)
    checks = {check.clause: check.passed for check in receipt(contract, score).checks}
    assert checks[f"feel: {groups}"] is True
    assert [voice.name for voice in score.voices] == ["Gaida", "Kaval", "Tambura", "Tapan"]
    other = "3+2+2" if groups == "2+2+3" else "2+2+3"
    damaged = replace(contract, asks=(Ask("feel", other),))
    assert receipt(damaged, score).checks[-1].passed is False


def test_bars_keep_their_length_and_their_downbeats() -> None:
    """Only what lies within a bar moves."""
    spans = ((1, 24),)
    own = compose_score(Contract.from_brief(DANCE.format("grouped 2+2+3")), 0)
    other = compose_score(Contract.from_brief(DANCE.format("grouped 3+2+2")), 0)
    assert own.bar_lines == other.bar_lines
    assert grouping_of(own, spans, (2, 2, 3)) == (2, 2, 3)
    assert grouping_of(other, spans, (3, 2, 2)) == (3, 2, 2)


def test_ornaments_of_a_quick_tune_are_crushed_into_it() -> None:
    """A dance in eighths has them too: most bars of the line have a quick note."""
    text = DANCE.format("grouped 2+2+3") + " The gaida leads with ornamented melodies."
    contract = Contract.from_brief(text)
    told = {check.clause: check.passed for check in receipt(contract, compose_score(contract, 0)).checks}
    assert told["density: ornate, Gaida"] is True
