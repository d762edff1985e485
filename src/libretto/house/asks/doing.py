"""The registry of doers, and the order in which they work: notes first, then keys and meters, then touch and time.

A doer is a function (Ask, Score, Job) -> Score. To do another kind of ask is to decorate one with ``doers.register``.
What the plan has settled already (forms, lengths, who plays) needs none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from libretto.contract import Contract
from libretto.contract.asks import Ask
from libretto.contract.checks.check import ask_clauses
from libretto.contract.checks.faltering import WRONG_NOTES
from libretto.contract.checks.peaks import ONE_PEAK
from libretto.contract.checks.speaking import SPOKEN
from libretto.contract.checks.stacks import SECTION
from libretto.contract.checks.ticking import CYCLES
from libretto.contract.checks.unevenness import IRREGULAR
from libretto.contract.checks.where import Spans, spans_of_ask, voices_of
from libretto.registry import Registry
from libretto.score import Score

__all__ = ["Doer", "Job", "doers", "done", "place_of", "players_of"]


@dataclass(frozen=True)
class Job:
    """What a doer may know besides the ask: the whole contract, the seed of the piece, whether a chart was played for
    it, and by which words that chart is called."""

    contract: Contract
    seed: int
    charted: bool = False
    called: frozenset[str] = frozenset()


Doer = Callable[[Ask, Score, Job], Score]
#: Every doer by the kind of ask that it does.
doers: Registry[Doer] = Registry("doer of asks")

_ORDER = (
    "texture", "role", "manner", "drums", "lead", "scale", "key_change", "register", "density", "difficulty", "range",
    "doubling", "without", "meter_change", "feel", "articulation", "strokes", "silent", "enter", "leave", "only",
    "solo", "reprise", "dynamics", "steps", "ending", "last_chord", "tempo_change",
)  # fmt: skip


def done(
    contract: Contract, score: Score, seed: int, charted: bool = False, called: frozenset[str] = frozenset()
) -> Score:
    """A piece with everything done that its contract asks for in places or of parts."""
    job = Job(contract, seed, charted, called)
    asks = sorted(contract.asks, key=lambda ask: ask.what.startswith(_STACKED))
    made = score
    for kind in sorted(doers, key=lambda kind: _ORDER.index(kind) if kind in _ORDER else len(_ORDER)):
        if kind in _FIELDS:
            made = doers[kind](Ask("texture"), made, job) if getattr(contract, kind) else made
            continue
        for ask in asks:
            if ask.kind == kind and not _done_already(ask, contract, made):
                made = doers[kind](ask, made, job)
    return made


def _done_already(ask: Ask, contract: Contract, score: Score) -> bool:
    """Whether a piece does what is asked as it stands: then nothing of it is written anew. Who plays alone has to be
    heard besides."""
    besides = ask.kind in _HEARD_BESIDES or ask.what.startswith(_ALWAYS)
    clause = ask_clauses.get(ask.kind) if not besides else None
    return clause is not None and clause(ask, contract, score)[0] is True


_HEARD_BESIDES = ("only", "dynamics")  # kinds that are more than what their clause measures
_ALWAYS = (CYCLES, WRONG_NOTES, ONE_PEAK, SPOKEN, IRREGULAR, "frame")  # what a piece has by chance only
_STACKED = ("harmonized", SECTION)  # parts are put below a line when it is what it is to be
_FIELDS = ("scale", "ending")  # kinds that a field of the contract asks for, not an ask


def place_of(ask: Ask, score: Score) -> Spans:
    """The bars of an ask in a piece."""
    return spans_of_ask(ask, score)


def players_of(ask: Ask, score: Score, spans: Spans = ()) -> Sequence[str]:
    """The names of the voices that an ask speaks of."""
    return [score.voices[index].name for index in voices_of(ask.who, score, spans)]
