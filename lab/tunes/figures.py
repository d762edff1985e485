"""What tunes do, in figures: moves, range, downbeats over chords, bars that return, the peak, the last note.

A told tune is measured beside the real one whose rhythm, chords and phrases it was given.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lab.tunes.reading import Tune
from libretto.house.tune.telling import tell
from libretto.score.time import Meter

__all__ = ["Figures", "figures_of", "retold"]

_STEP, _THIRD = 2, 4  # semitones


@dataclass(frozen=True)
class Figures:
    """Shares of a hundred but for the range (median semitones) and the peak (median fraction of the tune)."""

    repeated: float
    steps: float
    thirds: float
    leaps: float
    range: float
    on_root: float
    on_chord: float
    off_chord: float
    returning: float
    peak: float
    tonic_end: float
    outside: float

    def __str__(self) -> str:
        return (
            f"{self.repeated:.0f}/{self.steps:.0f}/{self.thirds:.0f}/{self.leaps:.0f} | {self.range:.0f} | "
            f"{self.on_root:.0f}/{self.on_chord:.0f}/{self.off_chord:.0f} | {self.returning:.0f} | {self.peak:.2f} | "
            f"{self.tonic_end:.0f} | {self.outside:.1f}"
        )


def figures_of(tunes: Iterable[Tune]) -> Figures:
    """The figures of several tunes."""
    moves: list[int] = []
    ranges, peaks, ends, outside = [], [], [], []
    downbeats, bars = [0, 0, 0], [0, 0]
    for tune in tunes:
        pitches = list(tune.pitches)
        moves += [abs(b - a) for a, b in itertools.pairwise(pitches)]
        ranges.append(max(pitches) - min(pitches))
        peaks.append(pitches.index(max(pitches)) / len(pitches))
        ends.append(pitches[-1] % 12 == tune.key.tonic_class)
        outside += [pitch % 12 not in tune.key.classes for pitch in pitches]
        _count_downbeats(tune, downbeats)
        _count_bars(tune, bars, tune.meter)
    sizes = np.array(moves)
    shares = [sizes == 0, (sizes > 0) & (sizes <= _STEP), (sizes > _STEP) & (sizes <= _THIRD), sizes > _THIRD]
    beaten = max(sum(downbeats), 1)
    repeated, steps, thirds, leaps = (100 * float(share.mean()) for share in shares)
    return Figures(
        repeated,
        steps,
        thirds,
        leaps,
        float(np.median(ranges)),
        100 * downbeats[0] / beaten,
        100 * downbeats[1] / beaten,
        100 * downbeats[2] / beaten,
        100 * bars[0] / max(bars[1], 1),
        float(np.median(peaks)),
        100 * float(np.mean(ends)),
        100 * float(np.mean(outside)),
    )


def _count_downbeats(tune: Tune, counts: list[int]) -> None:
    """Add a tune's downbeats on the root, on another chord tone, on neither."""
    for step, pitch in zip(tune.steps, tune.pitches, strict=True):
        if step.chord is not None and step.onset % tune.meter.ticks == 0:
            root = pitch % 12 == step.chord.root_class
            counts[0 if root else 1 if pitch % 12 in step.chord.classes else 2] += 1


def _count_bars(tune: Tune, counts: list[int], meter: Meter) -> None:
    """Add how many bars repeat an earlier one exactly, and how many there are."""
    bars: dict[int, list[tuple[int, int, int]]] = {}
    for step, pitch in zip(tune.steps, tune.pitches, strict=True):
        bars.setdefault(step.onset // meter.ticks, []).append((step.onset % meter.ticks, step.length, pitch))
    seen = set()
    for bar in map(tuple, bars.values()):
        counts[0] += bar in seen
        counts[1] += 1
        seen.add(bar)


def retold(
    tunes: Sequence[Tune], heat: float = 0.7, beam: int = 8, echoes: bool = False, seed: int = 0, longest: int = 200
) -> list[Tune]:
    """Each tune told anew over its own rhythm, phrases and chords, within two octaves; long ones in part."""
    told = []
    for number, tune in enumerate(tunes):
        steps = [step if echoes else replace(step, echo=-1) for step in tune.steps[:longest]]
        middle = (min(tune.pitches) + max(tune.pitches)) // 2
        pitches = tell(
            steps, tune.key, tune.meter, middle - 12, middle + 12, seed + number, kind=tune.kind, heat=heat, beam=beam
        )
        told.append(replace(tune, steps=tuple(steps), pitches=tuple(pitches)))
    return told
