"""Answers in our own text: the notes of each bar with their slots, bars divided by ``|``."""

from __future__ import annotations

from libretto.errors import LibrettoError
from libretto.grammar import notate, parse
from libretto.score import Score

__all__ = ["as_text", "is_text", "text_answer"]


def is_text(answer: str) -> bool:
    """Whether an answer has places of notes in it, as our text has."""
    return "@" in answer


def as_text(score: Score) -> str:
    """The notes of a piece of one voice as an answer in text."""
    rows = [line.partition(": ")[2] for line in notate(score).splitlines() if line.startswith("  ")]
    return " | ".join(rows).replace("^84", "")


def text_answer(answer: str, like: Score) -> Score:
    """An answer in text as a piece with the bars, the key and the slots of another one."""
    head = notate(like).splitlines()
    first = next(place for place, line in enumerate(head) if line.startswith("@"))
    bars = [bar.strip() for bar in answer.strip().strip("|").split("|")]
    if len(bars) > like.bars or any("\n" in bar for bar in bars):
        raise LibrettoError(f"the answer has {len(bars)} bars; {like.bars} were played")
    lines = head[:first]
    for number, line in enumerate(line for line in head if line.startswith("@")):
        lines.append(line)
        if number < len(bars) and bars[number]:
            lines.append(f"  {like.voices[0].name}: {bars[number]}")
    return parse("\n".join(lines) + "\n")
