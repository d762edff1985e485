"""Lines: whether one is adorned, or rests between its phrases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from libretto.contract.asks import Ask
from libretto.contract.checks.echoes import ECHOES, loudest_line, share_of_echoes
from libretto.contract.checks.where import Spans, tune_of, voices_of, within
from libretto.score.model import Score
from libretto.score.time import QUARTER

__all__ = ["OF_LINES", "line_of", "only_trills", "share_of_bars"]

#: What is asked of a line, and in how many of its bars: ornaments, a rest in the end, nothing at all, or
#: short notes that do not begin with the bar; of echoes, in how many groups of eight bars.
OF_LINES: Mapping[str, float] = {"ornate": 0.55, "pauses": 0.35, "seldom": 0.6, "scattered": 0.5, ECHOES: 0.5}


_TRILLS, _OTHERS = (
    re.compile(r"\btrill", re.I),
    re.compile(r"ornament|adorn|turns?\b|mordent|grace|decorat|embellish", re.I),
)
_GLINTS_FROM = 60  # the pitch from which on notes glint
_QUICK, _STEP, _SHAKES = QUARTER // 6, 2, 4  # of a trill: the longest stroke, the widest step, the fewest strokes


def only_trills(ask: Ask) -> bool:
    """Whether it is trills, and no other ornaments, that are asked of a line."""
    return bool(_TRILLS.search(ask.words)) and not _OTHERS.search(ask.words)


def line_of(ask: Ask, score: Score, spans: Spans) -> int | None:
    """The voice of which it is asked how its line goes: who is named, else who has the tune."""
    if ask.what == ECHOES and not ask.who:
        return loudest_line(score, spans)  # its echoes are soft, and it is the tune for all that
    mine = voices_of(ask.who, score, spans) if ask.who else []
    return next((index for index in mine if not score.voices[index].drums), tune_of(score, spans))


def share_of_bars(ask: Ask, score: Score, spans: Spans) -> float:
    """In how many bars of a line one of its notes is shorter than an eighth (of trills: in how many pairs of bars there
    is one), nothing begins in the second half, nothing is played, or all that is high is short and off the first
    beat."""
    index = line_of(ask, score, spans)
    rows = [] if index is None else within(score.voices[index].array, spans, score).tolist()
    if ask.what == ECHOES:
        return 0.0 if index is None else share_of_echoes(score, index, spans)
    return _share(ask, score, spans, rows)


def _share(ask: Ask, score: Score, spans: Spans, rows: Sequence[Sequence[int]]) -> float:
    """In how many bars some notes go as is asked of their line."""
    bars: dict[int, list[tuple[int, int]]] = {}
    for onset, duration, *_ in rows:
        bars.setdefault(score.bar_at(onset), []).append((onset, duration))
    if ask.what == "seldom":
        return 1 - len(bars) / max(1, sum(last - first + 1 for first, last in spans))
    if ask.what == "scattered":
        return _share_of_glints(score, rows, bars)
    if ask.what == "ornate" and only_trills(ask):
        return _share_of_pairs(score, rows, bars)
    if ask.what == "ornate":
        kept = [any(duration < QUARTER // 2 for _, duration in bar) for bar in bars.values()]
    else:
        halves = {bar: (score.bar_lines[bar] + score.bar_lines[bar + 1]) // 2 for bar in bars}
        kept = [max(onset for onset, _ in notes) < halves[bar] for bar, notes in bars.items()]
    return sum(kept) / max(1, len(bars))


def _trills(notes: Sequence[tuple[int, int, int]]) -> list[int]:
    """Where quick notes have gone to and fro between two neighbours for a while."""
    made, run = [], 1
    steps = list(pairwise(notes))
    for place, ((onset, pitch, _), (after, other, length)) in enumerate(steps):
        near = after - onset <= _QUICK and length <= _QUICK and 0 < abs(other - pitch) <= _STEP
        back = run == 1 or (place > 0 and steps[place - 1][0][1] == other)
        run = run + 1 if near and back else 1
        if run == _SHAKES:
            made.append(after)
    return made


def _share_of_pairs(score: Score, rows: Sequence[Sequence[int]], bars: Iterable[int]) -> float:
    """In how many pairs of bars there is a trill."""
    shaken = {score.bar_at(onset) // 2 for onset in _trills(sorted((one[0], one[2], one[1]) for one in rows))}
    pairs = {bar // 2 for bar in bars}
    return len(pairs & shaken) / max(1, len(pairs))


def _share_of_glints(score: Score, rows: Sequence[Sequence[int]], bars: Iterable[int]) -> float:
    """In how many bars what somebody has above its lowest tones is short and begins after the first beat."""
    high = [one for one in rows if one[2] >= _GLINTS_FROM]
    there = {score.bar_at(one[0]) for one in high}
    long = {score.bar_at(one[0]) for one in high if one[1] > QUARTER // 2 or one[0] in score.bar_lines}
    return len(there - long) / max(1, len(there))
