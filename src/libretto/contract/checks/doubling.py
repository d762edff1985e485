"""Whether somebody doubles a tune, or another player: the same tones at the same times, in whatever octave."""

from __future__ import annotations

import numpy as np

from libretto.contract.asks import Ask
from libretto.contract.checks.check import Finding, ask_clauses
from libretto.contract.checks.where import Spans, bass_of, nowhere, said, spans_of_ask, tops, voices_of, within
from libretto.contract.contract import Contract
from libretto.score.model import Score

__all__ = ["doubled_by", "way_of"]

_NEARLY = 0.8  # of the notes of who doubles
_WAYS = {" above": 12, " below": -12, " in thirds": -4, " in sixths": -9}
_STEPS = {-4: (3, 4), -9: (8, 9)}  # semitones of thirds and sixths


def way_of(what: str) -> tuple[str, int]:
    """Who is doubled, and how many semitones away; 0 where nothing is said of that.

    >>> way_of("melody above"), way_of("Bass")
    (('melody', 12), ('Bass', 0))
    """
    for word, semitones in _WAYS.items():
        if what.endswith(word):
            return what.removesuffix(word), semitones
    return what, 0


def doubled_by(ask: Ask, contract: Contract, score: Score, spans: Spans) -> tuple[int | None, int | None]:
    """Who doubles, and who is doubled, by index; the tune is with who leads, where that one plays there."""
    mine = [index for index in voices_of(ask.who, score, spans) if not score.voices[index].drums]
    if not mine:
        return None, None
    who, _ = way_of(ask.what)
    if who != "melody":
        whom = [index for index in voices_of(who, score, spans) if index not in mine and not score.voices[index].drums]
        return mine[0], whom[0] if whom else None
    return mine[0], _with_tune(contract, score, mine[0], spans)


def _with_tune(contract: Contract, score: Score, index: int, spans: Spans) -> int | None:
    """Who else has the tune: the loudest line of who plays in most of the bars, who leads before all others and the
    lowest after them."""
    rows = []
    leads = {part.name for part in contract.parts if part.role == "lead"}
    lowest, bars = bass_of(score, spans), sum(last - first + 1 for first, last in spans)
    for other, voice in enumerate(score.voices):
        notes = within(voice.array, spans, score)
        if other != index and not voice.drums and len(notes):
            top = tops(notes)
            played = len(np.unique(np.searchsorted(score.bar_lines, top["onset"], side="right")))
            loud = float(top["velocity"].mean()) + float(top["pitch"].mean()) / 12
            rows.append((2 * played >= bars, voice.name in leads, other != lowest, loud, -other))
    return -max(rows)[-1] if rows else None


@ask_clauses.register("doubling")
def _doubling(ask: Ask, contract: Contract, score: Score) -> Finding:
    spans = spans_of_ask(ask, score)
    index, whom = doubled_by(ask, contract, score, spans)
    if not spans or index is None or whom is None:
        return nowhere(ask, spans)
    model = {(int(n["onset"]), int(n["pitch"]) % 12) for n in within(score.voices[whom].array, spans, score)}
    line = within(score.voices[index].array, spans, score)
    steps = _STEPS.get(way_of(ask.what)[1], (0,))
    same = sum(any((int(n["onset"]), (int(n["pitch"]) + step) % 12) in model for step in steps) for n in line)
    share = same / max(1, len(line))
    names = score.voices[index].name, score.voices[whom].name
    return share >= _NEARLY, f"{share:.0%} of what {names[0]} plays in {said(spans)} doubles {names[1]}", spans
