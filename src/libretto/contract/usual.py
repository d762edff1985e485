"""What is usual: words that ask for no more than a style's own figure, such as the picking fingers of a batida."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from libretto.contract.asks import Ask
from libretto.contract.cast import Cast, Part
from libretto.contract.words import rows_of

__all__ = ["as_usual"]

_ROLE, _PLAIN = "role", "comping"


@cache
def _table() -> frozenset[tuple[str, str, str, str]]:
    """Style, kind of ask, what is asked, and of whom."""
    return frozenset(
        (style.strip(), kind, what, name.strip())
        for styles, kind, what, names in rows_of("usual.txt")
        for style in styles.split(",")
        for name in names.split(",")
    )


def as_usual(style: str, cast: Cast, asks: Sequence[Ask], assumed: list[str]) -> tuple[Cast, tuple[Ask, ...]]:
    """Cast and asks without what the style's players do anyway; what was so taken is told."""
    instruments = {part.name: part.instrument for part in cast.parts}
    kept = tuple(
        ask
        for ask in asks
        if ask.where or (style, ask.kind, ask.what, instruments.get(ask.who, ask.who)) not in _table()
    )
    parts = tuple(_plain(style, part) for part in cast.parts)
    if len(kept) < len(asks) or parts != cast.parts:
        assumed.append(f"Chords that are picked or rolled keep the {style}'s own rhythm.")
    return replace(cast, parts=parts), kept


def _plain(style: str, part: Part) -> Part:
    """A part in the style's own figure where its role said no more."""
    return replace(part, role=_PLAIN) if (style, _ROLE, part.role, part.instrument) in _table() else part
