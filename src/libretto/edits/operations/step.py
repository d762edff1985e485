"""One operation as it is asked for: its words read, with a clear line where they say nothing that can be done.

Bars are a list such as ``3, 7, 11-12``, voices names; where they are left out, all are meant. Values may come as text,
as they do from a command line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from libretto.edits.spans import bars_in
from libretto.errors import LibrettoError
from libretto.registry import Registry
from libretto.score import Score, Voice
from libretto.score.bar_lists import bar_spans
from libretto.score.edit import regrid
from libretto.score.patch import grid_holds
from libretto.score.scope import Scope
from libretto.workspace.excerpt import voices_of

__all__ = [
    "Done",
    "Operation",
    "Step",
    "bars_of",
    "flag_of",
    "fraction_of",
    "list_of",
    "number_of",
    "operation",
    "operations",
    "rewritten",
    "text_of",
    "voice_names",
]

_SHOWN, _LONGEST, _MOST = 40, 2_000, 1_000  # characters repeated, characters of a value, entries of a list
_LARGEST = 1_000  # of a fraction's parts: finer ones are no music

Step = Mapping[str, Any]


@dataclass(frozen=True)
class Done:
    """What an operation came to: the piece, what it was about, and a line that says what was done."""

    score: Score
    scope: Scope
    line: str


@dataclass(frozen=True)
class Operation:
    """A kind of operation: the function that does it, the words it takes, what it does, and an example."""

    do: Callable[[Score, Step], Done]
    takes: tuple[str, ...]
    about: str
    example: str


#: Every operation by its name.
operations: Registry[Operation] = Registry("operation", "libretto.operations", ["libretto.edits.operations"])


def operation(
    name: str, takes: str, example: str
) -> Callable[[Callable[[Score, Step], Done]], Callable[[Score, Step], Done]]:
    """Make the decorated function an operation of that name; its docstring says what it does."""

    def add(do: Callable[[Score, Step], Done]) -> Callable[[Score, Step], Done]:
        about = " ".join((do.__doc__ or "").split())
        operations.register(name)(Operation(do, tuple(takes.split()), about, example))
        return do

    return add


def text_of(step: Step, name: str, default: str | None = None, most: int = _LONGEST) -> str:
    """A text that a step brings."""
    value = step.get(name, default)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or len(value) > most:
        raise LibrettoError(f"{step['op']}: {name} is a text of at most {most:,} characters")
    return value.strip()


def number_of(step: Step, name: str, low: float, high: float, default: float | None = None) -> float:
    """A number that a step brings, within bounds."""
    value = step.get(name, default)
    try:
        number = float(value) if not isinstance(value, bool) and value is not None else float("nan")
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not low <= number <= high:
        raise LibrettoError(f"{step['op']}: {name} is a number from {low:g} to {high:g}")
    return number


def flag_of(step: Step, name: str) -> bool:
    """Whether a step says yes to something; no is what it says by nothing."""
    value = step.get(name, False)
    said = value.strip().lower() if isinstance(value, str) else value
    if said in (True, "true", "yes", "1"):
        return True
    if said in (False, "false", "no", "0", ""):
        return False
    raise LibrettoError(f"{step['op']}: {name} is true or false")


def fraction_of(step: Step, name: str) -> Fraction:
    """A share of a whole note that a step brings, such as 1/8."""
    try:
        share = Fraction(text_of(step, name, ""))
    except (ValueError, ZeroDivisionError):
        share = Fraction(0)
    if not share or max(abs(share.numerator), share.denominator) > _LARGEST:
        raise LibrettoError(f"{step['op']}: {name} is a part of a whole note, such as 1/8 or -1/16")
    return share


def list_of(step: Step, name: str) -> list[Any]:
    """A list that a step brings: as such, or as a text with commas."""
    value = step.get(name)
    if isinstance(value, str):
        value = [part.strip() for part in value[:_LONGEST].split(",")]
    elif isinstance(value, int | float) and not isinstance(value, bool):
        value = [value]
    if not isinstance(value, list) or not 1 <= len(value) <= _MOST:
        raise LibrettoError(f"{step['op']}: {name} is a list of 1 to {_MOST:,}")
    return value


def bars_of(score: Score, step: Step, name: str = "bars", *, needed: bool = False) -> tuple[tuple[int, int], ...]:
    """The stretches of bars that a step names; all where it names none and none are needed."""
    value = step.get(name)
    if isinstance(value, list):
        value = ",".join(str(part)[:_SHOWN] for part in value[:_MOST])
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if value is not None and not isinstance(value, str):
        raise LibrettoError(f"{step['op']}: {name} are bars such as 9-16, or 3, 7, 11-12")
    if needed and not (value or "").strip():
        raise LibrettoError(f"{step['op']}: say {name}, such as 9-16, or 3, 7, 11-12")
    return bar_spans(score, value)


def voice_names(score: Score, step: Step, name: str = "voices") -> tuple[str, ...]:
    """The voices that a step names, in the order in which it does; all where it names none."""
    if not step.get(name):
        return tuple(voice.name for voice in score.voices)
    named = [str(part) for part in list_of(step, name)]
    known = {voice.name.casefold(): voice.name for voice in score.voices}
    voices_of(score, named)
    return tuple(dict.fromkeys(known[part.strip().casefold()] for part in named))


def rewritten(score: Score, voices: Sequence[Voice], spans: Sequence[tuple[int, int]]) -> Score:
    """The piece with other voices; a bar of the spans keeps its grid where that holds what is played now."""
    touched = bars_in(score, spans)
    for bar in np.flatnonzero(touched):
        touched[bar] = not grid_holds(score.grids[bar], voices, score.bar_lines[bar], score.bar_lines[bar + 1])
    return replace(score, voices=tuple(voices), grids=regrid(voices, score.bar_lines, score.grids, touched))
