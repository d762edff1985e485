"""What the networks of the ear see: levels of bands that are even to the ear, and of thirds of semitones.

For drums a frame of 46 ms every 10 ms is seen in 64 bands. For notes every 11.6 ms is seen twice, in 346 thirds of
semitones from A0 upwards: once in long spectra, which tell pitches apart, once in short ones, which tell when; low
pitches are seen in longer spectra than high ones. The matrices are made here once and used in teaching as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from libretto.hearing.audio import Clip, at_rate

__all__ = [
    "AROUND_KEYS", "DRUM_HOP", "DRUM_SIZE", "FEWEST_BANDS", "KEYS", "NEAR_KEYS", "NOTE_HOP", "NOTE_SIZES", "RATE",
    "SEEN", "drum_bands", "drum_levels", "filled", "heard_sound", "note_bands", "note_levels", "places_of_keys",
]  # fmt: skip

Singles = NDArray[np.float32]

RATE = 22_050  #: samples a second
DRUM_SIZE, DRUM_HOP = 1024, 220  #: samples of a spectrum of drums, and from one to the next
NOTE_HOP = 256  #: samples from one frame of notes to the next
_DRUM_BANDS, _DRUM_LOW, _DRUM_HIGH = 64, 30.0, 11_000.0
_DRUM_FLOOR, _DRUM_MIDDLE, _DRUM_SCALE = 1e-9, 50.0, 20.0  # power; decibels below full that are zero; decibels to one
_HOLDS = 0.93  # of half its rate: up to there a recording holds what sounds
_LOUDEST, _EMPTY = 0.995, -1.5  # the part of all frames that are softer than a band's loudest, and a level that is none
_TOP_BANDS, _SOFTER = 6, 0.2  # the bands that stand for those above them, and by how much these are softer
FEWEST_BANDS = 40  #: where fewer bands sound, those above them are silent
_LOWEST, SEEN = 21 - 1 / 3, 346  #: pitch of the first third of a semitone, and how many there are
#: Samples of the spectra in which notes are seen, and up to which pitch each is used: long ones, then short ones.
NOTE_SIZES: tuple[tuple[tuple[int, float], ...], ...] = (
    ((8192, 57.0), (4096, 81.0), (2048, 999.0)),
    ((2048, 81.0), (1024, 999.0)),
)
KEYS = 88  #: keys of a piano
_PARTIALS = (0.5, 1, 2, 3, 4, 5, 6, 7, 8, 10)  # times the frequency of a key at which it looks
_BESIDE = (-2, -1, 0, 1, 2)  # thirds of semitones around each of them
AROUND_KEYS = (-24, -19, -12, -2, -1, 0, 1, 2, 12, 19, 24)  #: steps to the keys that share partials, and to neighbours
NEAR_KEYS = (-12, -1, 0, 1, 12)  #: steps to the keys that are compared last
_NOTE_FLOOR, _NOTE_MIDDLE, _NOTE_SCALE = 1e-8, 80.0, 40.0
_FRAMES_AT_ONCE = 256


def heard_sound(clip: Clip) -> Singles:
    """A clip at 22,050 Hz, its loudest sample at one; nothing where it is silent."""
    if clip.silent:
        return np.zeros(0, dtype=np.float32)
    sound = at_rate(clip, RATE)
    return np.asarray(sound / np.abs(sound).max(), dtype=np.float32)


def _mel(hertz: NDArray[np.float64] | float) -> NDArray[np.float64]:
    return np.asarray(2595 * np.log10(1 + np.asarray(hertz) / 700))


@lru_cache(maxsize=1)
def drum_bands() -> Singles:
    """How much each frequency of a spectrum counts in each band: triangles that overlap by half."""
    edges = _edges()
    at = np.fft.rfftfreq(DRUM_SIZE, 1 / RATE)[:, None]
    low, middle, high = edges[:-2], edges[1:-1], edges[2:]
    width = RATE / DRUM_SIZE
    rising = (at - np.minimum(low, middle - width)) / np.maximum(middle - low, width)
    falling = (np.maximum(high, middle + width) - at) / np.maximum(high - middle, width)
    return np.asarray(np.maximum(0, np.minimum(rising, falling)), dtype=np.float32)


@lru_cache(maxsize=8)
def note_bands(size: int, above: float, below: float) -> Singles:
    """How much each frequency of a spectrum counts in each third of a semitone between two pitches; else nothing."""
    pitches = _LOWEST + np.arange(SEEN) / 3
    hertz = 440 * 2 ** ((pitches - 69) / 12)
    at = np.fft.rfftfreq(size, 1 / RATE)[:, None]
    width = np.maximum(hertz * (2 ** (1 / 36) - 1), RATE / size)
    bands = np.maximum(0, 1 - np.abs(at - hertz) / width)
    return np.asarray(bands * ((pitches >= above) & (pitches < below)), dtype=np.float32)


def _powers(sound: Singles, size: int, hop: int, first: int, last: int) -> Singles:
    """Power spectra of frames, each around its moment; a sine at full scale has a power of one."""
    window = np.hanning(size + 1)[:-1].astype(np.float32)
    begin = first * hop - size // 2
    piece = sound[max(0, begin) : max(0, last * hop + size)]
    padded = np.pad(piece, (max(0, -begin), (last - first) * hop + size))
    frames = np.lib.stride_tricks.sliding_window_view(padded, size)[: (last - first) * hop : hop]
    spectra = np.fft.rfft(frames * window, axis=1) * np.float32(2 / window.sum())
    return np.asarray(spectra.real**2 + spectra.imag**2, dtype=np.float32)


def _scaled(powers: Singles, floor: float, middle: float, scale: float) -> Singles:
    return np.asarray((10 * np.log10(powers + np.float32(floor)) + middle) / scale, dtype=np.float32)


def drum_levels(sound: Singles, highest: float = RATE / 2) -> Singles:
    """The levels of all bands in every frame of a recording at 22,050 Hz whose loudest sample is one.

    Bands above ``highest`` (Hz), and those above which nothing ever sounds, are taken to be nearly as loud as the
    highest bands below: what a recording at a lower rate cannot hold is not taken for silence.
    """
    count = len(sound) // DRUM_HOP + 1
    parts = [
        _powers(sound, DRUM_SIZE, DRUM_HOP, first, min(count, first + _FRAMES_AT_ONCE)) @ drum_bands()
        for first in range(0, count, _FRAMES_AT_ONCE)
    ]
    levels = _scaled(np.concatenate(parts), _DRUM_FLOOR, _DRUM_MIDDLE, _DRUM_SCALE)
    there = (_middles() < _HOLDS * highest) & (np.quantile(levels, _LOUDEST, axis=0) > _EMPTY)
    count = int(np.flatnonzero(there)[-1]) + 1 if there.any() else 0
    return levels if count < FEWEST_BANDS else filled(levels, count)


def filled(levels: Singles, count: int) -> Singles:
    """Levels of which only so many bands were held: the others are nearly as loud as the highest of these."""
    top = levels[:, max(0, count - _TOP_BANDS) : count].mean(axis=1, keepdims=True) - np.float32(_SOFTER)
    return np.concatenate((levels[:, :count], np.repeat(top, levels.shape[1] - count, axis=1)), axis=1)


def _middles() -> NDArray[np.float64]:
    """The middle of every band, in Hz."""
    return np.asarray(_edges()[1:-1])


def _edges() -> NDArray[np.float64]:
    return np.asarray(700 * (10 ** (np.linspace(_mel(_DRUM_LOW), _mel(_DRUM_HIGH), _DRUM_BANDS + 2) / 2595) - 1))


def note_levels(sound: Singles, first: int, last: int) -> Singles:
    """The levels of thirds of semitones in some frames of a recording: frames, long and short, thirds."""
    levels = np.empty((last - first, len(NOTE_SIZES), SEEN), dtype=np.float32)
    for begin in range(first, last, _FRAMES_AT_ONCE):
        end = min(last, begin + _FRAMES_AT_ONCE)
        for view, sizes in enumerate(NOTE_SIZES):
            seen = _scaled(_seen(sound, sizes, begin, end), _NOTE_FLOOR, _NOTE_MIDDLE, _NOTE_SCALE)
            levels[begin - first : end - first, view] = np.maximum(0, seen)
    return levels


def _seen(sound: Singles, sizes: Sequence[tuple[int, float]], first: int, last: int) -> Singles:
    above, total = 0.0, np.zeros((last - first, SEEN), dtype=np.float32)
    for size, below in sizes:
        bands = note_bands(size, above, below)
        lines, thirds = _used(bands, 1), _used(bands, 0)
        total[:, thirds] += _powers(sound, size, NOTE_HOP, first, last)[:, lines] @ bands[lines, thirds]
        above = below
    return total


def _used(bands: Singles, axis: int) -> slice:
    """From the first to the last row or column that is not empty."""
    there = np.flatnonzero(bands.any(axis=axis))
    return slice(int(there[0]), int(there[-1]) + 1)


@lru_cache(maxsize=1)
def places_of_keys() -> NDArray[np.int64]:
    """For every key where its partials lie among the thirds of semitones, counted from one; 0 stands for outside."""
    keys = 3 * np.arange(KEYS)[:, None, None] + 1  # the first third lies below the first key
    shifts = np.round(36 * np.log2(np.array(_PARTIALS)))[None, :, None].astype(np.int64)
    places = keys + shifts + np.array(_BESIDE)[None, None, :] + 1
    return np.where((places < 1) | (places > SEEN), 0, places).reshape(KEYS, -1)
