"""What was understood of a brief put right: by saying it otherwise, or field by field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from libretto.contract.brief import understand
from libretto.contract.contract import Contract
from libretto.contract.heard import Heard
from libretto.errors import LibrettoError

__all__ = ["MOST_CORRECTIONS", "amended", "corrected_by", "fields_of"]

#: Corrections that are taken at once.
MOST_CORRECTIONS = 100
_LONGEST_WORDS = 2_000
#: What words can put in place of what a contract said; a mood or an ask comes beside what there was.
_REPLACED = (
    *("title", "key", "meter", "bars", "form", "chords", "parts", "genre", "style", "ending", "dedication", "scale"),
)
_LEANINGS = ("density", "register", "dynamics", "brightness")
_NAMES = {"tempo": "tempo_bpm"}  # what a person calls a field, where that is another name
#: The fields that one can put right, in the order in which they are told.
_FIELDS = (
    *("title", "key", "meter", "tempo_bpm", "bars", "form", "chords", "parts", "drums", "genre", "style", "mood"),
    *("ending", "scale", "dedication"),
)
_OPEN: tuple[Any, ...] = (None, "", [], ())
_CORRECTED = "corrected"  # where the words of a brief stand otherwise
_SHOWN = 40  # characters of a wrong name that an error repeats


def amended(brief: str, corrections: Sequence[Any]) -> tuple[Contract, list[Heard]]:
    """The contract of a brief with corrections, and what of the brief's and the corrections' words was heard.

    Each is some words ("in 24 bars, without drums"), or ``{"words": ...}``; ``{"key": "bars", "value": 24}``, where no
    value leaves a field open again; or ``{"drop": "..."}``: what was heard, by its value or its words, is read as if it
    had not been said.
    """
    if len(corrections) > MOST_CORRECTIONS:
        raise LibrettoError(f"at most {MOST_CORRECTIONS} corrections are taken at once")
    said = [brief, *filter(None, map(_words, corrections))]
    for one in corrections:
        if _kind(one) == "drop":
            said = _unsaid(said, one["drop"])
    contract = _read(said)
    for one in corrections:
        if _kind(one) == "key":
            contract = _with_field(contract, one["key"], one.get("value"))
    known = set(contract.heard)
    return contract, [one for words in said for one in understand(words).heard if one.line in known]


def _kind(one: Any) -> str:
    """What a correction is: ``words``, ``drop`` or ``key``."""
    if _words(one):
        return "words"
    for kind in ("drop", "key"):
        if isinstance(one, Mapping) and isinstance(one.get(kind), str):
            return kind
    raise LibrettoError("a correction is some words, a key with a value, or what is to be dropped")


def _read(said: Sequence[str]) -> Contract:
    """The contract of a brief and of what was said after it, the later over the earlier."""
    contract = Contract.from_brief(said[0])
    for words in said[1:]:
        newer = Contract.from_brief(words)
        heard = _told_anew(contract, newer)
        contract = replace(corrected_by(contract, newer), unread=(*contract.unread, *newer.unread), heard=heard)
    return contract


def _words(one: Any) -> str:
    """A correction that is words; empty where it is something else."""
    words = one.get("words") if isinstance(one, Mapping) else one
    return words if isinstance(words, str) and words.strip() and len(words) <= _LONGEST_WORDS else ""


def _unsaid(said: Sequence[str], dropped: str) -> list[str]:
    """The texts without the words from which something was heard."""
    for index, words in enumerate(said):
        for one in understand(words).heard:
            if dropped in (one.value, one.words) and one.end > one.start:
                rest = words[: one.start].rstrip(" ,;") + " " + words[one.end :].lstrip()
                return [*said[:index], rest.strip(), *said[index + 1 :]]
    raise LibrettoError(f"nothing that was asked reads {dropped[:_SHOWN]!r}")


def corrected_by(contract: Contract, said: Contract) -> Contract:
    """A contract with what another says outright in place of what it said."""
    given = _outright(said)
    if said.drums is False and "parts" not in given:
        given["parts"] = tuple(part for part in contract.parts if not part.drums)
    newer = {(ask.kind, ask.who, ask.where) for ask in said.asks}
    asks = tuple(ask for ask in contract.asks if (ask.kind, ask.who, ask.where) not in newer) + said.asks
    return replace(contract, **given, asks=asks)


def _outright(said: Contract) -> dict[str, Any]:
    """The fields that a contract says outright: what it only assumes is not among them."""
    empty = Contract()
    given: dict[str, Any] = {
        name: getattr(said, name) for name in _REPLACED if getattr(said, name) != getattr(empty, name)
    }
    kinds = {line.partition(":")[0] for line in said.heard}
    if said.tempo_bpm is not None and "tempo" in kinds:
        given["tempo_bpm"] = said.tempo_bpm
    if said.drums is not None:
        given["drums"] = said.drums
    if said.mood:
        given |= {name: getattr(said, name) for name in ("mood", *_LEANINGS)}
    return given


def _told_anew(contract: Contract, said: Contract) -> tuple[str, ...]:
    """What was heard, without what the newer words say otherwise."""
    kinds = {line.partition(":")[0] for line in said.heard}
    return (*(line for line in contract.heard if line.partition(":")[0] not in kinds), *said.heard)


def _with_field(contract: Contract, name: str, value: Any) -> Contract:
    name = _NAMES.get(name, name)
    data = contract.to_dict()
    if name not in _FIELDS:
        raise LibrettoError(f"there is no field {name[:_SHOWN]!r} to correct; there are {', '.join(_FIELDS)}")
    if name == "tempo_bpm" and isinstance(value, int | float):
        value = [value, value]
    if name == "parts" and isinstance(value, list):
        cast = Contract.from_brief(f"For {', '.join(map(str, value))}.").parts
        value = [{"name": part.name, "program": part.program, "role": part.role} for part in cast]
    data[name] = type(data[name])() if value is None and isinstance(data[name], str | list) else value
    plain = name.removesuffix("_bpm")
    heard = [line for line in data["heard"] if line.partition(":")[0] not in (name, plain, _KIND.get(name))]
    told = [] if value is None else [Heard(_KIND.get(name, plain), str(value), _CORRECTED, 0, 0).line]
    return Contract.from_dict(data | {"heard": [*heard, *told]})


def fields_of(contract: Contract) -> list[dict[str, Any]]:
    """The fields that hold something: key, value, and whether a brief's words asked for it."""
    data = contract.to_dict()
    kinds = {line.partition(":")[0].replace(" ", "_") for line in contract.heard}
    rows = []
    for name in _FIELDS:
        if data[name] in _OPEN:
            continue
        value = [part["name"] for part in data["parts"]] if name == "parts" else data[name]
        plain = name.removesuffix("_bpm")
        rows.append({"key": plain, "value": value, "asked": bool({name, plain, _KIND.get(name, "")} & kinds)})
    return rows


_KIND = {"parts": "instrument", "drums": "instrument"}  # what is heard under another name
