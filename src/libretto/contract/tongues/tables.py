"""The files of the languages: phrases, how their words are inflected, keys, and the order in which English has them.

A file lists English phrases by group, each with the phrases of the language that mean it. A mark after a word stands
for the endings that the file lists under it; an ending that begins with a slash makes the English plural. A phrase with
``...`` has words between its two parts, as verbs have whose particle comes later; the English has ``...`` where those
words belong, or stands before them. ``#`` stands for a number and ``#/#`` for a meter.
"""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from libretto.contract.tongues.text import exact, plain, words_of_text
from libretto.registry import named_files, plugin_folders

__all__ = [
    "ENGLISH",
    "METER",
    "NUMBER",
    "Entry",
    "Language",
    "language_coded",
    "language_from",
    "languages",
    "phrases_of",
    "plural",
]

ENGLISH = "en"  #: the language that the readers know
NUMBER, METER = "#", "#/#"  #: what stands in a phrase for a number, and for a meter
_SUFFIX = ".toml"
_GAP = "..."
_HISSING = ("s", "x", "ch", "sh")


class Entry(NamedTuple):
    """What a phrase is in English, of which group; ``tail`` is the part of it that comes later in the clause, and
    ``late`` what stands there in English. ``inflected`` forms give way to those that are listed themselves."""

    english: str
    group: str
    tail: tuple[str, ...] = ()
    late: str = ""
    inflected: bool = False


@dataclass(frozen=True)
class Language:
    """A language: its phrases by their words with and without accents, and what its file says of order and compounds.

    ``parted`` are phrases with other words between, by their first part. ``swaps`` are pairs of groups that English has
    the other way round, ``front`` are groups whose words open a clause in English, those of ``opening`` groups are
    only said where they open one; ``links`` stand between the parts of compounds; ``alone`` are words that no other
    language of ours has.
    """

    code: str
    name: str
    phrases: Mapping[tuple[str, ...], Entry]
    accented: Mapping[tuple[str, ...], Entry]
    parted: Mapping[tuple[str, ...], tuple[Entry, ...]]
    words: frozenset[str]
    links: tuple[str, ...] = ()
    swaps: frozenset[tuple[str, str]] = frozenset()
    front: frozenset[str] = frozenset()
    opening: frozenset[str] = frozenset()
    pitches: bool = False
    alone: frozenset[str] = frozenset()

    @property
    def longest(self) -> int:
        """Words of the longest phrase."""
        return max((len(words) for words in itertools.chain(self.phrases, self.parted)), default=0)


@cache
def languages() -> Mapping[str, Language]:
    """Every language by its code, English among them."""
    return {code: language_coded(code) for code in _texts()}


@cache
def language_coded(code: str) -> Language:
    """One language by its code, read without the others; a KeyError where there is none."""
    return language_from(code, tomllib.loads(_texts()[code].read_text(encoding="utf-8")))


@cache
def _texts() -> Mapping[str, Any]:
    """The file of every language by its code."""
    folder = files("libretto.contract").joinpath("tongues")
    every: dict[str, Any] = {}
    for code, file in named_files(_SUFFIX, folder, *plugin_folders("libretto.tongues")):
        every.setdefault(code, file)  # nothing takes the place of ours
    return every


def language_from(code: str, data: Mapping[str, Any]) -> Language:
    """A language from the data of its file."""
    plainly: dict[tuple[str, ...], Entry] = {}
    accented: dict[tuple[str, ...], Entry] = {}
    parted: dict[tuple[str, ...], tuple[Entry, ...]] = {}
    listed = [(words, tuple(map(plain, words)), entry) for words, entry in phrases_of(data)]
    for words, bare, entry in sorted(listed, key=lambda row: (row[2].inflected, row[0] != row[1])):
        if not entry.tail:
            plainly.setdefault(bare, entry)
            accented.setdefault(words, entry)
    for words, bare, entry in (row for row in listed if row[2].tail):
        for spelled in {words, bare} if bare not in accented else {words}:
            parted[spelled] = (*parted.get(spelled, ()), entry)
    every = itertools.chain(plainly, parted, (entry.tail for entries in parted.values() for entry in entries))
    order = data.get("order", {})
    return Language(
        code,
        str(data["name"]),
        plainly,
        accented,
        parted,
        frozenset(word for phrase in every for word in phrase) - {NUMBER, METER} | _told(data),
        tuple(map(str, data.get("links", ()))),
        frozenset((str(one), str(two)) for one, two in order.get("swap", ())),
        frozenset(map(str, order.get("front", ()))),
        frozenset(map(str, order.get("opening", ()))),
        bool(data.get("pitches", False)),
        _told(data, "alone"),
    )


