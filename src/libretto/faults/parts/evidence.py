"""The evidence of every voice of a piece, as a whole and passage by passage: a row each, with named columns.

Conventions: a *passage* is eight bars, or the whole piece where it is shorter; passages begin every four bars. What
voices are judged by is set beside what the piece's other voices have of it, and passages beside the voice's others:
a chromatic piece is chromatic in all its voices.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from libretto.faults.lines import running_sum
from libretto.faults.parts.echoes import ECHO_EVIDENCE, echo_rows, echo_sums
from libretto.faults.parts.grid import Parts
from libretto.faults.parts.pitch import PITCH_EVIDENCE, PitchSums, pitch_rows, pitch_sums
from libretto.faults.parts.pulse import PULSE_EVIDENCE, pulse_rows
from libretto.score.facts import Facts
from libretto.score.table import Floats, Ints, distinct, middle

__all__ = ["PASSAGE", "PASSAGE_EVIDENCE", "WHOLE_EVIDENCE", "Heard", "heard_of", "spans_of"]

#: Bars of a passage, and how many bars later the next begins.
PASSAGE, _STEP = 8, 4
_LEAST_COMPANY = 1.0  # sixteenths with others, below which a passage says nothing
_ROLE = ("voices", "bars", "share of notes", "place in height", "is bass", "notes at once", "drums", "bars played")
_BESIDE = (
    "rubs", "interval fit", "interval gain 1", "interval gain 11", "interval gain 6", "best move gains",
    "key gain 1", "key gain 11", "key gain 6", "key gain best", "home gain 1", "home gain 6", "key fit",
)  # fmt: skip
_TIMES = (
    "together earlier",
    "usual earlier",
    "harmony earlier",
    "with pitches earlier",
    "on the half beat",
    "changes earlier",
    "best partner earlier",
    "fit at first",
    "louder on the half beat",
)
_OF_PITCH = tuple(PITCH_EVIDENCE.index(name) for name in _BESIDE)
_OF_TIME = tuple(PULSE_EVIDENCE.index(name) for name in _TIMES)
#: The columns of a voice as a whole.
WHOLE_EVIDENCE = (
    *_ROLE, *PITCH_EVIDENCE, *PULSE_EVIDENCE,
    *(f"{name}, most of the others" for name in _BESIDE), *(f"{name}, middle of the others" for name in _BESIDE),
    *(f"{name}, most of the others" for name in _TIMES), *(f"{name}, middle of the others" for name in _TIMES),
)  # fmt: skip
#: The columns of a passage.
PASSAGE_EVIDENCE = (
    *_ROLE, *PITCH_EVIDENCE, *ECHO_EVIDENCE,
    *(f"{name}, elsewhere" for name in _BESIDE), *(f"{name}, most elsewhere" for name in _BESIDE),
    *(f"{name}, others here" for name in _BESIDE),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Heard:
    """What is known of the voices of a piece: ``voices`` are indices; a row of ``whole`` for each; passages of all."""

    voices: Ints
    whole: Floats
    passage_voice: Ints
    passage_bars: Ints
    passages: Floats


def spans_of(bars: int) -> Ints:
    """The passages of a piece of so many bars: the first bar of each (an index) and the one after its last."""
    if bars <= PASSAGE:
        return np.array([[0, bars]])
    starts = distinct(np.append(np.arange(0, bars - PASSAGE + 1, _STEP), bars - PASSAGE))
    return np.stack((starts, starts + PASSAGE), axis=1)


def heard_of(facts: Facts) -> Heard:
    """The evidence of every voice that has enough notes to be judged and somebody to be judged by."""
    parts = Parts(facts)
    voices = parts.heard if len(parts.played) > 1 else []
    spans = spans_of(facts.bars)
    if not voices:
        nothing = np.empty(0, dtype=np.int64)
        return Heard(
            nothing,
            np.empty((0, len(WHOLE_EVIDENCE))),
            nothing,
            np.empty((0, 2), dtype=np.int64),
            np.empty((0, len(PASSAGE_EVIDENCE))),
        )
    roles = _roles(parts, voices)
    by_lot = []
    for lot in parts.lots(voices):
        sound = parts.sound(lot)
        by_lot.append((pitch_sums(parts, *sound), pulse_rows(parts, lot, sound)))
    sums, pulse = PitchSums.together([pitch for pitch, _ in by_lot]), np.concatenate([pulse for _, pulse in by_lot])
    pitch, local = pitch_rows(sums, spans)
    whole = np.concatenate((roles, pitch, pulse, _beside(pitch[:, _OF_PITCH]), _beside(pulse[:, _OF_TIME])), axis=1)
    company = running_sum(sums.company.T)
    company = (company[spans[:, 1]] - company[spans[:, 0]]).T
    beside, there = local[:, :, _OF_PITCH], company >= _LEAST_COMPANY
    row, span = np.nonzero(there)
    elsewhere = [_elsewhere(values[mine], spans[mine]) for values, mine in zip(beside, there, strict=True)]
    passages = (
        roles[row], local[row, span], echo_rows(echo_sums(facts, voices), row, spans[span]), np.concatenate(elsewhere),
        _others_here(beside, company)[row, span],
    )  # fmt: skip
    return Heard(np.array(voices), whole, np.array(voices)[row], spans[span], np.concatenate(passages, axis=1))


def _roles(parts: Parts, voices: list[int]) -> Floats:
    """What each voice is: how many there are, how much it plays, where it lies."""
    facts = parts.facts
    many = np.bincount(facts.voice, minlength=facts.voices)
    height = np.argsort(np.argsort(facts.mean_pitch[voices], kind="stable"), kind="stable") / max(len(voices) - 1, 1)
    columns = (
        np.log2(len(parts.played)), np.log2(facts.bars), many[voices] / max(facts.count, 1), height,
        np.equal(voices, -1 if facts.bass is None else facts.bass), facts.density[voices], float(len(facts.kit) > 0),
        np.log2(1 + facts.different(facts.bar)[voices]),
    )  # fmt: skip
    return np.stack(np.broadcast_arrays(*columns), axis=1).astype(np.float64)


def _beside(values: Floats) -> Floats:
    """For each voice the most and the middle of what the others have; nothing where there is no other."""
    count = len(values)
    if count < 2:
        return np.zeros((count, 2 * values.shape[1]))
    rest = np.stack([np.delete(values, number, axis=0) for number in range(count)])
    return np.concatenate((rest.max(axis=1), middle(rest, axis=1)), axis=1)


def _elsewhere(values: Floats, spans: Ints) -> Floats:
    """For each passage of a voice the middle and the most of those passages that do not overlap it."""
    apart = (spans[:, None, 0] >= spans[None, :, 1]) | (spans[:, None, 1] <= spans[None, :, 0])
    ranked = np.sort(np.where(apart, np.ascontiguousarray(values.T)[:, None, :], np.inf), axis=2)
    many, row = np.count_nonzero(apart, axis=1), np.arange(len(values))
    below, above, last = (ranked[:, row, np.maximum(at, 0)].T for at in ((many - 1) // 2, many // 2, many - 1))
    some = (many > 0)[:, None]
    return np.concatenate((np.where(some, (below + above) / 2, 0.0), np.where(some, last, 0.0)), axis=1)


def _others_here(values: Floats, company: Floats) -> Floats:
    """For each voice and passage the most of what the other voices have there."""
    known = np.where((company >= _LEAST_COMPANY)[:, :, None], values, -np.inf)
    rest = np.zeros_like(values)
    for number in range(len(values)):
        others = np.delete(known, number, axis=0)
        if len(others):
            best = others.max(axis=0)
            rest[number] = np.where(np.isfinite(best), best, 0.0)
    return rest
