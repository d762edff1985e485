"""Filters that open and close: heard, played and checked."""

from __future__ import annotations

from itertools import pairwise

import pytest

from libretto.contract import Contract, read_brief, receipt
from libretto.house import compose_score


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        (
            "Techno with a drum machine and an acid bass. The acid bass twists, its filter slowly opening and closing.",
            [("filter sweeps", "Acid Bass")],
        ),
        ("House for synth pad, synth bass and drums with filter sweeps on the pad", [("filter sweeps", "Synth Pad")]),
        ("A trance track: the saw lead's filter gradually opens over the build.", [("filter opens", "Saw Lead")]),
        ("A techno track for synth lead and drums without filter sweeps", []),
        ("Soft coffee house jazz with a filtered light of morning for piano", []),
    ],
)
def test_filters_are_heard(text: str, asks: list[tuple[str, str]]) -> None:
    heard = [(ask.what, ask.who) for ask in read_brief(text).asks if ask.kind == "articulation"]
    assert heard == asks


def test_a_filter_opens_and_closes_by_small_steps() -> None:
    contract = Contract.from_brief(
        "A techno piece in A minor over 16 bars for drum machine and acid bass, its filter slowly opening and closing"
    )
    score = compose_score(contract, 0)
    bass = next(voice for voice in score.voices if voice.program == 38)
    values = [int(row["value"]) for row in bass.controls if row["kind"] == 74]
    assert max(values) >= 100
    assert min(values) <= 40
    assert max(abs(one - two) for one, two in pairwise(values)) <= 12
    checks = [check for check in receipt(contract, score).checks if "filter" in check.clause]
    assert [check.clause for check in checks if not check.passed] == []
