"""Which language a text is in: by the words that only one of two languages has, and a clear majority of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from libretto.contract.tongues.tables import ENGLISH, language_coded, languages
from libretto.contract.tongues.text import Word, plain, words_of_text
from libretto.contract.words import rows_of, tokens_of
from libretto.registry import plugin_folders

__all__ = ["language_of"]

_TABLES = ("instruments.txt", "ensembles.txt", "styles.txt", "moods.txt", "tempi.txt", "cues.txt")
_ENOUGH = 2  # words that only the other language has, in a text of some length
_SHARE = 0.5  # of the words of a short text, if there are fewer


@cache
def _english() -> frozenset[str]:
    """The words that are English, or at home in English: those that tell it, and those of its readers' tables."""
    names = (token.word for table in _TABLES for row in rows_of(table) for cell in row for token in tokens_of(cell))
    return language_coded(ENGLISH).words | frozenset(map(plain, names))


def _is_plainly_english(said: Sequence[str], english: frozenset[str]) -> bool:
    """Whether no language can claim a text, whatever its words are: told without reading the files of the others."""
    strange = sum(word not in english for word in said)
    if not strange or not (strange >= _ENOUGH or strange >= _SHARE * len(said)):
        return True
    alone = language_coded(ENGLISH).alone
    return not plugin_folders("libretto.tongues") and sum(word in alone for word in said) >= strange


def language_of(words: Sequence[Word] | str) -> str:
    """The code of the language of a text; English where no other has more words of its own.

    >>> language_of("Ein langsamer Walzer"), language_of("cello and viola, allegro con brio")
    ('de', 'en')
    """
    said = [word.plain for word in (words_of_text(words) if isinstance(words, str) else words)]
    said = [word for word in said if not word[0].isdigit()]
    english = _english()
    if _is_plainly_english(said, english):
        return ENGLISH
    best, most = ENGLISH, 0
    for code, language in languages().items():
        if code == ENGLISH:
            continue
        own = sum(word in language.words and word not in english for word in said)
        theirs = sum(word in english and word not in language.words for word in said)
        if own > max(most, theirs) and (own >= _ENOUGH or own >= _SHARE * len(said)):
            best, most = code, own
    return best
