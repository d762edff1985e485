"""Operations done one after the other, each held to what it is about; and read from words."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from libretto.edits.operations.step import Step, operations
from libretto.errors import LibrettoError, ScoreError
from libretto.score import Score
from libretto.score.scope import Scope, digest_outside

__all__ = ["MOST_STEPS", "Operated", "help_lines", "operate", "read_step"]

#: The most operations of one list.
MOST_STEPS = 256
_SHOWN, _LONGEST = 40, 4_000  # characters


@dataclass(frozen=True)
class Operated:
    """One operation that was done: a line that says what, what it was about, and the digest of everything else."""

    line: str
    scope: Scope
    outside: str


def operate(score: Score, steps: Sequence[Step]) -> tuple[Score, tuple[Operated, ...]]:
    """The piece after some operations, in order, and what each did; all are done or none.

    Each is held to what it is about: everything else has the same digest before and after, or it is refused.

    >>> piece = Score.build([], bars=2)
    >>> made, done = operate(piece, [{"op": "title", "title": "Dusk"}])
    >>> made.title, done[0].line
    ('Dusk', 'called Dusk')
    """
    if not 1 <= len(steps) <= MOST_STEPS:
        raise LibrettoError(f"1 to {MOST_STEPS} operations are done at once, not {len(steps)}")
    done = []
    for step in steps:
        before = score
        result = operations[_checked(step)].do(score, step)
        score = result.score
        outside = digest_outside(score, result.scope)
        if before.numbers != score.numbers or digest_outside(before, result.scope) != outside:
            raise ScoreError(f"{step['op']} would touch other music; name the bars and voices it is about")
        done.append(Operated(result.line, result.scope, outside))
    return score, tuple(done)


def _checked(step: Step) -> str:
    """The name of an operation that there is, with no word that it does not know."""
    name = step.get("op") if isinstance(step, Mapping) else None
    if not isinstance(name, str) or name not in operations:
        near = get_close_matches(str(name)[:_SHOWN], list(operations), 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise LibrettoError(f"there is no operation {str(name)[:_SHOWN]!r}; {hint}there are {', '.join(operations)}")
    known = operations[name].takes
    unknown = sorted(str(word)[:_SHOWN] for word in set(step) - {"op", *known})
    if unknown:
        raise LibrettoError(f"{name} has no {', '.join(unknown)}; it takes {', '.join(known)}")
    return name


def help_lines() -> list[str]:
    """Every operation in a line: what it takes, what it does, and an example."""
    kinds = ((name, operations[name]) for name in operations)
    return [f"{name} ({' '.join(kind.takes)}): {kind.about} {kind.example}" for name, kind in kinds]


def read_step(words: str | Iterable[str]) -> dict[str, str]:
    """An operation from words as on a command line.

    >>> read_step('copy bars=1-4 to=5-16 voices="Alto Sax,Bass"')
    {'op': 'copy', 'bars': '1-4', 'to': '5-16', 'voices': 'Alto Sax,Bass'}
    """
    try:
        parts = shlex.split(words[:_LONGEST]) if isinstance(words, str) else list(words)
    except ValueError:
        raise LibrettoError("a quotation mark is not closed in the operation") from None
    if not parts:
        raise LibrettoError(f"say an operation: {', '.join(operations)}")
    step = {"op": parts[0]}
    for part in parts[1:]:
        name, sign, value = part.partition("=")
        if not sign or not name:
            raise LibrettoError(f"{part[:_SHOWN]!r} is no name=value, such as bars=1-4")
        step[name] = value
    return step
