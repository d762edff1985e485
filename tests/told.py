"""What a brief asks for, heard and done: one check for tests of many ways to say it."""

from __future__ import annotations

from collections.abc import Collection

from libretto.contract import Contract, receipt
from libretto.house.compose.composer import compose_score

__all__ = ["heard_and_done"]


def heard_and_done(text: str, asks: Collection[str]) -> None:
    """Fail unless a brief is read as asking for these things, and the piece composed from it does all of them."""
    contract = Contract.from_brief(text)
    assert set(asks) <= {ask.text for ask in contract.asks}
    checks = {check.clause: check for check in receipt(contract, compose_score(contract, 0)).checks}
    assert [checks[ask].evidence for ask in asks if checks[ask].passed is not True] == []
