"""How a voice's time goes with that of the others: whether it strikes when they do, and what a shift would mend.

Every measure is worked out for the voice as it is and as it would come half a beat earlier or later: a voice that is in
time loses by every shift.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from libretto.faults.columns import CLASSES, TINY
from libretto.faults.parts.grid import Parts
from libretto.faults.parts.pitch import USUAL
from libretto.score.table import Bools, Floats, Ints

__all__ = ["PULSE_EVIDENCE", "pulse_row"]

_SHIFTS = (0, 1, -1)  # half beats by which a voice comes earlier
_MOST_AT_ONCE = 3.0  # voices that strike together and count
_FAINT = 0.02  # of all strikes, added to every place of the bar
_LONG = 4  # sixteenths: a note that is held across a line
_LOG_USUAL = np.log2(np.array(USUAL))
# For each interval (rows) where it stands in a table of pitch classes by pitch classes, for every lower one (columns).
_DIAGONALS = np.arange(CLASSES) * CLASSES + (np.arange(CLASSES)[:, None] + np.arange(CLASSES)) % CLASSES
PULSE_EVIDENCE = (
    "strikes", "struck together", "together earlier", "together later",
    "struck with pitches", "with pitches earlier", "with pitches later",
    "struck with drums", "with drums earlier",
    "usual places", "usual earlier", "usual later",
    "on the beat", "on the half beat", "on the bar", "on the bar earlier",
    "long on the beat", "long on the half beat", "ends on the beat", "ends on the half beat",
    "held over bars", "held over bars earlier",
    "harmony", "harmony earlier", "harmony later", "rubs earlier",
    "others on the beat", "others on the half beat",
    "changes together", "changes earlier",
    "best partner", "best partner earlier", "best partner later", "with the bass", "with the bass earlier",
    "entries on the beat", "entries on the half beat", "entries together", "entries earlier",
    "last of a phrase on the beat", "last of a phrase on the half beat",
    "a quarter earlier", "a quarter later",
    "fit at first", "fit at the bar line", "rubs at first", "rubs at the bar line", "first fit if earlier",
    "louder on the beat", "louder on the half beat", "others louder on the half beat",
)  # fmt: skip


def pulse_row(parts: Parts, voice: int, which: Bools | None = None) -> Floats:
    """The evidence of a voice's time, over the sixteenths that are ``which`` (all where it is left out)."""
    mine = parts.strikes[voice] > 0
    if which is not None:
        mine = mine & which
    at = np.flatnonzero(mine)
    half = parts.half_beat
    total, all_tones, drums = parts.struck
    tones = np.minimum(all_tones - parts.strikes[voice], _MOST_AT_ONCE)
    rest = np.minimum(total - parts.strikes[voice], _MOST_AT_ONCE)
    together, with_tones, usual, harmony = [], [], [], []
    log = _log_places(parts, rest)
    for shift in _SHIFTS:
        there = parts.inside(at - shift * half)
        together.append(_mean(rest[there] > 0))
        with_tones.append(_mean(tones[there]) / _MOST_AT_ONCE)
        usual.append(_mean(log[parts.place[there]]))
        harmony.append(_harmony(parts, voice, shift * half))
    beat, place = 2 * half, parts.place[at]
    long = _long_notes(parts, voice)
    ends = _ends(parts, voice)
    others = np.flatnonzero(rest > 0)
    changes = _changes(parts, voice, (0, half))
    columns = [
        np.log2(1 + len(at)), together[0], together[1] - together[0], together[2] - together[0],
        with_tones[0], with_tones[1] - with_tones[0], with_tones[2] - with_tones[0],
        _mean(drums[at]), _mean(drums[parts.inside(at - half)]) - _mean(drums[at]),
        usual[0], usual[1] - usual[0], usual[2] - usual[0],
        _mean(place % beat == 0), _mean(place % beat == half), _mean(place == 0), _mean(place == half),
        _mean(parts.place[long] % beat == 0), _mean(parts.place[long] % beat == half),
        _mean(parts.place[ends] % beat == 0), _mean(parts.place[ends] % beat == half),
        _held(parts, voice, 0), _held(parts, voice, half) - _held(parts, voice, 0),
        harmony[0][0], harmony[1][0] - harmony[0][0], harmony[2][0] - harmony[0][0], harmony[1][1] - harmony[0][1],
        _mean(parts.place[others] % beat == 0), _mean(parts.place[others] % beat == half),
        changes[0], changes[1] - changes[0],
        *_partners(parts, voice, at), *_phrases(parts, at, rest),
        *(_mean(rest[parts.inside(at - sign * (half // 2 or 1))] > 0) - together[0] for sign in (1, -1)),
        *_at_first(parts, voice), *_accents(parts, voice),
    ]  # fmt: skip
    return np.array(columns, dtype=np.float64)


def _partners(parts: Parts, voice: int, at: Ints) -> tuple[float, ...]:
    """How much the voice strikes together with the one other that goes with it most, as it is, earlier and later; and
    how much with the bass."""
    shares = []
    for shift in _SHIFTS:
        there = parts.inside(at - shift * parts.half_beat)
        with_each = parts.strikes[:, there].mean(axis=1) if len(at) else np.zeros(len(parts.strikes))
        with_each[voice] = 0.0
        shares.append(with_each)
    best = [float(share.max(initial=0.0)) for share in shares]
    bass = parts.facts.bass
    low = [float(share[bass]) if bass is not None and bass != voice else 0.0 for share in shares]
    return best[0], best[1] - best[0], best[2] - best[0], low[0], low[1] - low[0]


def _at_first(parts: Parts, voice: int) -> tuple[float, ...]:
    """How much less usual the intervals are in the first half of beats and of the bar's first beat than after it; the
    same for rubs; and for the first half of beats if the voice came half a beat earlier."""
    half = parts.half_beat
    first, at_line = parts.place % (2 * half) < half, parts.place < half
    mine, rest = parts.beside(voice)
    shares = {name: _intervals(mine[which], rest[which]) for name, which in (("first", first), ("then", ~first))}
    shares["line"] = _intervals(mine[at_line], rest[at_line])
    ahead = np.concatenate((mine[half:], np.zeros((half, CLASSES))))
    moved = _intervals(ahead[first], rest[first])
    fit = {name: float(share @ _LOG_USUAL) for name, share in shares.items()}
    rubs = {name: float(share[1] + share[-1]) for name, share in shares.items()}
    return (
        fit["first"] - fit["then"],
        fit["line"] - fit["then"],
        rubs["first"] - rubs["then"],
        rubs["line"] - rubs["then"],
        float(moved @ _LOG_USUAL) - fit["first"],
    )


def _accents(parts: Parts, voice: int) -> tuple[float, ...]:
    """How much louder than usual a voice is on beats and on half beats, and how much the others are on half beats."""
    facts, half = parts.facts, parts.half_beat
    loud = facts.notes["velocity"].astype(np.float64)
    place = parts.place[parts.start] % (2 * half)
    mine = facts.voice == voice
    own = max(_mean(loud[mine]), 1.0)
    rest = max(_mean(loud[~mine]), 1.0)
    return (
        _mean(loud[mine & (place == 0)]) / own if (mine & (place == 0)).any() else 1.0,
        _mean(loud[mine & (place == half)]) / own if (mine & (place == half)).any() else 1.0,
        _mean(loud[~mine & (place == half)]) / rest if (~mine & (place == half)).any() else 1.0,
    )


def _phrases(parts: Parts, at: Ints, rest: NDArray[np.float32]) -> tuple[float, ...]:
    """Where phrases begin and where their last notes stand: strikes after and before a gap of two beats or more."""
    half, beat = parts.half_beat, 2 * parts.half_beat
    gap = np.diff(at) >= 2 * beat
    entries = at[np.concatenate(([True], gap))] if len(at) else at
    last = at[np.concatenate((gap, [True]))] if len(at) else at
    earlier = parts.inside(entries - half)
    together = _mean(rest[entries] > 0)
    return (
        _mean(parts.place[entries] % beat == 0),
        _mean(parts.place[entries] % beat == half),
        together,
        _mean(rest[earlier] > 0) - together,
        _mean(parts.place[last] % beat == 0),
        _mean(parts.place[last] % beat == half),
    )


def _mean(values: NDArray[np.generic]) -> float:
    if not len(values):
        return 0.0
    if values.dtype == np.bool_:
        return np.count_nonzero(values) / len(values)
    return float(np.add.reduce(np.asarray(values, dtype=np.float64)) / len(values))


def _log_places(parts: Parts, rest: NDArray[np.float32]) -> Floats:
    """For each place of a bar the logarithm of the share of the others' strikes there."""
    many = np.bincount(parts.place, rest, minlength=int(parts.place.max()) + 1)
    share = many / max(float(many.sum()), TINY)
    return np.asarray(np.log2(share + _FAINT))


def _long_notes(parts: Parts, voice: int) -> Ints:
    mine = parts.facts.voice == voice
    return np.asarray(parts.start[mine & (parts.stop - parts.start >= _LONG)])


def _ends(parts: Parts, voice: int) -> Ints:
    return np.asarray(np.minimum(parts.stop[parts.facts.voice == voice], parts.slots - 1))


def _held(parts: Parts, voice: int, earlier: int) -> float:
    """The share of notes that are held across a bar line."""
    mine = parts.facts.voice == voice
    start, stop = parts.start[mine] - earlier, parts.stop[mine] - earlier
    first = np.searchsorted(parts.lines, start, side="right")
    last = np.searchsorted(parts.lines, stop - 1, side="right")
    return _mean(last > first)


def _harmony(parts: Parts, voice: int, earlier: int) -> tuple[float, float]:
    """How usual the intervals are that a voice makes with the others if it comes earlier, and how much it rubs."""
    mine, rest = parts.beside(voice)
    if earlier > 0:
        mine, rest = mine[earlier:], rest[:-earlier]
    elif earlier < 0:
        mine, rest = mine[:earlier], rest[-earlier:]
    share = _intervals(mine, rest)
    return float(share @ _LOG_USUAL), float(share[1] + share[-1])


def _intervals(mine: Floats, rest: Floats) -> Floats:
    """How much of their time together a voice and the others are each number of semitones apart."""
    cross = mine.T @ rest
    share = cross.ravel()[_DIAGONALS].sum(axis=1)
    return np.asarray(share / max(float(share.sum()), TINY))


def _changes(parts: Parts, voice: int, earlier: tuple[int, ...]) -> list[float]:
    """How much of what the others sound is new where the voice strikes, earlier by each of so much."""
    rest = parts.others(voice)
    new = np.zeros(parts.slots)
    new[1:] = np.maximum(rest[1:] - rest[:-1], 0).sum(axis=1)
    struck = np.flatnonzero(parts.strikes[voice] > 0)
    return [_mean(new[parts.inside(struck - much)]) for much in earlier]
