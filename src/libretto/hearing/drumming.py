"""The ear for drum patterns in noise: how likely each drum is struck on each eighth, and whether two patterns are one.

What even the quiet moments of a clip have in each of twelve bands is noise, and is taken away before anything is looked
at. The eighths are those of the comb that agrees best with the onsets; two clips of one tempo are laid under one comb.
Where the second half of a pattern says the first half again, both are averaged. A small network gives for each eighth
how surely kick, snare and hat are struck, as log-odds. Two patterns are taken for one where the doubts that
must be overruled to make them so are small: a stroke that is clear in one and clearly missing in the other is a
difference, one that drowns in noise is none. The network (``drumming.json``) was taught on patterns of our own
(``lab/listening/teach_drumming.py``).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from libretto.hearing.audio import Clip
from libretto.hearing.partials import RATE, TINY, decibels, hearable, rises
from libretto.hearing.reading import Reading
from libretto.hearing.rhythm import PULSE_HOP, Pulse, band_powers, find_pulses
from libretto.score.table import Floats, Singles

__all__ = [
    "EIGHTHS",
    "Take",
    "doubts",
    "odds_of",
    "pair_odds",
    "pulses_of",
    "read_drum_pair",
    "read_drums",
    "signs_at",
    "take_of",
]

EIGHTHS = (32, 24)  #: of four bars of 4/4, and of 3/4
_BANDS = (
    (20, 80), (80, 140), (140, 220), (220, 340), (340, 520), (520, 800),
    (800, 1300), (1300, 2100), (2100, 3300), (3300, 4700), (4700, 6300), (6300, 8000),
)  # fmt: skip
_FRAME = PULSE_HOP / RATE  # seconds
_QUIET = 0.2  # of the frames: the quiet ones, which have noise alone
_WHITE_SECONDS = 10  # of the noise with which the quiet frames are compared
_FAINTEST, _LEFT = 1e-7, 0.1  # power that is always heard as noise, and the part of the noise that is always left
_FLOOR, _RISING = -60.0, 4  # dB below full scale, and frames within which a level rises
_AFTER, _BEFORE, _LATER = (-1, 9), (-9, -4), (14, 23)  # frames around an eighth that are compared
_TEN, _LOW, _HIGH = 10.0, -3.0, 4.0  # dB to one, and the least and the most that count
_A_DRUM = 100  # what is added to a slot for each drum
_MOST_SURE = 8.0  # log-odds: no stroke is surer
_SAME_HALVES, _SAME_PATTERNS = 6.0, 6.0  # doubts that may be overruled to make two halves, or two patterns, one
_STARTS = (0.0, -1.0, -0.5, 0.5, 1.0)  # eighths by which a comb may lie beside the pattern
_SHIFTS = (0, -1, 1)  # eighths by which the second of two patterns may have been begun wrongly
_LEANINGS = (-1.2, 1.2)  # log-odds by which other ears lean to hearing strokes or not
_STRICTER = (0.35, 0.6, 1.7, 3.0)  # how much of the doubts other ears overrule


class Take(NamedTuple):
    """A clip made ready: the power of each band every 5 ms, the noise in it, and how much begins in each frame."""

    powers: Floats
    noise: Floats
    strength: Floats


def read_drums(clip: Clip, slots: Sequence[int] = EIGHTHS) -> Reading:
    """The strokes of 32 or 24 eighths, as slots with 100 more for a kick, 200 for a snare, 300 for a hat."""
    sound = hearable(clip)
    if not len(sound):
        return Reading(())
    take = take_of(sound)
    pulses, count = pulses_of([take], slots)
    if not pulses:
        return Reading(())
    odds = _odds(take, pulses[0], count)
    others = tuple(_strokes(odds, lean) for lean in _LEANINGS) + tuple(
        _strokes(odds, lean, drum) for drum in range(3) for lean in _LEANINGS
    )
    return Reading(_strokes(odds), others, _clear(odds))


def read_drum_pair(first: Clip, second: Clip, slots: Sequence[int] = EIGHTHS) -> list[Reading]:
    """The strokes of two patterns at one tempo, each heard in the light of the other."""
    sounds = [hearable(clip) for clip in (first, second)]
    if not all(map(len, sounds)):
        return [read_drums(first, slots), read_drums(second, slots)]
    takes = [take_of(sound) for sound in sounds]
    pulses, count = pulses_of(takes, slots)
    if not pulses:
        return [Reading(()), Reading(())]
    one, two = pair_odds(takes, pulses, count)
    own = _lines(one, two)
    others = [_lines(one, two, times) for times in _STRICTER]
    others += [_lines(one + lean, two + lean) for lean in _LEANINGS]
    clear = min(_clear(one), _clear(two))
    return [Reading(own[side], tuple(other[side] for other in others), clear) for side in (0, 1)]


def _lines(one: Floats, two: Floats, times: float = 1.0) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The strokes of both patterns: the same where few doubts must be overruled for it."""
    if float(doubts(one, two).sum()) <= times * _SAME_PATTERNS:
        return (_strokes(one + two),) * 2
    return _strokes(one), _strokes(two)


