"""The answer of a model that was not asked for symbols: its one final line, read strictly."""

from __future__ import annotations

from libretto.listen.kinds import Kind
from libretto.listen.lines import Fault
from libretto.listen.prompting import final_line

__all__ = ["LONGEST_THOUGHT", "read_answer"]

#: A reply of more characters is not read.
LONGEST_THOUGHT = 200_000
_MARK = "final answer"


def read_answer(text: str, kind: Kind, condition: str = "cot") -> str | Fault:
    """The choice that the last line names; anything after it, a second such line or another wording is a fault.

    Capitals do not matter. ``standalone`` allows no other line at all.

    >>> from libretto.listen.kinds import kinds
    >>> read_answer("It is bright.\\nFinal Answer: A", kinds["chord_quality_4"])
    'A'
    """
    if len(text) > LONGEST_THOUGHT:
        return Fault("parse", f"the reply has {len(text):,} characters; at most {LONGEST_THOUGHT:,} are read")
    lines = [line.strip(" \t\r") for line in text.split("\n") if line.strip(" \t\r")]
    if not lines:
        return Fault("parse", "the reply is empty")
    if condition == "standalone" and len(lines) > 1:
        return Fault("structural", f"there are {len(lines)} lines; exactly one is wanted")
    if sum(line.casefold().startswith(_MARK) for line in lines) > 1:
        return Fault("structural", "there is more than one final answer")
    for choice in kind.choices:
        wanted = {final_line(kind, choice).casefold()}
        if condition == "standalone" and choice in kind.wording:
            wanted.add(kind.said(choice).casefold())
        if lines[-1].casefold() in wanted:
            return choice
    if not lines[-1].casefold().startswith(_MARK):
        return Fault("parse", "the last line is no final answer")
    return Fault("structural", f"the final answer is none of {', '.join(map(kind.said, kind.choices))}")
