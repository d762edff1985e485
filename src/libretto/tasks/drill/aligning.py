"""Match what a learner played with what is written: notes by pitch and time, whatever the tempo and the start.

Conventions: times are seconds. Both sides are cut into onsets (what is struck together); a dynamic program pairs onsets
in order, at the price of what differs in pitch and in time after a steady tempo has been fitted; the tempo is then
heard anew around every onset from those that were matched, and the program runs again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from libretto.score import Score
from libretto.score.table import Floats

__all__ = ["Alignment", "Strike", "align", "strikes_of"]

_TOGETHER = 0.045  # seconds within which notes are struck together
_MOST = 4_000  # strikes that are read
# Prices of a match, in strikes left out; set by hand. A wrong pitch costs nearly what leaving one out costs.
_SKIP, _WRONG, _LATE = 1.0, 0.9, 1.6
_RIGHT_BUT_LATE = 0.35  # lateness counts so much for a right pitch, and more the more it differs
_WRONG_UNTIMED = 0.12  # added for a wrong pitch as long as no time is known
_MOST_LATE = 1.5  # steps; later is no worse
_BY_SEMITONE = 0.02  # for every semitone of transposition, so that of equals the nearer wins
_SAME_PRICE = 1e-9
_HEARINGS = 3  # times that the tempo is heard anew
_FURTHEST = 60  # semitones up or down that a transposition may be
_LIKELIEST = 3  # transpositions that are tried
_SHORTEST_STEP = 0.05  # seconds
_USUAL_STEP = 0.5  # seconds, where there is but one strike
_SURE = 0.5  # pairs that differ less agree in pitch
_FASTEST, _SLOWEST = 0.1, 10.0  # times the written length
_NEAREST, _FEWEST = 7, 5  # onsets around one by which drift is heard, and with fewer than which it is not
_APART = 1e-6  # seconds


class Strike(NamedTuple):
    """Notes struck together: when, which pitches, how long each, and their rows in the piece's table."""

    time: float
    pitches: tuple[int, ...]
    lengths: tuple[float, ...]
    rows: tuple[int, ...]


@dataclass(frozen=True)
class Alignment:
    """Pairs of strikes (written, played), what was left out on each side, and when each written one was expected."""

    pairs: tuple[tuple[int, int], ...]
    missing: tuple[int, ...]
    extra: tuple[int, ...]
    expected: tuple[float, ...]
    rate: float
    transposition: int


def strikes_of(score: Score, together: float = _TOGETHER) -> list[Strike]:
    """The onsets of a piece, percussion left out."""
    table = score.table
    drums = np.array([voice.drums for voice in score.voices], dtype=np.bool_)
    rows = np.flatnonzero(~drums[table["voice"]]) if len(table) else np.empty(0, dtype=np.int64)
    start = score.seconds_at(table["onset"][rows].astype(np.int64))
    end = score.seconds_at((table["onset"][rows] + table["duration"][rows]).astype(np.int64))
    order = np.lexsort((table["pitch"][rows], start))
    groups: list[list[int]] = []
    for index in order.tolist():
        if groups and start[index] - start[groups[-1][0]] <= together:
            groups[-1].append(index)
        else:
            groups.append([index])
    strikes = []
    for group in groups[:_MOST]:
        group.sort(key=lambda index: int(table["pitch"][rows[index]]))
        strikes.append(
            Strike(
                float(start[group[0]]),
                tuple(int(table["pitch"][rows[index]]) for index in group),
                tuple(float(end[index] - start[index]) for index in group),
                tuple(int(rows[index]) for index in group),
            )
        )
    return strikes


def align(written: list[Strike], played: list[Strike]) -> Alignment:
    """The best match of what was played with what is written, over transpositions and tempos."""
    if not written or not played:
        every = tuple(range(len(written)))
        return Alignment((), every, tuple(range(len(played))), tuple(strike.time for strike in written), 1.0, 0)
    best, *others = (_moved(written, played, by) for by in _transpositions(written, played))
    for other in others:
        if other.price < best.price - _SAME_PRICE:
            best = other
    return best.alignment


class _Match(NamedTuple):
    """An alignment for one transposition, and what it costs."""

    price: float
    alignment: Alignment


def _moved(written: list[Strike], played: list[Strike], by: int) -> _Match:
    """The match of what was played, taken down by so many semitones."""
    moved = [strike._replace(pitches=tuple(pitch - by for pitch in strike.pitches)) for strike in played]
    return _fitted(written, moved, by)


def _transpositions(written: list[Strike], played: list[Strike]) -> list[int]:
    """0, and the move by which most tops would agree if they came one by one."""
    count = min(len(written), len(played))
    moves = [two.pitches[-1] - one.pitches[-1] for one, two in zip(written[:count], played[:count], strict=True)]
    votes = np.bincount(np.clip(np.array(moves) + _FURTHEST, 0, 2 * _FURTHEST), minlength=2 * _FURTHEST + 1)
    ranked = np.argsort(-votes, kind="stable")[:_LIKELIEST] - _FURTHEST
    pitch_moves = {round(_mean(played) - _mean(written))}
    return list(dict.fromkeys([0, *ranked.tolist(), *pitch_moves]))


