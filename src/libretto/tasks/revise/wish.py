"""Wishes: a quality, more or less of it, or a kind of change, in which voices and bars."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from libretto.errors import LibrettoError

__all__ = ["A_LITTLE", "MUCH", "Quality", "Wish", "kinds", "qualities"]

#: How much of a change is wanted, as a share of the usual one, where somebody says so.
A_LITTLE, MUCH = 0.5, 1.5
_STRONGEST = 2.0
_DEGREES = {A_LITTLE: "a little ", MUCH: "much "}
_MOST_SAID = 200  # characters of a wish in a message


@dataclass(frozen=True)
class Quality:
    """Something a piece can have more or less of: its words, what to call either way, how far an ear notices."""

    name: str
    more: tuple[str, ...]
    less: tuple[str, ...]
    called: tuple[str, str]
    least: float
    share: bool
    knobs: Mapping[str, float]


@cache
def qualities() -> Mapping[str, Quality]:
    """Every quality that words are known for."""
    table = tomllib.loads(files("libretto.tasks.revise").joinpath("wishes.toml").read_text(encoding="utf-8"))
    read = {
        name: Quality(
            name,
            tuple(row["more"]),
            tuple(row["less"]),
            (row["called"][0], row["called"][1]),
            float(row["least"]),
            bool(row.get("share", False)),
            MappingProxyType(dict(row.get("knobs", {}))),
        )
        for name, row in table.items()
    }
    return MappingProxyType(read)


@cache
def kinds() -> Mapping[str, Mapping[str, Any]]:
    """Every kind of change that is named outright, with what it is called and the words that ask for it."""
    return MappingProxyType(
        tomllib.loads(files("libretto.tasks.revise").joinpath("changes.toml").read_text(encoding="utf-8"))
    )


@dataclass(frozen=True)
class Wish:
    """More (1) or less (-1) of a quality in some voices and bars; or a kind of change with its ``target``.

    No voices mean all of them; bars are by number, both ends included; ``spans`` are all stretches where there are
    several, and ``first`` and ``last`` then their outer ends. ``said`` are the words it was read from, and ``chosen``
    is what nobody said and was chosen.
    """

    quality: str
    way: int = 1
    voices: tuple[str, ...] = ()
    first: int = 1
    last: int = 1
    strength: float = 1.0
    target: str = ""
    said: str = ""
    spans: tuple[tuple[int, int], ...] = ()
    chosen: str = ""

    def __post_init__(self) -> None:
        if self.quality not in qualities() and self.quality not in kinds():
            known = ", ".join((*qualities(), *kinds()))
            raise LibrettoError(f"there is no quality {self.quality[:_MOST_SAID]!r}; there are {known}")
        ordered = all(first <= last for first, last in (*self.spans, (self.first, self.last)))
        if self.way not in (1, -1) or not 0 < self.strength <= _STRONGEST or not ordered:
            raise LibrettoError(f"a wish cannot be like this: {self!r}"[:_MOST_SAID])

    @property
    def where(self) -> tuple[tuple[int, int], ...]:
        """The stretches of bars that it is about."""
        return self.spans or ((self.first, self.last),)

    def at(self, spans: Sequence[tuple[int, int]]) -> Wish:
        """The same wish in other bars."""
        low, high = min(first for first, _ in spans), max(last for _, last in spans)
        return replace(self, first=low, last=high, spans=tuple(spans) if len(spans) > 1 else ())

    @property
    def text(self) -> str:
        """The wish in a musician's words, with where and why."""
        if self.quality in qualities():
            what = qualities()[self.quality].called[0 if self.way > 0 else 1]
            what = _DEGREES.get(self.strength, "") + what
        elif self.quality == "key" and self.target[:1] in ("+", "-"):
            what = f"moved by {self.target} semitones"
        else:
            what = str(kinds()[self.quality]["called"]).format(self.target)
        spans = [f"bar {one}" if one == two else f"bars {one}-{two}" for one, two in self.where]
        who = ", ".join(self.voices) or "everyone"
        chosen = f" [{self.chosen}]" if self.chosen else ""
        return f"{what}: {who}, {', '.join(spans)}{chosen}" + (f' ("{self.said}")' if self.said else "")

    def to_dict(self) -> dict[str, Any]:
        """The wish as plain data."""
        data = {**asdict(self), "voices": list(self.voices), "spans": [list(span) for span in self.spans]}
        return {name: value for name, value in data.items() if value or name not in ("spans", "chosen")}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Wish:
        """A wish from plain data; one line says what is wrong with it."""
        try:
            known: dict[str, Any] = {name: data[name] for name in cls.__dataclass_fields__ if name in data}
            known["voices"] = tuple(str(name) for name in known.get("voices", ()))
            known["spans"] = tuple((int(one), int(two)) for one, two in known.get("spans", ()))
            for name, kind in (("way", int), ("first", int), ("last", int), ("strength", float)):
                known[name] = kind(known.get(name, 1))
            words: dict[str, Any] = {name: str(known.get(name, "")) for name in ("quality", "target", "said", "chosen")}
            return cls(**(known | words))
        except (KeyError, TypeError, ValueError) as error:
            raise LibrettoError(f"this is not a wish: {error}") from None
