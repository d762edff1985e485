"""The ear for drum loops: when their eighths fall, and which of the 32 of a four-bar loop have a kick or a snare.

The pulse is found from every onset that is heard, with no tempo assumed. A comb of teeth at equal distances is laid
over the onsets in all speeds and at all starts. The best comb meets the most onsets and leaves the fewest unmet (the
cosine between comb and onsets): half the speed does not fit into the clip, and at twice the speed every other tooth
meets nothing. Of combs that are as good, the earliest is taken: a loop begins with its first beat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from libretto.hearing.audio import Clip
from libretto.hearing.partials import RATE, decibels, hearable, magnitudes, rises
from libretto.hearing.reading import Reading
from libretto.score.table import Bools, Floats, Singles

__all__ = [
    "PULSE_HOP",
    "SLOTS",
    "Care",
    "Loop",
    "Pulse",
    "band_powers",
    "find_pulse",
    "find_pulses",
    "hear_loop",
    "hear_rhythm",
    "onset_strength",
    "read_rhythm",
    "read_tempo",
]

SLOTS = 32  #: eighths in four bars of 4/4
PULSE_HOP = 80  #: samples between frames: 5 ms
_FRAME, _SIZE = PULSE_HOP / RATE, 512  # seconds of a frame, samples of a spectrum: 32 ms
_BANDS = ((30, 150), (150, 600), (600, 2000), (2000, 5000), (5000, 8000))  # Hz, in which onsets are looked for
_FLOOR = -60.0  # dB below full scale: fainter than this is not heard
_RISING = 4  # frames: a level rises within 20 ms

_SOME_BANDS = (slice(0, 3), slice(2, 5))  # low and high ones, from which a tempo is heard too
_MINUTE = 60  # seconds

# The comb.
_FASTEST, _SLOWEST = 0.1, 0.75  # seconds an eighth: 300 to 40 quarters a minute
_FINENESS = 0.1  # frames from one speed to the next, for a loop of the usual length
_AS_GOOD = 0.03  # combs whose agreement differs by less are as good
_NEAR = 4  # frames: an onset within 20 ms of a tooth is on it
_ALONE = 8  # frames: an onset is the strongest within 40 ms
_WEAKEST = 0.1  # of the strongest onset
_LEAST_MET = 4  # teeth: through fewer onsets no line is drawn

# The strokes, in three bands (Hz).
_KICK, _BODY, _HAT = range(3)
_STROKE_BANDS = ((30, 130), (120, 300), (5000, 8000))
_RISE = 11.0  # dB: what a stroke adds to what sounded before
_KICK_BELOW, _BODY_BELOW, _SNARE_BELOW, _HAT_BELOW = 9.0, 20.0, 7.0, 30.0  # dB below the strongest stroke of the band
_SNARE_BESIDE_KICK = 7.0  # dB: a snare's body is not further below the kick that sounds with it
_LONGEST_REACH, _REACH_PART = 70, 3  # milliseconds after a slot that belong to it, and at most a third of an eighth
_EARLY = 2  # frames before a slot that belong to it
_BEFORE = slice(-9, -4)  # frames before a slot that say what sounded before


class Pulse(NamedTuple):
    """When the first tooth falls and how far apart they are, in seconds, and how well the onsets agree (0 to 1)."""

    start: float
    period: float
    agreement: float


class Loop(NamedTuple):
    """A drum loop as heard: its pulse, and for each eighth whether kick, snare and hat begin on it."""

    pulse: Pulse
    kick: Bools
    snare: Bools
    hat: Bools
    struck: Bools


class _Comb(NamedTuple):
    """A comb over the onsets: how well they agree, frames from tooth to tooth, and the frame of the first tooth."""

    agreement: float
    period: float
    start: int


class Care(NamedTuple):
    """How careful the ear is: what a stroke rises by, and how far it may lie below the strongest, in decibels."""

    rise: float = _RISE
    kick_below: float = _KICK_BELOW
    body_below: float = _BODY_BELOW
    hat_below: float = _HAT_BELOW


_USUAL = Care()
#: Other ears: each takes one threshold by a few decibels lower or higher.
_OTHERS = (
    Care(rise=8), Care(rise=14), Care(kick_below=6), Care(kick_below=13), Care(body_below=15), Care(body_below=25),
    Care(hat_below=24), Care(hat_below=36),
)  # fmt: skip


class _Levels(NamedTuple):
    """A loop before anything is decided: its pulse, and level and rise of each band at each slot."""

    pulse: Pulse
    level: Floats
    rise: Floats


def hear_rhythm(clip: Clip) -> list[int]:
    """The slots, from 1 to 32, on which a kick or a snare begins; tempo and first beat are found, not assumed."""
    loop = hear_loop(clip)
    return [] if loop is None else _struck(loop)


def read_rhythm(clip: Clip) -> Reading:
    """The slots on which a kick or a snare begins, and what other ears would have heard."""
    levels = _levels(hearable(clip), SLOTS)
    if levels is None:
        return Reading(())
    first, *others = (tuple(_struck(_loop(levels, care))) for care in (_USUAL, *_OTHERS))
    return Reading(first, tuple(others), levels.pulse.agreement)


def read_tempo(clip: Clip) -> Reading:
    """The beats a minute of a loop of four bars, and what is heard from low and from high sounds alone."""
    sound = hearable(clip)
    if not len(sound):
        return Reading(())
    levels = np.maximum(_FLOOR, decibels(band_powers(sound, _BANDS)))
    pulses = [
        find_pulse(np.asarray(rises(levels[:, bands], _RISING).mean(axis=1)), SLOTS)
        for bands in (slice(None), *_SOME_BANDS)
    ]
    first, *others = (() if pulse is None else (round(_MINUTE / (2 * pulse.period)),) for pulse in pulses)
    return Reading(first, tuple(others), pulses[0].agreement if pulses[0] is not None else 0.0)


def hear_loop(clip: Clip, slots: int = SLOTS) -> Loop | None:
    """A drum loop of that many eighths, or None where nothing begins often enough."""
    levels = _levels(hearable(clip), slots)
    return None if levels is None else _loop(levels)


def _levels(sound: Singles, slots: int) -> _Levels | None:
    if not len(sound):
        return None
    pulse = find_pulse(onset_strength(sound), slots)
    if pulse is None:
        return None
    levels = np.maximum(_FLOOR, decibels(band_powers(sound, _STROKE_BANDS)))
    return _Levels(pulse, *_at_slots(levels, pulse, slots))


def _loop(levels: _Levels, care: Care = _USUAL) -> Loop:
    """What begins on each slot."""
    level = levels.level
    below = level.max(axis=0)[None, :] - level
    begins = levels.rise >= care.rise
    kick = begins[:, _KICK] & (below[:, _KICK] <= care.kick_below)
    body = begins[:, _BODY] & (below[:, _BODY] <= care.body_below)
    snare = body & (below[:, _BODY] <= _SNARE_BELOW) & (level[:, _BODY] > level[:, _KICK] - _SNARE_BESIDE_KICK)
    hat = begins[:, _HAT] & (below[:, _HAT] <= care.hat_below)
    return Loop(levels.pulse, kick, snare, hat, kick | body)


def _struck(loop: Loop) -> list[int]:
    return [int(slot) + 1 for slot in np.flatnonzero(loop.struck)]


def _at_slots(levels: Floats, pulse: Pulse, slots: int) -> tuple[Floats, Floats]:
    """The level of each band just after each slot, and how much that is above the level just before."""
    reach = min(_LONGEST_REACH, 1000 * pulse.period / _REACH_PART) / 1000
    after, before = [], []
    for slot in range(slots):
        middle = round((pulse.start + slot * pulse.period) / _FRAME)
        after.append(levels[max(0, middle - _EARLY) : middle + round(reach / _FRAME)].max(axis=0))
        head = levels[max(0, middle + _BEFORE.start) : max(0, middle + _BEFORE.stop)]
        before.append(head.min(axis=0) if len(head) else np.full(levels.shape[1], _FLOOR))
    return np.array(after), np.array(after) - np.array(before)


def onset_strength(sound: Singles) -> Floats:
    """How much begins in each frame of 5 ms: rises of level over five bands within 20 ms, in decibels."""
    levels = np.maximum(_FLOOR, decibels(band_powers(sound, _BANDS)))
    return np.asarray(rises(levels, _RISING).mean(axis=1))


def band_powers(sound: Singles, bands: tuple[tuple[int, int], ...]) -> Floats:
    """Power in each frame and band of frequencies."""
    power = magnitudes(sound, _SIZE, PULSE_HOP).astype(np.float64) ** 2
    at = np.fft.rfftfreq(_SIZE, 1 / RATE)
    return np.stack([power[:, (at >= low) & (at < high)].sum(axis=1) for low, high in bands], axis=1)


def _peaks(strength: Floats) -> Floats:
    """The strength at its local maxima within 40 ms, as its square root so that a hat counts beside a kick; else 0."""
    keep = (strength >= _highest_near(strength, _ALONE)) & (strength > _WEAKEST * strength.max(initial=0.0))
    keep[1:] &= ~keep[:-1]
    return np.where(keep, np.sqrt(strength), 0.0)


def _highest_near(values: Floats, reach: int) -> Floats:
    """The highest value within that many frames of each."""
    around = np.lib.stride_tricks.sliding_window_view(np.pad(values, reach), 2 * reach + 1)
    return np.asarray(around.max(axis=1))


def find_pulse(strength: Floats, teeth: int = SLOTS) -> Pulse | None:
    """The comb of that many teeth that agrees best with the onsets, or None where there are none."""
    pulses = find_pulses([strength], teeth)
    return pulses[0] if pulses else None


def find_pulses(strengths: Sequence[Floats], teeth: int = SLOTS) -> list[Pulse]:
    """The combs of one speed that agree best with the onsets of all clips, one a clip; none where one has no onsets."""
    rows = [_peaks(strength) for strength in strengths]
    if not all(peaks.any() for peaks in rows):
        return []
    tables = [{comb.period: comb for comb in _combs(peaks, teeth, float((peaks**2).sum()))} for peaks in rows]
    shared = [
        [table[period] for table in tables] for period in tables[0] if all(period in table for table in tables[1:])
    ]
    if not shared:
        return []
    least = max(map(_agreement, shared)) - _AS_GOOD
    good = (combs for combs in shared if _agreement(combs) >= least)
    best = min(good, key=lambda combs: (sum(comb.start // (2 * _NEAR) for comb in combs), -_agreement(combs)))
    return [_settled(peaks, teeth, comb) for peaks, comb in zip(rows, best, strict=True)]


def _agreement(combs: Sequence[_Comb]) -> float:
    """How well combs agree with their onsets on average."""
    return sum(comb.agreement for comb in combs) / len(combs)


def _combs(peaks: Floats, teeth: int, energy: float) -> list[_Comb]:
    """The best comb of every speed that fits into the clip."""
    near = _highest_near(peaks, _NEAR)
    first = int(np.flatnonzero(peaks)[0])
    combs = []
    for period in np.arange(_FASTEST, _SLOWEST, _FINENESS * _FRAME * SLOTS / teeth) / _FRAME:
        offsets = np.round(np.arange(teeth) * period).astype(np.int64)
        starts = np.arange(max(0, first - _NEAR), len(near) - offsets[-1])
        if len(starts):
            sums = near[starts[:, None] + offsets[None, :]].sum(axis=1)
            at = int(np.argmax(sums))
            combs.append(_Comb(float(sums[at] ** 2 / (teeth * energy)), float(period), int(starts[at])))
    return combs


def _settled(peaks: Floats, teeth: int, comb: _Comb) -> Pulse:
    """The comb moved to lie best, by least squares, through the onsets it met."""
    numbers, places, weights = [], [], []
    for tooth in range(teeth):
        middle = comb.start + round(tooth * comb.period)
        low, high = max(0, middle - _NEAR), middle + _NEAR + 1
        if len(peaks[low:high]) and peaks[low:high].max() > 0:
            numbers.append(tooth)
            places.append(low + int(np.argmax(peaks[low:high])))
            weights.append(float(peaks[low:high].max()))
    period, begin = comb.period, float(comb.start)
    if len(numbers) >= _LEAST_MET:
        period, begin = map(float, np.polyfit(numbers, places, 1, w=np.sqrt(weights)))
    return Pulse(max(0.0, begin * _FRAME), period * _FRAME, min(1.0, comb.agreement))
