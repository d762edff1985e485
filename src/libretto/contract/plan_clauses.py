"""Clauses on the plan: meter, tempo, bars, form and dynamics."""

from __future__ import annotations

import re

import numpy as np

from libretto.contract.check import Check, clauses
from libretto.contract.contract import Contract
from libretto.score.model import Score

__all__: list[str] = []

_SLACK = 0.03  # a tempo within three in a hundred of the band is in it
_ASKED = 0.4  # a leaning this strong can be checked
_MIDDLE = 80.0  # the velocity between soft and loud


@clauses.register("meter")
def _meter(contract: Contract, score: Score) -> Check:
    if contract.meter is None:
        return Check("meter", None, "no meter was asked for")
    starts = np.array([tick for tick, _ in score.meters])
    which = np.searchsorted(starts, np.asarray(score.bar_lines[:-1]), side="right") - 1
    meters = [score.meters[index][1] for index in which.tolist()]
    other = [
        index + score.first_bar
        for index, meter in enumerate(meters)
        if meter != contract.meter and index >= 1 - score.first_bar
    ]
    if score.meter != contract.meter or len(other) > score.bars / 10:
        return Check("meter", False, f"{contract.meter} was asked for; the piece is in {score.meter}", tuple(other))
    return Check("meter", True, f"{contract.meter}" + (f", but for {len(other)} bars" if other else ""), tuple(other))


@clauses.register("tempo")
def _tempo(contract: Contract, score: Score) -> Check:
    if contract.tempo_bpm is None:
        return Check("tempo", None, "no tempo was asked for")
    low, high = contract.tempo_bpm
    compound = score.meter.unit == 8 and score.meter.beats % 3 == 0
    late = score.bar_lines[max(0, score.bars - max(4, score.bars // 8))]
    tempos = [(tick, 60_000_000 / micros) for tick, micros in score.tempos]
    early = [bpm for index, (tick, bpm) in enumerate(tempos) if index == 0 or tick < late]
    fits = [_within(bpm, low, high, compound) for bpm in early]
    band = f"{low:g}" if low == high else f"{low:g}-{high:g}"
    if not fits[0]:
        return Check("tempo", False, f"{band} was asked for; it opens at {early[0]:.0f}", (score.first_bar,))
    if sum(fits) < len(fits) / 2:
        return Check("tempo", False, f"{band} was asked for; most of its tempos lie outside")
    return Check("tempo", True, f"it opens at {early[0]:.0f}, within {band}")


def _within(bpm: float, low: float, high: float, compound: bool) -> bool:
    """In the band as quarters or, in 6/8 and its kin, as dotted quarters."""
    return any(low * (1 - _SLACK) <= one <= high * (1 + _SLACK) for one in ([bpm, bpm / 1.5] if compound else [bpm]))


@clauses.register("bars")
def _bars(contract: Contract, score: Score) -> Check:
    if contract.bars is None:
        return Check("bars", None, "no number of bars was asked for")
    bars = score.bars - (1 if score.first_bar == 0 else 0)
    pickup = " and a pickup" if score.first_bar == 0 else ""
    return Check("bars", bars == contract.bars, f"{contract.bars} bars were asked for; there are {bars}{pickup}")


def _plain(name: str) -> str:
    name = re.sub(r"[\s_-]+", "-", name.strip().lower())
    return re.sub(r"(?<=[a-z])-?\d+\Z|'+\Z", "", name)


@clauses.register("form")
def _form(contract: Contract, score: Score) -> Check:
    if not contract.form:
        return Check("form", None, "no form was asked for")
    if contract.form == ("12-bar blues",):
        bars = score.bars - (1 if score.first_bar == 0 else 0)
        return Check("form", bars % 12 in (0, 1, 2, 4), f"choruses of twelve: {bars} bars")
    names = [_plain(name) for _, name in score.sections]
    at = 0
    for wanted in map(_plain, contract.form):
        while at < len(names) and names[at] != wanted and not names[at].startswith(wanted + "-"):
            at += 1
        if at == len(names):
            found = ", ".join(name for _, name in score.sections) or "none"
            return Check("form", False, f"{' '.join(contract.form)} was asked for; the sections are {found}")
        at += 1
    starts = [
        int(np.searchsorted(score.bar_lines, tick, side="right")) - 1 + score.first_bar for tick, _ in score.sections
    ]
    return Check("form", True, f"the sections come in order: {' '.join(contract.form)}", tuple(starts))


@clauses.register("dynamics")
def _dynamics(contract: Contract, score: Score) -> Check:
    if abs(contract.dynamics) < _ASKED:
        return Check("dynamics", None, "nothing marked was asked of the dynamics")
    velocities = score.table["velocity"]
    if not len(velocities) or int(velocities.min()) == int(velocities.max()):
        return Check("dynamics", None, "every note is equally loud: the piece does not say")
    mean = float(velocities.mean())
    soft = contract.dynamics < 0
    kept = mean <= _MIDDLE + 4 if soft else mean >= _MIDDLE - 8
    return Check("dynamics", kept, f"{'soft' if soft else 'strong'} was asked for; the mean velocity is {mean:.0f}")
