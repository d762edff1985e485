"""Groupings of uneven bars (2+2+3): on which of their beats a band leans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, permutations

import numpy as np

from libretto.contract.asks import Ask
from libretto.contract.checks.check import Finding
from libretto.contract.checks.where import Spans, bar_mask, bass_of, said, tune_of, within
from libretto.score.model import Score

__all__ = ["grouping_of", "groups_of", "in_groups", "starts_of", "unmarked"]

_FEW = 3  # strokes of a bar that marks no groups: what is held
_MANY = 0.2  # of the bars of who is the ground of a band, at most, may leave groups unmarked


def groups_of(what: str) -> tuple[int, ...]:
    """The groups of a bar as they are told.

    >>> groups_of("2+2+3")
    (2, 2, 3)
    """
    return tuple(int(part) for part in what.split("+") if part.isdigit())


def starts_of(groups: Sequence[int]) -> tuple[int, ...]:
    """The beats, from 0, on which groups begin."""
    return (0, *accumulate(groups[:-1]))


def _leans(score: Score, spans: Spans, beats: int) -> Counter[int]:
    """How often who does not have the tune leans on every beat of the bars of some stretches, each counted by strokes
    that are no softer than its usual ones; of the bass all count."""
    bass, tune = bass_of(score, spans), tune_of(score, spans)
    lines, inside = np.asarray(score.bar_lines), bar_mask(spans, score)
    counts: Counter[int] = Counter()
    for index, voice in enumerate(score.voices):
        notes = within(voice.array, spans, score)
        if not len(notes) or (index == tune and not voice.drums):
            continue
        usual = 0.0 if index == bass else float(notes["velocity"].mean())
        for tick in np.unique(notes["onset"][notes["velocity"] >= usual]).tolist():
            bar = int(np.searchsorted(lines, tick, side="right")) - 1
            place = (tick - int(lines[bar])) * beats
            length = int(lines[bar + 1] - lines[bar])
            if inside[bar] and bar < score.bars - 1 and place % length == 0:
                counts[place // length] += 1
    return counts


def _weight(counts: Counter[int], groups: Sequence[int]) -> int:
    """How often a band leans on the beats on which groups begin after the first."""
    return sum(counts[start] for start in starts_of(groups)[1:])


def grouping_of(score: Score, spans: Spans, groups: Sequence[int]) -> tuple[int, ...]:
    """In which order a band plays the groups of its bars: those that were asked for, where they are no rarer."""
    counts = _leans(score, spans, sum(groups))
    orders = sorted(set(permutations(groups)), key=lambda order: order != tuple(groups))
    return max(orders, key=lambda order: _weight(counts, order))


def in_groups(ask: Ask, score: Score, spans: Spans) -> Finding:
    """Drums, bass and chords lean on the beats on which the groups begin that were asked for."""
    groups = groups_of(ask.what)
    own = grouping_of(score, spans, groups)
    heard = _weight(_leans(score, spans, sum(groups)), groups) > 0
    name, bare, struck = unmarked(score, spans, groups)
    if own == groups and len(bare) > _MANY * struck:
        return False, f"{name} marks no groups in {len(bare)} of {struck} bars", spans
    return own == groups and heard, f"the band plays {'+'.join(map(str, own))} in {said(spans)}", spans


def unmarked(score: Score, spans: Spans, groups: Sequence[int]) -> tuple[str, list[int], int]:
    """Who is the lowest of a band, without the tune; in which bars, from 0, that one strikes, and on none of the beats
    on which groups begin after the first; and in how many bars it strikes."""
    index = bass_of(score, spans)
    if index is None or index == tune_of(score, spans):
        return "", [], 0
    lines, inside = score.bar_lines, bar_mask(spans, score)
    places: dict[int, set[int]] = {}
    for tick in within(score.voices[index].array, spans, score)["onset"].tolist():
        bar = score.bar_at(tick)
        places.setdefault(bar, set()).add((tick - lines[bar]) * sum(groups))
    struck = [bar for bar, ticks in places.items() if len(ticks) >= _FEW and inside[bar] and bar < score.bars - 1]
    wanted = {bar: {start * (lines[bar + 1] - lines[bar]) for start in starts_of(groups)[1:]} for bar in struck}
    return score.voices[index].name, [bar for bar in struck if not wanted[bar] & places[bar]], len(struck)
