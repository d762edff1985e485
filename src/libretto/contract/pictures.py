"""Pictures: what a few words without a style call for, from *music for a rainy day* to *like Chopin*."""

from __future__ import annotations

from functools import cache

from libretto.contract.character import find_moods
from libretto.contract.words import Phrases, rows_of

__all__ = ["KIND", "moods_beside", "picture_moods", "picture_phrases", "pictured_styles"]

#: The kind of what is heard of a picture.
KIND = "picture"
_NOTHING = "-"
_NOBODY = "?"  # behind a style that is taken only where nobody is named
_LINE = KIND + ": "
_CLASH = 0.1  # how soft the one is times how strong the other


@cache
def picture_phrases() -> Phrases[str]:
    """The words of all pictures, each with the picture's name."""
    return Phrases([(phrase, row[0]) for row in rows_of("pictures.txt") for phrase in row[1].split(",")])


def picture_moods(name: str) -> str:
    """The mood words that a picture stands for."""
    return next((row[2].removeprefix(_NOTHING) for row in rows_of("pictures.txt") if row[0] == name), "")


def moods_beside(name: str, text: str) -> str:
    """The mood words that a picture stands for, unless the moods of a text are soft where those are strong, or strong
    where those are soft: soft music at the sea does not sweep.

    >>> moods_beside("sea", "a soft, calm air"), moods_beside("sea", "a long air")
    ('', 'sweeping')
    """
    moods = picture_moods(name)
    return "" if find_moods(moods)[1].dynamics * find_moods(text)[1].dynamics <= -_CLASH else moods


def pictured_styles(heard: tuple[str, ...], peopled: bool) -> list[str]:
    """The styles that the pictures among a contract's ``heard`` lines call for, the likeliest first; ``peopled`` is
    whether it names players."""
    seen = {line.removeprefix(_LINE).partition(" (")[0] for line in heard if line.startswith(_LINE)}
    rows = [row for row in rows_of("pictures.txt") if row[0] in seen]
    styles = [style.strip() for row in rows for style in row[3].split(",")]
    return [style.removesuffix(_NOBODY) for style in styles if not (peopled and style.endswith(_NOBODY))]
