"""Arpeggios: chords that a line plays one note after another.

Conventions: an arpeggio is read from single notes (nothing struck with them); no two neighbors lie a step apart, and
each follows the last within two beats.
"""

from __future__ import annotations

import numpy as np

from libretto.knowledge.detectors.chords import mask_of, turned
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Bools, Line
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = ["arpeggio", "rolled"]

_SMALLEST_LEAP, _LARGEST_LEAP = 3, 12
_ROLL = QUARTER // 3


@detectors.register("arpeggio")
def arpeggio(
    sight: Sight,
    kinds: list[list[int]],
    notes: int = 4,
    direction: str = "any",
    root: str = "any",
) -> list[Sighting]:
    """Single notes in a row that are the tones of one chord, all of them and nothing else, by leaps.

    One sighting for each bar in which such a group begins. ``direction`` is up, down, turn (up and down again or the
    reverse) or any; ``root`` says where the root is: first, lowest or any.
    """
    found = []
    for line in sight.lines:
        begins = np.flatnonzero(_hits(line, kinds, notes, direction, root))
        found += sight.spans(line.top.bar[begins], line.voice, join=0)
    return found


def _hits(line: Line, kinds: list[list[int]], notes: int, direction: str, root: str) -> Bools:
    """At which onset such a group of notes begins."""
    size = len(line.top) - notes + 1
    if size <= 0:
        return np.zeros(0, dtype=np.bool_)
    pitch, moves = line.top.pitch, line.moves
    apart = (np.abs(moves) >= _SMALLEST_LEAP) & (np.abs(moves) <= _LARGEST_LEAP)
    apart &= (line.gaps <= 2 * line.top.beat[:-1]) & (line.sizes[1:] == 1) & (line.sizes[:-1] == 1)
    good, mask = np.ones(size, dtype=np.bool_), np.zeros(size, dtype=np.int64)
    up, down = np.ones(size, dtype=np.bool_), np.ones(size, dtype=np.bool_)
    lowest = pitch[:size].copy()
    for place in range(notes):
        mask |= 1 << (pitch[place : place + size] % 12)
        lowest = np.minimum(lowest, pitch[place : place + size])
        if place < notes - 1:
            step = moves[place : place + size]
            good &= apart[place : place + size]
            up &= step > 0
            down &= step < 0
    ways = {"up": up, "down": down, "turn": ~up & ~down, "any": good}
    good &= ways[direction]
    if not good.any():
        return good
    table = np.zeros(1 << 12, dtype=np.bool_)
    table[[mask_of(tones, up_by) for tones in kinds for up_by in ((0,) if root != "any" else range(12))]] = True
    base = {"first": pitch[:size], "lowest": lowest}.get(root)
    return np.asarray(good & table[mask if base is None else turned(mask, base)])


@detectors.register("spread_chord")
def rolled(sight: Sight, notes: int = 4) -> list[Sighting]:
    """A chord whose notes come in quickly one above the other and ring on together, as on a harp."""
    found = []
    for line in sight.lines:
        end = line.onset + line.duration
        size = len(line) - notes + 1
        if size <= 0:
            continue
        good = np.ones(size, dtype=np.bool_)
        for place in range(notes - 1):
            gap = line.onset[place + 1 : place + 1 + size] - line.onset[place : place + size]
            rise = line.pitch[place + 1 : place + 1 + size] - line.pitch[place : place + size]
            together = end[place : place + size] >= line.onset[notes - 1 : notes - 1 + size] + QUARTER // 2
            good &= (gap > 0) & (gap <= _ROLL) & (rise >= 2) & (rise <= _LARGEST_LEAP) & together
        found += sight.spans(np.asarray(line.bar[:size][good]), line.voice, join=0)
    return found
