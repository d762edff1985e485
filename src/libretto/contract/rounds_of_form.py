"""Forms of long pieces: letters that are told to go round so often, and songs of which it is told what is in them."""

from __future__ import annotations

import re

from libretto.contract.words import Found, number_of

__all__ = ["in_full"]

_USUAL = 72  # bars up to which a form is taken as it stands
_PERIOD = 8  # bars that a letter has where nothing is said
_MOST = 32  # sections
_TIMES = re.compile(
    r"\A[\"'”’)]?,?\s{0,2}(?:form,?\s)?(?:is\s)?(?:played\s|repeated\s|going round\s|goes round\s)?"
    r"(?:(?P<n>two|three|four|five|six|seven|eight|[2-8]) times|(?P<twice>twice)|x\s?(?P<by>[2-8]))\b",
    re.I,
)
_MANY = re.compile(r"\bchoruses\b", re.I)
_PAIR = ("verse", "chorus")
_BEFORE, _AFTER = ("intro",), ("outro", "coda", "tag", "ending", "vamp")


def in_full(
    text: str, form: Found[tuple[str, ...]] | None, sections: tuple[str, ...], bars: int | None
) -> tuple[str, ...]:
    """The sections of a long piece in their order: letters as often as they go round; of a song that is told to have
    verses, choruses and others a chorus after each verse, and one after all others. As they are where a form is in
    order as it stands, or the piece is not long."""
    if form is None:
        return sections
    letters = all(len(name) == 1 for name in form.value)
    made = _rounds(text, form) if letters else _song(text[form.start : form.end], form.value)
    long = bars > _USUAL if bars is not None else letters and len(made) * _PERIOD > _USUAL
    return made if made and long and len(made) <= _MOST else sections


def _rounds(text: str, form: Found[tuple[str, ...]]) -> tuple[str, ...]:
    """Letters as often as they are told to come."""
    told = _TIMES.match(text[form.end :])
    if told is None:
        return ()
    times = 2 if told["twice"] else number_of(told["n"]) if told["n"] else int(told["by"])
    return form.value * (times or 1)


def _song(words: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The sections of a song that is told to have some verses, then choruses whose number is left open."""
    verses = names.count("verse")
    rows = [name for place, name in enumerate(names) if not place or names[place - 1] != name]
    if not _MANY.search(words) or names.count("chorus") > 1 or tuple(rows[:2]) != _PAIR or not verses:
        return ()
    others = [name for name in rows if name not in (*_PAIR, *_BEFORE, *_AFTER)]
    before = tuple(name for name in rows if name in _BEFORE)
    after = tuple(name for name in rows if name in _AFTER)
    last = ("chorus",) if others else ()
    return (*before, *_PAIR * verses, *others, *last, *after)
