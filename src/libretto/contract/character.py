"""What kind of piece: style and genre from their names, mood words and what they lean towards.

A style's name weighs more where the brief says what is to be written (``a bossa nova piece``) than in passing or in
the title.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from libretto.contract.words import Found, Phrases, Token, rows_of, tokens_of, words_of
from libretto.score.time import Meter

__all__ = ["GENRES", "Leanings", "Style", "find_moods", "find_style", "styles"]

#: The genres of the default cloud.
GENRES = (
    "blues_gospel", "classical", "electronic_dance", "film_tv", "folk_country", "funk_soul_rnb", "hiphop_rap", "jazz",
    "latin", "metal", "pop_rock", "reggae_ska",
)  # fmt: skip
_GENERIC = {"classical", "folk", "electronic", "jazz", "pop", "rock", "cinematic", "world", "latin", "ballad", "edm"}
_PIECES = words_of("pieces after a style")
_UNSAID = words_of("unsaid styles")


@dataclass(frozen=True, slots=True)
class Style:
    """A style: its word, the cloud's genre, its usual tempo and meter."""

    name: str
    genre: str
    tempo: tuple[int, int]
    meter: Meter | None


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
        table[name] = Style(name, genre, (low, high), Meter.parse(meter) if meter else None)
    return table


@cache
def _style_phrases() -> Phrases[Style]:
    return Phrases(
        [(phrase, styles()[row[0]]) for row in rows_of("styles.txt") for phrase in (*row[1].split(","), row[0])]
    )


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
    found = _style_phrases().find(text, tokens)
    weights: dict[str, float] = {}
    genres: dict[str, float] = {}
    stop = text.find(".", title_end)
    first_end = stop if stop >= 0 else len(text)
    for one in found:
        weight = _weight(text, tokens, one, title_end, first_end, instruments)
        weight *= 0.7 if one.value.name in _GENERIC else 1.0
        weights[one.value.name] = weights.get(one.value.name, 0.0) + weight
        genres[one.value.genre] = genres.get(one.value.genre, 0.0) + weight
    if not weights or max(weights.values()) <= 0.25:
        return None, found
    best = max(genres, key=lambda genre: genres[genre])
    name = max((name for name in weights if styles()[name].genre == best), key=lambda name: weights[name])
    return styles()[name], found


def _weight(
    text: str,
    tokens: list[Token],
    one: Found[Style],
    title_end: int,
    first_end: int,
    instruments: Sequence[tuple[int, int]],
) -> float:
    word = text[one.start : one.end].lower()
    if any(start <= one.start and one.end <= end for start, end in instruments):
        return 0.0 if word in _UNSAID else 0.3
    if word in _UNSAID:
        base = 0.3
    elif one.end <= title_end:
        base = 0.6
    else:
        base = 1.0 if one.start <= first_end else 0.5
    after = [token for token in tokens[one.last + 1 : one.last + 4] if token.start - one.end < 40]
    if one.start >= title_end and one.start <= first_end and any(token.word in _PIECES for token in after):
        base += 1.8 if after[0].word in _PIECES else 1.2
    return base + 0.4 * (one.last - one.first)


def find_moods(text: str, title_end: int = 0) -> tuple[tuple[str, ...], Leanings]:
    """The mood words of a text, each once, and what they lean towards together.

    >>> find_moods("a calm, peaceful piece")[0]
    ('calm', 'peaceful')
    """
    words: dict[str, tuple[float, ...]] = {}
    for one in _mood_phrases().find(text):
        if one.start >= title_end:
            words.setdefault(" ".join(text[one.start : one.end].lower().split()), one.value)
    if not words:
        return (), Leanings()
    share = 1.4 / (len(words) + 0.6)
    sums = [max(-1.0, min(1.0, round(sum(column) * share, 2))) for column in zip(*words.values(), strict=True)]
    return tuple(list(words)[:12]), Leanings(*sums)
