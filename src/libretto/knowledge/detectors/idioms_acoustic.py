"""Acoustic idioms: what strings, fingers and small ensembles do in folk, classical and film music."""

from __future__ import annotations

import numpy as np

from libretto.knowledge.detectors.comping import LOOSE, long_enough, per_bar, places
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Line
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = [
    "boom_chick",
    "drones",
    "growing_layers",
    "ostinato",
    "period",
    "played_by",
    "pulsing",
    "rolling",
    "run_into",
    "thumb_and_fingers",
    "train_beat",
]


def _of(sight: Sight, programs: list[int] | None) -> list[Line]:
    """The lines played on General MIDI programs between the first and the last given; all where none are."""
    return [line for line in sight.lines if not programs or programs[0] <= line.program <= programs[-1]]


@detectors.register("boom_chick")
def boom_chick(sight: Sight, bars: int = 4) -> list[Sighting]:
    """A bass on the strong beats and not on the weak ones, and a chord on every weak beat and on no strong one, by two
    voices or one: one-two in even meters, one-two-three in three."""
    wanted = sight.bar_length // sight.beat
    rows = np.arange(16)[None, :]
    inside = rows < wanted[:, None]
    strong = inside & np.where((wanted == 3)[:, None], rows == 0, rows % 2 == 0)
    weak = inside & ~strong
    booms, chicks = np.zeros((2, sight.bars), dtype=np.bool_)
    for line in sight.lines:
        low = line.low
        place = places(sight, low.bar, low.position)
        real = (place >= 0) & (place < 16)
        chord, deep = np.zeros((2, sight.bars, 16), dtype=np.bool_)
        full = real & (line.sizes >= 2)
        chord[low.bar[full], place[full]] = True
        bass = real & (low.pitch < 55) & (line.sizes <= 2)
        deep[low.bar[bass], place[bass]] = True
        booms |= (deep | ~strong).all(axis=1) & ~(deep & weak).any(axis=1)
        chicks |= (chord | ~weak).all(axis=1) & ~(chord & strong).any(axis=1)
    return long_enough(sight, booms & chicks & (wanted >= 2) & (wanted <= 4), "", bars)


