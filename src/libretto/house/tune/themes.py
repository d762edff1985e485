"""A theme: the tune of some bars, kept as a template of how a good tune is made.

Conventions: times are ticks from the first bar line of the theme, so a pickup is negative; pitches are MIDI numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

from libretto.score.chords import Chord, parse_chord
from libretto.score.keys import Key
from libretto.score.time import Meter

__all__ = ["Theme", "TuneNote", "metrical_weight"]

_OFF, _HALFWAY, _BEAT, _HALF_BAR = 0.1, 0.25, 0.6, 0.8  # how strong places in a bar are beside the first
_EVEN_HALVES = 4  # beats from which on the middle of a bar is stronger than its other beats


@dataclass(frozen=True)
class TuneNote:
    """One note of a tune; ``accent`` is added to its loudness."""

    start: int
    length: int
    pitch: int
    accent: int = 0

    @property
    def end(self) -> int:
        """Where it stops sounding."""
        return self.start + self.length


@dataclass(frozen=True)
class Theme:
    """A tune of some bars as a template: ``chords`` are labels by bar, ``kind`` is lead, solo, answer or counter."""

    name: str
    meter: Meter
    key: Key
    bars: int
    notes: tuple[TuneNote, ...]
    chords: tuple[tuple[str, ...], ...]
    kind: str = ""

    def chord_at(self, tick: int) -> Chord | None:
        """The chord that holds there; several in a bar share it evenly."""
        if not self.chords:
            return None
        bar = min(max(0, tick // self.meter.ticks), len(self.chords) - 1)
        labels = self.chords[bar]
        if not labels:
            return None
        within = max(0, tick - bar * self.meter.ticks)
        return parse_chord(labels[min(len(labels) - 1, within * len(labels) // self.meter.ticks)])


def metrical_weight(tick: int, meter: Meter) -> float:
    """How strong a place in the bar is: 1 on the first beat, less on the others, little between them.

    >>> [metrical_weight(beat * 40320, Meter(4, 4)) for beat in range(4)]
    [1.0, 0.6, 0.8, 0.6]
    """
    within = tick % meter.ticks
    if within == 0:
        return 1.0
    beats = meter.ticks // meter.beat
    if within % meter.beat == 0:
        halves = beats % 2 == 0 and (beats >= _EVEN_HALVES or meter.is_compound)
        return _HALF_BAR if halves and within * 2 == meter.ticks else _BEAT
    return _HALFWAY if within % max(1, meter.beat // (3 if meter.is_compound else 2)) == 0 else _OFF
