"""Lines against lines: notes chosen one by one so that they sound well with what is there already."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from libretto.house.asks.notes import Row, scale_at
from libretto.house.core.dice import dice
from libretto.score import QUARTER, Score

__all__ = ["against", "sounding"]

_HARSH = {1: 6.0, 2: 3.0, 6: 4.0, 10: 2.0, 11: 5.0, 5: 0.8}  # what intervals cost on a beat, in semitones
_OFF = 0.3  # how much of that counts off the beat
_LEAP = {0: 1.6, 1: 0.0, 2: 0.0, 3: 0.3, 4: 0.5, 5: 0.8, 7: 1.2, 12: 2.0}  # what steps and leaps of a line cost
_FAR = 4.0  # any other leap
_SAME = 1.5  # two lines on one pitch
_STRANGER = 2.2  # a note on the beat that is not in the chord
_PARALLEL = 3.0  # fifths and octaves that follow each other
_EDGE = 0.08  # what each semitone from the middle of the range costs
_CHANCE = 0.4  # how much chance counts among pitches that are as good
_ACCENT = 4  # velocities that a beat is louder


class _Moment(NamedTuple):
    """What a note is chosen against: what sounds, the tones of the chord, the note before, and the gap before."""

    others: Sequence[int]
    tones: frozenset[int]
    on_beat: bool
    before: int | None
    gap: int

    def cost(self, pitch: int) -> float:
        """How ill a pitch goes here."""
        weight = 1.0 if self.on_beat else _OFF
        cost = sum(
            weight * _HARSH.get(abs(pitch - other) % 12, 0.0) + _SAME * (pitch == other) for other in self.others
        )
        if self.tones and self.on_beat and pitch % 12 not in self.tones:
            cost += _STRANGER
        if self.before is not None:
            cost += _LEAP.get(abs(pitch - self.before), _FAR)
        if self.others and pitch - self.others[0] == self.gap and self.gap % 12 in (0, 7):
            cost += _PARALLEL
        return cost


def sounding(lines: Sequence[Sequence[Row]], tick: int) -> list[int]:
    """The pitches of lines that sound at a tick."""
    return [row.pitch for line in lines for row in line if row.onset <= tick < row.end]


def against(
    score: Score,
    lines: Sequence[Sequence[Row]],
    rhythm: Sequence[tuple[int, int]],
    reach: tuple[int, int],
    seed: int,
    velocity: int = 80,
    before: int | None = None,
    also: Callable[[int, int], float] | None = None,
) -> list[Row]:
    """A line in a rhythm (onsets and lengths) within reach of two pitches that goes with other lines and the chords.

    ``before`` is the pitch that it comes from, ``also`` says what a pitch at a tick costs besides.
    """
    made: list[Row] = []
    low, high = reach
    gap = 0
    for onset, length in rhythm:
        chord = score.chord_at(onset)
        others = sounding(lines, onset)
        tones = frozenset(chord.classes) if chord is not None else frozenset()
        moment = _Moment(others, tones, onset % QUARTER == 0, before, gap)
        source = dice(seed, "against", onset, low)
        scale = scale_at(score, onset)
        priced = []
        for pitch in range(low, high + 1):
            if pitch % 12 in scale:
                cost = moment.cost(pitch) + _EDGE * abs(pitch - (low + high) / 2) + _CHANCE * source.random()
                priced.append((cost + (also(pitch, onset) if also else 0.0), pitch))
        before = min(priced)[1] if priced else low
        gap = before - others[0] if others else 0
        made.append(Row(onset, length, before, velocity + (_ACCENT if moment.on_beat else 0)))
    return made
