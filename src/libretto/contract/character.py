"""What kind of piece: style and genre from their names, mood words and what they lean towards.

A style's name weighs more where the brief says what is to be written than in passing or in the title. Which styles and
moods there are stands in tables beside this file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from libretto.contract.meanings import is_manner_asked, is_tasted, means_otherwise
from libretto.contract.words import Found, Phrases, Token, rows_of, tokens_of, words_of
from libretto.score.time import Meter

__all__ = [
    "GENRES",
    "Leanings",
    "Style",
    "find_moods",
    "find_style",
    "is_denied",
    "mood_kin",
    "mood_phrases",
    "style_named",
    "styles",
]

_LIKE = "~"  # before a genre that a style is only composed like
#: The genres of the default cloud: every style belongs to one, or is composed like one.
GENRES = tuple(sorted({genre.removeprefix(_LIKE) for _, _, genre, _, _ in rows_of("styles.txt")}))
_GENERAL = words_of("general styles")
_PIECES = words_of("pieces after a style")
_UNSAID = words_of("unsaid styles")
_MANNERS, _OF_A_BAND = words_of("styles that are manners"), words_of("manners of a band")
_OF_ANY_LAND = words_of("music of any land")
_BLENDS = re.compile(
    r"\b(?:meets|blend\w*|mix(?:es|ing|ture)?|combin\w+|fus(?:es?|ing|ion)|merg\w+|"
    r"over (?:an? )?(?:[\w-]+ ){1,3}(?:beats?|drums))\b",
    re.I,
)
_MACHINES = ("electronic_dance", "hiphop_rap")
_SCENES, _GAMES = "film_tv", frozenset({"video game", "videogame", "arcade", "platformer", "platform game"})  # no kinds
_NO_MOOD = re.compile(r"merry[- ]go[- ]|(?:(?<=after )|(?<=before )|(?<=in the ))dark(?=[.,;:!?]|\Z)", re.I)
_SHORT = 120  # characters of a text that says little

# How much a style's name weighs, by where it stands; the style of the heaviest genre is the one that is meant.
_IN_PASSING = 0.3  # in the name of an instrument, or a word that is seldom meant as a style
_TASTED = 0.4  # where it is only a touch
_IN_TITLE, _IN_FIRST_SENTENCE, _LATER = 0.6, 1.0, 0.5
_OF_A_PIECE, _NEAR_A_PIECE = 1.8, 1.2  # more, right before or close before a word for a piece, in the first sentence
_IN_ITS_STYLE = 2.2  # more, where a piece is to be in the style of it
_LONGER = 0.4  # more for every further word of the name
_OF_GENERAL = 0.7  # times, for styles that are whole fields
_BLENDED = 2.0  # more, for music of machines in a blend with another: it has the beat, and the other the tune
_BESIDE_A_KIND = 0.1  # times, for a word that says in what manner the kind of music is to be that the sentence names
_ENOUGH = 0.25  # less is no style at all
_CLOSE_WORDS, _CLOSE = 3, 40  # words and characters after a name that still belong to it
_MOOD_SUM, _MOOD_MORE = 1.4, 0.6  # one mood word leans by 0.875 of what it says, many lean by their mean times 1.4
_MOST_MOODS = 12


@dataclass(frozen=True, slots=True)
class Style:
    """A style: its word, the cloud's genre, its usual tempo and meter; and whether it belongs to that genre.

    Where it does not, there is nothing nearer that it can be composed like: music of the style is no music of the genre
    and is not judged as such.
    """

    name: str
    genre: str
    tempo: tuple[int, int]
    meter: Meter | None
    belongs: bool = True


_PLAYERS = re.compile(r"[ -](?:piano )?(?:trio|quartet|quintet|sextet|combo|band|orchestra|ensemble|duo)\b", re.I)


@dataclass(frozen=True, slots=True)
class Leanings:
    """What mood words lean towards, each from -1 to 1; nought is nothing said."""

    mode: float = 0.0
    tempo: float = 0.0
    density: float = 0.0
    register: float = 0.0
    dynamics: float = 0.0
    brightness: float = 0.0


@cache
def styles() -> dict[str, Style]:
    """Every style by its word."""
    table = {}
    for name, _, genre, tempo, meter in rows_of("styles.txt"):
        low, high = map(int, tempo.split("-"))
        own = Meter.parse(meter) if meter else None
        table[name] = Style(name, genre.removeprefix(_LIKE), (low, high), own, not genre.startswith(_LIKE))
    return table


@cache
def _style_phrases() -> Phrases[Style]:
    return Phrases(
        [(phrase, styles()[row[0]]) for row in rows_of("styles.txt") for phrase in (*row[1].split(","), row[0])]
    )


def style_named(name: str) -> Style | None:
    """The style that exactly that name names, or None."""
    return _style_phrases().get(name)


@cache
def _mood_phrases() -> Phrases[tuple[float, ...]]:
    entries = []
    for words, *numbers in rows_of("moods.txt"):
        entries += [(word, tuple(map(float, numbers))) for word in words.split(",")]
    return Phrases(entries)


def find_style(
    text: str, title_end: int, instruments: Sequence[tuple[int, int]]
) -> tuple[Style | None, list[Found[Style]]]:
    """The style that a brief is about, and every style it names; None where it names none."""
    tokens = tokens_of(text)
    stop = text.find(".", title_end)
    opening = range(title_end, (stop if stop >= 0 else len(text)) + 1)
    named = [one for one in _style_phrases().find(text, tokens) if not means_otherwise(text, tokens, one)]
    weights: dict[str, float] = {}
    begun: dict[str, float] = {}  # what each weighs in the first sentence and the title
    genres: dict[str, float] = {}
    for phrase, share in zip(named, _shares(text, named, opening, instruments), strict=True):
        style = phrase.value
        weight = _weight(text, tokens, phrase, opening, instruments) * share + _blended(text, style, opening)
        weights[style.name] = weights.get(style.name, 0.0) + weight
        genres[style.genre] = genres.get(style.genre, 0.0) + weight
        begun[style.name] = begun.get(style.name, 0.0) + weight * (phrase.start < opening.stop)
    if not weights or max(weights.values()) <= _ENOUGH:
        return next(
            (one.value for one in named if _of_players(text, one) or _of_player(text, one, instruments)), None
        ), named
    best = max(genres, key=lambda genre: genres[genre])
    of_genre = [name for name in weights if styles()[name].genre == best]
    return styles()[max(_special(of_genre, begun), key=lambda name: weights[name])], named


def _of_players(text: str, phrase: Found[Style]) -> bool:
    """Whether a style's name says what kind of players are meant: a jazz trio."""
    return bool(_PLAYERS.match(text, phrase.end))