@detectors.register("thumb_and_fingers")
def thumb_and_fingers(sight: Sight, bars: int = 2, programs: list[int] | None = None) -> list[Sighting]:
    """One plucked voice whose thumb alternates low notes on the beats while its fingers play higher notes between."""
    found = []
    for line in _of(sight, programs or [24, 27]):
        low = line.low
        place = places(sight, low.bar, low.position)
        middle = np.median(line.pitch)
        thumb = (place >= 0) & (low.pitch < middle)
        fingers = (places(sight, line.bar, line.position) < 0) & (line.pitch >= middle - 2)
        wanted = sight.bar_length // sight.beat
        beats = low.where(thumb)
        changes = np.bincount(beats.bar[1:], np.diff(beats.pitch) != 0, minlength=sight.bars)
        good = (per_bar(sight, low.bar, thumb) >= wanted) & (per_bar(sight, line.bar, fingers) >= wanted // 2)
        thin = per_bar(sight, line.bar) <= 1.6 * per_bar(sight, low.bar)
        good &= thin & (changes >= wanted - 2) & (wanted >= 3)
        found += long_enough(sight, good, line.voice, bars)
    return found


@detectors.register("rolling_strings")
def rolling(sight: Sight, bars: int = 2, programs: list[int] | None = None, a_second: float = 6.0) -> list[Sighting]:
    """One plucked voice in unbroken eighths or sixteenths that never strikes a pitch twice in a row, in groups of three
    against the beat, over few different pitches, at least so many notes ``a_second``."""
    found = []
    for line in _of(sight, programs or [24, 27]) + ([] if programs else _of(sight, [104, 107])):
        top = line.top
        if len(top) < 16 or len(line) > 1.25 * len(top):
            continue
        gap, count = np.diff(top.onset), per_bar(sight, top.bar)
        even = np.bincount(top.bar[1:], gap <= QUARTER // 2 + LOOSE, minlength=sight.bars)
        same = np.bincount(top.bar[1:], line.moves == 0, minlength=sight.bars)
        back = np.bincount(top.bar[3:], top.pitch[3:] == top.pitch[:-3], minlength=sight.bars)
        kinds = np.zeros((sight.bars, 128), dtype=np.bool_)
        kinds[top.bar, top.pitch] = True
        few = (kinds.sum(axis=1) >= 3) & (kinds.sum(axis=1) <= 6)
        few &= count * sight.quarters_a_minute / 60 >= a_second * sight.bar_length / QUARTER
        good = (count >= 8) & (even >= count - 1) & (same <= 1) & (back >= 0.3 * count) & few
        found += long_enough(sight, good, line.voice, bars)
    return found


@detectors.register("drones")
def drones(sight: Sight, bars: int = 2, programs: list[int] | None = None, notes: int = 4) -> list[Sighting]:
    """One bowed voice in double stops: one string keeps its pitch while the tune moves on the other."""
    found = []
    for line in _of(sight, programs or [40, 42]) + ([] if programs else _of(sight, [110, 110])):
        rows = line.starts[line.sizes == 2]
        if len(rows) < notes:
            continue
        low, high, bar = line.pitch[rows], line.pitch[rows + 1], line.bar[rows]
        kept = (low[1:] == low[:-1]) != (high[1:] == high[:-1])
        near = np.abs(low[1:] - low[:-1]) + np.abs(high[1:] - high[:-1]) <= 7
        drone = np.bincount(bar[1:], kept & near, minlength=sight.bars)
        good = (drone >= notes - 1) & (per_bar(sight, bar) >= 0.6 * per_bar(sight, line.top.bar))
        found += long_enough(sight, good, line.voice, bars)
    return found


@detectors.register("train_beat")
def train_beat(sight: Sight, bars: int = 2, cymbals: int = 4) -> list[Sighting]:
    """A snare that runs on in eighths or sixteenths, with few strokes on hats or ride, accented on weak beats."""
    drums = sight.drums
    snare = drums.of(38, 40)
    count = per_bar(sight, drums.bar, snare)
    wanted = sight.bar_length // sight.beat
    place = places(sight, drums.bar, drums.position, 4)
    usual = np.bincount(drums.bar[snare], drums.velocity[snare], minlength=sight.bars) / np.maximum(count, 1)
    accent = snare & (drums.velocity >= usual[drums.bar] + 8)
    loud, right = (
        per_bar(sight, drums.bar, accent),
        per_bar(sight, drums.bar, accent & ((place % 8 == 4) | (place % 4 == 2))),
    )
    others = per_bar(sight, drums.bar, drums.of(42, 46) | drums.kind("ride"))
    good = (2 * count >= 3 * wanted) & (count <= 4 * wanted) & (right >= wanted // 2) & (right >= 0.7 * loud)
    return long_enough(sight, good & (others <= cymbals) & (wanted >= 2), "", bars)


@detectors.register("run_into")
def run_into(
    sight: Sight, where: str = "any", notes: int = 3, below: int = 60, least_times: int = 2, rising: bool = False
) -> list[Sighting]:
    """A low run of quick notes by step, at least so many, whose goal is the root of the chord on the next downbeat."""
    roots = {chord.start: chord.root for chord in sight.harmony if chord.supported}
    found: list[Sighting] = []
    for line in sight.chosen(where):
        low = line.low
        if len(low) <= notes:
            continue
        move, gap = np.diff(low.pitch), np.diff(low.onset)
        step = (np.abs(move) <= 3) & (move != 0) & (gap <= QUARTER // 2 + LOOSE) & (low.pitch[:-1] < below)
        step &= (move > 0) | (not rising)
        good = np.ones(len(low) - notes, dtype=np.bool_)
        for place in range(notes):
            good &= step[place : len(low) - notes + place]
        rows = np.flatnonzero(good) + notes
        bars = []
        for row in rows[places(sight, low.bar[rows], low.position[rows]) == 0].tolist():
            start = int(sight.lines_at[low.bar[row]])
            on_by_step = (
                abs(int(move[row])) <= 2 and int(gap[row]) <= QUARTER // 2 + LOOSE if row < len(move) else False
            )
            if roots.get(start) == int(low.pitch[row]) % 12 and not on_by_step:
                bars.append(int(low.bar[row]))
        if len(bars) >= least_times:
            found += [Sighting(sight.number(bar - 1), sight.number(bar), line.voice) for bar in bars]
    return found


@detectors.register("two_phrases")
def period(sight: Sight, half: int = 4) -> list[Sighting]:
    """Two phrases of the tune that begin alike; the first ends on another note than the tonic over a dominant, the
    second on the tonic over the tonic chord."""
    top = sight.melody.top
    edges = np.searchsorted(top.bar, np.arange(sight.bars + 1))
    last = {chord.bar: chord for chord in sight.harmony if chord.supported}
    found = []
    for bar in range(sight.bars - 2 * half + 1):
        middle, end = bar + half, bar + 2 * half - 1
        if (
            (middle - 1) not in last
            or end not in last
            or edges[middle] == edges[middle - 1]
            or edges[end + 1] == edges[end]
        ):
            continue
        one, other = (slice(edges[b], edges[b + 1]) for b in (bar, middle))
        alike = top.pitch[one].tolist() == top.pitch[other].tolist() and len(top.pitch[one]) >= 2
        degree = [int(top.pitch[edges[b + 1] - 1] - sight.tonic[b]) % 12 for b in (middle - 1, end)]
        chords = last[middle - 1].degree == 7 and last[end].degree == 0
        if alike and chords and degree[0] != 0 and degree[1] == 0:
            found.append(Sighting(sight.number(bar), sight.number(end), sight.melody.voice))
    return found


@detectors.register("ostinato")
def ostinato(
    sight: Sight, programs: list[int] | None = None, notes: int = 6, bars: int = 4, chords: int = 2
) -> list[Sighting]:
    """A voice that repeats one rhythm and shape of many notes bar after bar while the chords change."""
    roots = np.full(sight.bars, -1, dtype=np.int64)
    for chord in sight.harmony:
        if chord.supported:
            roots[chord.bar] = chord.root
    found = []
    for line in _of(sight, programs):
        top = line.top
        place = np.rint(top.position / (QUARTER // 4)).astype(np.int64)
        turn = np.append(np.sign(line.moves), 0)
        turn[np.append(np.diff(top.bar) > 0, True)] = 0
        shape = np.zeros((sight.bars, 64), dtype=np.int64)
        inside = place < 64
        shape[top.bar[inside], place[inside]] = turn[inside] + 2
        alike = np.append((shape[1:] == shape[:-1]).all(axis=1), False)
        moves = np.bincount(top.bar[:-1], (line.moves != 0) & (np.diff(top.bar) == 0), minlength=sight.bars)
        good = (per_bar(sight, top.bar) >= notes) & (moves >= notes // 2)
        linked = good & (alike | np.insert(alike[:-1], 0, False))
        for span in long_enough(sight, linked, line.voice, bars):
            part = roots[span.first - sight.score.first_bar : span.last - sight.score.first_bar + 1]
            if len(np.unique(part[part >= 0])) >= chords:
                found.append(span)
    return found


@detectors.register("growing_layers")
def growing_layers(
    sight: Sight, bars: int = 4, more: int = 3, louder: int = 12, programs: list[int] | None = None
) -> list[Sighting]:
    """Bars in which voices (of those General MIDI programs) join one or two at a time and none leaves, so many more at
    the end than at the start, while the music gets louder."""
    table = sight.notes
    if not len(table) or sight.bars < bars:
        return []
    active = np.zeros(sight.bars, dtype=np.int64)
    for line in _of(sight, programs):
        on = np.zeros(sight.bars, dtype=np.bool_)
        on[line.bar] = True
        active += on
    count = np.maximum(per_bar(sight, table.bar), 1)
    loud = np.bincount(table.bar, table.velocity, minlength=sight.bars) / count
    size = sight.bars - bars + 1
    steps = np.ones(size, dtype=np.bool_)
    for place in range(bars - 1):
        rise = active[place + 1 : size + place + 1] - active[place : size + place]
        steps &= (rise >= 0) & (rise <= 2)
    good = steps & (active[:size] >= 1) & (active[bars - 1 :] - active[:size] >= more)
    good &= loud[bars - 1 :] - loud[:size] >= louder
    return [Sighting(sight.number(bar), sight.number(bar + bars - 1)) for bar in np.flatnonzero(good).tolist()]


@detectors.register("played_by")
def played_by(
    sight: Sight, programs: list[int], where: str = "any", bars: int = 4, single: bool = True
) -> list[Sighting]:
    """A voice on one of those General MIDI programs (first to last) that plays a line for several bars."""
    found = []
    for line in sight.chosen(where):
        if not programs[0] <= line.program <= programs[-1] or (single and len(line) > 1.3 * len(line.starts)):
            continue
        count = per_bar(sight, line.top.bar)
        moves = np.bincount(line.top.bar[1:], line.moves != 0, minlength=sight.bars)
        found += long_enough(sight, (count >= 1) & (moves >= 1), line.voice, bars, join=2)
    return found


@detectors.register("pulsing")
def pulsing(
    sight: Sight, programs: list[int] | None = None, below: int = 57, notes: int = 6, bars: int = 4
) -> list[Sighting]:
    """A low voice that repeats one pitch in even quick notes all through the bar, for several bars."""
    found = []
    for line in _of(sight, programs):
        low = line.low
        same = np.bincount(
            low.bar[1:], (np.diff(low.pitch) == 0) & (np.diff(low.onset) <= QUARTER // 2 + LOOSE), sight.bars
        )
        count = per_bar(sight, low.bar)
        total = np.bincount(low.bar, low.pitch, minlength=sight.bars)
        good = (count >= notes) & (same >= 0.75 * (count - 1)) & (total < below * np.maximum(count, 1))
        found += long_enough(sight, good, line.voice, bars)
    return found
