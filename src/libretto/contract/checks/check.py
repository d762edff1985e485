"""What a clause says of a piece, the registry of clauses, and the receipt: a piece against all of its contract.

A clause is a function (Contract, Score) -> Check. To add one is to decorate it with ``clauses.register``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from libretto.contract.asks import Ask
from libretto.contract.checks.where import Spans, bar_mask, spans_of_ask
from libretto.contract.contract import Contract
from libretto.contract.form import chorus_forms
from libretto.contract.rising import is_of, steps_of
from libretto.contract.words import number_in_words
from libretto.registry import Registry
from libretto.score.model import Score
from libretto.score.played import played
from libretto.score.time import bpm_of_micros

__all__ = [
    "AskClause",
    "Check",
    "Clause",
    "Finding",
    "Receipt",
    "ask_clauses",
    "bars_text",
    "clauses",
    "elsewhere",
    "receipt",
]

#: What a clause on an ask says: whether it is kept, the evidence, and the bars it speaks of.
Finding = tuple[bool | None, str, Spans]
AskClause = Callable[[Ask, Contract, Score], Finding]
Clause = Callable[[Contract, Score], "Check"]


@dataclass(frozen=True, slots=True)
class Check:
    """One clause's verdict: passed, failed, or None where it was not asked; the evidence; the bars it speaks of."""

    clause: str
    passed: bool | None
    evidence: str
    bars: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """The check as plain data."""
        return {"clause": self.clause, "passed": self.passed, "evidence": self.evidence, "bars": list(self.bars)}


#: Every clause by name.
clauses: Registry[Clause] = Registry("clause", "libretto.clauses", ["libretto.contract.checks"])
#: Every clause on an ask, by its kind: each ask has a line of its own on the receipt.
ask_clauses: Registry[AskClause] = Registry("clause on asks", "libretto.ask_clauses", ["libretto.contract.checks"])


def bars_text(bars: Iterable[int], most: int = 6) -> str:
    """Bar numbers for a person: ``bars 3, 4, 9 and 5 more``.

    >>> bars_text([7]), bars_text([1, 2, 3, 4], most=2)
    ('bar 7', 'bars 1, 2 and 2 more')
    """
    listed = sorted(set(bars))
    if len(listed) == 1:
        return f"bar {listed[0]}"
    shown = ", ".join(map(str, listed[:most]))
    return f"bars {shown}" + (f" and {len(listed) - most} more" if len(listed) > most else "")


# In which order a receipt is read; clauses that are not ours come after.
_ORDER = (
    "key",
    "meter",
    "timing",
    "tempo",
    "bars",
    "form",
    "chords",
    "parts",
    "drums",
    "ranges",
    "polyphony",
    "dynamics",
    "ending",
    "scale",
    "roles",
    "mood",
    "title",
    "dedication",
)


