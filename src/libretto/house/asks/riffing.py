"""Riffs of distorted guitars in octaves: low, on the line of the bass, and no tune of a single guitar."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.contract.asks import Ask
from libretto.contract.checks.stacks import POWER
from libretto.contract.checks.where import within
from libretto.house.asks.notes import fitted, put, range_of, rows_of, tune
from libretto.house.charts.chart import DRIVEN
from libretto.house.charts.skills import BASSES
from libretto.score import Score, Voice

__all__ = ["riffed"]

Spans = Sequence[tuple[int, int]]
_TWO = 2  # guitars at least, and octaves at most


def riffed(ask: Ask, score: Score, voices: Sequence[Voice], spans: Spans) -> Score | None:
    """The riff of a band of distorted guitars and a bass in octaves: the line of the bass, the last guitar an octave
    above it, the others above that; None where others play too, no guitar strikes power chords, or no octaves are asked
    for."""
    guitars = [voice for voice in voices if voice.program in DRIVEN]
    basses = [voice for voice in voices if voice.program in BASSES]
    few = len(guitars) < _TWO or len(basses) != 1 or len(guitars) + 1 < len(voices)
    if few or "octave" not in ask.words or not any(_strikes_power(score, guitar, spans) for guitar in guitars):
        return None
    line = tune(score, basses[0], spans)
    made = put(score, basses[0].name, spans, line)
    for number, guitar in enumerate(reversed(guitars)):
        up = 12 * min(_TWO, number + 1)
        raised = [row._replace(pitch=row.pitch + up) for row in line]
        made = put(made, guitar.name, spans, fitted(raised, *range_of(guitar)))
    return made


def _strikes_power(score: Score, voice: Voice, spans: Spans) -> bool:
    """Whether most of what a guitar strikes together is root and fifth."""
    struck: dict[int, set[int]] = {}
    for row in rows_of(within(voice.array, tuple(spans), score)):
        struck.setdefault(row.onset, set()).add(row.pitch)
    chords = [tones for tones in struck.values() if len(tones) > 1]
    power = [tones for tones in chords if {(tone - min(tones)) % 12 for tone in tones} <= POWER]
    return bool(power) and _TWO * len(power) > len(chords)