def doubts(one: Floats, two: Floats) -> Floats:
    """What must be overruled of each stroke that two hearings disagree on: the smaller of the two certainties."""
    return np.where((one > 0) != (two > 0), np.minimum(np.abs(one), np.abs(two)), 0.0)


def pair_odds(takes: Sequence[Take], pulses: Sequence[Pulse], count: int) -> tuple[Floats, Floats]:
    """The log-odds of both patterns, the second begun where it is most like the first."""
    one = _odds(takes[0], pulses[0], count)
    ways = [_odds(takes[1], pulse, count) for pulse in _moved(pulses[1], _SHIFTS)]
    return one, min(ways, key=lambda two: float(doubts(one, two).sum()))


def _begun(take: Take, pulse: Pulse, count: int) -> tuple[float, Pulse]:
    """The pulse begun where most is struck on its eighths, and how much that is: a comb may lie between the strokes, or
    one eighth off."""
    ways = [(_struck(take, way, count), way) for way in _moved(pulse, _STARTS)]
    return max(ways, key=lambda way: way[0])


def _struck(take: Take, pulse: Pulse, count: int) -> float:
    """How much all bands rise on the eighths of a pulse: between strokes they fall."""
    after, before = (_means(take.powers, pulse, count, window) for window in (_AFTER, _BEFORE))
    rise = decibels(after / np.maximum(before, TINY)) / _TEN
    return float(np.clip(rise, _LOW, _HIGH).sum())


def _moved(pulse: Pulse, shifts: Sequence[float]) -> list[Pulse]:
    """The pulse begun earlier or later by so many eighths, as far as that lies within the clip."""
    begins = [pulse.start + shift * pulse.period for shift in shifts]
    return [pulse._replace(start=begin) for begin in begins if begin > -pulse.period / 4]


def _strokes(odds: Floats, lean: float = 0.0, drum: int | None = None) -> tuple[int, ...]:
    """The strokes that are likelier than not, or after leaning, of one drum or of all."""
    leaning = np.zeros(odds.shape[1])
    leaning[slice(None) if drum is None else drum] = lean
    struck = odds + leaning > 0
    lines = [np.flatnonzero(struck[:, place]) + 1 + _A_DRUM * (place + 1) for place in range(odds.shape[1])]
    return tuple(np.concatenate(lines).tolist())


def _clear(odds: Floats) -> float:
    """How sure the strokes are, from 0 to 1: what the least sure tenth of them reaches."""
    return float(np.quantile(np.abs(odds), 0.1)) / _MOST_SURE


