"""The title of a piece: what stands before the first colon of a brief, written as titles are."""

from __future__ import annotations

import re

from libretto.contract.progression import find_progressions

__all__ = ["find_title"]

_TITLE = re.compile(
    r"\s{0,9}(?P<title>(?:[^:.!?\n]|\b(?:St|Mr|Mrs|Ms|Dr|Mt|No|Op|Nr|vs)\.(?=\s)){1,90}?)\s{0,3}:(?=\s)"
)
_LONGEST_TITLE = 12  # words; what is longer before a colon is a sentence
_SMALL_WORDS = 3  # letters; words no longer than this are small in titles too
_AROUND_TITLE = " '‘’*#"  # besides double quotes, what may stand around a title and is no part of it
_DOUBLE_QUOTES = '"“”'
_FIELD_NAME = re.compile(
    r"(?:title|mood|dedication|key|tempo|bpm|meter|time|time signature|bars|length|chords?|progression|instruments?|"
    r"instrumentation|genre|"
    r"style|form|bars? \d[\d\s–-]*|(?-i:[Ff]or [a-z]).*)\Z",
    re.I,
)


def find_title(text: str) -> tuple[str, int]:
    """The title before the first colon, and where the rest begins; nothing and 0 where there is none.

    >>> find_title("Harbour Lights: a waltz"), find_title("Write a waltz: slow")
    (('Harbour Lights', 15), ('', 0))
    """
    match = _TITLE.match(text)
    if not match or _FIELD_NAME.match(match["title"].strip(' "“”*#')) or len(match["title"].split()) > _LONGEST_TITLE:
        return "", 0
    if not text[match.end() :].strip() or find_progressions(match["title"]) or not _titled(match["title"]):
        return "", 0
    return _unwrapped(match["title"]), match.end()


def _titled(words: str) -> bool:
    """Whether words are written as a title: most of the longer ones with capitals, or no more than two words."""
    longer = [word for word in re.findall(r"[^\W\d_][\w'’]*", words) if len(word) > _SMALL_WORDS]
    capital = sum(1 for word in longer if not word[0].islower())
    return len(words.split()) <= 2 or capital * 2 > len(longer) or not longer


def _unwrapped(title: str) -> str:
    """A title without the marks around it; quotes that belong to words of it stay.

    >>> _unwrapped('"Tides"'), _unwrapped('Salt and "Tar"')
    ('Tides', 'Salt and "Tar"')
    """
    bare = title.strip(_AROUND_TITLE + _DOUBLE_QUOTES)
    return bare if _quotes_match(bare) else title.strip(_AROUND_TITLE)


def _quotes_match(text: str) -> bool:
    """Whether every double quote that opens in a text closes in it, and the other way round."""
    depth = 0
    for at, mark in enumerate(text):
        if mark in _DOUBLE_QUOTES:
            opens = mark == "“" or (mark == '"' and (at == 0 or text[at - 1].isspace()))
            depth += 1 if opens else -1
            if depth < 0:
                return False
    return depth == 0
