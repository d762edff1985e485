"""Players of one instrument told apart: the second clarinet, clarinet 2, the clarinets."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.score import Score

__all__ = ["all_of_kind", "one_of_kind"]

_ORDINALS = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4,
}  # fmt: skip
_NUMBERS = {"one": 1, "1": 1, "i": 1, "two": 2, "2": 2, "ii": 2, "three": 3, "3": 3, "iii": 3, "four": 4, "4": 4}
_NUMBER_OF_VOICE = re.compile(r"\s*#?\s*(?:\d{1,2}|I{1,3}|IV)\Z")
#: What a number after an instrument counts, so that it is no name of a player: "the flute 2 octaves up".
_COUNTED = re.compile(
    r"\s*(?:bars?|measures?|beats?|octaves?|semitones?|half|whole|steps?|tones?|notes?|times|more|and a)\b", re.I
)


def one_of_kind(phrase: str, score: Score, following: str) -> tuple[str, ...]:
    """The one voice that an instrument and a number mean ("second clarinet", "clarinet 2"), where several play it.

    ``following`` is the text behind the phrase. Empty where the words name no one of several.
    """
    words = phrase.split()
    number, kind = _ORDINALS.get(words[0]), words[1:]
    if number is None and not _COUNTED.match(following):
        number, kind = _NUMBERS.get(words[-1]), words[:-1]
    players = _of_kind(" ".join(kind), score) if number else ()
    return (players[number - 1],) if number and 1 < len(players) >= number else ()


def all_of_kind(phrase: str, score: Score) -> tuple[str, ...]:
    """All the voices of an instrument that a plural names ("the clarinets"), where several play it."""
    players = _of_kind(phrase.removesuffix("s"), score) if phrase.endswith("s") else ()
    return tuple(players) if len(players) > 1 else ()


def _of_kind(name: str, score: Score) -> Sequence[str]:
    """The voices of that name, with whatever number, in their order."""
    return [voice.name for voice in score.voices if _NUMBER_OF_VOICE.sub("", voice.name).lower() == name]