def take_of(sound: Singles) -> Take:
    """A sound at the ear's rate made ready."""
    powers = band_powers(sound, _BANDS)
    quiet, mean = _white()
    noise = np.maximum(_FAINTEST, np.quantile(powers, _QUIET, axis=0) * mean / quiet)
    levels = np.maximum(_FLOOR, decibels(np.maximum(powers - noise, noise)))
    return Take(powers, noise, np.asarray(rises(levels, _RISING).mean(axis=1)))


@lru_cache(maxsize=1)
def _white() -> tuple[Floats, Floats]:
    """What each band has of white noise: in its quiet frames, and on average."""
    sound = np.random.default_rng(0).standard_normal(RATE * _WHITE_SECONDS).astype(np.float32)
    powers = band_powers(sound, _BANDS)
    return np.quantile(powers, _QUIET, axis=0), powers.mean(axis=0)


def pulses_of(takes: Sequence[Take], slots: Sequence[int]) -> tuple[list[Pulse], int]:
    """The pulse of each clip, all at one tempo, and how many eighths the pattern has: that of which most is struck;
    nothing where none is heard."""
    best: tuple[float, list[Pulse], int] = (-np.inf, [], 0)
    for count in slots:
        pulses = find_pulses([take.strength for take in takes], count)
        ways = [_begun(take, pulse, count) for take, pulse in zip(takes, pulses, strict=True)] if pulses else []
        struck = sum(sure for sure, _ in ways)
        if ways and struck > best[0]:
            best = struck, [pulse for _, pulse in ways], count
    return best[1], best[2]


def _odds(take: Take, pulse: Pulse, count: int) -> Floats:
    """How surely each drum is struck on each eighth; where both halves say the same, from both at once."""
    apart = odds_of(signs_at(take, pulse, count, folded=False))
    half = count // 2
    if float(doubts(apart[:half], apart[half:]).sum()) > _SAME_HALVES:
        return apart
    return np.tile(odds_of(signs_at(take, pulse, count, folded=True)), (2, 1))


def signs_at(take: Take, pulse: Pulse, count: int, *, folded: bool) -> Floats:
    """What is seen of each eighth, noise taken away: a row for each; folded: the mean of both halves."""
    after, before, later = (_means(take.powers, pulse, count, window) for window in (_AFTER, _BEFORE, _LATER))
    if folded:
        after, before, later = (table.reshape(2, count // 2, -1).mean(axis=0) for table in (after, before, later))
    left = [np.maximum(table - take.noise, _LEFT * take.noise) for table in (after, before, later)]
    loudest = left[0].max(axis=0)
    views = (
        after / np.maximum(before, TINY),
        left[0] / loudest,
        np.broadcast_to(loudest / take.noise, after.shape),
        left[2] / left[0],
        left[0] / left[0].max(axis=1, keepdims=True),
    )
    return np.concatenate([np.clip(decibels(view) / _TEN, _LOW, _HIGH) for view in views], axis=1)


def _means(powers: Floats, pulse: Pulse, count: int, window: tuple[int, int]) -> Floats:
    """The mean power of each band around each eighth."""
    rows = []
    for slot in range(count):
        middle = round((pulse.start + slot * pulse.period) / _FRAME)
        own = powers[max(0, middle + window[0]) : max(0, middle + window[1])]
        rows.append(own.mean(axis=0) if len(own) else np.zeros(powers.shape[1]))
    return np.array(rows)


@lru_cache(maxsize=1)
def _net() -> dict[str, Floats]:
    data = json.loads(files("libretto.hearing").joinpath("drumming.json").read_text(encoding="utf-8"))
    return {name: np.array(values) for name, values in data.items()}


def odds_of(signs: Floats, net: dict[str, Floats] | None = None) -> Floats:
    """The log-odds of kick, snare and hat on each eighth."""
    own = _net() if net is None else net
    hidden = np.tanh(((signs - own["middle"]) / own["spread"]) @ own["first"] + own["offset"])
    return np.asarray(np.clip(hidden @ own["second"] + own["last"], -_MOST_SURE, _MOST_SURE))
