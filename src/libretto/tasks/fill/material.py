"""What some bars are made of, as numbers: what a region is compared by with the other bars of its song.

The axes say what a stretch of music is like; beside them stands what only makes sense within one song: which voice
plays how much, how high, how long, how loud and on which places of the bar, which intervals the lines take, which
pitch classes sound, and how clearly the chords can be heard.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from libretto.axes import measure
from libretto.corpus import Cloud, normal_scores
from libretto.score import QUARTER, Score, take_bars
from libretto.score.table import Floats

__all__ = ["OWN", "Material", "material", "only", "strangeness"]

_SLOTS = 24  # places of a bar, however long it is
_WIDEST = 12  # semitones; wider intervals count as this wide
_PITCHES = 128
_HELD = 4 * QUARTER  # longer notes count as this long
_UNHEARD = 0.25  # times that an interval which is never taken is counted, so that none is impossible
_TRIAD_SHAPES = ((0, 4, 7), (0, 3, 7))  # major, minor
#: What is compared beside the axes, in order.
OWN = (
    "amount", "register", "lengths", "loudness", "places", "pitches", "intervals", "tones", "chords", "players",
    "genre", "agreement",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Material:
    """What some bars are made of; rows of the tables are voices."""

    axes: Floats = field(repr=False)
    logs: Floats = field(repr=False)
    amount: Floats = field(repr=False)
    register: Floats = field(repr=False)
    lengths: Floats = field(repr=False)
    loudness: Floats = field(repr=False)
    places: Floats = field(repr=False)
    pitches: Floats = field(repr=False)
    intervals: Floats = field(repr=False)
    tones: Floats = field(repr=False)
    clarity: float
    agreement: float


def only(score: Score, voices: Sequence[str]) -> Score:
    """The piece with nothing but those voices."""
    return replace(score, voices=tuple(voice for voice in score.voices if voice.name in voices))


def material(score: Score, voices: Sequence[str], first: int, last: int, cloud: Cloud) -> Material:
    """What those voices play in those bars (by number, both ends included), measured."""
    window = take_bars(score, first, last)
    mine = only(window, voices) if len(voices) < len(score.voices) else window
    row = cloud.row(measure(mine, grid=cloud.grid))[0] if len(mine.table) else np.full(len(cloud.axes), np.nan)
    clarity, agreement = _harmony(window, mine)
    return Material(row, _genre_logs(row, window.bars, cloud), **_details(mine), clarity=clarity, agreement=agreement)


def _genre_logs(row: Floats, bars: int, cloud: Cloud) -> Floats:
    """How like each genre the bars are, among real windows of about their length."""
    if cloud.classifier is None or cloud.gauges is None or not cloud.gauges.regions:
        return np.zeros(1)
    nearest = min(cloud.gauges.regions, key=lambda region: (abs(np.log2(region.bars / bars)), region.bars))
    return np.asarray(cloud.classifier.log_shares(normal_scores(nearest.shares(row[None])))[0])


def _details(score: Score) -> dict[str, Floats]:
    count, bars = len(score.voices), max(1, score.bars)
    amount, register, lengths, loudness = (np.zeros(count) for _ in range(4))
    places, pitches = np.zeros((count, _SLOTS)), np.zeros((count, _PITCHES))
    intervals, tones = np.zeros(2 * _WIDEST + 1), np.zeros(12)
    lines = np.asarray(score.bar_lines, dtype=np.int64)
    for index, voice in enumerate(score.voices):
        notes = voice.array
        if not len(notes):
            continue
        bar = np.searchsorted(lines, notes["onset"], side="right") - 1
        part = (notes["onset"] - lines[bar]) / np.diff(lines)[bar]
        amount[index] = len(notes) / bars
        register[index] = notes["pitch"].mean()
        lengths[index] = np.log2(np.minimum(notes["duration"], _HELD) / QUARTER).mean()
        loudness[index] = notes["velocity"].mean()
        np.add.at(places[index], np.round(part * _SLOTS).astype(np.int64) % _SLOTS, 1.0)
        np.add.at(pitches[index], notes["pitch"], 1.0)
        if voice.drums:
            continue
        tops = notes[np.append(np.diff(notes["onset"]) > 0, True)]
        moves = np.clip(np.diff(tops["pitch"].astype(np.int64)), -_WIDEST, _WIDEST)
        np.add.at(intervals, moves + _WIDEST, 1.0)
        np.add.at(tones, notes["pitch"] % 12, np.minimum(notes["duration"], _HELD) / QUARTER)
    return {
        "amount": amount,
        "register": register,
        "lengths": lengths,
        "loudness": loudness,
        "places": places,
        "pitches": pitches,
        "intervals": intervals,
        "tones": tones,
    }


def _triads() -> Floats:
    """The major triads on C to B, then the minor ones, as sets of pitch classes."""
    rows = [[(root + tone) % 12 for tone in tones] for tones in _TRIAD_SHAPES for root in range(12)]
    table = np.zeros((len(rows), 12))
    for index, row in enumerate(rows):
        table[index, row] = 1.0
    return table


_TRIADS = _triads()


def _harmony(window: Score, mine: Score) -> tuple[float, float]:
    """How much of what sounds in half a bar belongs to one common chord; and how much of what some voices play is
    played by the others at that time, on the whole."""
    lines = np.asarray(window.bar_lines, dtype=np.int64)
    edges = np.empty(2 * window.bars + 1, dtype=np.int64)
    edges[0::2], edges[1::2] = lines, (lines[:-1] + lines[1:]) // 2
    names = {voice.name for voice in mine.voices}
    own, rest = np.zeros((2 * window.bars, 12)), np.zeros((2 * window.bars, 12))
    for voice in window.voices:
        if voice.drums or not len(voice.array):
            continue
        notes = voice.array
        half = np.searchsorted(edges, notes["onset"], side="right") - 1
        mass = own if voice.name in names else rest
        np.add.at(mass, (half, notes["pitch"] % 12), np.minimum(notes["duration"], np.diff(edges)[half]))
    every = own + rest
    total = every.sum(axis=1)
    heard = total > 0
    clarity = float(((every[heard] @ _TRIADS.T).max(axis=1) / total[heard]).mean()) if heard.any() else 1.0
    both = (rest.sum(axis=1) > 0) & (own.sum(axis=1) > 0)
    if not both.any():
        return clarity, 1.0
    known = rest[both] / rest[both].max(axis=1, keepdims=True)
    return clarity, float(((own[both] * known).sum(axis=1) / own[both].sum(axis=1)).mean())


def strangeness(one: Material, others: Sequence[Material], genre: int | None = None) -> tuple[Floats, Floats]:
    """How one stretch differs from others: on every axis (more is positive, NaN where nothing can be said), and in
    what only makes sense within a song (always the larger the stranger)."""
    with np.errstate(all="ignore"):
        away = one.axes - _middle([other.axes for other in others])
    amounts = np.mean([other.amount for other in others], axis=0)
    weight = one.amount + amounts
    both = np.where((one.amount > 0) & (amounts > 0), weight, 0.0)

    def usual(name: str) -> Floats:
        values = np.array([getattr(other, name) for other in others])
        there = np.array([other.amount > 0 for other in others])
        return np.asarray((values * there).sum(axis=0) / np.maximum(there.sum(axis=0), 1))

    def per_voice(name: str) -> float:
        return _mean(np.abs(getattr(one, name) - usual(name)), both)

    plays, usually = one.amount > 0, amounts > 0
    own = {
        "amount": _mean(np.abs(np.log2((one.amount + 0.5) / (amounts + 0.5))), weight),
        "register": per_voice("register"),
        "lengths": per_voice("lengths"),
        "loudness": per_voice("loudness"),
        "places": _mean(_apart(one.places, np.asarray(sum(other.places for other in others))), both),
        "pitches": 1.0 - _known(one.pitches, np.asarray(sum(other.pitches for other in others))),
        "intervals": -_likely(one.intervals, np.asarray(sum(other.intervals for other in others))),
        "tones": float(_apart(one.tones[None], np.asarray(sum(other.tones for other in others))[None])[0]),
        "chords": -one.clarity,
        "players": 1.0 - float(np.minimum(plays, usually).sum() / max(1, (plays | usually).sum())),
        "genre": _less_like(one.logs, np.mean([other.logs for other in others], axis=0), genre),
        "agreement": -one.agreement,
    }
    return np.asarray(away), np.array([own[name] for name in OWN])


def _known(pitches: Floats, theirs: Floats) -> float:
    """The share of notes whose voice plays that pitch elsewhere; all where there are none."""
    return float((pitches * (theirs > 0)).sum() / max(1.0, pitches.sum())) if pitches.sum() > 0 else 1.0


def _likely(intervals: Floats, theirs: Floats) -> float:
    """How likely the intervals are by how often each is taken elsewhere: the mean logarithm."""
    logs = np.log((theirs + _UNHEARD) / (theirs + _UNHEARD).sum())
    return float((intervals * logs).sum() / intervals.sum()) if intervals.any() else 0.0


def _less_like(logs: Floats, usual: Floats, genre: int | None) -> float:
    """How much less like a genre something is than it usually is; without one, like the likest."""
    which = int(np.argmax(usual)) if genre is None else genre
    return float(usual[which] - logs[which])


def _middle(rows: Sequence[Floats]) -> Floats:
    """The mean of each column over what is known of it; NaN where nothing is."""
    table = np.array(rows)
    known = ~np.isnan(table)
    total = np.where(known, table, 0.0).sum(axis=0)
    return np.where(known.any(axis=0), total / np.maximum(known.sum(axis=0), 1), np.nan)


def _mean(values: Floats, weight: Floats) -> float:
    return float((values * weight).sum() / weight.sum()) if weight.sum() > 0 else 0.0


def _apart(a: Floats, b: Floats) -> Floats:
    """How far rows point in different directions: 0 the same, 1 nothing in common."""
    size = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    return np.where(size > 0, 1.0 - (a * b).sum(axis=1) / np.where(size > 0, size, 1.0), 0.0)
