"""What a reply says, read strictly: the lines in which an ear says what it heard, or a model's one final answer.

::

    rhythm(ID, [n1, n2, ..., nK])     slots 1-32 of four bars of eighths, each at most once
    melody(ID, [p1, p2, ..., pK])     MIDI pitches 0-127 in order; two lines where two clips are heard
    chord(ID, [p1, p2, ..., pK])      MIDI pitches 0-127 in any order
    drums(ID, [n1, n2, ..., nK])      slots 1-32 of eighths, 100 more for a kick, 200 for a snare, 300 for a hi-hat
    harmony(ID, [n1, n2, ..., nK])    chords in order: root 0-11 from C, 12 more for a minor chord
    beats(ID, [n1, n2, ..., nK])      every beat in order, as it is counted in its bar, from 1 to 12
    players(ID, [n1, n2, ..., nK])    who plays: General MIDI programs 0-127, 128 for a drum kit, each at most once
    tempo(ID, [n])                    beats a minute, 20-400

Nothing is repaired and nothing is searched for: the reply is these lines and nothing else, or it has a fault. A fault
is of one of three kinds: *parse* (a line that has not this form at all), *structural* (another name, number or order
of lines, another identifier, an empty list, something that is no integer), *domain* (a value out of range, a slot
said twice). Digits are 0-9, an integer is written plainly (``60``, not ``+60``, ``060`` or ``60.0``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from libretto.listen.kinds import Kind

__all__ = [
    "FAULT_KINDS",
    "LONGEST_REPLY",
    "LONGEST_THOUGHT",
    "ONCE",
    "RANGES",
    "SINGLE",
    "Fault",
    "Form",
    "LineValues",
    "SymbolLine",
    "final_line",
    "read_answer",
    "read_lines",
]

#: The kinds of faults, in the order in which they are looked for.
FAULT_KINDS = ("parse", "structural", "domain")
#: What the values of each line may be.
RANGES = {
    "beats": (1, 12),
    "chord": (0, 127),
    "drums": (101, 332),
    "harmony": (0, 23),
    "melody": (0, 127),
    "players": (0, 128),
    "rhythm": (1, 32),
    "tempo": (20, 400),
}
#: Lines whose values are places, each said at most once, and lines that have one value alone.
ONCE, SINGLE = ("drums", "players", "rhythm"), ("tempo",)
_SLOTS, _A_DRUM = 32, 100  # slots of a loop, and what is added to a slot for each drum
#: A reply in lines of more characters is not read.
LONGEST_REPLY = 8_000
#: A reply with thoughts of more characters is not read.
LONGEST_THOUGHT = 200_000
_MOST_VALUES = 512
_MOST_DIGITS = 4  # of an integer, with its sign: longer ones are out of every range
_SHOWN, _CUT = 40, 37  # characters of a text that is named in a fault, and of one that is cut
_BLANK = " \t\r"
_SHAPE = re.compile(r"([A-Za-z_]{1,40})[ \t]*\([ \t]*([^\s(),\[\]]{1,80})[ \t]*,[ \t]*\[([^\[\]]*)\][ \t]*\)")
_INTEGER = re.compile(r"0|-?[1-9][0-9]*")
_MARK = "final answer"


@dataclass(frozen=True)
class SymbolLine:
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
        letter = "p" if self.functor in ("chord", "melody") else "n"
        values = letter if self.functor in SINGLE else f"{letter}1, {letter}2, ..., {letter}K"
        return "\n".join(f"{self.functor}({name}, [{values}])" for name in self.identifiers)

    def write(self, lists: Sequence[Sequence[int]]) -> str:
        """The lines with these values, one list a line."""
        pairs = zip(self.identifiers, lists, strict=True)
        return "\n".join(str(SymbolLine(self.functor, name, tuple(values))) for name, values in pairs)


@dataclass(frozen=True)
class Fault:
    """Why a reply cannot be read: parse, structural or domain, and what is wrong in a sentence."""

    kind: str
    message: str

    def __str__(self) -> str:
        return f"{self.kind} error: {self.message}"


@dataclass(frozen=True)
class LineValues:
    """What a reply says: one list of values a line, or a fault."""

    values: tuple[tuple[int, ...], ...] = ()
    fault: Fault | None = None


class _Shape(NamedTuple):
    """A line that has the form of one: its name, its identifier, and what stands in its list."""

    functor: str
    identifier: str
    content: str


def read_lines(text: str, form: Form) -> LineValues:
    """The values of exactly the lines that are wanted, or the first fault of the reply.

    >>> read_lines("chord(t1, [60, 64, 67])", Form("chord", ("t1",))).values
    ((60, 64, 67),)
    >>> print(read_lines("chord(t1, [60-64-67])", Form("chord", ("t1",))).fault)
    structural error: '60-64-67' in line 1 is not an integer
    """
    shapes = _shapes(text)
    if isinstance(shapes, Fault):
        return LineValues(fault=shapes)
    fault = _wrong_names(shapes, form)
    if fault is not None:
        return LineValues(fault=fault)
    lists = []
    for number, shape in enumerate(shapes, 1):
        tokens = _integers(shape.content, number, single=form.functor in SINGLE)
        if isinstance(tokens, Fault):
            return LineValues(fault=tokens)
        lists.append(tokens)
    for number, tokens in enumerate(lists, 1):
        fault = _out_of_domain(tokens, form.functor, number)
        if fault is not None:
            return LineValues(fault=fault)
    return LineValues(tuple(tuple(int(token) for token in tokens) for tokens in lists))


def _shapes(text: str) -> list[_Shape] | Fault:
    """Every line that is not blank, or the first one that has not the form of a line."""
    if len(text) > LONGEST_REPLY:
        return Fault("parse", f"the reply has {len(text):,} characters; at most {LONGEST_REPLY:,} are read")
    shapes = []
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip(_BLANK)
        if not bare:
            continue
        match = _SHAPE.fullmatch(bare)
        if match is None:
            fences = "; write no code fences" if bare.startswith("```") else ""
            return Fault("parse", f"line {number}, {_shown(bare)}, is not of the form name(ID, [...]){fences}")
        shapes.append(_Shape(*match.groups()))
    return shapes or Fault("parse", "the reply is empty")


def _wrong_names(shapes: Sequence[_Shape], form: Form) -> Fault | None:
    """What is wrong with names, number, order and identifiers of lines."""
    for number, shape in enumerate(shapes, 1):
        if shape.functor != form.functor:
            return Fault("structural", f"line {number} is a {shape.functor} line; {form.functor} lines are wanted")
    wanted = len(form.identifiers)
    if len(shapes) != wanted:
        return Fault("structural", f"there are {len(shapes)} lines; exactly {wanted} are wanted")
    said = tuple(shape.identifier for shape in shapes)
    if sorted(said) == sorted(form.identifiers) and said != form.identifiers:
        return Fault("structural", f"the lines are in the wrong order; first {form.identifiers[0]}")
    for number, (name, right) in enumerate(zip(said, form.identifiers, strict=True), 1):
        if name != right:
            return Fault("structural", f"line {number} has the identifier {_shown(name)}; it must be {right}")
    return None


def _integers(content: str, number: int, *, single: bool = False) -> list[str] | Fault:
    """The tokens of a list, each of them an integer."""
    if not content.strip(_BLANK):
        return Fault("structural", f"the list in line {number} is empty")
    tokens = [token.strip(_BLANK) for token in content.split(",")]
    for token in tokens:
        if not _INTEGER.fullmatch(token):
            return Fault("structural", f"{_shown(token)} in line {number} is not an integer")
    if len(tokens) > _MOST_VALUES:
        return Fault("structural", f"line {number} has {len(tokens)} values; at most {_MOST_VALUES} are read")
    if single and len(tokens) > 1:
        return Fault("structural", f"line {number} has {len(tokens)} values; exactly one is wanted")
    return tokens


def _out_of_domain(tokens: Sequence[str], functor: str, number: int) -> Fault | None:
    """What is wrong with integers: out of range, or a slot said twice."""
    low, high = RANGES[functor]
    for token in tokens:
        if len(token) > _MOST_DIGITS or not low <= int(token) <= high:
            return Fault("domain", f"{_shown(token)} in line {number} is not between {low} and {high}")
        if functor == "drums" and not 1 <= int(token) % _A_DRUM <= _SLOTS:
            return Fault("domain", f"{token} in line {number} is no slot from 1 to {_SLOTS} with 100, 200 or 300 more")
    if functor in ONCE and len(set(tokens)) < len(tokens):
        twice = next(token for at, token in enumerate(tokens) if token in tokens[:at])
        return Fault("domain", f"slot {twice} stands twice in line {number}; each at most once")
    return None


def _shown(text: str) -> str:
    return ascii(text if len(text) <= _SHOWN else text[:_CUT] + "...")


def final_line(kind: Kind, answer: str, condition: str = "cot") -> str:
    """The line with which a model gives an answer; where it stands alone and is a sentence, the bare sentence.

    >>> from libretto.listen.kinds import kinds
    >>> final_line(kinds["chord_quality_4"], "A")
    'Final Answer: A'
    >>> final_line(kinds["transposition"], "no", "standalone")
    'No, these are not the same melody.'
    """
    if kind.bare and condition == "standalone":
        return kind.said(answer)
    return f"Final Answer: {kind.said(answer)}"


def read_answer(text: str, kind: Kind, condition: str = "cot") -> str | Fault:
    """The choice that the last line names; anything after it, a second such line or another wording is a fault.

    Capitals do not matter. ``standalone`` allows no other line at all.

    >>> from libretto.listen.kinds import kinds
    >>> read_answer("It is bright.\\nFinal Answer: A", kinds["chord_quality_4"])
    'A'
    """
    if len(text) > LONGEST_THOUGHT:
        return Fault("parse", f"the reply has {len(text):,} characters; at most {LONGEST_THOUGHT:,} are read")
    lines = [line.strip(_BLANK).casefold() for line in text.split("\n") if line.strip(_BLANK)]
    alone = condition == "standalone"
    if not lines:
        return Fault("parse", "the reply is empty")
    if alone and len(lines) > 1:
        return Fault("structural", f"there are {len(lines)} lines; exactly one is wanted")
    if sum(line.startswith(_MARK) for line in lines) > 1:
        return Fault("structural", "there is more than one final answer")
    for choice in kind.choices:
        if lines[-1] == final_line(kind, choice, condition).casefold():
            return choice
    if not lines[-1].startswith(_MARK):
        return Fault("parse", "the last line is no final answer")
    if alone and kind.bare:
        return Fault("structural", "the bare sentence is wanted, and nothing before it")
    return Fault("structural", f"the final answer is none of {', '.join(map(kind.said, kind.choices))}")
