"""Bars of a piece as notes that can be played at once: when, how high, how long, how loud."""

from __future__ import annotations

from libretto.score import Score

__all__ = ["passage_notes"]

_DIGITS = 4  # of seconds
_MOST_NOTES = 2_000


def passage_notes(score: Score, first: int, last: int) -> list[list[float]]:
    """The pitched notes that start in those bars: seconds from the first bar line, pitch, seconds, velocity."""
    low, high = score.index_of(first), score.index_of(last)
    table = score.table
    drums = [index for index, voice in enumerate(score.voices) if voice.drums]
    inside = (table["bar"] >= low) & (table["bar"] <= high)
    rows = sorted(
        row[:4]
        for row in zip(
            *(table[inside][name].tolist() for name in ("onset", "pitch", "duration", "velocity", "voice")), strict=True
        )
        if row[4] not in drums
    )[:_MOST_NOTES]
    begin = _seconds(score, score.bar_lines[low])
    return [
        [
            round(_seconds(score, onset) - begin, _DIGITS),
            pitch,
            round(_seconds(score, onset + length) - _seconds(score, onset), _DIGITS),
            velocity,
        ]
        for onset, pitch, length, velocity in rows
    ]


def _seconds(score: Score, tick: int) -> float:
    import numpy as np

    return float(score.seconds_at(np.array([tick]))[0])
