"""Which words of a brief call for a chart, and what it counts that a chart is called for."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from unicodedata import combining, normalize

from libretto.contract import Contract
from libretto.contract.character import style_named
from libretto.contract.lands import land_words
from libretto.house.charts.chart import Chart
from libretto.house.core.style import Style, style_names

__all__ = ["callers", "kinds_named", "words_said", "worth_of_call"]

_WORDS = re.compile(r"\d(?:\+\d)+|[a-z0-9]+")  # 3+2+2 is a word
# What it counts that a chart is of the style itself, and is called for by a word.
_STYLE, _WORD = 5.0, 3.0
_ASSUMED = 2.5  # that it is of a style that was only assumed, and no word calls for it
_WORD_ELSEWHERE = 2.4  # a word, for a chart of another style than the one that was named
_CALLS = 3  # words that count, at most; one fewer for a chart of another style
_KIND = 4.0  # more, where one of the words is the very kind of the style that the brief names: a milonga is a tango
_FIRST = 1.5  # more, where that is the first of the chart's words, by which it is known
_MORE = 0.3  # what a word counts beyond these
_SURE = 4  # words that make a chart one of the style
_ALONE = {"solo", "hand", "hands"}
_NO_CALL = re.compile(  # room that is left, and what only a part of a piece is: they call for nothing
    r"\b(?:lots|plenty|bit|deal|amounts?) of (space)\b|\b(?:more|much|enough|some|leav\w+|and|with) (space)\b|"
    r"\b(space) (?:between|for|around)\b|\b(ballad) (?:section|passage|interlude|episode|middle)\b"
)
#: What is said of music of every kind, and ways to play, which go with any.
_ANY_MUSIC = frozenset(("medium", "melodic", "melody", "motif", "pizzicato", "staccato", "legato", "tremolo"))
_ANCIENT = "ancient"  # a mood, too, so that it is heard apart from its land
_LANDS_OF_OLD = frozenset(("babylon", "egypt", "egyptian", "greece", "greek", "mesopotamia", "roman", "rome"))
_FORCES = frozenset(("orchestral",))  # what names who plays, and no kind of music
_STYLED = "style: "  # how a line of what was heard begins


@lru_cache(maxsize=64)
def words_said(contract: Contract) -> frozenset[str]:
    """The words of a brief as far as a contract keeps them, and pairs of them that stand together: its title, what was
    understood, and what was not; and what music from the lands is called that name its style."""
    heard = [line.partition('("')[2] for line in contract.heard]
    lands = [line.partition('("')[2] for line in contract.heard if line.startswith(_STYLED)]
    texts = [contract.title, contract.style.replace("_", " "), *contract.mood, *heard, *contract.unread]
    plain = normalize("NFKD", " ".join(texts).lower())  # without accents: a soleá is a solea
    silent = {word for match in _NO_CALL.finditer(plain) for word in match.groups()}
    words = _WORDS.findall("".join(sign for sign in plain if not combining(sign)))
    words = [word for word in words if word not in silent and word not in _ANY_MUSIC | _FORCES]
    old = [f"{_ANCIENT} {word}" for word in words if word in _LANDS_OF_OLD and _ANCIENT in words]
    return frozenset((*words, *old, *map(" ".join, pairwise(words)), *land_words(" . ".join((contract.title, *lands)))))


@lru_cache(maxsize=64)
def _phrases_named(contract: Contract) -> tuple[tuple[str, ...], ...]:
    """The phrases with which a brief names the kind of its style that it wants (*Delta blues*, *milonga*), or what
    music from the land is called that stands for it, in words without accents."""
    told = [line.partition('("')[2].removesuffix('")').lower() for line in contract.heard if line.startswith(_STYLED)]
    named = [(phrase, style_named(phrase)) for phrase in told if phrase not in _FORCES]
    lands = [name for phrase, style in named if style is None for name in sorted(land_words(phrase))]
    own = [phrase for phrase, style in named if style and style.name == contract.style]
    own = [normalize("NFKD", phrase) for phrase in (*own, *lands)]
    return tuple(tuple(_WORDS.findall("".join(sign for sign in phrase if not combining(sign)))) for phrase in own)


@lru_cache(maxsize=64)
def kinds_named(contract: Contract) -> frozenset[str]:
    """The words of what names the kind of its style that a brief wants, without the name of the style itself: those of
    the phrase that names it, and other names of the style that are said anywhere (*a Motown revue*)."""
    words = {word for row in _phrases_named(contract) for word in (*row, *map(" ".join, pairwise(row)))}
    names = ((word, style_named(word)) for word in words_said(contract))
    others = {word for word, style in names if style and style.name == contract.style}
    return frozenset(words | others) - {contract.style} - _FORCES


def _only_forces(contract: Contract) -> bool:
    """Whether nothing names the style of a brief but who plays: an orchestral storm is a storm first of all."""
    told = [line.partition('("')[2].removesuffix('")').lower() for line in contract.heard if line.startswith(_STYLED)]
    return bool(told) and _FORCES.issuperset(told)


def _of_kind_named(chart: Chart, contract: Contract) -> bool:
    """Whether a chart is of a kind that is no style by itself, and a brief names its style by a word for that kind: a
    kopanitsa is folk to a contract."""
    if _is_known_by(chart, contract):
        return True
    if chart.styles[0] in style_names():
        return False
    phrases = {" ".join(row) for row in _phrases_named(contract)} - {contract.style}
    return bool(phrases & set(chart.words))


def _is_known_by(chart: Chart, contract: Contract) -> bool:
    """Whether a brief names its style by the first of the chart's words, by which that is known: shoegaze is rock to a
    contract."""
    phrases = {" ".join(row) for row in _phrases_named(contract)} - {contract.style}
    return bool(phrases & set(chart.words[:1]))


def callers(chart: Chart, contract: Contract, style: Style, said: frozenset[str]) -> frozenset[str]:
    """The words said that call for a chart; the name of the style is none where nobody said it, or where the chart is
    in another meter than that has, nor is *solo* for one that somebody plays alone, where several play."""
    strange = contract.meter is None and chart.meter != style.meter
    unsaid = strange or not any(style.name in line.partition('("')[2].lower() for line in contract.heard)
    several = len(chart.band) == 1 < len(contract.parts)
    return said & set(chart.words) - ({style.name} if unsaid else set()) - (_ALONE if several else set())


def _is_own(chart: Chart, contract: Contract, style: Style, said: frozenset[str], suited: bool) -> bool:
    """Whether a chart is of the style of a brief, by its own or by the words that call for it."""
    called = callers(chart, contract, style, said)
    seated = {word for part in contract.parts for word in part.instrument.split()}
    own = chart.styles[0] == style.name or said.issuperset(chart.styles[0].split("_"))
    own = own or len(called) >= _SURE or (bool(called - seated) and suited) or _of_kind_named(chart, contract)
    return own or any(word.endswith(f" {style.name}") for word in called)  # acid jazz is a kind of jazz


def worth_of_call(chart: Chart, contract: Contract, style: Style, said: frozenset[str], suited: bool) -> float:
    """What it counts that a chart is of the style, or of one that the brief's own words name (a polka is folk to a
    contract), and that words call for it; ``suited`` is whether it was written for the only player."""
    called = callers(chart, contract, style, said)
    own = _is_own(chart, contract, style, said, suited)
    kind = own and bool(called & kinds_named(contract))
    first = kind and _is_known_by(chart, contract)
    named = bool(contract.style or contract.genre) and not _only_forces(contract)
    word = _WORD if own or not named else _WORD_ELSEWHERE
    worth = _STYLE if named or called else _ASSUMED
    most = _CALLS if own else _CALLS - 1
    return (
        worth * own + _KIND * kind + _FIRST * first + word * min(most, len(called)) + _MORE * max(0, len(called) - most)
    )