def _told(data: Mapping[str, Any], how: str = "tells") -> frozenset[str]:
    """The words that a file lists only because they tell the language."""
    return frozenset(word.plain for word in words_of_text(str(data.get(how, ""))))


def phrases_of(data: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Entry]]:
    """Every phrase of a language file in its words, all its inflections, with what it is in English."""
    endings = {mark: tuple(map(str, listed)) for mark, listed in data.get("endings", {}).items()}
    spellings = {str(letter): str(other) for letter, other in data.get("spellings", {}).items()}
    yield from _keys(data.get("keys", {}))
    for group, table in data.get("words", {}).items():
        for english, listed in table.items():
            for phrase in filter(None, map(str.strip, listed.split(","))):
                for spelled in _spelled(phrase, spellings):
                    yield from _inflected(spelled, english, group, endings)


def _spelled(phrase: str, spellings: Mapping[str, str]) -> tuple[str, ...]:
    """A phrase, and once more where letters of it are also spelled otherwise."""
    other = "".join(spellings.get(letter, letter) for letter in phrase.lower())
    return (phrase,) if other == phrase.lower() else (phrase, other)


def _inflected(
    phrase: str, english: str, group: str, endings: Mapping[str, Sequence[str]]
) -> Iterator[tuple[tuple[str, ...], Entry]]:
    head, _, rest = phrase.partition(_GAP)
    tail = tuple(map(plain, _words(rest)))
    english, _, late = map(str.strip, english.partition(_GAP))
    forms = [_forms(word, endings) for word in _words(head)]
    for chosen in itertools.product(*forms):
        many = any(ending.startswith("/") for _, ending in chosen)
        words = tuple(word + ending.removeprefix("/") for word, ending in chosen)
        marked = any(len(listed) > 1 for listed in forms)
        yield words, Entry(plural(english) if many else english, group, tail, late if tail else "", marked)


def _words(phrase: str) -> list[str]:
    """The words of a phrase of a file in small letters, with their marks."""
    apart = phrase.replace("-", " ").replace("'", " ").replace("’", " ").split()
    return [exact(word) for word in apart]


def _forms(word: str, endings: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    listed = endings.get(word[-1], None)
    return [(word, "")] if listed is None else [(word[:-1], ending) for ending in listed]


def plural(english: str) -> str:
    """An English phrase in the plural.

    >>> plural("bass guitar"), plural("chorus"), plural("drums")
    ('bass guitars', 'choruses', 'drums')
    """
    if not english or english.endswith(("drums", "strings", "bells", "horns", "brass")):
        return english
    return english + ("es" if english.endswith(_HISSING) else "s")


def _keys(data: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Entry]]:
    """Every key and mode by name: each note, with each sign where the language sets signs apart, in each mode.

    ``within`` are words before a key, which then needs no mode; of plain notes only those in ``bare`` do without.
    """
    signs = {"": ("",), **{sign: tuple(listed) for sign, listed in data.get("signs", {}).items()}}
    modes = data.get("modes", {})
    for (note, letter), (sign, names) in itertools.product(data.get("notes", {}).items(), signs.items()):
        for name, (mode, english) in itertools.product(names, modes.items()):
            yield tuple(_words(f"{note} {name} {mode}")), Entry(f"{letter}{sign} {english}", "keys")
        for name, (before, said) in itertools.product(names, data.get("within", {}).items()):
            if name or note in data.get("bare", ()):
                yield tuple(_words(f"{before} {note} {name}")), Entry(f"{said} {letter}{sign}", "keys")
            for mode, english in modes.items():
                yield tuple(_words(f"{before} {note} {name} {mode}")), Entry(f"{said} {letter}{sign} {english}", "keys")
