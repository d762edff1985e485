"""How often something is played: ``repeated twice``, ``three times through``, ``x4``."""

from __future__ import annotations

import re

from libretto.contract.reckoning import NUMBER
from libretto.contract.words import number_of

__all__ = ["TIMES", "chords_only", "how_often"]

#: Words that say how often.
TIMES = re.compile(
    rf"(?:repeat(?:ed|s|ing)?|played|looped|loops?|cycled|heard|stated|run|runs|taken)\s+"
    rf"(?P<times>{NUMBER}(?![ -]?(?:bars?|measures?|notes?|chords?|beats?|tones?|strokes?|part|steps?)\b|-[a-z]|\w)"
    rf"|twice|once)(?:\s+times)?|"
    rf"(?P<through>{NUMBER}(?=\stimes)|twice)(?:\stimes)?\s(?:through|over|a?round)\b(?! the)|"
    rf"(?<=bars)(?P<again>,?\s(?:and\s|then\s|all\s)?repeated)(?=\s*(?:[.,;)]|\Z|with\b|but\b))|"
    rf"(?<=bars),?\s(?P<after>{NUMBER}(?=\stimes\b)|twice)(?:\stimes)?(?=\s*(?:[.,;)]|\Z))|"
    rf"(?<![a-z])(?:x|×)\s?(?P<x>\d{{1,2}})\b|"
    rf"\b(?:repeat|play|go|cycle|loop|run|take|state)\w*\s(?:(?:through|a?round|over)\s)?(?:it|(?:the|this|that|its|these)\s"
    rf"(?:[\w-]+\s){{0,2}}?(?:form|progression|bars|sequence|cycle|chords|changes|loop|structure|whole thing|section|"
    rf"tune))\s(?P<form>{NUMBER}(?=\stimes)|twice)(?:\stimes)?",
    re.I,
)
_OF_CHORDS = re.compile(r"\b(?:progression|chords|sequence|loop|riff|pattern|motif|cycle|figure|hook)\b", re.I)
_MOST_TIMES = 64  # a loop is played no more often


def chords_only(text: str, bars: tuple[int, int], repeats: re.Match[str]) -> bool:
    """Whether it is chords that are repeated within a length that another sentence tells."""
    first, last = min(bars[1], repeats.end()), max(bars[0], repeats.start())
    said = text[max(text.rfind(mark, 0, repeats.start()) for mark in ".;!?") + 1 : repeats.end()]
    return bool(re.search(r"[.;!?]", text[first:last]) and _OF_CHORDS.search(said)) and not repeats["form"]


def how_often(text: str) -> int:
    """How often something is played; 0 where nothing says."""
    times = TIMES.search(text)
    if times is None:
        return 0
    word = next(times[name] for name in ("times", "x", "through", "after", "again", "form") if times[name])
    twice = word.lower() == "twice" or times["again"] or (word.lower() == "once" and times[0].startswith("repeat"))
    count = 2 if twice else number_of(word) or 0
    return count if 1 < count <= _MOST_TIMES else 0
