"""Search concepts by words: a full-text index over what they say, and a lexicon of plain words for musical ones."""

from __future__ import annotations

import re
import sqlite3
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from libretto.knowledge.concept import Concept
from libretto.knowledge.library import all_concepts

__all__ = ["Searcher", "search_terms", "searcher"]

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
