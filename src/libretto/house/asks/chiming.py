"""Bells that are heard now and then: they strike where sections begin, once, twice and once more, as hours go by."""

from __future__ import annotations

from libretto.contract.checks.where import Spans, bar_mask, within
from libretto.house.asks.notes import Row, beats_of, put, range_of
from libretto.score import Score

__all__ = ["struck_hours"]

_APART = 8  # bars between two of them, at least
_FIRM = 6  # velocities by which they are louder than what their player had


def struck_hours(score: Score, name: str, spans: Spans) -> Score:
    """The piece with somebody striking the root of the chord, a stroke a beat and one more each time, where sections
    begin, eight bars apart at least; once in the last bar; and nothing else."""
    voice = score.voice(name)
    mine = within(voice.array, spans, score)
    if not len(mine):
        return score
    level = min(127, round(float(mine["velocity"].mean())) + _FIRM)
    middle = sorted(int(pitch) for pitch in mine["pitch"])[len(mine) // 2]
    low, high = range_of(voice)
    rows = []
    for place, bar in enumerate([*_hours(score, spans), score.bars - 1]):
        ticks = [*beats_of(score, bar), score.bar_lines[bar + 1]]
        last = bar == score.bars - 1
        strokes = min(1 if last else place + 1, len(ticks) - 1)
        chord = score.chord_at(ticks[0])
        root = chord.root_class if chord is not None else score.key_at(ticks[0]).tonic_class
        pitch = min((one for one in range(low, high + 1) if one % 12 == root), key=lambda one: abs(one - middle))
        for turn in range(strokes):
            until = ticks[turn + 1] if turn < strokes - 1 else ticks[-1]
            rows.append(Row(ticks[turn], until - ticks[turn], pitch, level))
    return put(score, name, spans, rows)


def _hours(score: Score, spans: Spans) -> list[int]:
    """The bars, from 0, in which a clock strikes: where sections begin, but for the first, with some time between."""
    inside, hours = bar_mask(spans, score), [0]
    for bar in sorted({score.bar_at(tick) for tick, _ in score.sections}):
        if bar - hours[-1] >= _APART and inside[bar] and bar < score.bars - _APART // 2:
            hours.append(bar)
    return hours[1:] or [score.bars // 2]
