"""Pictures: what a few words without a style call for, from *music for a rainy day* to *like Chopin*."""

from __future__ import annotations

from functools import cache

from libretto.contract.words import Phrases, rows_of

__all__ = ["KIND", "picture_moods", "picture_phrases", "pictured_styles"]

#: The kind of what is heard of a picture.
KIND = "picture"
_NOTHING = "-"
_NOBODY = "?"  # behind a style that is taken only where nobody is named
_LINE = KIND + ": "


@cache
def picture_phrases() -> Phrases[str]:
    """The words of all pictures, each with the picture's name."""
    return Phrases([(phrase, row[0]) for row in rows_of("pictures.txt") for phrase in row[1].split(",")])


def picture_moods(name: str) -> str:
    """The mood words that a picture stands for."""
    return next((row[2].removeprefix(_NOTHING) for row in rows_of("pictures.txt") if row[0] == name), "")


def pictured_styles(heard: tuple[str, ...], peopled: bool) -> list[str]:
    """The styles that the pictures among a contract's ``heard`` lines call for, the likeliest first; ``peopled`` is
    whether it names players."""
    seen = {line.removeprefix(_LINE).partition(" (")[0] for line in heard if line.startswith(_LINE)}
    rows = [row for row in rows_of("pictures.txt") if row[0] in seen]
    styles = [style.strip() for row in rows for style in row[3].split(",")]
    return [style.removesuffix(_NOBODY) for style in styles if not (peopled and style.endswith(_NOBODY))]
