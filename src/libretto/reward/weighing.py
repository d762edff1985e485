"""A reward for a piece: one bounded number with its parts, by pure functions.

Conventions: every part is between 0 and 1, and so is the value of whatever can be read: the product of its parts. So
nothing makes up for what is missing, and nothing is gained beyond what real music has: a part is full once real music's
own level is reached. What cannot be read lies between -1 and -0.5, by how much of it could be. NaN is never given.

=============  ====================================================================================================
part           what it is
=============  ====================================================================================================
parses         the text is read, within bounds
clauses        the share of the contract's clauses that are kept; 1 without a contract
gates          how far the piece is from what nearly all real music keeps: ``margins`` has each gate's own
parts          no voice goes against the others more than in nearly all real music
originality    no more of it is remembered from other music, or was shown, than of nearly all unrelated music
ordering       where it stands between the worse and the better, beside real music
=============  ====================================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, isfinite
from typing import Any

from libretto.contract import Contract, receipt
from libretto.reward.full import full_margins
from libretto.reward.glance import Glance
from libretto.reward.memory import Memory, the_memory
from libretto.reward.numbers import numbers_of
from libretto.reward.reading import read_piece
from libretto.reward.standards import Standards, the_standards
from libretto.score import Score

__all__ = ["DEPTHS", "PARTS", "Reward", "Terms", "reward_of", "terms_of"]

DEPTHS = ("quick", "full")  #: at a glance, or by the gates and the ear themselves
PARTS = ("parses", "clauses", "gates", "parts", "originality", "ordering")
_DIGITS = 6
_UNREAD = 0.5  # how much a text that cannot be read may gain by being nearly right
_STEEP = 2.0  # how quickly a part falls below its level, in spreads of real music
_SILENT = 8  # pitched notes without which there is no piece to weigh: percussion alone is not heard here
_SHORTEST = 8  # bars of the shortest music that levels were learnt from


@dataclass(frozen=True)
class Reward:
    """What a piece is worth to whoever learns: the value, its parts, the gates' margins, and why it was not read."""

    value: float
    parts: Mapping[str, float]
    margins: Mapping[str, float] = field(default_factory=dict)
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The reward as plain data."""
        return {"value": self.value, "parts": dict(self.parts), "margins": dict(self.margins), "why": self.why}


@dataclass(frozen=True, eq=False)
class Terms:
    """What pieces are rewarded by: a contract, what is remembered, what was shown, the genre, and how deep to look."""

    contract: Contract | None = None
    memory: Memory | None = None
    shown: Memory | None = None
    genre: str = ""
    depth: str = "quick"


def terms_of(
    contract: Contract | str | None = None,
    *,
    memory: Memory | None = None,
    shown: Sequence[Score] = (),
    genre: str = "",
    depth: str = "quick",
) -> Terms:
    """Terms from what is at hand: a contract or a brief, a memory (the package's own where none is given), examples."""
    if depth not in DEPTHS:
        raise ValueError(f"depth is one of {', '.join(DEPTHS)}, not {depth!r}")
    asked = Contract.from_brief(contract) if isinstance(contract, str) else contract
    return Terms(asked, memory, Memory.of(shown) if shown else None, genre, depth)


def reward_of(piece: str | Score, terms: Terms | None = None) -> Reward:
    """The reward of a text or a Score; the same piece and terms give the same numbers.

    >>> reward_of("no music").value < 0
    True
    """
    terms = terms or Terms()
    read = read_piece(piece)
    if read.score is None:
        return Reward(round(_UNREAD * read.sound - 1.0, _DIGITS), dict.fromkeys(PARTS, 0.0), why=read.why)
    score = read.score
    if sum(len(voice.sounds) for voice in score.voices if not voice.drums) < _SILENT:
        return Reward(0.0, dict.fromkeys(PARTS, 0.0) | {"parses": 1.0}, why="hardly a pitch sounds")
    margins = _quick(score) if terms.depth == "quick" else full_margins(score, terms.genre, terms.contract)
    standards = the_standards()
    margins["memory"] = _copied(score, terms, standards)
    margins["brevity"] = _brief(score, terms.contract)
    parts = {
        "parses": 1.0,
        "clauses": _kept(score, terms.contract),
        "gates": _product(margins, ("degeneracy", "order", "genre fit", "length", "brevity", "silence", "monotony")),
        "parts": _product(margins, ("parts",)),
        "originality": _product(margins, ("memory", "originality")),
        "ordering": 1.0 / (1.0 + exp(-margins["ordering"])),
    }
    value = 1.0
    for part in parts.values():
        value *= part
    told = {name: _told(part) for name, part in parts.items()}
    return Reward(_told(value), told, {name: round(margin, _DIGITS) for name, margin in margins.items()})


def _told(value: float) -> float:
    """Six digits of a share from the first that is not 0, so that what is worth little is still worth more or less."""
    return float(f"{value:.{_DIGITS}g}")


def _product(margins: Mapping[str, float], names: Sequence[str]) -> float:
    """1 where all those margins are kept; less, but never 0, the further they are missed."""
    return exp(sum(min(margins[name], 0.0) for name in names if name in margins) * _STEEP)


def _kept(score: Score, contract: Contract | None) -> float:
    if contract is None:
        return 1.0
    asked = [check.passed for check in receipt(contract, score).checks if check.passed is not None]
    return sum(asked) / len(asked) if asked else 1.0


def _quick(score: Score) -> dict[str, float]:
    """The margins at a glance, in spreads of real music: above 0 is what nearly all has, for ``order`` every other."""
    standards = the_standards()
    levels = standards.levels
    numbers = numbers_of(Glance(score))
    budget = levels["extremes"]
    ordering = min(standards.ordering(numbers), levels["ordering"].high)
    margins = {
        "degeneracy": (budget.high - standards.extremes(numbers)) / budget.spread,
        "order": (standards.sense(numbers) - levels["sense"].middle) / levels["sense"].spread,
        "silence": (levels["idle"].high - numbers["material.idle"]) / levels["idle"].spread,
        "ordering": (ordering - levels["ordering"].middle) / levels["ordering"].spread,
    }
    against = [
        (level.high - numbers[name]) / level.spread
        for name in ("parts.rub_worst", "parts.rub_apart")
        if isfinite(numbers.get(name, float("nan"))) and (level := levels[name])
    ]
    return margins | ({"parts": min(against)} if against else {})


def _brief(score: Score, contract: Contract | None) -> float:
    """How far a piece is from being too short to be weighed; shorter ones only where they were asked for."""
    wanted = min(_SHORTEST, (contract.bars if contract is not None else None) or _SHORTEST)
    bars = len(set(score.sounds["bar"].tolist()))
    return min(0.0, _STEEP * (bars - wanted) / wanted)


def _copied(score: Score, terms: Terms, standards: Standards) -> float:
    """How far what is remembered stays below what unrelated music shares, in spreads."""
    level = standards.levels["memory"]
    memories = [terms.memory if terms.memory is not None else the_memory(), terms.shown]
    share = max(memory.share(score) for memory in memories if memory is not None)
    return (level.high - share) / level.spread
