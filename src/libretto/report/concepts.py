"""Concepts in words for a terminal, and as plain data."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from libretto.axes import axes
from libretto.gates.finding import bars_in_words
from libretto.knowledge import Concept, Sighting

__all__ = ["as_data", "concept_lines", "list_lines", "sighting_lines"]

_LEAST_ROOM, _LEAST_KEY = 30, 20  # characters for what a concept is, and for its name
_WIDTH = 100
_PLACES = 6


def as_data(concept: Concept) -> dict[str, Any]:
    """A concept as plain data."""
    names = ("key", "title", "families", "genres", "own", "level", "about", "doing", "example", "plain", "raises")
    data = {name: getattr(concept, name) for name in (*names, "lowers", "related", "words", "cloud")}
    data["attested"] = {genre: list(counts) for genre, counts in concept.attested.items()}
    data["effect"] = dict(concept.effect)
    data["detector"] = [dict(condition) for condition in concept.detector]
    return {name: list(value) if isinstance(value, tuple) else value for name, value in data.items()}


def list_lines(concepts: Sequence[Concept]) -> list[str]:
    """One line a concept: its name, and its first sentence."""
    width = max((len(concept.key) for concept in concepts), default=0)
    room = max(_LEAST_ROOM, _WIDTH + _LEAST_KEY - width)
    return [
        f"{concept.key:<{width}}  {textwrap.shorten(_first(concept.about), room, placeholder=' ...')}"
        for concept in concepts
    ]


def _first(text: str) -> str:
    flat = " ".join(text.split())
    end = flat.find(". ")
    return flat[: end + 1] if end > 0 else flat


def concept_lines(concept: Concept) -> list[str]:
    """Everything a person wants to know of a concept."""
    where = f"level {concept.level}" if concept.level else ", ".join(concept.genres).replace("_", " ") or "any genre"
    lines = [concept.title, f"{concept.key}; {', '.join(concept.families)}; {where}", ""]
    lines += [*_wrapped(concept.about), "", *_wrapped(concept.doing), "", concept.example.rstrip(), ""]
    for words, names in (("more", concept.raises), ("less", concept.lowers)):
        lines += [f"  {words}: {axes[name].meaning.rstrip('.')}" for name in names if name in axes]
    seen = {genre: counts for genre, counts in concept.attested.items() if counts[0]}
    if concept.attested:
        shown = sorted(seen, key=lambda genre: -seen[genre][0] / max(1, seen[genre][1]))
        rates = ", ".join(f"{genre.replace('_', ' ')} {seen[genre][0]} of {seen[genre][1]}" for genre in shown)
        lines += ["", *_wrapped(f"Seen in real songs ({concept.cloud}): {rates or 'none'}.")]
    if concept.related:
        lines += ["", f"See also: {', '.join(concept.related)}"]
    return lines


def _wrapped(text: str) -> list[str]:
    return [line for part in text.split("\n\n") for line in textwrap.wrap(" ".join(part.split()), _WIDTH)]


def sighting_lines(seen: Sequence[tuple[Concept, Sequence[Sighting]]]) -> list[str]:
    """One line a concept: its name, and where it is seen."""
    width = max((len(concept.key) for concept, _ in seen), default=0)
    return [f"{concept.key:<{width}}  {_where(places)}" for concept, places in seen]


def _where(places: Sequence[Sighting]) -> str:
    by_voice: dict[str, list[tuple[int, int]]] = {}
    for place in places:
        by_voice.setdefault(place.voice, []).append((place.first, place.last))
    parts = []
    for voice, spans in list(by_voice.items())[:_PLACES]:
        distinct = sorted(set(spans))
        more = f" and {len(distinct) - _PLACES} more" if len(distinct) > _PLACES else ""
        parts.append(f"{bars_in_words(tuple(distinct[:_PLACES]))}{more}{f' ({voice})' if voice else ''}")
    return "; ".join(parts)
