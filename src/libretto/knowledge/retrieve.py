"""Find concepts: by words, by genre, by what a finding asks for, by where a piece stands against a genre's centre.

Conventions: results are ranked, never more alike than two different ideas should be, and never one that was already
shown. Advice by finding or by place rests on measured effects alone: how far a concept's example moves an axis.
"""

from __future__ import annotations

import re
import sqlite3
import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files

import numpy as np

from libretto.contract.character import find_style
from libretto.corpus import load_cloud
from libretto.gates import Finding
from libretto.knowledge.concept import Concept
from libretto.knowledge.library import all_concepts

__all__ = ["Searcher", "for_finding", "genre_in", "retrieve", "search_terms", "searcher", "toward"]

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


_WORD = re.compile(r"[a-z0-9#]+")
_LONGEST_QUERY = 2_000
_WEIGHTS = (10.0, 8.0, 3.0, 3.0, 1.5, 1.0)  # title, words, families, genres, about, doing


@cache
def _lexicon() -> dict[str, tuple[str, ...]]:
    """Plain words and what a musician would say for them."""
    text = files("libretto.knowledge").joinpath("lexicon.toml").read_text(encoding="utf-8")
    return {word: tuple(means) for word, means in tomllib.loads(text)["means"].items()}


@cache
def _stop_words() -> frozenset[str]:
    text = files("libretto.knowledge").joinpath("lexicon.toml").read_text(encoding="utf-8")
    return frozenset(tomllib.loads(text)["ignored"])


def search_terms(query: str) -> list[tuple[str, float]]:
    """The words of a query that carry meaning, each with its weight; what they mean in music weighs less."""
    words = _WORD.findall(query.lower()[:_LONGEST_QUERY])
    terms = {word: 1.0 for word in words if word not in _stop_words() and len(word) > 1}
    joined = f" {' '.join(words)} "
    for plain, means in _lexicon().items():
        if f" {plain} " in joined:
            for word in means:
                for part in _WORD.findall(word):
                    terms.setdefault(part, 0.7)
    return list(terms.items())


class Searcher:
    """A full-text index over concepts, in memory."""

    def __init__(self, concepts: Mapping[str, Concept]) -> None:
        self._base = sqlite3.connect(":memory:", check_same_thread=False)
        columns = "key UNINDEXED, title, words, families, genres, about, doing"
        self._base.execute(f"CREATE VIRTUAL TABLE entries USING fts5({columns}, tokenize='porter unicode61')")
        rows = [
            (
                concept.key,
                concept.title,
                " ; ".join(concept.words),
                " ".join(concept.families),
                " ".join(concept.genres).replace("_", " "),
                concept.about,
                concept.doing,
            )
            for concept in concepts.values()
        ]
        self._base.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def scores(self, query: str) -> dict[str, float]:
        """How well each concept answers a query; those that share no word with it are left out."""
        answers: dict[str, float] = {}
        weights = ", ".join(map(str, (0.0, *_WEIGHTS)))
        statement = f"SELECT key, bm25(entries, {weights}) FROM entries WHERE entries MATCH ?"
        for term, weight in search_terms(query):
            for key, rank in self._base.execute(statement, (f'"{term}"',)):
                answers[key] = answers.get(key, 0.0) - weight * rank
        return answers


@cache
def searcher() -> Searcher:
    """The index over all concepts, made when it is first asked for."""
    return Searcher(all_concepts())
