"""Glissandi of harps, keys and bars: at the ends of phrases a hand sweeps through the scale into the next bar."""

from __future__ import annotations

from libretto.contract.checks.where import Spans, bar_mask, within
from libretto.house.asks.notes import Row, put, range_of, rows_of, scale_at
from libretto.score import QUARTER, Score, Voice

__all__ = ["swept"]

_PHRASE = 4  # bars at whose end a hand sweeps
_NOTES, _QUICK = 8, QUARTER // 8  # notes of a sweep, and how long each is
_GROWS, _FIRST = 2, 14  # velocities: by which each note is louder, and the first one softer than usual
_MIDDLE = 60  # from where it rises at least


def swept(score: Score, voice: Voice, spans: Spans) -> Score:
    """The piece with sweeps of a voice up into the bars after its phrases, where it plays before or after."""
    inside, made = bar_mask(spans, score), score
    rows = rows_of(within(voice.array, spans, score))
    bars = {score.bar_at(row.onset) for row in rows}
    for bar in range(_PHRASE - 1, score.bars - 1, _PHRASE):
        if not inside[bar] or not {bar, bar + 1} & bars:
            continue
        line = score.bar_lines[bar + 1]
        run = _sweep(score, voice, line)
        kept = [
            row._replace(duration=min(row.duration, run[0].onset - row.onset))
            for row in rows
            if score.bar_at(row.onset) == bar and row.onset < run[0].onset
        ]
        number = bar + score.first_bar
        made = put(made, voice.name, ((number, number),), [*kept, *run]) if len(run) == _NOTES else made
    return made


def _sweep(score: Score, voice: Voice, line: int) -> list[Row]:
    """Quick notes of the scale, louder and louder, up to a bar line."""
    low, high = range_of(voice)
    pitches, loud = sorted(voice.array["pitch"].tolist()), float(voice.array["velocity"].mean())
    start = max(low, min(max(pitches[len(pitches) // 2], _MIDDLE), high - 2 * _NOTES))
    scale = scale_at(score, line - QUARTER)
    steps = [pitch for pitch in range(start, high + 1) if pitch % 12 in scale][:_NOTES]
    first = line - _NOTES * _QUICK
    level = max(1, round(loud) - _FIRST)
    return [
        Row(first + place * _QUICK, _QUICK, pitch, min(127, level + place * _GROWS))
        for place, pitch in enumerate(steps)
    ]
