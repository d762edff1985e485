"""Which language a text is in: by the words that only one of two languages has, and a clear majority of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from libretto.contract.tongues.tables import ENGLISH, languages
from libretto.contract.tongues.text import Word, plain, words_of_text
from libretto.contract.words import rows_of, tokens_of

__all__ = ["language_of"]

_TABLES = ("instruments.txt", "ensembles.txt", "styles.txt", "moods.txt", "tempi.txt", "cues.txt")
_ENOUGH = 2  # words that only the other language has, in a text of some length
_SHARE = 0.5  # of the words of a short text, if there are fewer


@cache
def _english() -> frozenset[str]:
    """The words that are English, or at home in English: those that tell it, and those of its readers' tables."""
    names = (token.word for table in _TABLES for row in rows_of(table) for cell in row for token in tokens_of(cell))
    told = languages()[ENGLISH].words if ENGLISH in languages() else frozenset()
    return told | frozenset(map(plain, names))


def language_of(words: Sequence[Word] | str) -> str:
    """The code of the language of a text; English where no other has more words of its own.

    >>> language_of("Ein langsamer Walzer"), language_of("cello and viola, allegro con brio")
    ('de', 'en')
    """
    said = [word.plain for word in (words_of_text(words) if isinstance(words, str) else words)]
    said = [word for word in said if not word[0].isdigit()]
    english = _english()
    best, most = ENGLISH, 0
    for code, language in languages().items():
        if code == ENGLISH:
            continue
        own = sum(word in language.words and word not in english for word in said)
        theirs = sum(word in english and word not in language.words for word in said)
        if own > max(most, theirs) and (own >= _ENOUGH or own >= _SHARE * len(said)):
            best, most = code, own
    return best
