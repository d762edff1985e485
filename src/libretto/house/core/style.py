"""Styles: what a genre does, as data. One TOML file a style; what a file leaves out it takes from its ``parent``."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from libretto.errors import LibrettoError
from libretto.house.core.style_schema import REQUIRED, check_style
from libretto.registry import named_files, plugin_folders
from libretto.score import Meter

__all__ = ["Style", "load_style", "read_style", "style_files", "style_names", "unnamed_style"]


_SUFFIX = ".toml"
_UNNAMED = "unnamed"


@dataclass(frozen=True)
class Style:
    """Everything the house composer knows of one style."""

    name: str
    genre: str
    title: str
    data: Mapping[str, Any] = field(repr=False)

    @property
    def meter(self) -> Meter:
        """The meter of its pieces where none is asked for."""
        return Meter.parse(self.data["meters"][0])

    @property
    def tempo(self) -> tuple[float, float]:
        """Its usual range of quarter notes a minute."""
        low, high = self.data["tempo"]
        return float(low), float(high)

    def setting(self, table: str, name: str, fallback: Any) -> Any:
        """One setting of a table, or what is usual."""
        return self.data.get(table, {}).get(name, fallback)


def style_files() -> Iterator[tuple[str, Traversable]]:
    """Every style with its file: our own, then those of packages with an entry point of the group `libretto.styles`."""
    return named_files(_SUFFIX, files("libretto.house").joinpath("styles"), *plugin_folders("libretto.styles"))


@cache
def _by_name() -> dict[str, Traversable]:
    """The files of all styles; of two with one name the first."""
    return dict(reversed(list(style_files())))


@cache
def style_names() -> tuple[str, ...]:
    """Every style that there is."""
    return tuple(sorted(_by_name()))


@cache
def load_style(name: str) -> Style:
    """The style of that name, what it inherits included."""
    return _whole(name, _data(name))


def read_style(name: str, said: bytes | Mapping[str, Any]) -> Style:
    """The style that a file or its data say, what it inherits included; one line where that is no style."""
    return _whole(name, _inherited(name, _said(name, said) if isinstance(said, bytes) else said, ()))


def _whole(name: str, data: Mapping[str, Any]) -> Style:
    for needed in REQUIRED:
        if needed not in data:
            raise LibrettoError(f"the style {name} does not say its {needed}")
    if not data["meters"]:
        raise LibrettoError(f"the style {name} names no meters")
    return Style(name, data["genre"], data.get("title", name.replace("_", " ").title()), data)


def unnamed_style(programs: Collection[int], drums: bool, kit: bool | None = None) -> str:
    """The style of a piece for which none was named, by who plays: styles say it of themselves. ``drums`` are any,
    a ``kit`` is a band's (any, where that is not told)."""
    there = set(programs)
    kit = drums if kit is None else kit
    claims: tuple[Callable[[Mapping[str, Any]], bool], ...] = (
        lambda wanted: bool(there & set(wanted.get("any", ()))) or (drums and _has_all(wanted, "drummed", there)),
        lambda wanted: not kit and _claims(wanted, "all", there),
        lambda wanted: kit and _claims(wanted, "banded", there),
        lambda wanted: not kit and _has_all(wanted, "scored", there),
        lambda wanted: bool(wanted.get("otherwise")),
    )
    return next((name for claim in claims for name, wanted in _unnamed().items() if claim(wanted)), "")


def _has_all(wanted: Mapping[str, Any], key: str, programs: Collection[int]) -> bool:
    """Whether a style names every one of some programs under a key."""
    return bool(programs) and set(wanted.get(key, ())).issuperset(programs)


def _claims(wanted: Mapping[str, Any], key: str, programs: Collection[int]) -> bool:
    """Whether a style has some of the programs for its own under a key, and no others play but those beside them."""
    own = set(wanted.get(key, ()))
    return bool(own.intersection(programs)) and own.union(wanted.get("beside", ())).issuperset(programs)


@cache
def _unnamed() -> dict[str, Mapping[str, Any]]:
    """What styles say of pieces that name none, by style."""
    texts = {name: file.read_text(encoding="utf-8") for name, file in sorted(_by_name().items())}
    return {name: tomllib.loads(text)[_UNNAMED] for name, text in texts.items() if f"[{_UNNAMED}]" in text}


def _data(name: str, heirs: tuple[str, ...] = ()) -> dict[str, Any]:
    """What a style says, over what its parents say."""
    if name not in style_names() or name in heirs:
        raise LibrettoError(f"there is no style {name!r}; there are {', '.join(style_names())}")
    return _inherited(name, _said(name, _by_name()[name].read_bytes()), heirs)


def _said(name: str, file: bytes) -> dict[str, Any]:
    """What the file of a style says by itself."""
    try:
        return tomllib.loads(file.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise LibrettoError(f"the style {name} is no TOML: {' '.join(str(error).split())}") from None


def _inherited(name: str, data: Mapping[str, Any], heirs: tuple[str, ...]) -> dict[str, Any]:
    """What a style says by itself, over what its parents say."""
    check_style(name, data)
    parent = data.get("parent")
    if not parent:
        return dict(data)
    fresh = (*data.get("fresh", ()), _UNNAMED)  # tables that a style writes anew and does not add to
    inherited = {key: value for key, value in _data(parent, (*heirs, name)).items() if key not in fresh}
    return _merged(inherited, data)


def _merged(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """What a style says over what its parent says, table by table; lists are replaced whole."""
    joined = dict(old)
    for key, value in new.items():
        both = isinstance(value, Mapping) and isinstance(joined.get(key), Mapping)
        joined[key] = _merged(joined[key], value) if both else value
    return joined
