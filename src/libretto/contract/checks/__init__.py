"""Clauses: what a contract can ask of a piece, each checked by one function; a module a kind of clause."""

from libretto.contract.checks.check import Check, Clause, Receipt, bars_text, clauses, receipt

__all__ = ["Check", "Clause", "Receipt", "bars_text", "clauses", "receipt"]
