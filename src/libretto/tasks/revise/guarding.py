"""Wishes of one request held against each other: what is to stay is left out of what else is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from libretto.score import Score
from libretto.tasks.revise.scope import tune_of
from libretto.tasks.revise.staying import MOVED_ALONG
from libretto.tasks.revise.wish import Wish, qualities

__all__ = ["guarded"]

#: What parts can do without each other: whoever is to stay as they are is left out of it.
_OF_PARTS = (
    "busy", "color", "crescendo", "diminuendo", "fullness", "height", "jazz", "leaps", "length", "loudness", "mode",
    "mood", "octave", "plain", "sevenths", "straight", "swing", "syncopation", "variety", "voicing",
)  # fmt: skip
_OF_BARS = ("repeat", "cut", "exchange", "move", "start", "lengthen", "shorten", "undo", "again", "title", "remove")
#: What else may stay than parts and places.
_NO_PLACE = ("chords", "everything else", "key", "rhythm", "tempo")


def _numbers(wish: Wish) -> set[int]:
    return {number for one, two in wish.where for number in range(one, two + 1)}


def _place_kept(wish: Wish) -> set[int]:
    """The bars that are to stay as they are in every part; none where parts or something else are to."""
    return set() if wish.voices or wish.target in _NO_PLACE else _numbers(wish)


def _along(wish: Wish, wishes: Sequence[Wish]) -> Wish:
    """A part that is to stay moves along where the same request puts those bars into another key."""
    moving = [other for other in wishes if other.quality == "key" and not other.voices]
    if wish.quality != "keep" or not wish.voices or wish.target.endswith("rhythm"):
        return wish
    if not any(_numbers(other) & _numbers(wish) for other in moving):
        return wish
    return replace(wish, target=wish.target + MOVED_ALONG, chosen="the same tune in the new key")


def _runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def guarded(wishes: Sequence[Wish], score: Score) -> list[Wish]:
    """The wishes, each once, with what is to stay left out of those that name nobody, or no place."""
    keeping = [wish for wish in wishes if wish.quality == "keep"]
    spared = {number for wish in keeping for number in _place_kept(wish)}
    parts = [part for wish in wishes for part in _sparing(_along(wish, wishes), spared, score)]
    made = _once([_to_others(wish, keeping, score) for wish in parts])
    return [_played(wish, made) for wish in made]


def _to_others(wish: Wish, keeping: Sequence[Wish], score: Score) -> Wish:
    """A wish that names nobody, for those alone that need not stay; for the tune alone where the chords stay."""
    kept = _staying(keeping)
    if kept and wish.quality in _OF_PARTS:
        others = tuple(voice.name for voice in score.voices if voice.name not in kept)
        wish = replace(wish, voices=wish.voices or others)
    if wish.quality == "variety" and any(other.target == "chords" for other in keeping):
        wish = replace(wish, voices=wish.voices or tuple(filter(None, [tune_of(score)])))
    return wish


def _once(wishes: Sequence[Wish]) -> list[Wish]:
    """The wishes without those that say the same again."""
    made: dict[tuple[object, ...], Wish] = {}
    for wish in wishes:
        made.setdefault((wish.quality, wish.way, wish.voices, wish.target, wish.where), wish)
    return list(made.values())


def _sparing(wish: Wish, spared: set[int], score: Score) -> list[Wish]:
    """A wish for the whole piece without the bars that are to stay; a quality is one wish a stretch."""
    left = sorted(_numbers(wish) - spared)
    if not spared or wish.quality in ("keep", *_OF_BARS) or len(_numbers(wish)) < score.bars or not left:
        return [wish]
    return [wish.at([run]) for run in _runs(left)] if wish.quality in qualities() else [wish.at(_runs(left))]


def _staying(keeping: Sequence[Wish]) -> set[str]:
    """The voices that are to stay as they are, note for note."""
    return {name for wish in keeping for name in wish.voices if wish.target != "melody rhythm"}


def _played(wish: Wish, wishes: Sequence[Wish]) -> Wish:
    """A silence that ends where the same voices are asked to do something before it is over."""
    if wish.quality != "mute":
        return wish
    busy = {
        number
        for other in wishes
        if other.voices and other.quality not in ("mute", "keep") and set(other.voices) <= set(wish.voices)
        for one, two in other.where
        for number in range(one, two + 1)
    }
    bars = [number for one, two in wish.where for number in range(one, two + 1)]
    left = [(number, number) for number in bars if number not in busy]
    return wish.at(left) if left and len(left) < len(bars) else wish
