"""The lines in which an ear says what it heard, read strictly.

::

    rhythm(ID, [n1, n2, ..., nK])     slots 1-32 of four bars of eighths, each at most once
    melody(ID, [p1, p2, ..., pK])     MIDI pitches 0-127 in order; two lines where two clips are heard
    chord(ID, [p1, p2, ..., pK])      MIDI pitches 0-127 in any order

Nothing is repaired and nothing is searched for: the reply is these lines and nothing else, or it has a fault. A fault
is of one of three kinds: *parse* (a line that has not this form at all), *structural* (another name, number or order
of lines, another identifier, an empty list, something that is no integer), *domain* (a value out of range, a slot
said twice). Digits are 0-9, an integer is written plainly (``60``, not ``+60``, ``060`` or ``60.0``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["FAULT_KINDS", "LONGEST_REPLY", "RANGES", "Fault", "Form", "Line", "Reading", "read_lines"]

#: The kinds of faults, in the order in which they are looked for.
FAULT_KINDS = ("parse", "structural", "domain")
#: What the values of each line may be.
RANGES = {"chord": (0, 127), "melody": (0, 127), "rhythm": (1, 32)}
#: A reply of more characters is not read.
LONGEST_REPLY = 8_000
_MOST_VALUES = 512
_BLANK = " \t\r"
_SHAPE = re.compile(r"([A-Za-z_]{1,40})[ \t]*\([ \t]*([^\s(),\[\]]{1,80})[ \t]*,[ \t]*\[([^\[\]]*)\][ \t]*\)")
_INTEGER = re.compile(r"0|-?[1-9][0-9]*")


@dataclass(frozen=True)
class Line:
    """One line: its name, whose clip it is of, and the values."""

    functor: str
    identifier: str
    values: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.functor}({self.identifier}, [{', '.join(map(str, self.values))}])"


@dataclass(frozen=True)
class Form:
    """Which lines are wanted: their name, and the identifiers in order."""

    functor: str
    identifiers: tuple[str, ...]

    def __str__(self) -> str:
        letter = "n" if self.functor == "rhythm" else "p"
        return "\n".join(f"{self.functor}({each}, [{letter}1, {letter}2, ..., {letter}K])" for each in self.identifiers)

    def write(self, lists: Sequence[Sequence[int]]) -> str:
        """The lines with these values, one list a line."""
        pairs = zip(self.identifiers, lists, strict=True)
        return "\n".join(str(Line(self.functor, name, tuple(values))) for name, values in pairs)


@dataclass(frozen=True)
class Fault:
    """Why a reply cannot be read: parse, structural or domain, and what is wrong in a sentence."""

    kind: str
    message: str

    def __str__(self) -> str:
        return f"{self.kind} error: {self.message}"


@dataclass(frozen=True)
class Reading:
    """What a reply says: one list of values a line, or a fault."""

    values: tuple[tuple[int, ...], ...] = ()
    fault: Fault | None = None


def read_lines(text: str, form: Form) -> Reading:
    """The values of exactly the lines that are wanted, or the first fault of the reply.

    >>> read_lines("chord(t1, [60, 64, 67])", Form("chord", ("t1",))).values
    ((60, 64, 67),)
    >>> print(read_lines("chord(t1, [60-64-67])", Form("chord", ("t1",))).fault)
    structural error: '60-64-67' in line 1 is not an integer
    """
    found = _shapes(text)
    if isinstance(found, Fault):
        return Reading(fault=found)
    fault = _names(found, form)
    if fault is not None:
        return Reading(fault=fault)
    lists = []
    for number, (_, _, content) in enumerate(found, 1):
        values = _integers(content, number)
        if isinstance(values, Fault):
            return Reading(fault=values)
        lists.append(values)
    for number, tokens in enumerate(lists, 1):
        fault = _domain(tokens, form.functor, number)
        if fault is not None:
            return Reading(fault=fault)
    return Reading(tuple(tuple(int(token) for token in tokens) for tokens in lists))


def _shapes(text: str) -> list[tuple[str, str, str]] | Fault:
    """Name, identifier and content of every line that is not blank."""
    if len(text) > LONGEST_REPLY:
        return Fault("parse", f"the reply has {len(text):,} characters; at most {LONGEST_REPLY:,} are read")
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip(_BLANK)
        if not bare:
            continue
        match = _SHAPE.fullmatch(bare)
        if match is None:
            fences = "; write no code fences" if bare.startswith("```") else ""
            return Fault("parse", f"line {number}, {_shown(bare)}, is not of the form name(ID, [...]){fences}")
        found.append((match[1], match[2], match[3]))
    return found or Fault("parse", "the reply is empty")


def _names(found: Sequence[tuple[str, str, str]], form: Form) -> Fault | None:
    """What is wrong with names, number, order and identifiers of lines."""
    for number, (functor, _, _) in enumerate(found, 1):
        if functor != form.functor:
            return Fault("structural", f"line {number} is a {functor} line; {form.functor} lines are wanted")
    wanted = len(form.identifiers)
    if len(found) != wanted:
        return Fault("structural", f"there are {len(found)} lines; exactly {wanted} are wanted")
    said = tuple(identifier for _, identifier, _ in found)
    if said == form.identifiers:
        return None
    if sorted(said) == sorted(form.identifiers):
        return Fault("structural", f"the lines are in the wrong order; first {form.identifiers[0]}")
    number = next(at for at, pair in enumerate(zip(said, form.identifiers, strict=True), 1) if pair[0] != pair[1])
    name, right = said[number - 1], form.identifiers[number - 1]
    return Fault("structural", f"line {number} has the identifier {_shown(name)}; it must be {right}")


def _integers(content: str, number: int) -> list[str] | Fault:
    """The tokens of a list, each of them an integer."""
    if not content.strip(_BLANK):
        return Fault("structural", f"the list in line {number} is empty")
    tokens = [token.strip(_BLANK) for token in content.split(",")]
    for token in tokens:
        if not _INTEGER.fullmatch(token):
            return Fault("structural", f"{_shown(token)} in line {number} is not an integer")
    if len(tokens) > _MOST_VALUES:
        return Fault("structural", f"line {number} has {len(tokens)} values; at most {_MOST_VALUES} are read")
    return tokens


def _domain(tokens: Sequence[str], functor: str, number: int) -> Fault | None:
    """What is wrong with integers: out of range, or a slot said twice."""
    low, high = RANGES[functor]
    for token in tokens:
        if len(token) > 4 or not low <= int(token) <= high:
            return Fault("domain", f"{_shown(token)} in line {number} is not between {low} and {high}")
    if functor == "rhythm" and len(set(tokens)) < len(tokens):
        twice = next(token for at, token in enumerate(tokens) if token in tokens[:at])
        return Fault("domain", f"slot {twice} stands twice in line {number}; each at most once")
    return None


def _shown(text: str) -> str:
    return ascii(text if len(text) <= 40 else text[:37] + "...")
