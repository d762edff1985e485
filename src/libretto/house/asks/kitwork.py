"""Kits touched as they are asked to be: what they play already, on other drums and cymbals, softer, or filled up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from libretto.contract.checks.kitwork import BUSIER, TWO_AND_FOUR
from libretto.contract.checks.where import Spans, within
from libretto.house.asks.notes import Row, beats_of, put, rows_of
from libretto.score import QUARTER, Score, Voice

__all__ = ["touched"]

_HAT, _FOOT, _OPEN, _RIDE, _RIDES, _CRASHES = 42, 44, 46, 51, (51, 53, 59), (49, 52, 55, 57)  # keys of a kit
_SNARES, _STICK, _KICK, _KICKS = (38, 40), 37, 36, (35, 36)
_HIGH, _MIDDLE, _FLOOR = 47, 45, 41  # toms
_TAP, _FIRM, _FAINT, _LIGHTEST = 58, 92, 34, 52  # velocities
_STROKE, _EIGHTH = QUARTER // 4, QUARTER // 2
_LOUD = 80  # velocity of one drum that has been silent


def touched(what: str, score: Score, voice: Voice, spans: Spans) -> Score:
    """The piece with a drummer playing in one way in the bars of some stretches in which that one plays, but for the
    last of the piece; strokes on one drum take the place of all it has."""
    rows, made, spots = rows_of(within(voice.array, spans, score)), [], []
    for bar in (bar - score.first_bar for first, last in spans for bar in range(first, last + 1)):
        start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
        mine = [row for row in rows if start <= row.onset < end]
        if not mine or bar == score.bars - 1:
            continue
        beats = beats_of(score, bar)
        changed = _struck(mine, beats) if what == TWO_AND_FOUR else _WAYS[what](mine, beats, end)
        once = {(row.onset, row.pitch): row for row in changed}
        made += sorted(once.values())
        spots.append((bar + score.first_bar,) * 2)
    return put(score, voice.name, spots, made) if spots else score


def _struck(rows: Sequence[Row], beats: Sequence[int]) -> list[Row]:
    """One drum on the weak beats, as loud as its loudest stroke there."""
    key = max({row.pitch for row in rows}, key=lambda pitch: sum(row.pitch == pitch for row in rows))
    loud = max(row.velocity for row in rows)
    return [Row(beat, _EIGHTH, key, loud) for beat in beats[1::2]]


def _moved(rows: Sequence[Row], keys: Sequence[int], key: int) -> list[Row]:
    """Strokes on some keys on another."""
    return [row._replace(pitch=key) if row.pitch in keys else row for row in rows]


def _on_the_ride(rows: Sequence[Row], beats: Sequence[int], end: int) -> list[Row]:
    """Hats on the ride; beats and what leads back to them on it, where there were none."""
    made = _moved(rows, (_HAT, _OPEN), _RIDE)
    if any(row.pitch in _RIDES for row in made):
        return made
    return [*made, *(Row(tick, _STROKE, _RIDE, _TAP) for beat in beats for tick in _of_swing(beat, beats))]


def _of_swing(beat: int, beats: Sequence[int]) -> list[int]:
    return [beat, beat + _EIGHTH] if beats.index(beat) % 2 else [beat]


def _lightly(rows: Sequence[Row], beats: Sequence[int], end: int) -> list[Row]:
    """Cymbals soft, without a crash; the beats on a quiet ride where there were none."""
    cymbals = (_HAT, _FOOT, _OPEN, *_RIDES, *_CRASHES)
    made = [
        row._replace(pitch=_RIDE if row.pitch in _CRASHES else row.pitch, velocity=min(row.velocity, _TAP))
        if row.pitch in cymbals
        else row
        for row in rows
    ]
    if any(row.pitch in cymbals for row in rows):
        return made
    return [*made, *(Row(beat, _STROKE, _RIDE, _LIGHTEST - 6 * (number % 2)) for number, beat in enumerate(beats))]


def _on_the_rim(rows: Sequence[Row], beats: Sequence[int], end: int) -> list[Row]:
    """The stick on the rim in place of the snare; on the weak beats where there was none."""
    made = _moved(rows, _SNARES, _STICK)
    if any(row.pitch == _STICK for row in made):
        return made
    return [*made, *(Row(beat, _STROKE, _STICK, _FIRM) for beat in beats[1::2])]


def _on_toms(rows: Sequence[Row], beats: Sequence[int], end: int) -> list[Row]:
    """Toms in place of hats, from the floor up and back, and in eighths where there were none."""
    skins = (_FLOOR, _MIDDLE, _HIGH, _MIDDLE)
    hats = [row for row in rows if row.pitch in (_HAT, _OPEN, *_RIDES)]
    hats = hats or [Row(tick, _STROKE, _HAT, _LOUD) for tick in range(beats[0], end, _EIGHTH)]
    drummed = [
        row._replace(pitch=skins[number % len(skins)], velocity=min(118, row.velocity + 10 * (row.onset in beats)))
        for number, row in enumerate(hats)
    ]
    return [*(row for row in rows if row.pitch not in (_HAT, _OPEN, *_RIDES)), *drummed]


def _one_drop(rows: Sequence[Row], beats: Sequence[int], end: int) -> list[Row]:
    """Kick and stick together on the third beat and nowhere else."""
    rest = [row for row in rows if row.pitch not in (*_KICKS, *_SNARES, _STICK)]
    middle = beats[len(beats) // 2]
    return [*rest, Row(middle, _EIGHTH, _KICK, _FIRM + 8), Row(middle, _STROKE, _STICK, _FIRM)]


def _quick(rows: Sequence[Row], beats: Sequence[int], end: int) -> list[Row]:
    """Hats in sixteenths: those between are faint, and the last of a bar is two."""
    taken = {row.onset for row in rows if row.pitch in (_HAT, _OPEN, *_RIDES)}
    ticks = [tick for tick in range(beats[0], end, _STROKE) if tick not in taken]
    twice = [Row(end - _STROKE // 2, _STROKE // 2, _HAT, _TAP)]
    return [*rows, *(Row(tick, _STROKE // 2, _HAT, _TAP if tick % QUARTER == 0 else _FAINT) for tick in ticks), *twice]


def _open(rows: Sequence[Row], beats: Sequence[int], end: int) -> list[Row]:
    """Open hats between the beats."""
    step = (beats[1] - beats[0] if len(beats) > 1 else end - beats[0]) // 2
    off = {beat + step for beat in beats}
    rest = [row for row in rows if row.onset not in off or row.pitch not in (_HAT, _OPEN)]
    return [*rest, *(Row(tick, _STROKE, _OPEN, _LOUD) for tick in sorted(off))]


def _twice(rows: Sequence[Row], beats: Sequence[int], end: int) -> list[Row]:
    """Every stroke twice in its time, in eighths at least."""
    ticks = sorted({row.onset for row in rows} | set(beats))
    key = max({row.pitch for row in rows}, key=lambda pitch: sum(row.pitch == pitch for row in rows))
    loud = round(sum(row.velocity for row in rows) / len(rows))
    halves = {(one + two) // 2 for one, two in pairwise([*ticks, end]) if two - one >= _EIGHTH}
    taken = {row.onset for row in rows}
    more = [Row(tick, _STROKE, key, loud - 8 * (tick not in beats)) for tick in sorted({*halves, *beats} - taken)]
    return [*rows, *more]


def _busier(rows: Sequence[Row], beats: Sequence[int], end: int) -> list[Row]:
    """Soft strokes of the snare, or of the only drum, in every other gap between strokes, and at the end of a bar two
    that lead on."""
    kit = len({row.pitch for row in rows}) > 1
    key = next((row.pitch for row in rows if row.pitch in (*_SNARES, _STICK)), _SNARES[0] if kit else rows[0].pitch)
    ticks = sorted({row.onset for row in rows})
    gaps = [(one, two) for one, two in pairwise([*ticks, end]) if two - one >= _EIGHTH]
    chosen = gaps if len(gaps) <= len(beats) else [*gaps[1:-1:2], gaps[-1]]
    more = [(one + two) // 2 // _STROKE * _STROKE for one, two in chosen]
    last = ticks[-1] if end - ticks[-1] >= 2 * _STROKE else end
    leading = {tick for tick in (end - 2 * _STROKE, end - _STROKE) if tick > last}
    struck = sorted({*more, *leading} - set(ticks))
    return [*rows, *(Row(tick, _STROKE, key, _FAINT + 8 + 6 * (tick == end - _STROKE)) for tick in struck)]


_WAYS: Mapping[str, Callable[[Sequence[Row], Sequence[int], int], list[Row]]] = {
    "ride": _on_the_ride,
    "light cymbals": _lightly,
    "rim": _on_the_rim,
    "toms": _on_toms,
    "one drop": _one_drop,
    "quick hats": _quick,
    "open hats": _open,
    "twice": _twice,
    BUSIER: _busier,
}
