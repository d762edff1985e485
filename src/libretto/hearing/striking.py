"""Pitches struck again while they still sound: a repeated note, or one that comes back under another.

Such a note hardly rises, so that a rise cannot tell it. Three things do. An attack shows in short spectra. The partials
of the pitch gain, the high ones first, since they had faded most. And their phases break: a tone that only rings on can
be foretold from the two moments before, one that is struck cannot (how far it is from what was foretold is its
*surprise*). For every attack that no note explains, and every pitch that sounds or sounded shortly before, these signs
are put to a small network (``striking.json``: its weights; ``lab/listening/teach_striking.py``: how it was taught).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.hearing.notes import Onset, strongest
from libretto.hearing.partials import HOP, LOWEST, RATE, decibels, framed, magnitudes
from libretto.hearing.rhythm import PULSE_HOP, onset_strength
from libretto.score.table import Floats, Singles

__all__ = ["SIGNS", "Ringing", "Strike", "chances", "strikes_of", "struck_again"]

_STEP = HOP // PULSE_HOP  # onsets are twice as fine as pitches
_SHORT, _SHORTER = 1024, 512  # samples: 64 ms for levels of partials, 32 ms for their phases
_A4, _A4_HERTZ = 69, 440.0
_PARTIALS, _TOP = 12, 7000.0  # how many partials are looked at, and up to where (Hz)
_REST = 9  # frames: a note is not struck twice within 90 ms
_BEFORE_NEXT = 4  # frames before the next note that belong to it
_AROUND, _NEARBY, _NEAR = 6, 10, 8  # frames of pitch, and of onsets, among which an attack is the strongest
_WEAKEST = 0.2  # of the usual attack of the clip: fainter ones are none
_RECENT = 250  # frames: what began longer ago is not struck again, but for the note that sounds
_SOUNDING = 0.05  # of the strongest pitch: a pitch that is struck sounds at least so much
_AS_LOUD, _FALLING = 0.45, 0.6  # and at least so much of what it had when it began, and just before
_JUST_BEFORE, _JUST_AFTER = slice(-9, -3), slice(3, 9)  # frames whose medians are compared
_BURST, _SINCE, _LATER = slice(-1, 4), slice(-12, -2), slice(4, 12)  # frames of an attack, before it, after it
_RISEN = slice(1, 7)  # frames after an attack in which its partials are loudest
_ATTACK, _SETTLED = 30, 6  # frames after its start in which a note is strongest, and after which it is steady
_FRAMES_AT_ONCE = 1024
_NO_PHASE = 1e-9  # what is fainter has no phase
_LOUD, _RISE, _FALL, _GAIN = 70.0, 20.0, -6.0, 2.0  # decibels: heard at all; the most that counts; a partial that gains
_FAINT = 0.05  # of the strongest moment: what is fainter is not foretold
_FEWEST_OTHERS = 3  # moments that say whether something comes as late after the other notes
_DOUBTED = 0.5  # of how sure a strike must be: a repetition that rises by itself is left out where it is less likely
_TINY = 1e-3
_CLIP = 4.0  # standard deviations: what lies further off counts as much

#: What is looked at, in the order of the network's inputs.
SIGNS = (
    "attack", "flicker", "gain", "level beside its start", "partials gain", "share of partials", "between them", "same",
    "beside the note", "level", "surprise", "against before", "against its start", "against later", "surprise of all",
    "all against before", "all against later", "since the note", "to the next", "others as late",
)  # fmt: skip


Halves = NDArray[np.float16]


class Strike(NamedTuple):
    """A pitch that may have been struck at a frame, with its signs; ``heard``: the place of the note it already is."""

    frame: int
    row: int
    heard: int | None
    signs: tuple[float, ...]


class Ringing:
    """A clip as far as struck pitches show in it: amounts of pitches, attacks, levels of partials and surprises."""

    def __init__(self, sound: Singles, amounts: Singles) -> None:
        self.amounts = amounts
        self.attacks = onset_strength(sound)
        self.scale = strongest(amounts)
        self._seen = magnitudes(sound, _SHORT, HOP).astype(np.float16)  # halves: recordings may last ten minutes
        self._off, self._there = _surprises(sound)
        whole = [values.sum(axis=1, dtype=np.float32) for values in (self._off, self._there)]
        self.overall = _share(*whole)
        self._rows: dict[int, Floats] = {}

    def levels(self, first: int, last: int) -> Floats:
        """Levels of the bins of the longer spectra in some frames, in decibels."""
        return decibels(self._seen[max(0, first) : max(0, last)].astype(np.float64) ** 2)

    def surprise(self, row: int) -> Floats:
        """How far the partials of a pitch are, in each frame, from what the two frames before foretold."""
        if row not in self._rows:
            bins = np.unique(_bins(row, _SHORTER))
            own = [values[:, bins].sum(axis=1, dtype=np.float32) for values in (self._off, self._there)]
            self._rows[row] = _share(*own)
        return self._rows[row]


def _surprises(sound: Singles) -> tuple[Halves, Halves]:
    """How far each bin of a spectrum is from what the two frames before foretell, and how strong it is."""
    window = np.hanning(_SHORTER + 1)[:-1].astype(np.float32)
    frames = framed(sound, _SHORTER, HOP)
    off, there = [], []
    for first in range(0, len(frames), _FRAMES_AT_ONCE):
        head = max(0, first - 2)
        seen = np.fft.rfft(frames[head : first + _FRAMES_AT_ONCE] * window, axis=1).astype(np.complex64)
        strong = np.abs(seen)
        phase = seen / np.maximum(strong, np.float32(_NO_PHASE))
        foretold = np.zeros_like(seen)
        foretold[2:] = strong[1:-1] * phase[1:-1] ** 2 * np.conj(phase[:-2])
        off.append(np.abs(seen - foretold)[first - head :].astype(np.float16))
        there.append(strong[first - head :].astype(np.float16))
    return np.concatenate(off), np.concatenate(there)


def _share(off: Singles, there: Singles) -> Floats:
    return np.asarray(off / np.maximum(there, max(_TINY, _FAINT * float(there.max(initial=0.0)))), dtype=np.float64)


def _bins(row: int, size: int) -> NDArray[np.int64]:
    """The bins of a spectrum in which the partials of a pitch lie."""
    hertz = _A4_HERTZ * 2 ** ((row + LOWEST - _A4) / 12) * np.arange(1, _PARTIALS + 1)
    return np.asarray(np.round(hertz[hertz < _TOP] * size / RATE), dtype=np.int64)


def struck_again(notes: Sequence[Onset], ringing: Ringing, sure: float) -> list[Onset]:
    """The notes with what is surely struck again, and without repetitions that surely are none."""
    strikes = list(strikes_of(notes, ringing))
    if not strikes:
        return list(notes)
    best: dict[int, tuple[float, Strike]] = {}
    dropped = set()
    for strike, chance in zip(strikes, chances([strike.signs for strike in strikes]).tolist(), strict=True):
        if strike.heard is not None:
            dropped |= {strike.heard} if chance < _DOUBTED * sure else set()
        elif chance >= sure and chance > best.get(strike.frame, (0.0,))[0]:
            best[strike.frame] = chance, strike
    kept = [note for place, note in enumerate(notes) if place not in dropped]
    usual = float(np.median([note.rise for note in notes]))
    return sorted([*kept, *(Onset(strike.frame, strike.row, usual) for _, strike in best.values())])


def strikes_of(notes: Sequence[Onset], ringing: Ringing) -> Iterator[Strike]:
    """What may have been struck: at each attack between two notes, each pitch that sounds; and repetitions as heard."""
    if not notes:
        return
    near = [_highest(ringing.attacks, _STEP * note.frame, _NEARBY) for note in notes]
    look = _Look(ringing, max(_TINY, float(np.median(near))), [note.frame for note in notes])
    peaks = _attacks(ringing.attacks, len(ringing.amounts), look.usual)
    for place, note in enumerate(notes):
        end = notes[place + 1].frame if place + 1 < len(notes) else len(ringing.amounts)
        begun = {one.row: one.frame for one in notes[: place + 1] if note.frame - one.frame <= _RECENT}
        for frame in _apart(peaks, note.frame + _REST, end - _BEFORE_NEXT):
            for row, begin in begun.items():
                if _sounds(ringing.amounts[:, row], frame, begin, ringing.scale):
                    gaps = frame - note.frame, end - frame
                    yield Strike(frame, row, None, look.signs(frame, row, note.row, begin, gaps))
        if place and note.row == notes[place - 1].row:
            gaps = note.frame - notes[place - 1].frame, end - note.frame
            signs = look.signs(note.frame, note.row, note.row, notes[place - 1].frame, gaps)
            yield Strike(note.frame, note.row, place, signs)


def _sounds(line: Singles, frame: int, begin: int, scale: float) -> bool:
    """Whether a pitch sounds after a frame as one that was just struck does; where it falls, it was let go."""
    before, after = _middle(line, frame, _JUST_BEFORE), _middle(line, frame, _JUST_AFTER)
    top = float(line[begin : begin + _ATTACK].max(initial=0.0))
    return after >= max(_SOUNDING * scale, _AS_LOUD * top, _FALLING * before)


def _attacks(attacks: Floats, count: int, usual: float) -> dict[int, float]:
    """The frames at which something begins, with how much."""
    frames = np.arange(count)
    here = _windows(attacks, _STEP * frames, _STEP)
    around = _windows(attacks, _STEP * (frames - _AROUND), _STEP * (2 * _AROUND + 1))
    return {int(frame): float(here[frame]) for frame in np.flatnonzero((here >= around) & (here >= _WEAKEST * usual))}


def _windows(values: Floats, firsts: NDArray[np.int64], count: int) -> Floats:
    """The highest of so many values from each of the places on; what lies outside is nothing."""
    padded = np.pad(values, (count, 2 * count + len(firsts)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, count)
    return np.asarray(windows[np.clip(firsts + count, 0, len(windows) - 1)].max(axis=1))


def _apart(peaks: dict[int, float], first: int, last: int) -> list[int]:
    """The attacks between two frames, the stronger of any two that are too close."""
    inside = [frame for frame in peaks if first <= frame < last]
    kept: list[int] = []
    for frame in sorted(inside, key=lambda frame: -peaks[frame]):
        if all(abs(frame - other) >= _REST for other in kept):
            kept.append(frame)
    return sorted(kept)


class _Look:
    """The signs of a strike in a clip whose usual attack is known."""

    def __init__(self, ringing: Ringing, usual: float, starts: Sequence[int]) -> None:
        self.ringing, self.usual = ringing, usual
        self.starts = np.array(starts, dtype=np.int64)
        self.middle, self.upper = np.quantile(ringing.attacks, (0.5, 0.75)).tolist()

    def signs(self, frame: int, row: int, current: int, begin: int, gaps: tuple[int, int]) -> tuple[float, ...]:
        """What speaks for a pitch that began at ``begin`` being struck at a frame, in the order of ``SIGNS``."""
        ringing = self.ringing
        line = ringing.amounts[:, row]
        before, after = _middle(line, frame, _JUST_BEFORE), _middle(line, frame, _JUST_AFTER)
        beside = _middle(ringing.amounts[:, current], frame, _JUST_AFTER)
        peak = _highest(ringing.attacks, _STEP * frame, _NEAR)
        flicker = (peak - self.middle) / max(_TINY, self.upper - self.middle)
        return (
            _log(peak / self.usual), _log(flicker), min(2.0, max(-2.0, _log(after / max(_TINY, before)))),
            _log(after / max(_TINY, float(line[begin : begin + _ATTACK].max(initial=0.0)))),
            *self._gains(frame, row), float(row == current), _log(after / max(_TINY, beside)),
            _log(after / ringing.scale), *self._surprises(frame, row, begin),
            _log(max(1, gaps[0])), _log(max(1, gaps[1])), self._as_late(frame, frame - begin),
        )  # fmt: skip

    def _as_late(self, frame: int, late: int) -> float:
        """How much begins as late after the other notes, where no note does: an echo comes after all of them."""
        places = self.starts + late
        alone = np.abs(places[:, None] - self.starts[None, :]).min(axis=1) >= _REST
        others = places[alone & (np.abs(places - frame) >= _REST) & (places < len(self.ringing.amounts))]
        if len(others) < _FEWEST_OTHERS:
            return 0.0
        begins = [_highest(self.ringing.attacks, _STEP * int(place), _NEAR) for place in others]
        return float(np.median(begins)) / self.usual

    def _gains(self, frame: int, row: int) -> tuple[float, float, float]:
        """By how much the partials gain, how many of them do, and what lies between them; loud ones count more."""
        head = self.ringing.levels(frame + _JUST_BEFORE.start, max(1, frame + _JUST_BEFORE.stop))
        tail = self.ringing.levels(frame + _RISEN.start, frame + _RISEN.stop)
        tail = tail if len(tail) else head
        bins = np.minimum(_bins(row, _SHORT), head.shape[1] - 2)
        after, gain = _gain(_around(head, bins), _around(tail, bins))
        weight = np.clip((after + _LOUD) / _LOUD, 0.0, 1.0)
        total = max(_TINY, float(weight.sum()))
        between = (bins[:-1] + bins[1:]) // 2 if len(bins) > 1 else bins
        return (
            float((weight * gain).sum()) / total,
            float((weight * (gain > _GAIN)).sum()) / total,
            float(_gain(head[:, between], tail[:, between])[1].mean()),
        )

    def _surprises(self, frame: int, row: int, begin: int) -> tuple[float, ...]:
        own, every = self.ringing.surprise(row), self.ringing.overall
        peak, among = _most(own, frame), _most(every, frame)
        steady = own[max(begin + _SETTLED, frame + _SINCE.start) : frame + _SINCE.stop]
        since = float(np.median(steady)) if len(steady) else _middle(own, frame, _SINCE)
        return (
            _log(peak), _log(peak / max(_TINY, since)), _log(peak / max(_TINY, _most(own, begin))),
            _log(peak / max(_TINY, _middle(own, frame, _LATER))), _log(among),
            _log(among / max(_TINY, _middle(every, frame, _SINCE))),
            _log(among / max(_TINY, _middle(every, frame, _LATER))),
        )  # fmt: skip


def _around(levels: Floats, bins: NDArray[np.int64]) -> Floats:
    """The highest level of each bin and its neighbours."""
    return np.maximum(np.maximum(levels[:, bins - 1], levels[:, bins]), levels[:, bins + 1])


def _gain(before: Floats, after: Floats) -> tuple[Floats, Floats]:
    """The highest levels of some frames, and by how much they exceed the middle of those before."""
    top = after.max(axis=0)
    return top, np.clip(top - np.median(before, axis=0), _FALL, _RISE)


def _most(values: Floats, frame: int) -> float:
    return float(values[max(0, frame + _BURST.start) : frame + _BURST.stop].max(initial=0.0))


def _highest(values: Floats, middle: int, reach: int) -> float:
    return float(values[max(0, middle - reach) : middle + reach + 1].max(initial=0.0))


def _middle(values: NDArray[np.floating], frame: int, around: slice) -> float:
    some = values[max(0, frame + around.start) : max(0, frame + around.stop)]
    return float(np.median(some)) if len(some) else 0.0


def _log(value: float) -> float:
    return float(np.log(max(_TINY, value)))


@lru_cache(maxsize=1)
def _network() -> dict[str, Floats]:
    data = json.loads(files("libretto.hearing").joinpath("striking.json").read_text(encoding="utf-8"))
    return {name: np.array(values, dtype=np.float64) for name, values in data.items()}


def chances(signs: Sequence[Sequence[float]]) -> Floats:
    """How likely each strike is one, 0 to 1."""
    net = _network()
    inner = np.clip((np.array(signs) - net["middle"]) / net["spread"], -_CLIP, _CLIP)
    hidden = np.tanh(inner @ net["first"] + net["offset"])
    return np.asarray(1 / (1 + np.exp(-(hidden @ net["second"] + net["last"]))))
