"""Find concepts: by words, by genre, by what a finding asks for, by where a piece stands against a genre's centre.

Conventions: results are ranked, never more alike than two different ideas should be, and never one that was already
shown. Advice by finding or by place rests on measured effects alone: how far a concept's example moves an axis.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from libretto.contract.character import find_style
from libretto.corpus import load_cloud
from libretto.gates import Finding
from libretto.knowledge.concept import Concept
from libretto.knowledge.library import all_concepts
from libretto.knowledge.words import search_terms, searcher

__all__ = ["for_finding", "genre_in", "retrieve", "toward"]

_OWN, _OTHERS_OWN, _UNNAMED = 1.6, 0.6, 0.75
_ALIKE = 0.6
_LEAST_EFFECT = 0.15


def retrieve(
    query: str = "",
    genre: str | None = None,
    *,
    base: str | None = None,
    family: str | None = None,
    level: int | None = None,
    limit: int = 8,
    skip: Collection[str] = (),
) -> list[Concept]:
    """The concepts that answer a query best, in words and in a genre; all of them where neither is given."""
    genre = genre or genre_in(query)
    concepts = _chosen(base, family, level, skip)
    scores = searcher().scores(query) if query.strip() else dict.fromkeys(concepts, 1.0)
    ranked = {key: score * _belonging(concepts[key], genre) for key, score in scores.items() if key in concepts}
    if not query.strip() and genre:
        ranked = {key: value for key, value in ranked.items() if _belongs(concepts[key], genre)}
    return _distinct(ranked, concepts, limit)


def for_finding(
    finding: Finding, genre: str | None = None, *, limit: int = 3, skip: Collection[str] = ()
) -> list[Concept]:
    """Concepts whose measured effect moves what a finding is about the way it asks, with little else."""
    if not finding.axis or not finding.wanted:
        return retrieve(finding.advice, genre, base="composing", limit=limit, skip=skip)
    return _by_effect({finding.axis: float(finding.wanted)}, genre, limit, skip)


def toward(
    profile: Mapping[str, float | None], genre: str, *, limit: int = 5, skip: Collection[str] = ()
) -> list[Concept]:
    """Concepts whose measured effect would bring a piece nearer to the middle of a genre."""
    cloud = load_cloud()
    mine = np.array([name == genre for name in cloud.genres], dtype=np.bool_)
    middle = dict(zip(cloud.axes, np.nanmedian(cloud.values[mine], axis=0).tolist(), strict=True))
    gaps = {}
    for axis, size in cloud.spread.items():
        value = profile.get(axis)
        if value is not None and size and not np.isnan(middle[axis]):
            gaps[axis] = float(np.clip((middle[axis] - value) / size, -2, 2))
    return _by_effect(gaps, genre, limit, skip)


def _by_effect(gaps: Mapping[str, float], genre: str | None, limit: int, skip: Collection[str]) -> list[Concept]:
    """Concepts ranked by how well their effect points along the gaps; those that point elsewhere are left out."""
    concepts = _chosen("composing", None, None, skip)
    ranked = {}
    for key, concept in concepts.items():
        gain = sum(np.clip(concept.effect.get(axis, 0.0), -2, 2) * gap for axis, gap in gaps.items())
        size = np.sqrt(sum(min(4.0, step * step) for step in concept.effect.values()))
        if gain > _LEAST_EFFECT:
            ranked[key] = float(gain / (1.0 + 0.3 * size)) * _belonging(concept, genre)
    return _distinct(ranked, concepts, limit)


def _chosen(base: str | None, family: str | None, level: int | None, skip: Collection[str]) -> dict[str, Concept]:
    return {
        key: concept
        for key, concept in all_concepts().items()
        if (base is None or concept.base == base)
        and (family is None or family in concept.families)
        and (level is None or concept.level == level)
        and key not in skip
        and concept.name not in skip
    }


def _belongs(concept: Concept, genre: str) -> bool:
    return concept.own == genre or genre in concept.genres


def _belonging(concept: Concept, genre: str | None) -> float:
    """How much a concept is at home in a genre: whose own it is, what it names, and how often songs show it."""
    if not genre or concept.base == "theory":
        return 1.0
    weight = _OWN if concept.own == genre else _OTHERS_OWN if concept.own else 1.0
    if not _belongs(concept, genre):
        weight *= _UNNAMED
    rates = {name: shown / songs for name, (shown, songs) in concept.attested.items() if songs}
    usual = sum(rates.values()) / len(rates) if rates else 0.0
    if usual and genre in rates:
        weight *= float(np.clip((rates[genre] + 0.05) / (usual + 0.05), 0.5, 2.0)) ** 0.5
    return weight


def _distinct(ranked: Mapping[str, float], concepts: Mapping[str, Concept], limit: int) -> list[Concept]:
    """The best of them, each different enough from those before."""
    chosen: list[Concept] = []
    for key in sorted(ranked, key=lambda name: (-ranked[name], name)):
        if len(chosen) >= limit:
            break
        if not any(_alike(concepts[key], other) for other in chosen):
            chosen.append(concepts[key])
    return chosen


def _alike(one: Concept, other: Concept) -> bool:
    """Whether two concepts are one idea: the same detector with the same settings, or nearly the same title."""
    if one.detector == other.detector:
        return True
    mine, theirs = ({term for term, _ in search_terms(concept.title)} for concept in (one, other))
    return bool(mine | theirs) and len(mine & theirs) / len(mine | theirs) > _ALIKE


def genre_in(query: str) -> str | None:
    """The genre that a query names, if it names a style of one.

    >>> genre_in("a bossa nova bass line"), genre_in("walking bass")
    ('latin', None)
    """
    style, _ = find_style(query, 0, ())
    return style.genre if style else None
