"""One clause of a request: its words and cues, whom and where it names; and what it is taken to ask for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from libretto.score import Score
from libretto.tasks.revise.cues import Cue, Word, filler
from libretto.tasks.revise.scope import Place, Who

__all__ = ["Asked", "Clause", "flat", "words_at"]


@dataclass
class Asked:
    """What a clause asks for: a quality or a kind of change, which way or what more closely, whose and where.

    ``who`` and ``places`` None: what the clause names; otherwise these alone. ``everyone`` where parts do not matter.
    ``missing`` is a place that is not there, ``absent`` a player.
    """

    kind: str
    way: int = 1
    target: str = ""
    words: tuple[int, ...] = ()
    who: list[Who] | None = None
    places: list[Place] | None = None
    everyone: bool = False
    value: str = ""
    missing: str = ""
    absent: str = ""


def flat(cues: Sequence[Cue]) -> tuple[int, ...]:
    """The words of some cues, one after the other."""
    return tuple(word for cue in cues for word in cue.words)


@dataclass
class Clause:
    """A clause: what stands in it, and which of its words were understood.

    ``reason`` where it belongs to another clause; ``own_who`` where it names somebody itself.
    """

    text: str
    words: Sequence[Word]
    first: int
    stop: int
    sentence: int
    joined: str
    score: Score
    cues: list[Cue] = field(default_factory=list)
    who: list[Who] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    reason: bool = False
    own_who: bool = False

    @property
    def start(self) -> int:
        """Where its first word begins."""
        return self.words[self.first].start

    @property
    def end(self) -> int:
        """Where its last word ends."""
        return self.words[self.stop - 1].end

    @property
    def left(self) -> list[tuple[int, int]]:
        """Where words stand that say something and of which nothing was made; neighbours together."""
        runs: list[list[int]] = [[]]
        for index in range(self.first, self.stop):
            if index in self.used:
                runs.append([])
            else:
                runs[-1].append(index)
        content = [[i for i in run if self.words[i].text not in filler()] for run in runs]
        return [(self.words[run[0]].start, self.words[run[-1]].end) for run in content if run]

    @property
    def opens_with_place(self) -> bool:
        """Whether it begins with a place: what follows in the same sentence is about that place too."""
        return any(self.places) and min(place.start for place in self.places) <= self.start

    @property
    def said(self) -> str:
        """Its words as they stand in the text."""
        return self.text[self.start : self.end]

    def has(self, *kinds: str) -> list[Cue]:
        """The cues of those kinds that nothing was made of yet."""
        return [cue for cue in self.cues if cue.kind in kinds and not set(cue.words) <= self.used]

    def take(self, words: Sequence[int]) -> None:
        """Count words as understood."""
        self.used.update(words)

    def take_cues(self, *kinds: str) -> tuple[int, ...]:
        """Count the words of all cues of those kinds as understood, and say which they are."""
        words = flat(self.has(*kinds))
        self.take(words)
        return words

    def take_between(self, start: int, end: int) -> tuple[int, ...]:
        """Count the words between two places of the text as understood, and say which they are."""
        inside = [
            index
            for index in range(self.first, self.stop)
            if self.words[index].start < end and start < self.words[index].end
        ]
        self.take(inside)
        return tuple(inside)

    def search(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The first match of a pattern inside the clause."""
        return pattern.search(self.text, self.start, self.end)

    def before(self, word: int, count: int) -> list[str]:
        """So many words that stand before one, inside the clause."""
        return [self.words[index].text for index in range(max(self.first, word - count), word)]


def words_at(clause: Clause, words: Sequence[int]) -> str:
    """Some words of a clause, by their places, as one text."""
    return " ".join(clause.words[word].text for word in words)