def _of_player(text: str, phrase: Found[Style], instruments: Sequence[tuple[int, int]]) -> bool:
    """Whether a style's name is all that a short text says of one, before an instrument: a klezmer clarinet."""
    word = text[phrase.start : phrase.end].lower()
    inside = any(start <= phrase.start and phrase.end <= end for start, end in instruments)
    return inside and word not in _UNSAID and len(text) <= _SHORT


def _special(names: list[str], begun: Mapping[str, float]) -> list[str]:
    """Of the styles of a genre those that are special, where a brief begins with one rather than with a general word;
    else all."""
    general = max((begun[name] for name in names if name in _GENERAL), default=0.0)
    return [name for name in names if name not in _GENERAL and begun[name] > max(general, _ENOUGH)] or names


def _shares(
    text: str, named: Sequence[Found[Style]], opening: range, instruments: Sequence[tuple[int, int]]
) -> list[float]:
    """How much of its weight each name keeps beside the others: hardly any where it says only in what manner, or for
    what game, the music is that the first sentence names, and less where it names a whole field."""
    first = [one for one in named if one.start in opening]
    outright = [one for one in first if _is_outright(text, one, instruments)]
    musical = outright or [one for one in first if _word(text, one) in _OF_A_BAND]
    return [_share(text, one, first, outright, musical) for one in named]


def _share(
    text: str,
    one: Found[Style],
    first: Sequence[Found[Style]],
    outright: Sequence[Found[Style]],
    musical: Sequence[Found[Style]],
) -> float:
    """How much of its weight a name keeps beside those of the ``first`` sentence, of which some are said ``outright``,
    and some name what is played."""
    word = _word(text, one)
    manner = bool(outright) and word in _MANNERS
    of_a_land = word in _OF_ANY_LAND and any(_right_before(text, other, one) for other in first)
    game = word in _GAMES and any(other.value is not one.value for other in musical)
    beside = _BESIDE_A_KIND if manner or of_a_land or game else 1.0
    return beside * (_OF_GENERAL if one.value.name in _GENERAL else 1.0)


def _right_before(text: str, land: Found[Style], phrase: Found[Style]) -> bool:
    """Whether another style's name stands right before one, as that of a land does: Mexican folk."""
    beside = text[land.end : phrase.start] == " " and land.value is not phrase.value
    return beside and _word(text, land) not in _UNSAID


