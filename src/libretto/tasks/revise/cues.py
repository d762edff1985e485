"""Words that ask for something, found in a text: the longest first, also with something between them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

from libretto.tasks.revise.wish import kinds, qualities

__all__ = ["Cue", "Piece", "Word", "filler", "find_cues", "pieces_of", "words_of"]

_WORD = re.compile(r"[^\W_][\w'’#]*(?:-[\w'’#]+)*")
_HARD, _SOFT = re.compile(r"[.;!?\n]"), re.compile(r"[,:()]|\s[-–—]\s|—")
_JOINS = ("and", "but", "then", "also", "plus", "while", "yet", "though")
#: After these "but" leaves somebody out; nothing new begins.
_ALL = ("everything", "everyone", "everybody", "all", "anything", "nothing", "nobody", "rest", "others", "anyone")
_GAP, _WIDEST = "_", 7  # what may stand between the words of a cue, and how many words
#: Words that only stress what stands around them: they may stand inside a cue ("slow right down", "rings just out").
_STRESS = frozenset(
    ("right", "just", "really", "quite", "properly", "gently", "nicely", "all", "totally", "completely", "simply")
)
#: Adverbs and others that look like forms of a quality and say something else.
_NO_FORMS = frozenset(
    ("barely", "highly", "shortly", "deeply", "sadly", "interestingly", "fully", "largely", "freshly")
)
#: How a quality's word ends where it is compared or tells how somebody plays, and what stands there otherwise.
_FORMS = (("ier", "y"), ("er", ""), ("er", "e"), ("iest", "y"), ("est", ""), ("ily", "y"), ("ly", ""), ("ish", ""))
_LISTS = ("cues", "others", "open", "close", "held", "fade", "sudden")


@dataclass(frozen=True)
class Word:
    """A word in lower case and where it stands; ``hard`` where a sentence, ``soft`` where a clause begins with it."""

    text: str
    start: int
    end: int
    hard: bool
    soft: bool


@dataclass(frozen=True)
class Cue:
    """A phrase that asks for something: the kind or quality, which way or what more closely, and its words."""

    kind: str
    detail: str
    way: int
    words: tuple[int, ...]


@dataclass(frozen=True)
class Piece:
    """A piece of a text that says one thing: its first word and the one after its last, and which sentence it is in."""

    first: int
    stop: int
    sentence: int
    joined: str


_OTHERS = frozenset({"the", "all", "everything", "its", "whole"})  # before "rest": all that is not spoken of


def words_of(text: str) -> list[Word]:
    """The words of a text."""
    words: list[Word] = []
    last = 0
    for match in _WORD.finditer(text):
        between = text[last : match.start()]
        word = match[0].lower().replace("’", "'")
        hard = not words or bool(_HARD.search(re.sub(r"(?<=\d)\.(?=\d)", "", between)))
        joins = word in _JOINS and not (word == "but" and words and words[-1].text in _ALL)
        words.append(Word(word, match.start(), match.end(), hard, hard or bool(_SOFT.search(between)) or joins))
        last = match.end()
    return words


def pieces_of(words: list[Word]) -> list[Piece]:
    """The text cut wherever a new thing may begin."""
    pieces: list[Piece] = []
    edges = [index for index, word in enumerate(words) if word.soft] + [len(words)]
    sentence = -1
    for first, stop in pairwise(edges):
        sentence += words[first].hard
        pieces.append(Piece(first, stop, sentence, words[first].text if words[first].text in _JOINS else ""))
    return pieces


@cache
def filler() -> frozenset[str]:
    """Words that say nothing of their own about a change."""
    return frozenset(files("libretto.tasks.revise").joinpath("filler.txt").read_text(encoding="utf-8").split())


@cache
def _table() -> dict[str, list[tuple[tuple[str, ...], str, str, int]]]:
    """Every cue by its first word."""
    rows: list[tuple[tuple[str, ...], str, str, int]] = []
    for name, quality in qualities().items():
        rows += [(tuple(phrase.split()), name, "", 1) for phrase in quality.more]
        rows += [(tuple(phrase.split()), name, "", -1) for phrase in quality.less]
    for name, row in kinds().items():
        rows += [(tuple(p.split()), name, "" if key == "cues" else key, 1) for key in _LISTS for p in row.get(key, ())]
    table: dict[str, list[tuple[tuple[str, ...], str, str, int]]] = {}
    for entry in rows:
        table.setdefault(entry[0][0], []).append(entry)
    return table


def find_cues(words: list[Word]) -> list[Cue]:
    """All cues of a text; of two that share a word the one of more words stands, and both where they are as long."""
    cues: list[Cue] = []
    for at, word in enumerate(words):
        for phrase, kind, detail, way in (*_table().get(word.text, ()), *_stemmed(word.text)):
            placed = _placed(phrase, words, at)
            if placed:
                cues.append(Cue(kind, detail, way, placed))
    cues.sort(key=lambda cue: (-len(cue.words), cue.words[-1] - cue.words[0], cue.words))
    kept: list[Cue] = []
    for cue in cues:
        rivals = [other for other in kept if set(other.words) & set(cue.words)]
        if all(other.words == cue.words for other in rivals):
            kept.append(cue)
    return sorted((cue for cue in kept if not _is_the_rest(cue, words)), key=lambda cue: cue.words)


def _is_the_rest(cue: Cue, words: list[Word]) -> bool:
    """Whether "rest" is all the others, and nobody's silence."""
    at = cue.words[0]
    return cue.kind == "mute" and words[at].text == "rest" and at > 0 and words[at - 1].text in _OTHERS


def _stemmed(word: str) -> list[tuple[tuple[str, ...], str, str, int]]:
    """Cues of a verb that stands in another form: removes, removing, removed."""
    if word in _table():
        return []
    for ending in ("s", "es", "ed", "d", "ing"):
        stem = word.removesuffix(ending)
        for root in (stem, stem + "e") if stem != word else ():
            if root in _table():
                return [entry for entry in _table()[root] if entry[1] not in qualities()]
    return _compared(word)


def _compared(word: str) -> list[tuple[tuple[str, ...], str, str, int]]:
    """Cues of a quality that stands in another form: gloomier, sunniest, softly; fatter."""
    for ending, instead in _FORMS if word not in _NO_FORMS else ():
        stem = word.removesuffix(ending) + instead
        twice = stem[:-1] if stem[-1:] == stem[-2:-1] else stem
        for root in (stem, twice) if word.endswith(ending) else ():
            entries = [entry for entry in _table().get(root, ()) if entry[0] == (root,) and entry[1] in qualities()]
            if entries:
                return entries
    return []


def _placed(phrase: tuple[str, ...], words: list[Word], at: int) -> tuple[int, ...]:
    """Where the words of a phrase stand from a word on; none where they do not."""
    places = [at]
    gap = 0
    for wanted in phrase[1:]:
        if wanted == _GAP:
            gap = _WIDEST
            continue
        here = places[-1] + 1
        while here < len(words) - 1 and words[here].text in _STRESS and words[here].text != wanted:
            here += 1
        ends = range(here, min(len(words), here + gap + 1))
        stop = next((i for i in ends if words[i].soft and words[i].text not in _JOINS), len(words))
        place = next((i for i in ends if i < stop and words[i].text == wanted), None)
        if place is None:
            return ()
        places.append(place)
        gap = 0
    return tuple(places)
