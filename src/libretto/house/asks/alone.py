"""Who plays alone has to be heard: bars in which it would rest are filled from what it plays elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.contract.checks.where import Spans, within
from libretto.house.asks.notes import Row, put, range_of, rows_of
from libretto.house.asks.textures import bars_of
from libretto.score import Score, Voice

__all__ = ["heard_alone"]


def heard_alone(score: Score, names: Sequence[str], spans: Spans) -> Score:
    """The piece with some players heard in bars that are theirs alone, where they would all rest."""
    voices = [voice for voice in score.voices if voice.name in names and len(voice.array)]
    rests = [
        (bar + score.first_bar,) * 2
        for bar in bars_of(score, spans)
        if not any(len(within(voice.array, ((bar + score.first_bar,) * 2,), score)) for voice in voices)
    ]
    made = score
    for voice in voices if 2 * len(rests) > len(bars_of(score, spans)) else ():
        made = put(made, voice.name, rests, _elsewhere(score, voice, [bar for bar, _ in rests]))
    return made


def _elsewhere(score: Score, voice: Voice, bars: Sequence[int]) -> list[Row]:
    """What a voice plays in its first bars, in others, on the tones of the chords there."""
    starts = np.searchsorted(score.bar_lines, voice.array["onset"], side="right") - 1
    own = [int(bar) for bar in np.unique(starts) if score.meter_at(score.bar_lines[int(bar)]) == score.meter_at(0)]
    low, high = range_of(voice)
    rows = []
    for place, number in enumerate(bars):
        source, bar = own[place % min(len(own), 4)], number - score.first_bar
        moved = score.bar_lines[bar] - score.bar_lines[source]
        for row in rows_of(voice.array[starts == source]):
            tick = row.onset + moved
            pitch = row.pitch if voice.drums else _on_chord(score, tick, row.pitch, low, high)
            rows.append(row._replace(onset=tick, pitch=pitch))
    return rows


def _on_chord(score: Score, tick: int, pitch: int, low: int, high: int) -> int:
    """The tone of the chord at a tick that is nearest a pitch, where the instrument has it."""
    chord = score.chord_at(tick)
    tones = [tone for tone in range(low, high + 1) if chord is None or tone % 12 in chord.classes]
    return min(tones, key=lambda tone: (abs(tone - pitch), tone), default=pitch)