def _blended(text: str, style: Style, opening: range) -> float:
    """What music of machines weighs more where the title or the first sentence blends it with another."""
    machines = style.belongs and style.genre in _MACHINES
    return _BLENDED if machines and _BLENDS.search(text, 0, opening.stop) else 0.0


def _word(text: str, phrase: Found[Style]) -> str:
    return text[phrase.start : phrase.end].lower()


def _is_outright(text: str, phrase: Found[Style], instruments: Sequence[tuple[int, int]]) -> bool:
    """Whether a style's name names a kind of music, to which words for its manner give way: a meditative raga."""
    word = _word(text, phrase)
    inside = any(start <= phrase.start and phrase.end <= end for start, end in instruments)
    scene = phrase.value.genre == _SCENES or word in _GAMES
    return not (inside or scene or word in _UNSAID or word in _MANNERS or is_tasted(text, phrase))


def _weight(
    text: str, tokens: list[Token], phrase: Found[Style], opening: range, instruments: Sequence[tuple[int, int]]
) -> float:
    """How much a style's name weighs; ``opening`` is where the first sentence after the title stands."""
    unsaid = _word(text, phrase) in _UNSAID
    of_a_piece = _of_a_piece(text, tokens, phrase) if phrase.start in opening else 0.0
    if any(start <= phrase.start and phrase.end <= end for start, end in instruments) and of_a_piece < _OF_A_PIECE:
        return 0.0 if unsaid else _IN_PASSING
    if is_tasted(text, phrase):
        return _TASTED
    if unsaid:
        weight = _IN_PASSING
    elif phrase.end <= opening.start:
        weight = _IN_TITLE
    else:
        weight = _IN_FIRST_SENTENCE if phrase.start < opening.stop else _LATER
    return weight + of_a_piece + _LONGER * (phrase.last - phrase.first)


def _of_a_piece(text: str, tokens: list[Token], phrase: Found[Style]) -> float:
    """What a style's name weighs more where it says of what kind or in what style a piece is to be."""
    after = tokens[phrase.last + 1 : phrase.last + 1 + _CLOSE_WORDS]
    after = [token for token in after if token.start - phrase.end < _CLOSE]
    if any(token.word in _PIECES for token in after):
        return _OF_A_PIECE if after[0].word in _PIECES else _NEAR_A_PIECE
    return _IN_ITS_STYLE if is_manner_asked(text, phrase) else 0.0


_NOT = re.compile(
    r"\b(?:not|nothing|never|no|isn't|without being|less|avoid|don't|can't|cannot|won't|(?:refuses?|unable) to)\s"
    r"(?:too\s|very\s|so\s|be\s|that\s|anything\s|get\s|(?:stand|sit|stay|keep|hold|lie)s?\s)?\Z",
    re.I,
)
_BEFORE_MOOD = 24  # characters before a mood word that may deny it


def is_denied(text: str, start: int) -> bool:
    """Whether a mood word that begins there is not wanted: ``nothing gloomy``."""
    return _NOT.search(text[max(0, start - _BEFORE_MOOD) : start]) is not None


def mood_phrases(text: str, title_end: int = 0) -> list[Found[tuple[float, ...]]]:
    """Where a text has mood words, with what each leans towards."""
    there = (phrase for phrase in _mood_phrases().find(text) if phrase.start >= title_end)
    return [phrase for phrase in there if not _NO_MOOD.match(text, phrase.start)]


@cache
def mood_kin(words: tuple[str, ...]) -> frozenset[int]:
    """Which rows of moods some words belong to: those of one row mean about the same.

    >>> mood_kin(("cozy",)) == mood_kin(("warm",))
    True
    """
    rows = {word.strip(): row for row, cells in enumerate(rows_of("moods.txt")) for word in cells[0].split(",")}
    return frozenset(rows[word] for word in words if word in rows)


def find_moods(text: str, title_end: int = 0) -> tuple[tuple[str, ...], Leanings]:
    """The mood words of a text, each once, and what they lean towards together.

    >>> find_moods("a calm, peaceful piece")[0]
    ('calm', 'peaceful')
    """
    words: dict[str, tuple[float, ...]] = {}
    for phrase in mood_phrases(text, title_end):
        words.setdefault(" ".join(text[phrase.start : phrase.end].lower().split()), phrase.value)
    if not words:
        return (), Leanings()
    share = _MOOD_SUM / (len(words) + _MOOD_MORE)
    sums = [max(-1.0, min(1.0, round(sum(column) * share, 2))) for column in zip(*words.values(), strict=True)]
    return tuple(list(words)[:_MOST_MOODS]), Leanings(*sums)
