"""Lands: names of places, peoples, times and feasts that call for a style where a brief names none."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from libretto.contract.character import Style, style_named
from libretto.contract.words import Found, Phrases, rows_of, words_of

__all__ = ["is_of_a_land", "land_names", "land_words", "style_of_land"]

_OF_ANY_LAND = words_of("music of any land")
_WEAK = (words_of("styles that are manners") | words_of("scenes of a land")) - words_of("manners of a band")


@cache
def _lands() -> Phrases[str]:
    """Names of lands and feasts, each with the name that music from there has."""
    return Phrases([(land, row[0]) for row in rows_of("lands.txt") for land in row[1].split(",")])


@cache
def land_names() -> frozenset[str]:
    """Every name of a land or a people, and what music from there is called; times and kinds of music are none."""
    rows = [row for row in rows_of("lands.txt") if row[0] not in words_of("kinds that are no lands")]
    return frozenset(name.strip() for row in rows for name in (row[0], *row[1].split(",")))


def is_of_a_land(name: str) -> bool:
    """Whether a name of music is that of a land: Greek, Balkan.

    >>> is_of_a_land("Greek"), is_of_a_land("folk")
    (True, False)
    """
    return name.lower() in {row[0] for row in rows_of("lands.txt")}


def land_words(text: str) -> set[str]:
    """What music is called that the lands of a text call for, and the first word of that: ``Cairo`` is Egyptian."""
    names = {land.value for land in _lands().find(text)}
    return names | {name.split()[0] for name in names}


def style_of_land(text: str, body: int, style: Style | None, named: Sequence[Found[Style]]) -> Found[Style] | None:
    """The style that a land, a people or a feast calls for, where no ``style`` is ``named`` but by words for a manner
    or a scene, or as music of any land right after it: Danish folk; what the title names comes last, which ends at
    ``body``."""
    told = [text[one.start : one.end].lower() for one in named if one.value is style]
    lands = _lands().find(text)
    if not set(told) <= _WEAK:
        plain = [one.start for one in named if one.value is style and set(told) <= _OF_ANY_LAND]
        lands = [land for land in lands if any(text[land.end : start] == " " for start in plain)]
    for land in sorted(lands, key=lambda one: one.start < body):
        own = style_named(land.value)
        if own is not None:
            return Found(own, land.start, land.end, land.first, land.last)
    return None
