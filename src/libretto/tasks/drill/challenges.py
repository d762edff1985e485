"""The challenge of an entry against a drill: bars, meter, intervals heard and the close, beside what the detector sees.

What the learner asked for goes first: another number of bars or another meter than the challenge names is no fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from libretto.contract.checks.check import Check
from libretto.knowledge.challenge import HeardInterval
from libretto.score import Score
from libretto.score.table import Ints
from libretto.tasks.drill.request import DrillRequest

__all__ = ["challenge_checks"]

_CLASSES = 12
_NUMBERED = ("tonic", "flat second", "second", "minor third", "major third", "fourth", "tritone", "fifth",
             "flat sixth", "sixth", "flat seventh", "leading tone")  # fmt: skip


def challenge_checks(drill: DrillRequest, score: Score) -> Iterator[tuple[Check, str]]:
    """Every clause of the challenge of a drill's concept, with what to do where it is not kept."""
    asked = drill.concept.challenge
    if asked.least or asked.most:
        yield _bars(drill, score)
    if asked.meter:
        yield _meter(drill, score)
    line = _line(score)
    if asked.intervals:
        yield _intervals(asked.intervals, score, line)
    if asked.close:
        yield _close(drill, score, line)


def _bars(drill: DrillRequest, score: Score) -> tuple[Check, str]:
    asked = drill.concept.challenge
    count = score.bars - (1 if score.first_bar == 0 else 0)
    if drill.bars is not None:
        return Check("challenge: bars", None, f"{count} bars, as many as were asked"), ""
    wanted = f"{asked.least}" if asked.least == asked.most else f"{asked.least} to {asked.most or 'any number'}"
    good = count >= asked.least and (not asked.most or count <= asked.most)
    return Check("challenge: bars", good, f"{count} bars; the challenge has {wanted}"), f"write {wanted} bars"


def _meter(drill: DrillRequest, score: Score) -> tuple[Check, str]:
    wanted = drill.concept.challenge.meter
    if drill.meter is not None:
        return Check("challenge: meter", None, f"in {score.meter}, as asked"), ""
    return Check("challenge: meter", str(score.meter) == wanted, f"in {score.meter}"), f"write it in {wanted}"


def _line(score: Score) -> Ints:
    """The highest pitch of each onset."""
    onset = np.asarray(score.table["onset"], dtype=np.int64)
    starts, place = np.unique(onset, return_inverse=True)
    top = np.zeros(len(starts), dtype=np.int64)
    np.maximum.at(top, place, score.table["pitch"])
    return top


def _intervals(asked: Sequence[HeardInterval], score: Score, line: Ints) -> tuple[Check, str]:
    """Whether every interval is heard often enough; the first that is not is named."""
    heard = [(wanted, *_heard(wanted, score, line)) for wanted in asked]
    short = [(wanted, count, words) for wanted, count, words in heard if count < wanted.times]
    wanted, count, words = (short or heard)[0]
    evidence = f"{words} is heard {count} times; the challenge has {wanted.times} or more"
    return Check("challenge: intervals", not short, evidence), f"let {words} be heard more often"


def _heard(wanted: HeardInterval, score: Score, line: Ints) -> tuple[int, str]:
    """How often the highest notes move by an interval, up or down, and the interval in words."""
    steps = np.abs(np.diff(line))
    if wanted.between is None:
        return int((steps == wanted.semitones).sum()), f"a step of {wanted.semitones} semitones"
    low, high = wanted.between
    degrees = (line - score.key.tonic_class) % _CLASSES
    ends = np.sort(np.stack([degrees[:-1], degrees[1:]]), axis=0)
    near = steps == (high - low) % _CLASSES
    met = near & (ends[0] == min(wanted.between)) & (ends[1] == max(wanted.between))
    return int(met.sum()), f"the step between {_NUMBERED[low]} and {_NUMBERED[high]}"


def _close(drill: DrillRequest, score: Score, line: Ints) -> tuple[Check, str]:
    """The degree of the last note, its highest or lowest tone, and of the last other note before it."""
    asked = drill.concept.challenge
    names = " or ".join(_NUMBERED[degree] for degree in asked.close)
    advice = f"close on the {names}"
    if not len(line):
        return Check("challenge: close", False, "it has no notes"), advice
    home = score.keys[-1][1].tonic_class
    table = score.table
    last = np.asarray(table["pitch"][table["onset"] == table["onset"].max()], dtype=np.int64)
    ends = {int(pitch - home) % _CLASSES for pitch in (last.min(), last.max())}
    others = line[line != line[-1]]
    before = int(others[-1] - home) % _CLASSES if len(others) else None
    good = bool(ends & set(asked.close)) and (not asked.approach or before in asked.approach)
    if asked.approach:
        advice += f", from the {' or '.join(_NUMBERED[degree] for degree in asked.approach)}"
    evidence = "it closes as the challenge has it" if good else "it closes otherwise than the challenge has it"
    return Check("challenge: close", good, evidence, () if good else (score.numbers[-1],)), advice
