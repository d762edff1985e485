"""Which concept a teacher means: a name, a title, or plain words ("quavers", "perfect cadence", "sight reading").

Every entry has phrases: its name, its title and the words it lists. A request is compared with each of them word by
word: a word that few entries have says more than one that many have, and what the phrase has besides costs less than
what the request has besides. Words that only frame a request ("a drill for beginners on") are not counted. A word of
quality vetoes what is named after another one: minor arpeggios are no major ones, however much else is alike, and
numerals have a quality where some are small (ii-V-I is major, ii-V-i minor).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from math import log
from typing import NamedTuple

from libretto.errors import LibrettoError
from libretto.knowledge import Concept, all_concepts, find_concept

__all__ = [
    "MATTER",
    "QUALITIES",
    "concept_words",
    "drill_concept",
    "is_concept_name",
    "qualities_of",
    "ranked_concepts",
    "words_of",
]

#: Words that say which of several kinds is meant; what is named after one of them is not the others.
QUALITIES = frozenset({"major", "minor", "diminished", "augmented", "dominant"})

#: Words for what everything is made of: they ask for nothing of their own.
MATTER = frozenset(
    ("chord", "triad", "note", "tone", "scale", "mode", "interval", "rhythm", "time", "meter", "piece", "tune", "music")
)

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
_NUMERAL = re.compile(r"(?<![A-Za-z])(?:[iI]{1,3}|[iI]?[vV][iI]{0,2})(?![A-Za-z])")


class _Phrase(NamedTuple):
    """One way to name a concept: its words, and how much the way counts."""

    concept: str
    words: frozenset[str]
    worth: float


def drill_concept(name: str, plays: Callable[[Concept], bool] | None = None) -> Concept:
    """The concept of theory that a teacher means by a name or by plain words; what means none is refused.

    Of several that meet the words equally well the first that ``plays`` allows is meant.

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
    ranked = ranked_concepts(short)
    if ranked and ranked[0][0] >= _LEAST:
        alike = [theory[key] for value, key in ranked if round(ranked[0][0] - value, 6) <= 0]
        return next((concept for concept in alike if plays is None or plays(concept)), alike[0])
    raise LibrettoError(_unknown(name, ranked))


def is_concept_name(name: str) -> bool:
    """Whether a text is the very name, title or key of a concept, and no request in words."""
    theory = {concept.name: concept for concept in all_concepts().values() if concept.base == "theory"}
    return name in all_concepts() or _by_name(name[:_LONGEST], theory) is not None


def _unknown(name: str, ranked: Sequence[tuple[float, str]]) -> str:
    shown = f"{name[:_SHOWN]}..." if len(name) > _SHOWN else name
    near = f"; near it are {', '.join(key for _, key in ranked[:3])}" if ranked else "; see libretto concepts"
    return f"there is no concept {' '.join(shown.split())!r}{near}"


def _by_name(name: str, theory: dict[str, Concept]) -> Concept | None:
    """The concept of that very name or title; a name that only lacks its last word is understood."""
    wanted = "-".join(name.lower().replace("'", "").split())
    if wanted in theory:
        return theory[wanted]
    titled = [concept for concept in theory.values() if concept.title.lower() == name.strip().lower()]
    if titled:
        return titled[0]
    longer = sorted(known for known in theory if wanted and known.startswith(f"{wanted}-"))
    preferred = [full for full in (f"{wanted}-{kind}" for kind in ("feature", "scale", "mode")) if full in longer]
    return theory[(preferred or longer)[0]] if preferred or len(longer) == 1 else None


def words_of(text: str) -> dict[str, str]:
    """What a request says: every word in the form in which it is compared, and as it was written; a request of framing
    words alone keeps them."""
    read = _WORD.findall(text[:_LONGEST].lower().replace("-", " "))
    roman = {"i", "ii", "iii", "iv", "v", "vi", "vii"}
    numbered = len(roman.intersection(read)) > 1 or "v" in read
    kept = [word for word in read if (word not in _FRAME and len(word) > 1) or (numbered and word in roman)]
    return {_form(word): word for word in kept or read}


def _words(text: str) -> frozenset[str]:
    return frozenset(words_of(text))


def qualities_of(text: str) -> frozenset[str]:
    """The words of quality that a request has; numerals of both sizes say by their first degree what the key is."""
    numerals = set(_NUMERAL.findall(text))
    small = {numeral for numeral in numerals if numeral.islower()}
    by_home = {"I": "major", "i": "minor"} if small and numerals - small else {}
    return (QUALITIES & _words(text)) | {by_home[numeral] for numeral in numerals & by_home.keys()}


def ranked_concepts(text: str) -> list[tuple[float, str]]:
    """Concepts of theory by how well they meet a request, from 0 to 1, the best first, without those that are named
    after another quality than it asks for."""
    asked, qualities = _words(text), qualities_of(text)
    ranked = _ranked(asked) if asked else []
    if not qualities:
        return ranked
    return [(value, key) for value, key in ranked if not (own := _named_quality(key)) or own & qualities]


def _named_quality(name: str) -> frozenset[str]:
    return QUALITIES.intersection(name.split("-"))


@cache
def concept_words() -> dict[str, frozenset[str]]:
    """All the words by which each concept of theory is found."""
    words: dict[str, frozenset[str]] = defaultdict(frozenset)
    for phrase in _phrases():
        words[phrase.concept] |= phrase.words
    return dict(words)


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
