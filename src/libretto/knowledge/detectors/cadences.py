"""Cadences: how phrases close, heard from the chords at a close and the melody's last notes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from libretto.knowledge.detectors.changes import changes, chord_at, fits
from libretto.knowledge.detectors.phrases import Close, closes
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = ["cadence", "cadential_suspension", "degree_walk", "melodic_close"]

_SLACK = QUARTER // 8


def _mode(sight: Sight, bar: int, mode: str) -> bool:
    return not mode or bool(sight.minor[bar]) == (mode == "minor")


def _placed(sight: Sight, close: Close, place: str) -> bool:
    """Whether a close stands where it should: ``final``, ``inner`` or ``any``."""
    last = close is closes(sight)[-1]
    return place == "any" or (place == "final") == last


@detectors.register("cadence")
def cadence(
    sight: Sight,
    *,
    chords: Sequence[str],
    top: Sequence[int] = (),
    mode: str = "",
    place: str = "any",
    weak: bool = False,
) -> list[Sighting]:
    """A phrase closes with these chords, the last under its last note: ``top`` are the degrees that note may have above
    the tonic, ``place`` is final, inner or any, ``weak`` wants the last chord to come off the downbeat."""
    row, found = changes(sight, True), []
    for close in closes(sight):
        number = chord_at(sight, close.onset, True)
        part = row[max(0, number - len(chords) + 1) : number + 1]
        if (
            number < 0
            or len(part) < len(chords)
            or not _placed(sight, close, place)
            or not _mode(sight, close.bar, mode)
        ):
            continue
        position = part[-1].start - int(sight.lines_at[part[-1].bar])
        if (weak and position == 0) or (top and close.degree not in top):
            continue
        joined = all(one.end == two.start for one, two in pairwise(part))
        if joined and all(fits(*pair) for pair in zip(part, chords, strict=True)):
            found.append(Sighting(sight.number(part[0].bar), sight.number(close.bar)))
    return found


@detectors.register("melodic_close")
def melodic_close(sight: Sight, *, degrees: Sequence[int], place: str = "any") -> list[Sighting]:
    """The melody's last notes of a phrase are these degrees (semitones above the tonic), each within a fourth of the
    one before."""
    top, found = sight.melody.top, []
    for close in closes(sight):
        row = int(np.searchsorted(top.onset, close.onset))
        first = row - len(degrees) + 1
        if first < 0 or not _placed(sight, close, place):
            continue
        pitches = top.pitch[first : row + 1]
        sung = (pitches - sight.tonic[close.bar]) % 12
        if sung.tolist() == list(degrees) and np.abs(np.diff(pitches)).max(initial=0) <= 5:
            found.append(Sighting(sight.number(int(top.bar[first])), sight.number(close.bar), sight.melody.voice))
    return found


@detectors.register("cadential_suspension")
def cadential_suspension(sight: Sight, *, over: Sequence[str] = ("V", "I|i")) -> list[Sighting]:
    """Near a close the fourth above the root stands on a beat where the third belongs and falls to it by step: over one
    of the chords ``over``, having sounded before at the same pitch."""
    notes, row, found = sight.notes, changes(sight), []
    for close in closes(sight):
        number = chord_at(sight, close.onset)
        for which in range(max(1, number - 2), number + 1):
            here = row[which]
            if not any(fits(here, text) for text in over) or not (4 in here.tones or 3 in here.tones):
                continue
            third = 4 if 4 in here.tones else 3
            first, last = np.searchsorted(notes.onset, (here.start - 4 * QUARTER, here.end))
            near = notes.where(np.arange(first, last))
            held = (near.pitch - here.root) % 12 == 5
            for at in np.flatnonzero(held & (near.onset >= here.start - _SLACK) & near.on_beat).tolist():
                pitch, tick, end = int(near.pitch[at]), int(near.onset[at]), int(near.onset[at] + near.duration[at])
                ready = ((near.pitch == pitch) & (near.onset < tick)).any()
                falls = (near.pitch == pitch - 5 + third) & (np.abs(near.onset - end) <= _SLACK)
                root = (
                    (near.pitch % 12 == here.root)
                    & (near.onset <= tick + _SLACK)
                    & (near.onset + near.duration > tick + _SLACK)
                ).any()
                if ready and falls.any() and root:
                    found.append(Sighting(sight.number(here.bar), sight.number(close.bar)))
    return sorted(set(found))


@detectors.register("degree_walk")
def degree_walk(sight: Sight, *, degrees: Sequence[int], bars: int = 0, within: int = 3) -> list[Sighting]:
    """One part walks through these degrees by the shortest way, each within so many onsets of the one before; ``bars``
    looks only at so many bars at the end of the piece."""
    found = []
    begin = int(sight.lines_at[-1 - min(bars, sight.bars)]) if bars else 0
    steps = [(two - one + 6) % 12 - 6 for one, two in pairwise(degrees)]
    for line in sight.lines:
        mine = line.where(line.onset >= begin)
        if not len(mine):
            continue
        group = np.repeat(np.arange(len(mine.starts)), mine.sizes)
        starts = np.flatnonzero((mine.pitch - sight.tonic[mine.bar]) % 12 == degrees[0])
        for at in starts.tolist():
            here, pitch = at, int(mine.pitch[at])
            for step in steps:
                pitch += step
                first, last = np.searchsorted(group, (group[here] + 1, group[here] + within + 1))
                hit = np.flatnonzero(mine.pitch[first:last] == pitch)
                if not len(hit):
                    break
                here = int(first + hit[0])
            else:
                found.append(Sighting(sight.number(int(mine.bar[at])), sight.number(int(mine.bar[here])), line.voice))
    return found
