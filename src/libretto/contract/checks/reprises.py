"""Reprises: whether the tune of the first section is heard again where it is to come back."""

from __future__ import annotations

import numpy as np

from libretto.contract.asks import Ask
from libretto.contract.checks.check import Finding, ask_clauses
from libretto.contract.checks.where import Spans, said, spans_of_ask, tops, tune_of, within
from libretto.contract.contract import Contract
from libretto.contract.stretches import sections_of_score
from libretto.score.model import Score

__all__ = ["first_of", "said_again"]

_AGAIN = 0.7  # of the notes of a tune by which one knows it again
_CLOSE = 2  # bars in which a reprise comes home
_OCTAVE = 12


def first_of(score: Score, again: tuple[int, int]) -> tuple[int, int] | None:
    """The bars of the section that some bars bring back: the first of their kind, the first of all where none is."""
    rows = sections_of_score(score)
    kind = next((kind for kind, first, _ in rows if first == again[0]), "")
    before = [(first, last) for other, first, last in rows if other == kind and first < again[0]]
    return next(iter(before or [(first, last) for _, first, last in rows[:1] if first < again[0]]), None)


@ask_clauses.register("reprise")
def _reprise(ask: Ask, contract: Contract, score: Score) -> Finding:
    spans = spans_of_ask(ask, score)[-1:]
    first = first_of(score, spans[0]) if spans else None
    if first is None:
        return False, "nothing comes back", spans
    share = said_again(score, first, spans[0])
    return share >= _AGAIN, f"{share:.0%} of the tune of {said((first,))} is heard again in {said(spans)}", spans


def said_again(score: Score, first: tuple[int, int], again: tuple[int, int]) -> float:
    """The share of the tune of some bars, up to where they close, that is heard again in others at the same places."""
    bars = min(first[1] - first[0], again[1] - again[0]) + 1
    bars = max(1, bars - _CLOSE)
    own: Spans = ((first[0], first[0] + bars - 1),)
    leader = tune_of(score, own)
    if leader is None:
        return 0.0
    low = score.first_bar
    start, there = score.bar_lines[first[0] - low], score.bar_lines[again[0] - low]
    told = [
        (int(note["onset"]) - start, int(note["pitch"]) % _OCTAVE)
        for note in tops(within(score.voices[leader].array, own, score))
    ]
    other: Spans = ((again[0], again[0] + bars - 1),)
    pitched = [within(voice.array, other, score) for voice in score.voices if not voice.drums]
    notes = np.concatenate(pitched)
    heard = {(int(note["onset"]) - there, int(note["pitch"]) % _OCTAVE) for note in notes}
    return sum(one in heard for one in told) / max(1, len(told))
