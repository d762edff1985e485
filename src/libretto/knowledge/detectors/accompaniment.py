"""Accompaniment figures: what a left hand, a guitar or a keyboard does while a tune is sung.

Conventions: places are counted in equal parts of a beat and allow for a thirty-second of played looseness; a note
nearer to no place has the place -1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.knowledge.detectors.idioms import figures
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.detectors.rhythm_cells import SLACK, bars_in, settled
from libretto.knowledge.line import LOOSE, VoiceLine, runs
from libretto.knowledge.sight import Sight, Sighting
from libretto.score.table import Bools, Ints
from libretto.score.time import QUARTER

__all__ = [
    "arpeggiated",
    "bass_and_chord",
    "boom_chick",
    "broken_figure",
    "off_beat",
    "oom_pah",
    "repeated_chords",
    "synth_arpeggio",
]

_SINGLE = 1.3  # notes an onset, at most, of a hand that breaks its chords
_EVEN, _SKIPS, _ALBERTI = 0.85, 0.7, 0.75  # shares: of even gaps, of moves by skip, of groups in Alberti's order
_FEWEST_TONES, _MOST_TONES = 3, 5  # of a chord that is broken
_MOST_BEATS = 16  # of a bar
_BASS_BELOW = 55  # the pitch under which a single note is a bass
_ABOVE_ALL = 999.0  # higher than any pitch
_ONE_BY_ONE = 1.2  # notes an onset, at most, of an arpeggio


@detectors.register("comping_off_beat")
def off_beat(sight: Sight, where: str = "inner", size: int = 2, ratio: float = 0.6, bars: int = 2) -> list[Sighting]:
    """A voice that strikes chords, at least two a bar, mostly between the beats, for several bars."""
    sightings = []
    for line in sight.chosen(where):
        chord = line.low.where(line.sizes >= size)
        if not len(chord):
            continue
        off = sight.places(chord.bar, chord.position) < 0
        all_, loose = sight.per_bar(chord.bar), sight.per_bar(chord.bar, off)
        singles = sight.per_bar(line.top.bar) - all_
        good = (all_ >= 2) & (loose >= ratio * all_) & (singles <= all_)
        sightings += sight.spans(good, line.voice, least=bars)
    return sightings


@detectors.register("comping_arpeggio")
def arpeggiated(
    sight: Sight, where: str = "inner", notes: int = 6, bars: int = 2, alberti: bool = False
) -> list[Sighting]:
    """A voice that plays its chords one note after another in even values: few notes, wide moves, hardly a step; with
    ``alberti`` only in the order low, high, middle, high."""
    sightings = []
    for line in sight.chosen(where):
        top = line.low if alberti else line.top
        if len(top) < notes or (len(line) > _SINGLE * len(top) and not alberti):
            continue
        count, bar = sight.per_bar(top.bar), top.bar[:-1]
        gap, move = np.diff(top.onset), np.abs(np.diff(top.pitch))
        inside = top.bar[1:] == bar
        starts = np.flatnonzero(np.diff(bar, prepend=-1))
        usual = np.repeat(np.minimum.reduceat(gap, starts), np.diff(starts, append=len(bar)))
        even = sight.per_bar(bar, inside & (np.abs(gap - usual) <= LOOSE))
        good = (count >= notes) & (even >= _EVEN * (count - 1))
        if alberti:
            good &= _alberti_bars(sight, top, count)
        else:
            kinds = np.zeros((sight.bars, 12), dtype=np.bool_)
            kinds[top.bar, top.pitch % 12] = True
            few = (kinds.sum(axis=1) >= _FEWEST_TONES) & (kinds.sum(axis=1) <= _MOST_TONES)
            good &= few & (sight.per_bar(bar, inside & (move >= 3)) >= _SKIPS * (count - 1))
        sightings += sight.spans(good, line.voice, least=bars)
    return sightings


def _alberti_bars(sight: Sight, top: VoiceLine, count: Ints) -> Bools:
    """Bars in which the groups of four notes go low, high, middle, high."""
    if len(top) < 4:
        return np.zeros(sight.bars, dtype=np.bool_)
    first, second, third, fourth = (top.pitch[k : len(top) - 3 + k] for k in range(4))
    shape = (first < third) & (third < second) & (second == fourth) & (top.bar[:-3] == top.bar[3:])
    place = sight.places(top.bar[:-3], top.position[:-3], 2)
    return np.asarray(sight.per_bar(top.bar[:-3], shape & (place >= 0)) >= np.maximum(_ALBERTI * (count // 4), 1))


@detectors.register("broken_figure")
def broken_figure(
    sight: Sight,
    where: str = "any",
    shapes: tuple[tuple[int, ...], ...] = ((0, 2, 1, 2),),
    times: int = 4,
    widest: int = 16,
    quickest: float = 1.0,
) -> list[Sighting]:
    """A chord broken into one figure again and again: the lowest notes of equal lengths, in order of height ``shapes``.

    The figure begins on a beat, its notes are at most ``quickest`` quarters long, and it lies on at least two chords.
    """
    sightings = []
    for line in sight.chosen(where):
        low, gaps, beat = line.low, line.gaps, line.low.near_beat
        even = np.abs(np.diff(gaps)) <= LOOSE
        for shape in shapes:
            rows = _matching(low, np.asarray(shape), widest)
            total = np.concatenate(([0], np.cumsum(even)))
            size = len(shape)
            good = [
                row
                for row in rows.tolist()
                if beat[row] and total[row + size - 2] - total[row] == size - 2 and gaps[row] <= quickest * QUARTER
            ]
            sightings += _groups(sight, line, np.asarray(good, dtype=np.int64), size, times)
    return sightings


def _matching(low: VoiceLine, shape: Ints, widest: int) -> Ints:
    """The rows at which the next notes have that order of height, equal ranks being the same note."""
    size = len(shape)
    if len(low) < size:
        return np.empty(0, dtype=np.int64)
    window = np.lib.stride_tricks.sliding_window_view(low.pitch, size)
    good = np.ptp(window, axis=1) <= widest
    for one in range(size):
        for two in range(one):
            good &= np.sign(window[:, one] - window[:, two]) == np.sign(shape[one] - shape[two])
    return np.flatnonzero(good)


def _groups(sight: Sight, line: VoiceLine, rows: Ints, size: int, times: int) -> list[Sighting]:
    """Figures that follow one another at once, at least ``times`` of them, not all on the same notes."""
    sightings = []
    chained = set(rows.tolist())
    for row in rows.tolist():
        if row - size in chained:
            continue
        count = 1
        while row + count * size in chained:
            count += 1
        pitch = line.low.pitch[row : row + count * size].reshape(count, size)
        if count >= times and len(np.unique(pitch, axis=0)) >= 2:
            bar = line.low.bar
            last = int(bar[row + count * size - 1])
            sightings.append(sight.at(bar[row], last, line.voice))
    return sightings


@detectors.register("oom_pah")
def oom_pah(
    sight: Sight, where: str = "any", beats: tuple[str, ...] = ("bcc",), leap: int = 5, bars: int = 3, voices: int = 2
) -> list[Sighting]:
    """A bass note and chords by turns on the beats of every bar: ``b`` is a bass note, ``c`` a chord above it.

    All parts together are looked at too. The chord's lowest note lies at least ``leap`` semitones above the bass, and
    the chord has ``voices`` notes or more.
    """
    sightings = []
    together = (sight.notes,) if len(sight.lines) > 1 else ()
    for line in (*sight.chosen(where), *together):
        for pattern in beats:
            sightings += sight.spans(_alternates(sight, line, pattern, leap, voices), line.voice, least=bars)
    return sightings


def _alternates(sight: Sight, line: VoiceLine, pattern: str, leap: int, voices: int) -> Bools:
    """The bars whose beats are a bass note or a chord as the pattern says."""
    length, low = len(pattern), line.low
    fits = sight.bar_length == sight.beat * length
    beat = np.where(low.near_beat & fits[low.bar], (low.position + LOOSE) // low.beat, -1)
    depth = np.full((sight.bars, length), -1, dtype=np.int64)
    size = np.zeros((sight.bars, length), dtype=np.int64)
    rows = (beat >= 0) & (beat < length)
    depth[low.bar[rows], beat[rows]] = low.pitch[rows]
    size[low.bar[rows], beat[rows]] = line.sizes[rows]
    bass = np.array([sign == "b" for sign in pattern])
    above = depth[:, ~bass].min(axis=1) - depth[:, bass].max(axis=1)
    light = (size[:, bass].max(axis=1) <= 2) | (line.voice == "")
    full = fits & (depth >= 0).all(axis=1) & light
    return np.asarray(full & (above >= leap) & (size[:, ~bass].min(axis=1) >= voices))


@detectors.register("repeated_chords")
def repeated_chords(
    sight: Sight, where: str = "any", voices: int = 3, times: int = 6, longest: float = 0.5, chords: int = 2
) -> list[Sighting]:
    """Chords that pulse: the same notes struck together again and again, short and even, on at least two chords."""
    sightings = []
    for line in sight.chosen(where):
        top, low = line.top, line.low
        full = line.sizes >= voices
        again = full[1:] & full[:-1] & (line.sizes[1:] == line.sizes[:-1]) & (np.diff(low.pitch) == 0)
        again &= (np.diff(top.pitch) == 0) & (line.gaps <= longest * QUARTER + LOOSE)
        pulses = runs(again, times - 1)
        if len({(int(low.pitch[pulse.first]), int(top.pitch[pulse.first])) for pulse in pulses}) >= chords:
            sightings += [sight.rows(top, pulse.first, pulse.end) for pulse in pulses]
    return sightings


@detectors.register("synth_arpeggio")
def synth_arpeggio(
    sight: Sight,
    count: Sequence[int] = (12, 16),
    programs: Sequence[Sequence[int]] | None = None,
    bars: int = 2,
    steps: float = 0.3,
    low: float = 40,
) -> list[Sighting]:
    """Even single notes of three to five tones that leap through a chord, hardly by step, for several bars."""
    sightings = []
    for figure in figures(sight):
        line = figure.line
        if programs is not None and not any(first <= line.program <= last for first, last in programs):
            continue
        top = line.top
        move = np.abs(np.diff(top.pitch))
        step = np.bincount(top.bar[1:][move <= 2], minlength=sight.bars)
        tones = np.bincount(np.unique(top.bar * 12 + top.pitch % 12) // 12, minlength=sight.bars)
        good = (
            (figure.count >= count[0])
            & (figure.count <= count[1])
            & (figure.size <= _ONE_BY_ONE)
            & (figure.pitch >= low)
        )
        good &= (step <= steps * figure.count) & (tones >= _FEWEST_TONES) & (tones <= _MOST_TONES)
        sightings += [sight.at(a, b, line.voice) for a, b in runs(np.asarray(good), bars)]
    return sightings


@detectors.register("bass_and_chord")
def bass_and_chord(
    sight: Sight,
    meters: Sequence[str],
    low: Sequence[float] = (0,),
    high: Sequence[float] = (1, 2),
    bars: int = 3,
    apart: int = 3,
) -> list[Sighting]:
    """A low note on some beats is answered by higher notes on the others, in one voice, bar after bar."""
    allowed, sightings = bars_in(sight, meters), []
    if not allowed.any():
        return []
    for line in sight.lines:
        under, over = settled(line, lowest=True), settled(line)
        good, floor, ceiling = allowed.copy(), np.full(sight.bars, 0.0), np.full(sight.bars, _ABOVE_ALL)
        for place in low:
            at = np.abs(under.position - place * QUARTER) <= SLACK
            good &= np.bincount(under.bar[at], minlength=sight.bars) > 0
            np.maximum.at(floor, over.bar[at], over.pitch[at])
        for place in high:
            at = np.abs(under.position - place * QUARTER) <= SLACK
            good &= np.bincount(under.bar[at], minlength=sight.bars) > 0
            np.minimum.at(ceiling, under.bar[at], under.pitch[at])
        few = np.bincount(under.bar, minlength=sight.bars) <= len(low) + len(high)
        good &= few & (ceiling - floor >= apart)
        sightings += sight.spans(good, line.voice, least=bars)
    return sightings


@detectors.register("boom_chick")
def boom_chick(sight: Sight, bars: int = 4) -> list[Sighting]:
    """A bass on the strong beats and not on the weak ones, and a chord on every weak beat and on no strong one, by two
    voices or one: one-two in even meters, one-two-three in three."""
    wanted = sight.bar_length // sight.beat
    rows = np.arange(_MOST_BEATS)[None, :]
    inside = rows < wanted[:, None]
    strong = inside & np.where((wanted == 3)[:, None], rows == 0, rows % 2 == 0)
    weak = inside & ~strong
    booms, chicks = np.zeros((2, sight.bars), dtype=np.bool_)
    for line in sight.lines:
        low = line.low
        place = sight.places(low.bar, low.position)
        real = (place >= 0) & (place < _MOST_BEATS)
        chord, deep = np.zeros((2, sight.bars, _MOST_BEATS), dtype=np.bool_)
        full = real & (line.sizes >= 2)
        chord[low.bar[full], place[full]] = True
        bass = real & (low.pitch < _BASS_BELOW) & (line.sizes <= 2)
        deep[low.bar[bass], place[bass]] = True
        booms |= (deep | ~strong).all(axis=1) & ~(deep & weak).any(axis=1)
        chicks |= (chord | ~weak).all(axis=1) & ~(chord & strong).any(axis=1)
    return sight.spans(booms & chicks & (wanted >= 2) & (wanted <= 4), "", least=bars)
