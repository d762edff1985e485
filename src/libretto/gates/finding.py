"""What a gate says: findings, each with what was heard, where, and what to do; and the verdict they add up to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Finding", "Outcome", "Remark", "Verdict", "Weight", "bars_in_words"]


class Weight:
    """How much the findings of a gate matter, the larger the sooner they are told.

    Weights rank findings and decide nothing: whether a piece passes is a matter of margins. They were chosen so that
    what makes other advice idle comes first. A finding about one axis adds how far it pulls; degeneracy's findings
    weigh just that, by how many usual spreads an axis lies out, and so come last.
    """

    CONTRACT = 40.0  # a piece that is not what was asked for is of no use, however good
    SILENCE = 35.0  # a hole is heard by everybody, and filling it changes all measures
    COPIED = 30.0  # copied bars have to be written anew whatever else is said of them
    CITED = 29.0  # the same of what was shown as an example; other people's songs come first
    PARTS = 25.0  # a voice that contradicts the others spoils whatever else is mended
    RANDOM = 20.0  # before notes belong together no single axis matters
    MONOTONY = 20.0  # bars that only repeat will all be changed
    WRONG_LENGTH = 15.0  # what is added or taken out moves the axes again
    OTHER_GENRE = 10.0  # the headline, right above the axes that it speaks of
    TOWARDS_ORDER = 6.0
    TOWARDS_GENRE = 5.0


@dataclass(frozen=True)
class Finding:
    """One thing to change: what was heard, what to do about it, in which bars and voice, and what it also moves.

    ``weight`` ranks findings: the larger, the more it matters. ``axis`` is empty where the finding is not about one;
    ``wanted`` is 1 where there should be more of it and -1 where there should be less.
    """

    gate: str
    heard: str
    advice: str
    weight: float
    axis: str = ""
    bars: tuple[tuple[int, int], ...] = ()
    voice: str = ""
    also: str = ""
    wanted: int = 0
    clause: str = ""

    @property
    def text(self) -> str:
        """The finding as a sentence or two, for a musician."""
        who = "" if self.voice and self.heard.startswith(self.voice) else self.voice
        where = ", ".join(part for part in (bars_in_words(self.bars), who) if part)
        text = f"{self.heard}{f' ({where})' if where else ''}. {self.advice[:1].upper()}{self.advice[1:]}."
        return f"{text} {self.also}" if self.also else text

    def to_dict(self) -> dict[str, Any]:
        """The finding as plain data."""
        return {
            "gate": self.gate,
            "axis": self.axis,
            "wanted": self.wanted,
            "clause": self.clause,
            "bars": [list(span) for span in self.bars],
            "voice": self.voice,
            "heard": self.heard,
            "advice": self.advice,
            "also": self.also,
            "weight": round(self.weight, 4),
        }


@dataclass(frozen=True)
class Remark:
    """Something about a piece that passes, in a musician's words, and the bars that it speaks of."""

    text: str
    bars: tuple[tuple[int, int], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The remark as plain data."""
        return {"text": self.text, "bars": [list(span) for span in self.bars]}


@dataclass(frozen=True)
class Outcome:
    """How a piece stands with one gate: whether it passes, by how much, in words, and what it found."""

    margin: float
    note: str
    findings: tuple[Finding, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the piece passes the gate."""
        return self.margin >= 0


@dataclass(frozen=True)
class Verdict:
    """What all gates say of a piece: their outcomes, the worst findings, and how like each genre it is.

    ``kind`` is what it was judged as: ``piece``, or ``region`` of so many bars. ``alone`` is true where nobody said
    what was asked for. ``weakest`` and ``strongest`` are what to go on with, and what to keep, where it passes.
    """

    cloud: str
    genre: str
    kind: str
    outcomes: Mapping[str, Outcome]
    findings: tuple[Finding, ...] = ()
    genres: Mapping[str, float] = field(default_factory=dict)
    keep: str = ""
    alone: bool = False
    weakest: tuple[Remark, ...] = ()
    strongest: tuple[Remark, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the piece passes every gate that applies."""
        return all(outcome.passed for outcome in self.outcomes.values())

    @property
    def margin(self) -> float:
        """How good it is: the narrowest pass, or, where gates fail, by how much they do together (below 0)."""
        margins = [outcome.margin for outcome in self.outcomes.values()]
        if not margins:
            return 0.0
        return sum(margin for margin in margins if margin < 0) or min(margins)

    @property
    def failed(self) -> tuple[str, ...]:
        """The gates that the piece does not pass."""
        return tuple(name for name, outcome in self.outcomes.items() if not outcome.passed)

    @property
    def state(self) -> str:
        """Whether it passes, in the words that everybody uses: ``passes every gate``, or ``fails`` and which."""
        return f"fails {', '.join(self.failed)}" if self.failed else "passes every gate"

    @property
    def judged_as(self) -> str:
        """What it was judged as, in words: the genre, the kind, and whether anybody said what was asked for."""
        genre = f"{self.genre.replace('_', ' ')}, as " if self.genre else ""
        kind = f"{genre}{'an' if self.kind[:1] in 'aeiou' else 'a'} {self.kind}"
        return f"as {kind}{', on its own, without a brief' if self.alone else ''}"

    @property
    def feedback(self) -> str:
        """What to tell the composer: ranked, located, in words, with what must not change."""
        if self.passed:
            better = ["To make it better:"] if self.weakest else []
            better += [f"{number}. {remark.text}" for number, remark in enumerate(self.weakest, start=1)]
            strong = ["What is strong:"] if self.strongest else []
            strong += [f"- {remark.text}" for remark in self.strongest]
            return "\n".join(["This passes every gate.", *better, *strong])
        lines = [f"{number}. {finding.text}" for number, finding in enumerate(self.findings, start=1)]
        return "\n".join([*lines, self.keep] if self.keep else lines)

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data."""
        gates = {
            name: {"passed": outcome.passed, "margin": round(outcome.margin, 4), "note": outcome.note}
            for name, outcome in self.outcomes.items()
        }
        return {
            "passed": self.passed,
            "margin": round(self.margin, 4),
            "genre": self.genre,
            "kind": self.kind,
            "alone": self.alone,
            "gates": gates,
            "findings": [finding.to_dict() for finding in self.findings],
            "weakest": [remark.to_dict() for remark in self.weakest],
            "strongest": [remark.to_dict() for remark in self.strongest],
            "feedback": self.feedback,
        }


def bars_in_words(bars: tuple[tuple[int, int], ...]) -> str:
    """Spans of bars as a musician writes them: ``bars 9-12 and 17``; nothing for no bars."""
    spans = [str(first) if first == last else f"{first}-{last}" for first, last in bars]
    if not spans:
        return ""
    one = len(bars) == 1 and bars[0][0] == bars[0][1]
    joined = " and ".join([", ".join(spans[:-1]), spans[-1]] if len(spans) > 1 else spans)
    return f"{'bar' if one else 'bars'} {joined}"
