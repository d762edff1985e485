"""The files of the languages: well formed, and in words that the English readers know."""

from __future__ import annotations

import itertools
import subprocess
import sys
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

import pytest

from libretto.contract.character import find_moods, find_style
from libretto.contract.instruments import find_instruments
from libretto.contract.pace import find_tempo
from libretto.contract.tongues import languages
from libretto.contract.tongues.tables import ENGLISH, language_from, phrases_of

OTHERS = ("de", "es", "fr", "it", "pt")
FEWEST = 600  # phrases that a language must have to be worth offering


@cache
def file_of(code: str) -> dict[str, Any]:
    return tomllib.loads(files("libretto.contract").joinpath("tongues", f"{code}.toml").read_text(encoding="utf-8"))


def listed(code: str) -> list[tuple[str, str, str]]:
    """Every phrase of a file as it is written there: group, English, phrase."""
    return [
        (group, english, phrase.strip())
        for group, table in file_of(code)["words"].items()
        for english, phrases in table.items()
        for phrase in phrases.split(",")
    ]


def test_languages_are_found_by_being_there() -> None:
    folder = files("libretto.contract").joinpath("tongues")
    assert sorted(languages()) == sorted(file.name[:-5] for file in folder.iterdir() if file.name.endswith(".toml"))
    assert {*OTHERS, ENGLISH} <= set(languages())


@pytest.mark.parametrize("code", OTHERS)
def test_no_phrase_stands_twice(code: str) -> None:
    phrases = [phrase.lower() for _, _, phrase in listed(code)]
    assert "" not in phrases
    assert sorted({phrase for phrase in phrases if phrases.count(phrase) > 1}) == []
    assert len(phrases) >= FEWEST


@pytest.mark.parametrize("code", OTHERS)
def test_no_listed_form_means_two_things(code: str) -> None:
    meanings: dict[tuple[Any, ...], set[str]] = {}
    for words, entry in phrases_of(file_of(code)):
        meanings.setdefault((words, entry.tail, entry.inflected), set()).add(entry.english)
    assert {words: said for words, said in meanings.items() if len(said) > 1} == {}


@pytest.mark.parametrize("code", OTHERS)
def test_every_mark_is_one_with_endings(code: str) -> None:
    marks = set(file_of(code)["endings"])
    ends = {word[-1] for _, _, phrase in listed(code) for word in phrase.split() if word != "..."}
    assert {end for end in ends if not end.isalnum()} - marks <= {"'", "#", "’"}


@pytest.mark.parametrize("code", OTHERS)
def test_the_english_of_a_phrase_is_what_the_readers_know(code: str) -> None:
    unknown = []
    for group, table in file_of(code)["words"].items():
        for english in table:
            known = True
            if group in ("instruments", "ensembles"):
                known = [(one.start, one.end) for one in find_instruments(f"for {english}")] == [(4, 4 + len(english))]
            elif group == "styles":
                known = bool(find_style(english, 0, ())[1])
            elif group == "moods":
                known = bool(find_moods(english)[0])
            elif group == "tempo":
                known = english in ("tempo", "bpm") or find_tempo(english) is not None
            if not known:
                unknown.append((group, english))
    assert unknown == []


def test_order_names_groups_that_there_are() -> None:
    for code in OTHERS:
        order = file_of(code).get("order", {})
        named = {*itertools.chain(*order.get("swap", ())), *order.get("front", ()), *order.get("opening", ())}
        assert named <= {*file_of(code)["words"]}


def test_a_language_is_a_file() -> None:
    data = {
        "name": "Toy",
        "endings": {"+": ["", "/oj"]},
        "words": {"instruments": {"violin": "violon+"}, "verbs": {"remove ... now": "for ... nun"}},
        "keys": {"notes": {"do": "C"}, "signs": {"#": ["di"]}, "modes": {"maj": "major"}},
    }
    language = language_from("xx", data)
    assert language.phrases["violonoj",].english == "violins"
    assert language.phrases["do", "di", "maj"].english == "C# major"
    assert [(entry.english, entry.tail, entry.late) for entry in language.parted["for",]] == [
        ("remove", ("nun",), "now")
    ]


def test_words_that_english_has_alone_are_in_no_other_language() -> None:
    alone = languages()[ENGLISH].alone
    assert len(alone) > 100
    assert not {code: sorted(alone & languages()[code].words) for code in OTHERS if alone & languages()[code].words}


def test_an_english_brief_is_told_without_reading_the_other_languages() -> None:
    code = (
        "from libretto.contract.tongues import language_of, tables\n"
        "said = language_of('A nostalgic chanson in C major, with the accordion and a wobbly zither over 16 bars')\n"
        "print(said, tables.language_coded.cache_info().currsize)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["en", "1"]
