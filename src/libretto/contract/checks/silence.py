"""Clauses on who is silent where: rests, stops, entries, exits, and who plays alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.asks import Ask
from libretto.contract.checks.check import Finding, ask_clauses
from libretto.contract.checks.where import Spans, names_of, nowhere, said, spans_of_ask, voices_of, within
from libretto.contract.contract import Contract
from libretto.score.model import Score

__all__ = ["CRASH", "STOP", "first_beats"]

#: What is asked of who breaks off after the first beat of a bar.
STOP = "stop"
#: What is asked of those who strike once together, as loud as can be, and break off.
CRASH = "crash"


def _notes(score: Score, voices: list[int], spans: Spans) -> NDArray[Any]:
    return np.concatenate([within(score.voices[index].array, spans, score) for index in voices])


def first_beats(score: Score, spans: Spans) -> list[tuple[int, int, int]]:
    """Where the bars of some stretches begin, where their first beat ends, and where they end."""
    bars = [bar - score.first_bar for first, last in spans for bar in range(first, last + 1)]
    lines = score.bar_lines
    return [(lines[bar], lines[bar] + score.meter_at(lines[bar]).beat, lines[bar + 1]) for bar in bars]


def _stopped(score: Score, mine: list[int], spans: Spans) -> Finding:
    """Whether some break off after the first beat of bars."""
    for index in mine:
        notes = score.voices[index].array
        ends = notes["onset"] + notes["duration"]
        for _, rest, end in first_beats(score, spans):
            if ((notes["onset"] < end) & (ends > rest)).any():
                return False, f"{score.voices[index].name} plays on in {said(spans)}", spans
    return True, f"{names_of(score, mine)} stops in {said(spans)}", spans


@ask_clauses.register("silent")
def _silent(ask: Ask, contract: Contract, score: Score) -> Finding:
    spans = spans_of_ask(ask, score)
    mine = voices_of(ask.who, score)
    if not spans:
        return nowhere(ask, spans)
    if not mine:
        return False, f"{ask.who} plays nowhere", spans
    if ask.what in (STOP, CRASH):
        return _stopped(score, mine, spans)
    count = len(_notes(score, mine, spans))
    if count:
        return False, f"{names_of(score, mine)} plays {count} notes in {said(spans)}", spans
    return True, f"{names_of(score, mine)} is silent in {said(spans)}", spans


def _at_the_edge(ask: Ask, score: Score, word: str) -> Finding:
    """Somebody silent on one side of a place, and heard on the other."""
    away = spans_of_ask(ask, score)
    whole = spans_of_ask(Ask("silent", where=ask.where), score)
    mine = voices_of(ask.who, score)
    if not whole or not mine:
        return nowhere(ask, whole)
    there = ((whole[0][0], whole[0][1]),) if word == "enters" else ((score.numbers[0], whole[0][0] - 1),)
    if away and len(_notes(score, mine, away)):
        return False, f"{names_of(score, mine)} plays in {said(away)}", away
    if there[0][1] >= there[0][0] and not len(_notes(score, mine, there)):
        return False, f"{names_of(score, mine)} does not play in {said(there)}", there
    return True, f"{names_of(score, mine)} {word} in bar {whole[0][0]}", whole


@ask_clauses.register("enter")
def _enter(ask: Ask, contract: Contract, score: Score) -> Finding:
    return _at_the_edge(ask, score, "enters")


@ask_clauses.register("leave")
def _leave(ask: Ask, contract: Contract, score: Score) -> Finding:
    return _at_the_edge(ask, score, "leaves")


@ask_clauses.register("only")
def _only(ask: Ask, contract: Contract, score: Score) -> Finding:
    spans, mine = spans_of_ask(ask, score), voices_of(ask.who, score)
    if not spans or not mine:
        return nowhere(ask, spans)
    others = [
        index
        for index, voice in enumerate(score.voices)
        if index not in mine and len(within(voice.array, spans, score))
    ]
    if others:
        return False, f"{names_of(score, others)} plays too in {said(spans)}", spans
    if not len(_notes(score, mine, spans)):
        return False, f"nobody plays in {said(spans)}", spans
    return True, f"{names_of(score, mine)} alone plays in {said(spans)}", spans
