"""Scales: which notes a line uses, and which of them is home.

Conventions: a line is read in phrases: as a whole where it is short, else in windows of eight bars that overlap by
half. Steps are semitones above the tonic. The tonic is heard, not read from a label: the phrase comes to rest on it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import LOOSE, VoiceLine
from libretto.knowledge.sight import Sight, Sighting, shared
from libretto.score.table import Bools, Floats, Ints

__all__ = ["Phrases", "color_degree", "phrases_of", "scale", "scale_shift"]

_TOUCHED = 0.01  # of a phrase's time that a mark of its scale takes
_ROUNDING = 1e-9

_NOTES_OVER = 3
_SELDOM, _OFTEN = 0.02, 0.1
_FEWEST_BARS = 2
_SHORT, _WINDOW, _HOP = 16, 8, 4
_Pair = tuple[str, Ints, list[Floats], list[Ints], Bools]
_FEWEST_NOTES = 7
_RESTS = 1.5  # a phrase comes to rest on a note so many times as long as the mean


class Phrases(NamedTuple):
    """Phrases of all lines: share of each pitch class by length, how many notes, the last note, where."""

    mass: Floats
    voice: tuple[str, ...]
    notes: Ints
    low: Ints
    first: Ints
    last: Ints


@shared
def phrases_of(sight: Sight) -> Phrases:
    """The phrases in which scales are looked for, worked out once."""
    return _phrases(sight)


def _phrases(sight: Sight) -> Phrases:
    parts: list[tuple[Floats, Ints, Ints, Ints, Ints, list[str]]] = []
    for line in sight.lines:
        begin, end = int(line.bar[0]), int(line.bar[-1]) + 1
        if end - begin <= _SHORT:
            first, last = np.array([begin]), np.array([end])
        else:
            first = np.arange(begin, end - _WINDOW + 1, _HOP)
            last = first + _WINDOW
        if end - begin >= _FEWEST_BARS:
            parts.append(_part(line, first, last))
    none: Ints = np.empty(0, dtype=np.int64)
    if not parts:
        return Phrases(np.empty((0, 12)), (), none, none, none, none)
    columns = [np.concatenate([part[index] for part in parts]) for index in range(1, 5)]
    voices = tuple(voice for part in parts for voice in part[5])
    notes, low, begun, ended = columns
    return Phrases(np.concatenate([part[0] for part in parts]), voices, notes, low, begun, ended)


def _part(line: VoiceLine, first: Ints, last: Ints) -> tuple[Floats, Ints, Ints, Ints, Ints, list[str]]:
    """The phrases of one line that begin and end (exclusive) with those bars; empty ones are left out."""
    mass, count = _masses(line, first, last)
    kept = count > 0
    mass, count, first, last = mass[kept], count[kept], first[kept], last[kept]
    final = np.searchsorted(line.top.bar, last) - 1
    low = line.low.pitch[final] % 12
    return mass, count, low, first, last - 1, [line.voice] * len(first)


def _masses(line: VoiceLine, first: Ints, last: Ints) -> tuple[Floats, Ints]:
    """How much of each span of bars each pitch class takes, and how many notes there are."""
    bars = int(max(last.max(), line.bar[-1] + 1))
    table = np.bincount(line.bar * 12 + line.pitch % 12, line.duration, minlength=bars * 12).reshape(bars, 12)
    until = np.concatenate((np.zeros((1, 12)), np.cumsum(table, axis=0)))
    counted = np.concatenate(([0], np.cumsum(np.bincount(line.bar, minlength=bars))))
    mass = until[last] - until[first]
    return mass / np.maximum(mass.sum(axis=1, keepdims=True), 1), counted[last] - counted[first]


def _fits(mass: Floats, steps: list[int], foreign: float, marks: list[int], weight: float, missing: int) -> Bools:
    """Which phrases keep to the scale on which tonic: rows are phrases, columns tonics."""
    turned = mass[:, (np.arange(12)[:, None] + np.arange(12)) % 12]  # phrase, tonic, step
    mine = turned[:, :, steps]
    kept = mine.sum(axis=2) >= 1 - foreign - _ROUNDING
    whole = (mine > 0).sum(axis=2) >= len(steps) - missing
    fits = kept & whole & (turned[:, :, 0] > 0)
    if marks:
        fits &= (turned[:, :, marks] >= weight).all(axis=2)
    return np.asarray(fits)


def _homes(mass: Floats, low: Ints, heaviest: int = 3) -> Bools:
    """Which tonics are home in which phrase: its last note (the lowest of a chord), and one of its few weightiest."""
    rests = low[:, None] == np.arange(12)
    heavy = mass >= np.sort(mass, axis=1)[:, [-heaviest]]
    return np.asarray(rests & heavy & (mass > 0))


def _grounds(sight: Sight, phrases: Phrases) -> Bools:
    """Which tonics the bass or the key confirms in which phrase; all of them where there is one line only."""
    if len(sight.lines) < 2:
        return np.ones((len(phrases.notes), 12), dtype=np.bool_)
    under, _ = _masses(sight.bass, phrases.first, phrases.last + 1)
    tonics = np.arange(12)
    weightiest = (under.argmax(axis=1)[:, None] == tonics) & (under > 0)
    return np.asarray(weightiest | (sight.tonic[phrases.last][:, None] == tonics))


@detectors.register("scale")
def scale(
    sight: Sight,
    steps: list[int],
    foreign: float = 0.02,
    marks: list[int] | None = None,
    weight: float = 0.03,
    missing: int = 0,
    home: bool = True,
) -> list[Sighting]:
    """Phrases that use every step of a scale and almost nothing else, and come to rest on its tonic.

    ``marks`` are steps that must take at least ``weight`` of the time; up to ``missing`` steps may be left out;
    ``foreign`` is the share of other notes. Without ``home`` any note may be the last.
    """
    phrases = phrases_of(sight)
    if not len(phrases.notes):
        return []
    fits = _fits(phrases.mass, steps, foreign, marks or [], weight, missing)
    if home:
        fits &= _homes(phrases.mass, phrases.low) & _grounds(sight, phrases)
    shown = np.flatnonzero(fits.any(axis=1) & (phrases.notes >= len(steps) + _NOTES_OVER))
    return [sight.at(phrases.first[row], phrases.last[row], phrases.voice[row]) for row in shown.tolist()]


@detectors.register("scale_shift")
def scale_shift(
    sight: Sight,
    first: list[int],
    second: list[int],
    by: int,
    foreign: float = 0.03,
    missing: int = 1,
    before: list[int] | None = None,
    marks: list[int] | None = None,
) -> list[Sighting]:
    """A line that rests in one scale and then in another whose tonic lies ``by`` semitones above the first one.

    Each part ends with a long note. ``before`` and ``marks`` are steps of the first and the second scale that must be
    heard there.
    """
    sightings = []
    for voice, spans, masses, lows, enough in _pairs(sight):
        one = _fits(masses[0], first, foreign, before or [], _TOUCHED, missing) & _homes(masses[0], lows[0], 2)
        two = _fits(masses[1], second, foreign, marks or [], _TOUCHED, missing) & _homes(masses[1], lows[1], 2)
        shown = np.flatnonzero((one & np.roll(two, -by, axis=1)).any(axis=1) & enough)
        sightings += [sight.at(a, int(b) - 1, voice) for a, _, b in spans[shown[:1]]]
    return sightings


@shared
def _pairs(sight: Sight) -> list[_Pair]:
    """Pairs of neighboring phrases of each line, worked out once: voice, where, shares, last notes, and which of them
    are long enough and end with a long note."""
    return [pair for line in sight.lines if (pair := _pair(line)) is not None]


def _pair(line: VoiceLine) -> _Pair | None:
    spans = _splits(int(line.bar[0]), int(line.bar[-1]) + 1)
    if not len(spans):
        return None
    masses, lows, enough = [], [], np.ones(len(spans), dtype=np.bool_)
    for side in (0, 1):
        shares, count = _masses(line, spans[:, side], spans[:, side + 1])
        final = np.maximum(np.searchsorted(line.top.bar, spans[:, side + 1]) - 1, 0)
        masses.append(shares)
        lows.append(line.low.pitch[final] % 12)
        enough &= (count >= _FEWEST_NOTES) & (line.low.duration[final] >= _RESTS * line.duration.mean())
    return line.voice, spans, masses, lows, enough


def _splits(begin: int, end: int) -> Ints:
    """Begin, turn and end of pairs of phrases: any turn of a short line, eight bars and eight of a long one."""
    if end - begin <= _SHORT:
        turns = np.arange(begin + _FEWEST_BARS, end - _FEWEST_BARS + 1)
        return np.stack((np.full_like(turns, begin), turns, np.full_like(turns, end)), axis=1)
    starts = np.arange(begin, end - 2 * _WINDOW + 1, _HOP)
    return np.stack((starts, starts + _WINDOW, starts + 2 * _WINDOW), axis=1)


@detectors.register("color_degree")
def color_degree(sight: Sight, step: int, instead: int, third: int) -> list[Sighting]:
    """Bars in which a mode's own degree is heard on a beat, in a line with that third that avoids the plain degree.

    ``step`` and ``instead`` are semitones above the key's tonic, ``third`` 3 or 4; the line touches ``instead`` in no
    more than a fiftieth of its time, rests on the tonic often enough and keeps to one third.
    """
    sightings = []
    for line in sight.lines:
        above = (line.pitch - sight.tonic[line.bar]) % 12
        mass = np.bincount(above, line.duration, minlength=12) / max(1, int(line.duration.sum()))
        if mass[instead] > _SELDOM or not mass[third] or mass[7 - third] > _SELDOM or mass[0] < _OFTEN:
            continue
        on_beat = (line.position + LOOSE) % line.beat <= 2 * LOOSE
        heard = (above == step) & on_beat & (line.duration * 2 >= line.beat)
        sightings += sight.spans(np.asarray(line.bar[heard]), line.voice, join=0)
    return sightings
