"""A contract as text, TOML or JSON, both ways; what is wrong with one is said with its line.

TOML has no word for nothing: a field that is open is left out.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import tomli_w

from libretto.contract.contract import Contract
from libretto.errors import ContractError, TooLarge

__all__ = ["MAX_CHARACTERS", "contract_from_text", "contract_to_json", "contract_to_toml", "describe"]

_OPEN = (None, "")  # what a contract leaves open
_HALVES = re.compile("[\ud800-\udfff]")
MAX_CHARACTERS = 200_000  #: the longest text of a contract that is read
_TOLD = 0.2  # a leaning this strong is worth telling
_NEWLINE = "\n"


def contract_to_json(contract: Contract) -> str:
    """The contract as JSON, one field a line where it can be."""
    return json.dumps(contract.to_dict(), indent=2, ensure_ascii=False) + "\n"


def contract_to_toml(contract: Contract) -> str:
    """The contract as TOML, for a person to read and change.

    >>> contract_from_text(contract_to_toml(Contract(title="Tides", bars=16))).bars
    16
    """
    return tomli_w.dumps(_without_nothing(contract.to_dict()))


def _without_nothing(value: Any) -> Any:
    """Plain data without what is None, and without halves of characters, which no file can hold."""
    if isinstance(value, dict):
        return {name: _without_nothing(inner) for name, inner in value.items() if inner is not None}
    if isinstance(value, list):
        return [_without_nothing(inner) for inner in value]
    return _HALVES.sub("\ufffd", value) if isinstance(value, str) else value


def contract_from_text(text: str) -> Contract:
    """The contract in a text, JSON where it opens with a brace, TOML otherwise."""
    if len(text) > MAX_CHARACTERS:
        raise TooLarge(f"the contract has more than {MAX_CHARACTERS:,} characters")
    text = text.removeprefix("\ufeff")
    data = _json(text) if text.lstrip().startswith("{") else _toml(text)
    try:
        return Contract.from_dict(data)
    except ContractError as error:
        field = str(error).partition(":")[0]
        place = re.search(rf'^[ \t{{,]*\[{{0,2}}"?{re.escape(field)}"?\]{{0,2}}', text, re.MULTILINE)
        line = f"line {text.count(_NEWLINE, 0, place.start()) + 1}: " if place else ""
        raise ContractError(f"{line}{error}") from None


def _json(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise ContractError(f"line {error.lineno}, column {error.colno}: {error.msg}") from None
    except (RecursionError, ValueError):
        raise ContractError("the contract is nested too deeply or holds a number that is too long") from None
    if not isinstance(data, dict):
        raise ContractError("line 1: a contract is a table of fields")
    return data


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        words = re.sub(r"\s*\(at (line \d+, column \d+|end of document)\)", "", str(error))
        place = re.search(r"at (line \d+, column \d+|end of document)", str(error))
        where = place[1] if place and place[1].startswith("line") else f"line {text.count(_NEWLINE) + 1}, at the end"
        raise ContractError(f"{where}: {words}") from None
    except (RecursionError, ValueError):
        raise ContractError("the contract is nested too deeply or holds a number that is too long") from None


def describe(contract: Contract, *, whole: bool = True) -> tuple[str, ...]:
    """The contract for a person, line by line: understood, assumed, left unread; ``whole`` shows what is open, too."""
    rows = (
        ("title", contract.title),
        ("key", contract.key),
        ("meter", contract.meter),
        ("tempo", _band(contract.tempo_bpm)),
        ("bars", contract.bars),
        ("form", " ".join(contract.form)),
        ("chords", " ".join(contract.chords)),
        ("parts", "; ".join(f"{part.name} ({part.role})" for part in contract.parts)),
        ("drums", {True: "yes", False: "no", None: None}[contract.drums]),
        ("genre", contract.genre),
        ("style", contract.style),
        ("mood", ", ".join(contract.mood)),
        ("leanings", _leanings(contract)),
        ("ending", contract.ending),
    )
    more = (("scale", contract.scale), ("for", contract.dedication))
    said = [(name, value) for name, value in rows if whole or value not in _OPEN]
    lines = [f"{name:<9} {'(open)' if value in _OPEN else value}" for name, value in said]
    lines += [f"{name:<9} {value}" for name, value in more if value]
    lines += [f"asked     {ask.text}" for ask in contract.asks]
    lines += [f"assumed   {sentence}" for sentence in contract.assumed]
    return tuple(lines + [f"unread    {phrase}" for phrase in contract.unread])


def _band(tempo: tuple[float, float] | None) -> str | None:
    """A tempo in a word or two; None where it is open."""
    if tempo is None:
        return None
    return f"{tempo[0]:g}" if tempo[0] == tempo[1] else f"{tempo[0]:g}-{tempo[1]:g}"


def _leanings(contract: Contract) -> str:
    """What a contract leans towards, as far as it is worth telling."""
    told = {name: value for name, value in contract.to_dict()["leanings"].items() if abs(value) >= _TOLD}
    return ", ".join(f"{name} {value:+.1f}" for name, value in told.items())
