"""What a concept does, measured: how far its example moves every axis against its plain version.

Sizes are in spreads of real music (a standard deviation over the default cloud), so that axes can be compared.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from libretto.corpus import Cloud, load_cloud
from libretto.grammar import parse
from libretto.knowledge.checking import moved
from libretto.knowledge.concept import Concept

__all__ = ["effect_of", "with_measures"]

_LEAST = 0.1
_TABLES = re.compile(r"^\[(?:attested|effect)\]\n(?:(?!\+\+\+).*\n)*?(?=^\[|^\+\+\+)", re.MULTILINE)


def effect_of(concept: Concept, cloud: Cloud | None = None) -> dict[str, float]:
    """How far the example of a composing concept moves each axis, in spreads; what hardly moves is left out."""
    if concept.base != "composing":
        return {}
    spread = (cloud or load_cloud()).spread
    steps = moved(parse(concept.example), parse(concept.plain))
    sizes = {axis: round(step / spread[axis], 2) for axis, step in steps.items() if spread.get(axis)}
    return {axis: size for axis, size in sorted(sizes.items()) if abs(size) >= _LEAST}


def with_measures(text: str, attested: Mapping[str, tuple[int, int]], effect: Mapping[str, float], cloud: str) -> str:
    """The same file with what was measured of it: the tables ``[attested]`` and ``[effect]`` at the end of its head."""
    start = text.index("+++") + 4
    end = text.index("\n+++", start) + 1
    head = _TABLES.sub("", text[start:end] + "+++").removesuffix("+++").rstrip("\n")
    lines = [head, "", "[attested]", f'cloud = "{cloud}"']
    lines += [f"{genre} = [{shown}, {songs}]" for genre, (shown, songs) in sorted(attested.items())]
    if effect:
        lines += ["", "[effect]", *(f"{axis} = {size}" for axis, size in effect.items())]
    return text[:start] + "\n".join(lines) + "\n" + text[end:]