def _mean(strikes: list[Strike]) -> float:
    return float(np.mean([pitch for strike in strikes for pitch in strike.pitches]))


def _fitted(written: list[Strike], played: list[Strike], by: int) -> _Match:
    """The match for one transposition: first by pitch alone, then twice with the tempo that was heard."""
    differ = np.array([[_differ(one, two) for two in played] for one in written])
    there, here = np.array([strike.time for strike in written]), np.array([strike.time for strike in played])
    pairs, price = _program(differ, None)
    for _ in range(_HEARINGS):
        expected, _, pace = _clock(there, here, pairs, differ)
        late = np.abs(here[None, :] - expected[:, None]) / np.maximum(pace[:, None], _SHORTEST_STEP)
        pairs, price = _program(differ, np.minimum(late, _MOST_LATE))
    expected, rate, _ = _clock(there, here, pairs, differ)
    mine, theirs = {one for one, _ in pairs}, {two for _, two in pairs}
    missing = tuple(index for index in range(len(written)) if index not in mine)
    extra = tuple(index for index in range(len(played)) if index not in theirs)
    alignment = Alignment(tuple(pairs), missing, extra, tuple(expected.tolist()), rate, by)
    return _Match(price + _BY_SEMITONE * abs(by), alignment)


def _differ(one: Strike, two: Strike) -> float:
    """0 for the same pitches, 1 for none in common."""
    same = len(set(one.pitches) & set(two.pitches))
    return 1.0 - same / max(len(one.pitches), len(two.pitches))


def _program(differ: Floats, late: Floats | None) -> tuple[list[tuple[int, int]], float]:
    """The cheapest pairing in order: wrong pitches cost nearly what leaving one out costs, lateness adds to it.

    By pitch alone, of equals the one that leaves out what comes last: whoever stops early began at the beginning.
    """
    rows, columns = differ.shape
    price = _WRONG * differ + (
        _LATE * late * (_RIGHT_BUT_LATE + differ) if late is not None else _WRONG_UNTIMED * differ
    )
    cost = np.zeros((rows + 1, columns + 1))
    cost[:, 0] = _SKIP * np.arange(rows + 1)
    cost[0, :] = _SKIP * np.arange(columns + 1)
    for row in range(1, rows + 1):
        across = np.minimum(cost[row - 1, :-1] + price[row - 1], cost[row - 1, 1:] + _SKIP)
        line = cost[row]
        for column in range(1, columns + 1):
            line[column] = min(across[column - 1], line[column - 1] + _SKIP)
    pairs = []
    row, column = rows, columns
    while row and column:
        unplayed = abs(cost[row, column] - cost[row - 1, column] - _SKIP) < _SAME_PRICE
        if late is None and unplayed:
            row -= 1
        elif abs(cost[row, column] - cost[row - 1, column - 1] - price[row - 1, column - 1]) < _SAME_PRICE:
            pairs.append((row - 1, column - 1))
            row, column = row - 1, column - 1
        elif unplayed:
            row -= 1
        else:
            column -= 1
    return pairs[::-1], float(cost[rows, columns])


def _clock(there: Floats, here: Floats, pairs: list[tuple[int, int]], differ: Floats) -> tuple[Floats, float, Floats]:
    """When each written onset was to be expected in what was played, the overall rate, and the length of a step there.

    A steady line through all pairs (those that agree in pitch, if there are enough) by medians, then what drifts.
    """
    sure = [(a, b) for a, b in pairs if differ[a, b] < _SURE]
    used = sure if len(sure) >= 2 else pairs
    steps = np.diff(there, append=there[-1] + (np.median(np.diff(there)) if len(there) > 1 else _USUAL_STEP))
    if len(used) < 2:
        offset = here[used[0][1]] - there[used[0][0]] if used else here[0] - there[0]
        return there + offset, 1.0, steps
    one, two = there[[a for a, _ in used]], here[[b for _, b in used]]
    rate = _slope(one, two)
    offset = float(np.median(two - rate * one))
    left = two - rate * one - offset
    drift = np.array([_local(left, one, time, rate) for time in there])
    return rate * there + offset + drift, rate, rate * np.maximum(steps, _SHORTEST_STEP)


def _slope(one: Floats, two: Floats) -> float:
    """The median of the slopes between pairs that lie well apart."""
    half = len(one) // 2
    apart = one[half:] - one[: len(one) - half]
    slopes = (two[half:] - two[: len(two) - half])[apart > _APART] / apart[apart > _APART]
    return float(np.clip(np.median(slopes), _FASTEST, _SLOWEST)) if len(slopes) else 1.0


def _local(left: Floats, one: Floats, time: float, rate: float) -> float:
    """How far the playing has drifted around a time: the median of the nearest onsets, or nothing for very few."""
    near = np.argsort(np.abs(one - time), kind="stable")[:_NEAREST]
    return float(np.median(left[near])) if len(near) >= _FEWEST else 0.0
