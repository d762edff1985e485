"""Grooves: what the kit repeats from bar to bar, read against drum tabs of sixteen slots.

Conventions: a tab is sixteen characters for the sixteenths of a 4/4 bar: ``x`` struck, ``-`` silent, ``.`` whatever.
Instead of a tab a row may say [least, most]: how many slots are struck. Strokes count at the nearest sixteenth, so a
played groove fits; bars that are not four quarters long never do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Bools, Ints
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = [
    "SLOTS",
    "fits",
    "four_beats",
    "groove_change",
    "groove_tab",
    "kick_bass_lock",
    "runs",
    "slots_of",
    "struck",
    "swung_sixteenths",
]

SLOTS = 16
_SIXTEENTH = QUARTER // 4
_KEYS: dict[str, tuple[int, ...]] = {
    "closed_hat": (42, 44),
    "open_hat": (46,),
    "side_stick": (37,),
    "clap": (39,),
    "drum": (38, 40),
    "tambourine": (54,),
    "shaker": (69, 70, 82),
    "cowbell": (56,),
}
_SOFT, _LOUD = 0.72, 80

Row = str | Sequence[int]


def four_beats(sight: Sight) -> Bools:
    """Which bars are four quarters long."""
    return np.asarray(sight.bar_length == 4 * QUARTER)


def slots_of(sight: Sight, onset: Ints, bar: Ints) -> Bools:
    """Which sixteenths of each bar are struck: one row a bar, the nearest slot counts, other meters stay empty."""
    found = np.zeros((sight.bars + 1, SLOTS), dtype=np.bool_)
    slot = (onset - sight.lines_at[bar] + _SIXTEENTH // 2) // _SIXTEENTH
    late = slot >= SLOTS
    place = np.where(late, bar + 1, bar)
    keep = four_beats(sight)[bar]
    found[place[keep], np.where(late, 0, slot)[keep]] = True
    found[:-1][~four_beats(sight)] = False
    return found[:-1]


def struck(sight: Sight, part: str) -> Bools:
    """Which sixteenths a part of the kit strikes: a kind of the kit, ``any``, ``ghost`` (soft snare) or one drum."""
    known = ("struck", part)
    if known not in sight.cache:
        drums = sight.drums
        if part == "any":
            mine = np.ones(len(drums), dtype=np.bool_)
        elif part == "ghost":
            mine = drums.of(38, 40)
            loud = np.percentile(drums.velocity[mine], _LOUD) if mine.any() else 0
            mine = mine & (drums.velocity <= _SOFT * loud)
        else:
            mine = drums.of(*_KEYS[part]) if part in _KEYS else drums.kind(part)
        sight.cache[known] = slots_of(sight, drums.onset[mine], drums.bar[mine])
    found: Bools = sight.cache[known]
    return found


def fits(grid: Bools, row: Row) -> Bools:
    """Which bars agree with a tab, or have as many slots struck as [least, most] allows."""
    if isinstance(row, str):
        wanted = [place for place, sign in enumerate(row) if sign == "x"]
        barred = [place for place, sign in enumerate(row) if sign == "-"]
        return np.asarray(grid[:, wanted].all(axis=1) & ~grid[:, barred].any(axis=1))
    count = grid.sum(axis=1)
    return np.asarray((count >= row[0]) & (count <= row[1]))


def runs(shown: Bools, least: int) -> list[tuple[int, int]]:
    """First and last bar of every unbroken stretch of at least so many bars."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], shown, [False])).astype(np.int8)))
    return [(int(first), int(end) - 1) for first, end in edges.reshape(-1, 2) if end - first >= least]


def _bars(sight: Sight, rows: Mapping[str, Row]) -> Bools:
    good = four_beats(sight) & struck(sight, "any").any(axis=1)
    for part, row in rows.items():
        good = good & fits(struck(sight, part), row)
    return np.asarray(good)


def _paced(sight: Sight, tempo: Sequence[float] | None) -> Bools:
    """Which bars have a tempo within the bounds."""
    pace = sight.quarters_a_minute
    return np.asarray((pace >= tempo[0]) & (pace <= tempo[1])) if tempo else np.ones(sight.bars, dtype=np.bool_)


@detectors.register("groove_tab")
def groove_tab(
    sight: Sight, rows: Mapping[str, Row], bars: int = 2, tempo: Sequence[float] | None = None
) -> list[Sighting]:
    """Unbroken stretches of bars in which every named part of the kit plays as its tab says."""
    good = _bars(sight, rows) & _paced(sight, tempo)
    return [Sighting(sight.number(first), sight.number(last)) for first, last in runs(good, bars)]


@detectors.register("groove_change")
def groove_change(
    sight: Sight, before: Mapping[str, Row], after: Mapping[str, Row], bars: int = 4, gap: int = 1
) -> list[Sighting]:
    """A stretch of bars that fit one tab, then (at most ``gap`` bars of fill later) a stretch that fit another."""
    firsts, seconds = runs(_bars(sight, before), bars), runs(_bars(sight, after), bars)
    ends = np.array([last for _, last in firsts], dtype=np.int64)
    found = []
    for first, last in seconds:
        if ((ends < first) & (ends >= first - 1 - gap)).any():
            found.append(Sighting(sight.number(first), sight.number(last)))
    return found


@detectors.register("kick_bass_lock")
def kick_bass_lock(sight: Sight, bars: int = 4, agree: float = 0.75) -> list[Sighting]:
    """Bars in which kick and bass strike the same places, some of them off the beat, and hardly any alone."""
    bass = sight.bass.low
    if not len(bass):
        return []
    low, kick = slots_of(sight, bass.onset, bass.bar), struck(sight, "kick")
    both = (low & kick).sum(axis=1)
    off = (low & kick)[:, [place for place in range(SLOTS) if place % 4]].sum(axis=1)
    either = (low | kick).sum(axis=1)
    good = (both >= 2) & (off >= 1) & (both >= agree * either)
    return [Sighting(sight.number(a), sight.number(b), sight.bass.voice) for a, b in runs(good, bars)]


@detectors.register("swung_sixteenths")
def swung_sixteenths(sight: Sight, bars: int = 2, strokes: int = 3) -> list[Sighting]:
    """Bars whose second and fourth sixteenths come late, two thirds through the eighth, and none of them straight."""
    drums, notes = sight.drums, sight.notes
    onset, bar = np.concatenate((drums.onset, notes.onset)), np.concatenate((drums.bar, notes.bar))
    part = ((onset - sight.lines_at[bar]) % (QUARTER // 2)) / (QUARTER // 2)

    def within(low: float, high: float) -> Ints:
        return np.bincount(bar[(part >= low) & (part < high)], minlength=sight.bars)

    late, straight, early = within(0.6, 0.75), within(0.42, 0.58), within(0.25, 0.4)
    good = (late >= strokes) & (straight * 4 <= late) & (early * 4 <= late) & four_beats(sight)
    return [Sighting(sight.number(a), sight.number(b)) for a, b in runs(good, bars)]
