"""What a teacher's words mean for a drill: the concept, the kind of chord or the mode that they name, and what is left.

A word of quality that the concept does not have in its name chooses among the kinds of chord that it allows (a dominant
seventh arpeggio is no major seventh one), else the mode of the key. What no part of the drill answers to is listed, as
is a neighbour that the words mean as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from libretto.grammar import parse
from libretto.knowledge import Concept, all_concepts
from libretto.tasks.drill.finding import (
    MATTER,
    QUALITIES,
    concept_words,
    drill_concept,
    qualities_of,
    ranked_concepts,
    words_of,
)

__all__ = ["Meant", "meant_by"]

#: What the intervals of a chord must have, and must not have, to be of a quality.
_CHORDS: dict[str, tuple[frozenset[int], frozenset[int]]] = {
    "major": (frozenset({4, 7}), frozenset({10})),
    "minor": (frozenset({3, 7}), frozenset()),
    "diminished": (frozenset({3, 6}), frozenset()),
    "augmented": (frozenset({4, 8}), frozenset()),
    "dominant": (frozenset({4, 7, 10}), frozenset()),
}
_MODES = ("major", "minor")
_KEY = re.compile(r"\b([A-G](?:#|b)?)(?:[ -](sharp|flat))?[ -](major|minor)\b")
_SIGNS = {"sharp": "#", "flat": "b", "": ""}


class Meant(NamedTuple):
    """The concept that words mean, the key and the mode that they name, and what of them no drill takes up."""

    concept: Concept
    key: str
    mode: str
    unread: tuple[str, ...]


def meant_by(words: str, plays: Callable[[Concept], bool] | None = None, mode_of_key: str = "") -> Meant:
    """What a request for a drill means; of concepts that meet it equally well one that ``plays`` allows.

    ``mode_of_key`` is the mode of the key that was asked for, where one was: arpeggios in a minor key are minor
    arpeggios, and cadences in one are no minor plagal cadence, which belongs to major.

    >>> meant_by("dominant seventh arpeggio").concept.title, meant_by("broken minor chords").mode
    ('Arpeggiated seventh chord (dominant)', 'minor')
    >>> meant_by("perfect fourths and fifths").unread
    ('fifths (perfect-fifth-feature is a drill of its own)',)
    """
    concept = drill_concept(words, plays)
    if mode_of_key in _MODES:
        concept = _at_home_in(mode_of_key, concept, words, plays)
    own = concept_words().get(concept.name, frozenset())
    qualities = qualities_of(words)
    wanted = sorted(qualities - QUALITIES.intersection(concept.name.split("-")))
    narrowed = _narrowed(concept, wanted)
    mode = wanted[0] if len(wanted) == 1 and wanted[0] in _MODES else ""
    key = _KEY.search(words)
    taken = own | MATTER | ({*wanted} if narrowed is not concept else {mode}) | ({*_SIGNS} if key else set())
    named = f"{key[1]}{_SIGNS[key[2] or '']} {key[3]}" if key is not None and key[3] not in concept.name else ""
    plain = f"{key[1]}{_SIGNS[key[2] or '']}" if key is not None else ""
    return Meant(
        narrowed,
        named or plain,
        mode,
        (*_left(words, concept, taken), *_composed(words, concept), *_neighbours(concept, qualities)),
    )


def _at_home_in(mode: str, concept: Concept, words: str, plays: Callable[[Concept], bool] | None) -> Concept:
    """The concept, or the one that is meant in its place in a key of that mode."""
    named = QUALITIES.intersection(concept.name.split("-"))
    qualities = qualities_of(words)
    if named == {mode} == qualities and parse(concept.example).key.is_minor != (mode == "minor"):
        plain = re.sub(rf"\b{mode}\b", " ", words, count=1, flags=re.I)
        return concept if qualities_of(plain) else drill_concept(plain, plays)
    if not qualities and len(named) == 1 and named < {*_MODES, mode}:
        other = concept.name.replace(min(named), mode)
        return all_concepts().get(f"theory/{other}", concept)
    return concept


def _narrowed(concept: Concept, qualities: Sequence[str]) -> Concept:
    """The concept with those of its kinds of chord alone that have a quality; as it was where that says nothing."""
    for quality in qualities:
        conditions = tuple(_of_quality(condition, quality) for condition in concept.detector)
        if conditions != tuple(concept.detector):
            return replace(concept, title=f"{concept.title} ({quality})", detector=conditions)
    return concept


def _of_quality(condition: Mapping[str, Any], quality: str) -> Mapping[str, Any]:
    has, lacks = _CHORDS[quality]
    kinds = [kind for kind in condition.get("kinds", ()) if has <= set(kind) and not lacks & set(kind)]
    return {**condition, "kinds": kinds} if kinds and len(kinds) < len(condition["kinds"]) else condition


def _left(words: str, concept: Concept, taken: frozenset[str]) -> list[str]:
    """The words that the concept does not answer to, each with a concept that would."""
    if "/" in words or "-".join(words.lower().split()) in (concept.name, concept.key):
        return []
    ranked = [key for _, key in ranked_concepts(words)]
    lines = []
    for form, word in words_of(words).items():
        if form not in taken:
            other = next((key for key in ranked if form in key.split("-") and key != concept.name), "")
            lines.append(f"{word} ({other} is a drill of its own)" if other else word)
    return lines


def _composed(words: str, concept: Concept) -> list[str]:
    """The idea of composing that words name, where the drill is on another that is like it."""
    name = "-".join(words.lower().split())
    named = all_concepts().get(f"composing/{name}")
    if named is None or concept.name == name:
        return []
    return [f"{named.key} is about composing and has no drill; {concept.name} was chosen"]


def _neighbours(concept: Concept, qualities: frozenset[str]) -> list[str]:
    """Concepts that differ from one by its quality alone, where the request named none."""
    mine = QUALITIES.intersection(concept.name.split("-"))
    if qualities or not mine:
        return []
    plain = [part for part in concept.name.split("-") if part not in QUALITIES]
    siblings = [
        name
        for name in sorted(concept_words())
        if name != concept.name and [part for part in name.split("-") if part not in QUALITIES] == plain
    ]
    known = all_concepts()
    near = [name for name in siblings if f"theory/{name}" in known]
    return [f"{' '.join(sorted(mine))} was chosen; {', '.join(near)} would do as well"] if near else []
