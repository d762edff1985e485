"""Answers of listeners, read from the files that their pages save, and put beside the key of the study."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from libretto.bench.study.design import TESTS, Sample
from libretto.bench.study.pack import KEY_KIND
from libretto.errors import LibrettoError
from libretto.formats import read_bytes

__all__ = ["ANSWERS_KIND", "Answer", "answers_in", "read_key"]

#: What a file of answers calls itself.
ANSWERS_KIND = "libretto study answers 1"
_WORDS = {"turing": ("human", "machine"), "rating": ("good", "not good")}
_MOST_FILES = 1_000


@dataclass(frozen=True)
class Answer:
    """What one listener said of one trial: of ``ab`` and ``match`` the place of the chosen sample, else its words.

    Samples and words are in the order of the trial, not in that of the page.
    """

    listener: int
    trial: str
    test: str
    samples: tuple[Sample, ...]
    chosen: int = -1
    words: tuple[str, ...] = ()


def _json(path: str | os.PathLike[str], kind: str) -> dict[str, Any]:
    try:
        data = json.loads(read_bytes(path).decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        raise LibrettoError(f"{path} is no JSON") from None
    if not isinstance(data, dict) or data.get("kind") != kind:
        raise LibrettoError(f"{path} does not say that it is {kind!r}")
    return data


def read_key(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The key of a study, looked through."""
    key = _json(path, KEY_KIND)
    key.setdefault("study", "")
    try:
        rows = [row for mine in key["listeners"].values() for row in mine.values()]
        sound = all(
            row["test"] in TESTS
            and sorted(row["order"]) == list(range(len(row["samples"])))
            and all(isinstance(part, str) for sample in row["samples"] for part in sample)
            and isinstance(row["trial"], str)
            for row in rows
        )
    except (KeyError, TypeError, AttributeError):
        sound = False
    if not sound:
        raise LibrettoError(f"{path} is no whole key of a study")
    return key


def answers_in(key: Mapping[str, Any], paths: Iterable[str | os.PathLike[str]]) -> list[Answer]:
    """Every answer in some files, or in the files of some folders; refused where one is of another study."""
    files: list[Path] = []
    for path in map(Path, paths):
        files += sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files or len(files) > _MOST_FILES:
        raise LibrettoError(f"there are {len(files):,} files of answers; a report reads 1 to {_MOST_FILES:,}")
    answers: dict[int, list[Answer]] = {}
    for file in files:
        data = _json(file, ANSWERS_KIND)
        if data.get("study") != key["study"]:
            raise LibrettoError(f"{file} answers another study")
        listener, given = data.get("listener"), data.get("answers")
        if not isinstance(listener, int) or str(listener) not in key["listeners"] or not isinstance(given, dict):
            raise LibrettoError(f"{file} is of no listener of this study")
        if listener in answers:
            raise LibrettoError(f"{file} is a second file of listener {listener}; keep one of them")
        asked = key["listeners"][str(listener)]
        answers[listener] = [_answer(file, listener, asked, name, value) for name, value in given.items()]
    return [answer for listener in sorted(answers) for answer in answers[listener]]


def _answer(file: Path, listener: int, asked: Mapping[str, Any], name: str, value: Any) -> Answer:
    """One answer, turned from the order of the page into that of the trial."""
    if name not in asked:
        raise LibrettoError(f"{file} answers {name[:20]!r}, which this listener was not asked")
    row = asked[name]
    test, order = str(row["test"]), [int(place) for place in row["order"]]
    samples = tuple((str(system), str(item)) for system, item in row["samples"])
    if test in ("ab", "match"):
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= len(order):
            raise LibrettoError(f"{file}: {name} is answered by a number from 1 to {len(order)}")
        return Answer(listener, str(row["trial"]), test, samples, chosen=order[value - 1])
    said: Sequence[Any] = value if isinstance(value, list) else [value]
    if len(said) != len(order) or any(word not in _WORDS[test] for word in said):
        raise LibrettoError(f"{file}: {name} is answered by {' or '.join(_WORDS[test])}, once a sample")
    words = [""] * len(order)
    for place, word in zip(order, said, strict=True):
        words[place] = str(word)
    return Answer(listener, str(row["trial"]), test, samples, words=tuple(words))
