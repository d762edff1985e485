"""Grooves: what the kit repeats from bar to bar, read against drum tabs of sixteen slots.

Conventions: a tab is sixteen characters for the sixteenths of a 4/4 bar: ``x`` struck, ``-`` silent, ``.`` whatever.
Instead of a tab a row may say [least, most]: how many slots are struck. Strokes count at the nearest sixteenth, so a
played groove fits; bars that are not four quarters long never do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import LOOSE, SIXTEENTH, runs
from libretto.knowledge.sight import Sight, Sighting, shared
from libretto.score.table import Bools, Ints
from libretto.score.time import QUARTER

__all__ = [
    "SLOTS",
    "Row",
    "bar_slots",
    "fits",
    "four_beats",
    "groove_change",
    "groove_tab",
    "kick_bass_lock",
    "slots_of",
    "stroke_pattern",
    "struck",
    "swung_cymbal",
    "swung_lines",
    "swung_sixteenths",
    "train_beat",
]

_SNARES = (38, 40)
_LATE, _STRAIGHT, _EARLY = (0.6, 0.75), (0.42, 0.58), (0.25, 0.4)  # of an eighth: where a sixteenth stands
_LAST_THIRD = (0.59, 0.78)  # of a beat: where a swung eighth stands
_FEATHER = 0.8  # of a cymbal's loudness that a feathered kick has at the most
_ACCENT = 8  # in velocity above the mean
_MOSTLY = 0.7  # of the accents on weak places
_HATS = (42, 46)
_EIGHTHS = 8  # of a bar

SLOTS = 16
Row = str | Sequence[int]
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
_POWERS = 1 << np.arange(16)


def four_beats(sight: Sight) -> Bools:
    """Which bars are four quarters long."""
    return np.asarray(sight.bar_length == 4 * QUARTER)


def slots_of(sight: Sight, onset: Ints, bar: Ints) -> Bools:
    """Which sixteenths of each bar are struck: one row a bar, the nearest slot counts, other meters stay empty."""
    slots = np.zeros((sight.bars + 1, SLOTS), dtype=np.bool_)
    slot = (onset - sight.lines_at[bar] + SIXTEENTH // 2) // SIXTEENTH
    late = slot >= SLOTS
    place = np.where(late, bar + 1, bar)
    keep = four_beats(sight)[bar]
    slots[place[keep], np.where(late, 0, slot)[keep]] = True
    slots[:-1][~four_beats(sight)] = False
    return slots[:-1]


@shared
def struck(sight: Sight, part: str) -> Bools:
    """Which sixteenths a part of the kit strikes: a kind of the kit, ``any``, ``ghost`` (soft snare) or one drum."""
    drums = sight.drums
    if part == "any":
        mine = np.ones(len(drums), dtype=np.bool_)
    elif part == "ghost":
        mine = drums.of(*_SNARES)
        loud = np.percentile(drums.velocity[mine], _LOUD) if mine.any() else 0
        mine = mine & (drums.velocity <= _SOFT * loud)
    else:
        mine = drums.of(*_KEYS[part]) if part in _KEYS else drums.kind(part)
    return slots_of(sight, drums.onset[mine], drums.bar[mine])


def fits(grid: Bools, row: Row) -> Bools:
    """Which bars agree with a tab, or have as many slots struck as [least, most] allows."""
    if isinstance(row, str):
        wanted = [place for place, sign in enumerate(row) if sign == "x"]
        barred = [place for place, sign in enumerate(row) if sign == "-"]
        return np.asarray(grid[:, wanted].all(axis=1) & ~grid[:, barred].any(axis=1))
    count = grid.sum(axis=1)
    return np.asarray((count >= row[0]) & (count <= row[1]))


def _bars(sight: Sight, rows: Mapping[str, Row]) -> Bools:
    good = four_beats(sight) & struck(sight, "any").any(axis=1)
    for part, row in rows.items():
        good = good & fits(struck(sight, part), row)
    return np.asarray(good)


def _paced(sight: Sight, tempo: Sequence[float] | None) -> Bools:
    """Which bars have a tempo within the bounds."""
    pace = sight.facts.bar_bpm
    return np.asarray((pace >= tempo[0]) & (pace <= tempo[1])) if tempo else np.ones(sight.bars, dtype=np.bool_)


@detectors.register("groove_tab")
def groove_tab(
    sight: Sight, rows: Mapping[str, Row], bars: int = 2, tempo: Sequence[float] | None = None
) -> list[Sighting]:
    """Unbroken stretches of bars in which every named part of the kit plays as its tab says."""
    good = _bars(sight, rows) & _paced(sight, tempo)
    return [sight.at(first, last) for first, last in runs(good, bars)]


@detectors.register("groove_change")
def groove_change(
    sight: Sight, before: Mapping[str, Row], after: Mapping[str, Row], bars: int = 4, gap: int = 1
) -> list[Sighting]:
    """A stretch of bars that fit one tab, then (at most ``gap`` bars of fill later) a stretch that fit another."""
    firsts, seconds = runs(_bars(sight, before), bars), runs(_bars(sight, after), bars)
    ends = np.array([last for _, last in firsts], dtype=np.int64)
    sightings = []
    for first, last in seconds:
        if ((ends < first) & (ends >= first - 1 - gap)).any():
            sightings.append(sight.at(first, last))
    return sightings


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
    return [sight.at(a, b, sight.bass.voice) for a, b in runs(good, bars)]


@detectors.register("swung_sixteenths")
def swung_sixteenths(sight: Sight, bars: int = 2, strokes: int = 3) -> list[Sighting]:
    """Bars whose second and fourth sixteenths come late, two thirds through the eighth, and none of them straight."""
    drums, notes = sight.drums, sight.notes
    onset, bar = np.concatenate((drums.onset, notes.onset)), np.concatenate((drums.bar, notes.bar))
    part = ((onset - sight.lines_at[bar]) % (QUARTER // 2)) / (QUARTER // 2)

    def within(low: float, high: float) -> Ints:
        return np.bincount(bar[(part >= low) & (part < high)], minlength=sight.bars)

    late, straight, early = within(*_LATE), within(*_STRAIGHT), within(*_EARLY)
    good = (late >= strokes) & (straight * 4 <= late) & (early * 4 <= late) & four_beats(sight)
    return [sight.at(a, b) for a, b in runs(good, bars)]


def _late(sight: Sight, bar: Ints, position: Ints) -> Bools:
    """Which onsets come in the last third of a beat, as swung eighths do."""
    part = position % sight.beat[bar] / sight.beat[bar]
    return np.asarray((part > _LAST_THIRD[0]) & (part < _LAST_THIRD[1]))


@detectors.register("swung_cymbal")
def swung_cymbal(
    sight: Sight,
    cymbal: str = "ride",
    skips: int = 1,
    most_skips: int = 2,
    bars: int = 2,
    feathered: bool = False,
    backbeat: bool = False,
) -> list[Sighting]:
    """A cymbal on the beats with swung skip notes between (so many a bar); ``feathered``: the kick plays softly on
    every beat below it; ``backbeat``: the snare is on two and four."""
    drums = sight.drums
    mine = drums.kind(cymbal)
    if not mine.any():
        return []
    wanted = sight.bar_length // sight.beat
    place = sight.places(drums.bar, drums.position)
    late = _late(sight, drums.bar, drums.position)
    beats, skip = sight.per_bar(drums.bar, mine & (place >= 0)), sight.per_bar(drums.bar, mine & late)
    stray = sight.per_bar(drums.bar, mine & (place < 0) & ~late)
    good = (beats >= wanted - 1) & (skip >= skips) & (skip <= most_skips) & (stray == 0) & (wanted >= 3)
    if feathered:
        kick = drums.kind("kick")
        loud = np.median(drums.velocity[mine])
        soft = kick & (place >= 0) & (drums.velocity <= _FEATHER * loud)
        good &= sight.per_bar(drums.bar, soft) >= wanted - 1
    if backbeat:
        snare = drums.kind("snare") & (place % 2 == 1)
        good &= sight.per_bar(drums.bar, snare) >= wanted // 2
    return sight.spans(good, "", join=2, least=bars)


@detectors.register("swung_lines")
def swung_lines(sight: Sight, where: str = "any", skips: int = 3, bars: int = 2, below: int = 128) -> list[Sighting]:
    """A voice that plays the beat and its swung last third all through several bars, as a shuffle does; ``below``
    is the pitch that it keeps under on average."""
    sightings = []
    for line in sight.chosen(where):
        top = line.top
        if line.pitch.mean() >= below:
            continue
        on = sight.per_bar(top.bar, sight.places(top.bar, top.position) >= 0)
        late = sight.per_bar(top.bar, _late(sight, top.bar, top.position))
        good = (late >= skips) & (on >= skips) & (sight.per_bar(top.bar) <= on + late + 1)
        sightings += sight.spans(good, line.voice, least=bars)
    return sightings


@detectors.register("train_beat")
def train_beat(sight: Sight, bars: int = 2, cymbals: int = 4) -> list[Sighting]:
    """A snare that runs on in eighths or sixteenths, with few strokes on hats or ride, accented on weak beats."""
    drums = sight.drums
    snare = drums.of(*_SNARES)
    count = sight.per_bar(drums.bar, snare)
    wanted = sight.bar_length // sight.beat
    place = sight.places(drums.bar, drums.position, 4)
    usual = np.bincount(drums.bar[snare], drums.velocity[snare], minlength=sight.bars) / np.maximum(count, 1)
    accent = snare & (drums.velocity >= usual[drums.bar] + _ACCENT)
    loud, right = (
        sight.per_bar(drums.bar, accent),
        sight.per_bar(drums.bar, accent & ((place % _EIGHTHS == 4) | (place % 4 == 2))),
    )
    others = sight.per_bar(drums.bar, drums.of(*_HATS) | drums.kind("ride"))
    good = (2 * count >= 3 * wanted) & (count <= 4 * wanted) & (right >= wanted // 2) & (right >= _MOSTLY * loud)
    return sight.spans(good & (others <= cymbals) & (wanted >= 2), "", least=bars)


def bar_slots(sight: Sight, bar: Ints, onset: Ints, slots: int) -> tuple[Bools, Ints]:
    """Which places of each bar are struck, and how many strokes of each bar are near no place."""
    unit = np.maximum(sight.bar_length[bar] // slots, 1)
    place = (onset - sight.lines_at[bar] + unit // 2) // unit
    near = np.abs(onset - sight.lines_at[bar] - place * unit) <= LOOSE
    later = place == slots
    bar = np.minimum(bar + later, sight.bars - 1)
    place = np.where(later, 0, place)
    taken = np.zeros((sight.bars, slots), dtype=np.bool_)
    taken[bar[near], place[near]] = True
    return taken, sight.per_bar(bar, ~near)


@detectors.register("stroke_pattern")
def stroke_pattern(
    sight: Sight,
    patterns: list[str],
    slack: int = 0,
    least_bars: int = 4,
    keys: list[int] | None = None,
    voices: bool = False,
) -> list[Sighting]:
    """One percussion instrument that plays exactly one of those patterns of two bars (all but ``slack`` places), its
    halves in either order, or the same twice as fast within one bar; ``keys`` are the General MIDI keys it may be, and
    with ``voices`` any pitched voice may play it too."""
    drums, sightings = sight.drums, []
    fits, fewest = _pattern_sets(tuple(pattern.replace(" ", "") for pattern in patterns), slack)
    straight = sight.bar_length == 4 * QUARTER
    kinds = [drums.key == key for key in np.unique(drums.key).tolist() if not keys or key in keys]
    parts = [(drums.bar[mine], drums.onset[mine]) for mine in kinds]
    parts += [(line.top.bar, line.top.onset) for line in sight.lines if voices]
    for bar, onset in parts:
        if len(onset) < 2 * fewest:
            continue
        fine, stray = bar_slots(sight, bar, onset, SLOTS)
        whole = fits[fine @ _POWERS]
        half = fine[:, ::2] @ _POWERS[:8]
        even = fine[:, 1::2].sum(axis=1) == 0
        pair = fits[half[:-1] + (half[1:] << 8)] & even[:-1] & even[1:]
        for shown in (whole, np.append(pair, False) | np.insert(pair, 0, False)):
            sightings += sight.spans(shown & straight & (stray == 0), "", least=least_bars)
    return sightings


@lru_cache
def _pattern_sets(patterns: tuple[str, ...], slack: int) -> tuple[Bools, int]:
    """Which of all sets of sixteen places are one of the patterns, halves in either order, but for so many places; and
    how few strokes such a set has."""
    sets = np.arange(1 << SLOTS)[:, None] >> np.arange(SLOTS) & 1 == 1
    fits = np.zeros(1 << SLOTS, dtype=np.bool_)
    for pattern in patterns:
        places = np.array([sign == "x" for sign in pattern])
        for turned in (places, np.roll(places, SLOTS // 2)):
            fits |= (sets != turned).sum(axis=1) <= slack
    return fits, int(sets[fits].sum(axis=1).min())