@dataclass(frozen=True, slots=True)
class Receipt:
    """Every clause's check, in reading order."""

    title: str
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether no clause failed."""
        return all(check.passed is not False for check in self.checks)

    @property
    def failed(self) -> tuple[Check, ...]:
        """The clauses that were not kept."""
        return tuple(check for check in self.checks if check.passed is False)

    @property
    def lines(self) -> tuple[str, ...]:
        """The receipt for a person, one clause a line."""
        words = {True: "kept", False: "BROKEN", None: "not asked"}
        rows = []
        for check in self.checks:
            where = (
                f" [{bars_text(check.bars)}]"
                if check.bars and check.passed is False and "bar" not in check.evidence
                else ""
            )
            rows.append(f"{check.clause:<10} {words[check.passed]:<10} {check.evidence}{where}")
        asked = [check for check in self.checks if check.passed is not None]
        rows.append(f"{sum(1 for check in asked if check.passed)} of {len(asked)} clauses kept")
        return tuple(rows)

    @property
    def asked_lines(self) -> tuple[str, ...]:
        """The lines about what was asked, and how much of it was kept."""
        *clauses, kept = self.lines
        asked = zip(clauses, self.checks, strict=True)
        return (*(line for line, check in asked if check.passed is not None), kept)

    def to_dict(self) -> dict[str, object]:
        """The receipt as plain data."""
        return {"title": self.title, "passed": self.passed, "checks": [check.to_dict() for check in self.checks]}


def receipt(contract: Contract, score: Score) -> Receipt:
    """Every clause of a contract checked against a piece as it sounds, its repeats played."""
    score = played(score)
    names = sorted(clauses, key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name))
    checks = [clauses[name](contract, score) for name in names]
    checks += [_asked(ask, contract, score) for ask in contract.asks]
    return Receipt(contract.title or score.title, tuple(checks))


def _asked(ask: Ask, contract: Contract, score: Score) -> Check:
    """What is to be said of one ask."""
    if ask.kind not in ask_clauses:
        return Check(ask.text, None, "nobody can check this")
    kept, evidence, spans = ask_clauses[ask.kind](ask, contract, score)
    bars = tuple(bar for first, last in spans for bar in range(first, last + 1))[:_MOST_BARS]
    return Check(ask.text, kept, evidence, bars)


def elsewhere(contract: Contract, score: Score, *kinds: str) -> NDArray[np.bool_]:
    """Which bars, from 0, no ask of some kinds speaks of."""
    mask = np.zeros(score.bars, dtype=np.bool_)
    for ask in contract.asks:
        if ask.kind in kinds and (ask.where or ask.kind != "chords"):
            mask |= bar_mask(spans_of_ask(ask, score), score)
        if any(is_of(ask, kind) for kind in kinds):
            mask |= bar_mask(steps_of(ask, score)[1:], score)
    return ~mask


_MOST_BARS = 40  # bars that a check names
_SLACK = 0.03  # a tempo within three in a hundred of the band is in it
_DOTTED = 1.5  # quarters of a beat of 6/8 and its kin
_ODD_BARS = 10  # one bar in so many may be in another meter
_LAST = 8  # the last eighth of a piece, at least four bars, may slow down as it likes
_FEWEST_LAST = 4
_ASKED = 0.4  # a leaning this strong can be checked
_MIDDLE = 80.0  # the velocity between soft and loud
_ABOVE, _BELOW = 4.0, 8.0  # velocities by which a soft piece may pass the middle, and a strong one miss it


@clauses.register("meter")
def _meter(contract: Contract, score: Score) -> Check:
    if contract.meter is None:
        return Check("meter", None, "no meter was asked for")
    free = elsewhere(contract, score, "meter_change")
    other = [
        index + score.first_bar
        for index, tick in enumerate(score.bar_lines[:-1])
        if score.meter_at(tick) != contract.meter and index >= 1 - score.first_bar and free[index]
    ]
    opens = score.meter == contract.meter or not free[0]
    if not opens or len(other) > score.bars / _ODD_BARS:
        return Check("meter", False, f"{contract.meter} was asked for; the piece is in {score.meter}", tuple(other))
    return Check("meter", True, f"{contract.meter}" + (f", but for {len(other)} bars" if other else ""), tuple(other))


@clauses.register("tempo")
def _tempo(contract: Contract, score: Score) -> Check:
    if contract.tempo_bpm is None:
        return Check("tempo", None, "no tempo was asked for")
    low, high = contract.tempo_bpm
    late = score.bar_lines[max(0, score.bars - max(_FEWEST_LAST, score.bars // _LAST))]
    free = elsewhere(contract, score, "tempo_change")
    ends = (*(tick for tick, _ in score.tempos[1:]), score.bar_lines[-1])
    early = [
        (bpm_of_micros(micros), end - tick)
        for place, ((tick, micros), end) in enumerate(zip(score.tempos, ends, strict=True))
        if place == 0 or (tick < late and free[min(score.bar_at(tick), score.bars - 1)])
    ]
    if not free[0]:
        return Check("tempo", None, "the tempo changes from the beginning, as asked")
    fits = [_within(bpm, low, high, score.meter.is_compound) for bpm, _ in early]
    band = f"{low:g}" if low == high else f"{low:g}-{high:g}"
    opens = _told(early[0][0], low, high, score.meter.is_compound)
    if not fits[0]:
        return Check("tempo", False, f"{band} was asked for; it opens at {opens}", (score.first_bar,))
    if sum(lasts for fit, (_, lasts) in zip(fits, early, strict=True) if fit) < sum(lasts for _, lasts in early) / 2:
        return Check("tempo", False, f"{band} was asked for; most of it lies outside")
    return Check("tempo", True, f"it opens at {opens}, within {band}")


def _told(bpm: float, low: float, high: float, compound: bool) -> str:
    """A tempo in the unit in which it is in the band, or comes nearest to it."""
    dotted = compound and not _within(bpm, low, high, False) and bpm > low
    return f"{bpm / _DOTTED:.0f} dotted quarters" if dotted else f"{bpm:.0f}"


def _within(bpm: float, low: float, high: float, compound: bool) -> bool:
    """Whether a tempo is in the band as quarters or, in 6/8 and its kin, as dotted quarters."""
    counted = [bpm, bpm / _DOTTED] if compound else [bpm]
    return any(low * (1 - _SLACK) <= beats <= high * (1 + _SLACK) for beats in counted)


@clauses.register("bars")
def _bars(contract: Contract, score: Score) -> Check:
    if contract.bars is None:
        return Check("bars", None, "no number of bars was asked for")
    bars = _full_bars(score)
    pickup = " and a pickup" if score.first_bar == 0 else ""
    return Check("bars", bars == contract.bars, f"{contract.bars} bars were asked for; there are {bars}{pickup}")


def _full_bars(score: Score) -> int:
    """How many bars there are without the pickup."""
    return score.bars - (1 if score.first_bar == 0 else 0)


def _plain(name: str) -> str:
    name = re.sub(r"[\s_-]+", "-", name.strip().lower())
    return re.sub(r"(?<=[a-z])-?\d+\Z|'+\Z", "", name)


@clauses.register("form")
def _form(contract: Contract, score: Score) -> Check:
    if not contract.form:
        return Check("form", None, "no form was asked for")
    choruses = chorus_forms().get(contract.form[0]) if len(contract.form) == 1 else None
    if choruses:
        bars = _full_bars(score)
        kept = bars % choruses.bars in choruses.left_over
        return Check("form", kept, f"choruses of {number_in_words(choruses.bars)}: {bars} bars")
    names = [_plain(name) for _, name in score.sections]
    wanted = [_plain(name) for name in contract.form]
    if not _in_order(names, wanted):
        sections = ", ".join(name for _, name in score.sections) or "none"
        return Check("form", False, f"{' '.join(contract.form)} was asked for; the sections are {sections}")
    starts = [score.bar_at(tick) + score.first_bar for tick, _ in score.sections]
    return Check("form", True, f"the sections come in order: {' '.join(contract.form)}", tuple(starts))


_AROUND = ("intro", "introduction", "outro", "coda", "tag", "ending", "end")  # sections round those of a form


def _in_order(names: list[str], wanted: list[str]) -> bool:
    """Whether sections are the wanted ones in order: each may be in several parts, and others only be round them."""
    at = 0
    for name in names:
        if at < len(wanted) and (name == wanted[at] or name.startswith(wanted[at] + "-")):
            at += 1
        elif not ((at and name.startswith(wanted[at - 1] + "-")) or name in _AROUND):
            return False
    return at == len(wanted)


@clauses.register("dynamics")
def _dynamics(contract: Contract, score: Score) -> Check:
    if abs(contract.dynamics) < _ASKED:
        return Check("dynamics", None, "nothing marked was asked of the dynamics")
    velocities = score.table["velocity"][elsewhere(contract, score, "dynamics")[score.table["bar"]]]
    if not len(velocities) or int(velocities.min()) == int(velocities.max()):
        return Check("dynamics", None, "every note is equally loud: the piece does not say")
    mean = float(velocities.mean())
    soft = contract.dynamics < 0
    kept = mean <= _MIDDLE + _ABOVE if soft else mean >= _MIDDLE - _BELOW
    return Check("dynamics", kept, f"{'soft' if soft else 'strong'} was asked for; the mean velocity is {mean:.0f}")
