"""Wishes: what a person wants changed, as data: a quality, more or less of it, in which voices and bars."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from libretto.errors import LibrettoError

__all__ = ["A_LITTLE", "MUCH", "Quality", "Wish", "qualities"]

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


@dataclass(frozen=True)
class Wish:
    """More (1) or less (-1) of a quality in some voices and bars; or a ``target`` for ``key`` and ``instrument``.

    No voices mean all of them; bars are by number, both ends included. ``said`` are the words it was read from.
    """

    quality: str
    way: int = 1
    voices: tuple[str, ...] = ()
    first: int = 1
    last: int = 1
    strength: float = 1.0
    target: str = ""
    said: str = ""

    def __post_init__(self) -> None:
        if self.quality not in (*qualities(), "key", "instrument"):
            raise LibrettoError(f"there is no quality {self.quality!r}; there are {', '.join(qualities())}")
        if self.way not in (1, -1) or not 0 < self.strength <= _STRONGEST or self.first > self.last:
            raise LibrettoError(f"a wish cannot be like this: {self!r}"[:_MOST_SAID])

    @property
    def text(self) -> str:
        """The wish in a musician's words, with where and why."""
        if self.quality == "key":
            what = f"moved by {self.target} semitones" if self.target[:1] in "+-" else f"in {self.target}"
        elif self.quality == "instrument":
            what = f"played on {self.target}"
        else:
            what = qualities()[self.quality].called[0 if self.way > 0 else 1]
            what = _DEGREES.get(self.strength, "") + what
        bars = f"bar {self.first}" if self.first == self.last else f"bars {self.first}-{self.last}"
        who = ", ".join(self.voices) or "everyone"
        return f"{what}: {who}, {bars}" + (f' ("{self.said}")' if self.said else "")

    def to_dict(self) -> dict[str, Any]:
        """The wish as plain data."""
        return {**asdict(self), "voices": list(self.voices)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Wish:
        """A wish from plain data; one line says what is wrong with it."""
        try:
            known: dict[str, Any] = {name: data[name] for name in cls.__dataclass_fields__ if name in data}
            known["voices"] = tuple(str(name) for name in known.get("voices", ()))
            for name, kind in (("way", int), ("first", int), ("last", int), ("strength", float)):
                known[name] = kind(known.get(name, 1))
            words: dict[str, Any] = {name: str(known.get(name, "")) for name in ("quality", "target", "said")}
            return cls(**(known | words))
        except (KeyError, TypeError, ValueError) as error:
            raise LibrettoError(f"this is not a wish: {error}") from None
