"""Echoes where a line leaves no room, or is hardly more than one tone: it falls silent for them."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief, receipt
from libretto.contract.checks.echoes import share_of_echoes
from libretto.house.asks.echoing import echoed
from libretto.house.compose.composer import compose_score

TECHNO = "A techno track with an echo-drenched lead, pounding kick, acid bass"


@pytest.mark.parametrize(
    "brief", [TECHNO, "A house track: an echoing lead over warm chords, bass and drums",
              "A slow ambient piece for piano and strings in G minor with a sparse, echoing motif"],
)  # fmt: skip
def test_what_is_to_echo_echoes(brief: str) -> None:
    contract = read_brief(brief)
    checks = [check for check in receipt(contract, compose_score(contract)).checks if "echoes" in check.clause]
    assert checks
    assert all(check.passed for check in checks), checks


def test_a_line_without_a_gap_makes_room() -> None:
    score = compose_score(read_brief("A baroque toccata in D minor for harpsichord with rapid sixteenths, 16 bars"))
    name, spans = score.voices[0].name, ((1, score.bars),)
    before = share_of_echoes(score, 0, spans)
    assert share_of_echoes(echoed(score, name, spans), 0, spans) > before
