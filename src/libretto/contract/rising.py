"""What grows step by step from one section to the next: ``each verse a little faster``, ``a half step higher``."""

from __future__ import annotations

import re

from libretto.contract.asks import Ask
from libretto.contract.places import section_kind
from libretto.contract.stretches import sections_of_score
from libretto.score.model import Score

__all__ = ["LOUDER", "SOFTER", "is_of", "semitones_of", "share_of_step", "steps_of"]

#: What grows, where it is no tempo and no key.
LOUDER, SOFTER = "louder", "softer"
_EDGES = ("intro", "outro", "tag")
_MOST = 6  # steps that are heard as such
_FEWEST = 2
_PERIOD = 8  # bars


def steps_of(ask: Ask, score: Score) -> tuple[tuple[int, int], ...]:
    """The bars of each step, by number: the sections of which an ask speaks, where a piece has two, else all between
    its introduction and its end; each lasts until the next begins."""
    rows = sections_of_score(score)
    body = [row for row in rows if row[0] not in _EDGES] or list(rows)
    named = [row for row in body if row[0] == section_kind(ask.where)]
    firsts = [first for _, first, _ in named] if len(named) >= _FEWEST else _apart([first for _, first, _ in body])
    firsts = firsts[:: -(-len(firsts) // _MOST)]
    lasts = [*(first - 1 for first in firsts[1:]), score.numbers[-1]]
    return tuple(zip(firsts, lasts, strict=True))


def _apart(firsts: list[int]) -> list[int]:
    """The first bars of sections, without those that begin soon after another."""
    made = firsts[:1]
    for first in firsts[1:]:
        made += [first] if first - made[-1] >= _PERIOD else []
    return made if len(made) >= _FEWEST else firsts


def share_of_step(what: str) -> float | None:
    """The share of the tempo before that a step has; None where it is no step of tempo.

    >>> share_of_step("x1.06"), share_of_step("+1")
    (1.06, None)
    """
    match = re.fullmatch(r"x(\d\.\d{1,2})", what)
    return float(match[1]) if match else None


def semitones_of(what: str) -> int:
    """The semitones of a step of keys; 0 where it is none."""
    return int(what) if re.fullmatch(r"[+-]\d", what) else 0


def is_of(ask: Ask, kind: str) -> bool:
    """Whether steps are of the tempo, the key or the loudness, by the kind of ask that changes those."""
    if ask.kind != "steps":
        return False
    if kind == "tempo_change":
        return share_of_step(ask.what) is not None
    return bool(semitones_of(ask.what)) if kind == "key_change" else kind == "dynamics" and ask.what in (LOUDER, SOFTER)
