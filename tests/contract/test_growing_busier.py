"""Who grows busier: one drummer strikes more, and nobody else grows louder."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, read_brief, receipt
from libretto.house.compose.composer import compose_score

TRIO = "A jazz ballad in C minor over 32 bars for piano, bass and drums. "


def _asks(text: str, kind: str) -> set[tuple[str, str, str]]:
    return {(ask.what, ask.who, ask.where) for ask in read_brief(text).asks if ask.kind == kind}


@pytest.mark.parametrize(
    ("told", "who", "where"),
    [
        ("The drums are sparse, growing more active in the second half.", "Drums", "second half"),
        ("The drums start with brushes, becoming busier in the second half.", "Drums", "second half"),
        ("The drummer gradually grows more active.", "Drums", "second half"),
    ],
)
def test_a_drummer_who_grows_more_active_strikes_more(told: str, who: str, where: str) -> None:
    assert ("busier", who, where) in _asks(TRIO + told, "drums")
    assert not _asks(TRIO + told, "dynamics")


def test_who_has_pitches_and_grows_busier_is_busy_there() -> None:
    assert ("busy", "Bass", "chorus") in _asks("A rock song. The bass becomes more active in the chorus.", "density")
    assert ("growing", "", "bridge") in _asks(TRIO + "The piece grows in the bridge.", "dynamics")


def test_a_drummer_who_starts_with_brushes_does_not_start_alone() -> None:
    assert not _asks(TRIO + "The drummer starts with brushes.", "only")
    assert _asks(TRIO + "The piece starts with drums alone.", "only")


def test_drums_that_grow_busier_are_heard_to() -> None:
    contract = Contract.from_brief(TRIO + "The drummer starts with brushes, growing more active in the second half.")
    checks = {check.clause: check for check in receipt(contract, compose_score(contract)).checks}
    assert all(checks[name].passed for name in checks if name.startswith("drums: "))
    assert any(name.startswith("drums: busier") for name in checks)
    plain = compose_score(Contract.from_brief(TRIO))
    assert not all(check.passed for check in receipt(contract, plain).checks if "busier" in check.clause)
