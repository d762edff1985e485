"""Clauses: what a contract can ask of a piece, each checked by one function; a module a kind of clause."""

from libretto.contract.checks.check import Check, Clause, Receipt, bars_text, clauses, receipt
from libretto.registry import load_all

__all__ = ["Check", "Clause", "Receipt", "bars_text", "clauses", "receipt"]

load_all(__name__)
