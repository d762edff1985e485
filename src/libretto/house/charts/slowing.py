"""Slow tunes: what a pad sings that is to float: one note a bar, the slow top of its chords."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.house.charts.stand import Stand
from libretto.house.compose.plan import Plan
from libretto.house.core.line import ladder
from libretto.house.core.patterns import Sketch

__all__ = ["FLOATS", "slowed"]

#: The manner of pads that float.
FLOATS = "floats"
_MOST, _PHRASE = 2, 4  # bars that a note is held in the first half of a phrase; in the second it moves on
_ACCENT = -6  # how much softer it is than a tune
_NEAR = 9  # semitones around a note of the tune in which a tone of the chord is sought


def slowed(stand: Stand, notes: Sequence[Sketch]) -> list[Sketch]:
    """A tune drawn out: of every bar the tone of its chord that is nearest to the longest note of the tune, another
    than in the bar before where there is one close by; over one chord it is held for two bars in the first half of a
    phrase, and not into another section."""
    plan, ticks = stand.plan, stand.plan.meter.ticks
    firsts = {passage.first for passage in stand.passages}
    bars: dict[int, list[Sketch]] = {}
    for note in notes:
        bars.setdefault(note.onset // ticks, []).append(note)
    made: list[Sketch] = []
    for bar, row in sorted(bars.items()):
        last = made[-1] if made else None
        joined = last is not None and last.onset + last.duration == bar * ticks and bar not in firsts
        same = bar > 0 and plan.chord_at(bar * ticks).chord == plan.chord_at((bar - 1) * ticks).chord
        if last is not None and joined and same and bar % _PHRASE < _MOST and last.duration < _MOST * ticks:
            made[-1] = last._replace(duration=last.duration + ticks)
            continue
        long = max(row, key=lambda note: (note.duration, note.pitch))
        pitch = _tone(plan, bar, long.pitch, last.pitch if last else None)
        made.append(Sketch(bar * ticks, ticks, pitch, long.accent + _ACCENT))
    return made


def _tone(plan: Plan, bar: int, goal: int, before: int | None) -> int:
    """The tone of a bar's chord near a note of a tune that is not the one before."""
    tones = ladder(plan.chord_at(bar * plan.meter.ticks).chord.classes, goal - _NEAR, goal + _NEAR)
    others = [tone for tone in tones if tone != before] or [goal]
    return min(others, key=lambda tone: (abs(tone - goal), tone))
