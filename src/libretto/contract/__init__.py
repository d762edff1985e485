"""Contracts: what a brief asks for, clause by clause, and whether a piece keeps it."""

from typing import TYPE_CHECKING

from libretto.registry import lazy_names

if TYPE_CHECKING:
    from libretto.contract.brief import MAX_BRIEF
    from libretto.contract.cast import Part
    from libretto.contract.character import GENRES
    from libretto.contract.checks import Check, Receipt, clauses, receipt
    from libretto.contract.contract import Contract, read_brief
    from libretto.contract.frame import frame
    from libretto.contract.instruments import Instrument, Mention, find_instruments, instrument_of_program, instruments
    from libretto.contract.text import contract_from_text, contract_to_json, contract_to_toml, describe

__all__ = [
    "GENRES",
    "MAX_BRIEF",
    "Check",
    "Contract",
    "Instrument",
    "Mention",
    "Part",
    "Receipt",
    "clauses",
    "contract_from_text",
    "contract_to_json",
    "contract_to_toml",
    "describe",
    "find_instruments",
    "frame",
    "instrument_of_program",
    "instruments",
    "read_brief",
    "receipt",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "brief": "MAX_BRIEF",
        "cast": "Part",
        "character": "GENRES",
        "checks": "Check Receipt clauses receipt",
        "contract": "Contract read_brief",
        "frame": "frame",
        "instruments": "Instrument Mention find_instruments instrument_of_program instruments",
        "text": "contract_from_text contract_to_json contract_to_toml describe",
    },
)
