"""Read what people and models really write: repair what is unambiguous, list each repair, refuse the rest.

Repairs rewrite the text into strict grammar, which the strict reader then reads; what is still wrong after that
stays an error. What is repaired:

- code fences, prose, decoration and control characters around the piece;
- header fields that are missing (the usual value), unknown or said twice, and a wrong BARS;
- voice names that differ in case or spacing, are undeclared or the same, or hold commas and brackets;
- bars written ``Bar 5:``, chords that are missing, unbracketed or unknown, notes behind the bar line;
- rests written out, empty lines, a voice's second line in a bar;
- small letters, typographic accidentals and commas in tokens;
- slots counted from 0, and slots between slots, where the text itself proves which is meant.
"""

from __future__ import annotations

from dataclasses import dataclass

from libretto.errors import GrammarError
from libretto.grammar.mend import Mender
from libretto.grammar.parse import MAX_CHARACTERS, parse
from libretto.score.model import Score

__all__ = ["Reading", "Repair", "parse_lenient"]


@dataclass(frozen=True, slots=True)
class Repair:
    """One repair: the line of the text it was made in, and what was done."""

    line: int
    what: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}"


@dataclass(frozen=True, slots=True)
class Reading:
    """A Score read leniently, the repairs that made it possible, and the strict text that was read."""

    score: Score
    repairs: tuple[Repair, ...]
    text: str


def parse_lenient(text: str) -> Reading:
    """Read a text, repairing what is unambiguous; a GrammarError says what is not.

    >>> reading = parse_lenient("Here you are:\\n```\\nKEY: C major | METER: 4/4 | TEMPO: 90 | GRID: 4th\\n"
    ...                         "VOICES: Lead\\n@1 [C]\\nLEAD: c4@1>4\\n```")
    >>> print(reading.repairs[-3])
    line 6: the voice LEAD is Lead
    """
    try:
        return Reading(parse(text), (), text)
    except GrammarError:
        pass
    mender = Mender(text[: MAX_CHARACTERS + 1])
    mended = mender.mend()
    try:
        score = parse(mended)
    except GrammarError as error:
        raise GrammarError(mender.relocate(error.problems)) from None
    return Reading(score, tuple(Repair(line, what) for line, what in mender.repairs), mended)
