"""Which concept a teacher means: a name, a title, or plain words ("quavers", "perfect cadence", "sight reading").

Every entry has phrases: its name, its title and the words it lists. A request is compared with each of them word by
word: a word that few entries have says more than one that many have, and what the phrase has besides costs less than
what the request has besides. Words that only frame a request ("a drill for beginners on") are not counted.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from math import log
from typing import NamedTuple

from libretto.errors import LibrettoError
from libretto.knowledge import Concept, all_concepts, find_concept

__all__ = ["drill_concept"]

_WORD = re.compile(r"\d+/\d+|[a-z]+|\d+(?:st|nd|rd|th)?")
_LONGEST = 400  # characters of a request that are read
_SHOWN = 40  # characters of a request that are shown again
_LEAST = 0.45  # of what a request says must be met
_SPARE = 0.35  # how much a word counts that the phrase has and the request has not
_TOGETHER = 0.4  # how much all the words count that any of a concept's phrases have, beside its best phrase
_TITLE, _LISTED = 1.0, 0.97  # a name or title goes before words that an entry lists
_FRAMING = """
a about above again against all an and any are as at be beginner beginners book both by can child children class count
counting do drill drills each easy etude every exercise exercises for from give going grade group hand hands have hear
how i in into is it its kids learn lesson lessons level like make me my new of on one ones only or our out over play
played playing practice practise practising pupil pupils separately simple sing singing slow so some something student
students study studies teach test that the their them then there these this to training us use using want warm we what
when which with write you your up down key keys
"""
_FRAME = frozenset(_FRAMING.split())
#: Words of teachers elsewhere, and ways to write numbers, as the entries write them.
_SAME = {
    "quaver": "eighth", "quavers": "eighth", "crotchet": "quarter", "crotchets": "quarter", "minim": "half",
    "minims": "half", "semiquaver": "sixteenth", "semiquavers": "sixteenth", "8th": "eighth", "8ths": "eighth",
    "16th": "sixteenth", "2nd": "second", "3rd": "third", "4th": "fourth", "5th": "fifth", "6th": "sixth",
    "7th": "seventh", "2nds": "second", "3rds": "third", "4ths": "fourth", "5ths": "fifth", "6ths": "sixth",
    "7ths": "seventh", "semitone": "half-step", "metre": "meter", "metres": "meter", "close": "cadence",
    "closes": "cadence", "arpeggios": "arpeggio", "arpeggiated": "arpeggio", "maj": "major", "min": "minor",
    "transpose": "transposition", "transposing": "transposition", "improvise": "improvising",
    "improvisation": "improvising", "dictations": "dictation", "rhythmic": "rhythm", "inverted": "inversion",
    "inverting": "inversion", "syncopated": "syncopation", "harmonise": "harmony", "harmonize": "harmony",
    "chordal": "chord", "reading": "read", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven",
    "i": "one", "ii": "two", "iii": "three", "iv": "four", "v": "five", "vi": "six", "vii": "seven",
}  # fmt: skip
_ENDINGS = (("ies", "y"), ("sses", "ss"), ("s", ""))
_SHORTEST_STEM = 4  # letters of a word whose ending is cut


class _Phrase(NamedTuple):
    """One way to name a concept: its words, and how much the way counts."""

    concept: str
    words: frozenset[str]
    worth: float


def drill_concept(name: str) -> Concept:
    """The concept of theory that a teacher means by a name or by plain words; what means none is refused.

    >>> [drill_concept(words).name for words in ("harmonic minor", "quavers", "perfect fifths")]
    ['harmonic-minor-scale', 'eighth-notes', 'perfect-fifth-feature']
    """
    theory = {concept.name: concept for concept in all_concepts().values() if concept.base == "theory"}
    short = name[:_LONGEST]
    named = _by_name(short, theory)
    if named is not None:
        return named
    if "/" in short and short in all_concepts():
        return find_concept(short)
    asked = _words(short)
    ranked = _ranked(asked) if asked else []
    if ranked and ranked[0][0] >= _LEAST:
        return theory[ranked[0][1]]
    shown = f"{short[:_SHOWN]}..." if len(name) > _SHOWN else short
    near = f"; near it are {', '.join(key for _, key in ranked[:3])}" if ranked else "; see libretto concepts"
    raise LibrettoError(f"there is no concept {' '.join(shown.split())!r}{near}")


def _by_name(name: str, theory: dict[str, Concept]) -> Concept | None:
    """The concept of that very name or title; a name that only lacks its last word is understood."""
    wanted = "-".join(name.lower().replace("'", "").split())
    if wanted in theory:
        return theory[wanted]
    titled = [concept for concept in theory.values() if concept.title.lower() == name.strip().lower()]
    if titled:
        return titled[0]
    longer = sorted(known for known in theory if wanted and known.startswith(f"{wanted}-"))
    preferred = [full for full in (f"{wanted}-scale", f"{wanted}-mode") if full in longer]
    return theory[(preferred or longer)[0]] if preferred or len(longer) == 1 else None


def _words(text: str) -> frozenset[str]:
    """What a request says, each word in one form; a request of framing words alone keeps them."""
    read = _WORD.findall(text.lower().replace("-", " "))
    roman = {"i", "ii", "iii", "iv", "v", "vi", "vii"}
    numbered = len(roman.intersection(read)) > 1 or "v" in read
    kept = [word for word in read if (word not in _FRAME and len(word) > 1) or (numbered and word in roman)]
    return frozenset(_form(word) for word in kept or read)


def _form(word: str) -> str:
    """A word in the form in which it is compared: one name for one thing, one number."""
    if word in _SAME:
        return _SAME[word]
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM - 1:
            stem = word[: -len(ending)] + instead
            return _SAME.get(stem, stem)
    return word


@cache
def _phrases() -> tuple[_Phrase, ...]:
    """Every way to name every concept of theory."""
    phrases = []
    for concept in all_concepts().values():
        if concept.base != "theory":
            continue
        for text in {concept.name, concept.title.lower()}:
            phrases.append(_Phrase(concept.name, _words(text), _TITLE))
        phrases += [_Phrase(concept.name, _words(text), _LISTED) for text in concept.words]
    return tuple(sorted(phrases, key=lambda phrase: (phrase.concept, sorted(phrase.words), phrase.worth)))


@cache
def _weights() -> dict[str, float]:
    """How much a word says: the more the fewer concepts have it."""
    concepts: dict[str, set[str]] = defaultdict(set)
    for phrase in _phrases():
        for word in phrase.words:
            concepts[word].add(phrase.concept)
    total = len({phrase.concept for phrase in _phrases()})
    return {word: log(1 + total / len(having)) for word, having in concepts.items()}


def _ranked(asked: frozenset[str]) -> list[tuple[float, str]]:
    """Concepts by how well one of their phrases meets the request, the best first; the easier first among equals."""
    weights = _weights()
    unknown = sum(weights.values()) / len(weights) / 2  # a word that no entry has says little
    size = sum(weights.get(word, unknown) for word in asked)
    best: dict[str, float] = {}
    whole: dict[str, set[str]] = defaultdict(set)
    for phrase in _phrases():
        met = sum(weights[word] for word in phrase.words & asked)
        spare = sum(weights[word] for word in phrase.words - asked)
        value = phrase.worth * met / (size + _SPARE * spare) if met else 0.0
        best[phrase.concept] = max(best.get(phrase.concept, 0.0), value)
        whole[phrase.concept] |= phrase.words & asked
    for key, words in whole.items():
        together = sum(weights[word] for word in words) / size
        best[key] = (1 - _TOGETHER) * best[key] + _TOGETHER * together
    known = all_concepts()
    order = sorted(best, key=lambda key: (-round(best[key], 6), known[f"theory/{key}"].level, key))
    return [(best[key], key) for key in order if best[key] > 0]
