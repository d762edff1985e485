"""Words under a written voice: which syllable each note has in each verse, and the lines of a block of bars."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.formats.abc.bars import ChordRest
from libretto.formats.abc.lyrics import words_line

__all__ = ["block_words", "words_lines"]

Sung = list[dict[int, str]]  # for each written note of a bar its syllables by verse


def words_lines(bars: Sequence[Sequence[Sequence[ChordRest]]]) -> list[Sung]:
    """For each bar the syllables of its notes; nothing after the last bar that is sung."""
    sung = [
        [dict(piece.ink.syllables) if piece.ink else {} for layer in bar for piece in layer if piece.notes]
        for bar in bars
    ]
    while sung and not any(sung[-1]):
        sung.pop()
    return sung


def block_words(sung: Sequence[Sung], first: int, last: int) -> list[str]:
    """The lines of words under a block of bars; an empty one where later bars are sung and these are not."""
    if first >= len(sung):
        return []
    block = sung[first:last]
    verses = max((verse for bar in block for note in bar for verse in note), default=1)
    return [
        words_line([[note.get(verse) for note in bar] for bar in block], _goes_on(sung, first, verse))
        for verse in range(1, verses + 1)
    ]


def _goes_on(sung: Sequence[Sung], first: int, verse: int) -> bool:
    """Whether the last syllable before a block ends inside a word."""
    for bar in reversed(sung[:first]):
        for note in reversed(bar):
            if verse in note:
                return note[verse].endswith("-")
    return False
