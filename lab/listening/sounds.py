"""Sounds for measuring that no soundfont makes: notes as sums of partials that decay, and what a chain does to them.

Every note is a sum of slightly stretched partials, each with its own decay, behind a short noise. What makes plucked,
struck and blown notes hard to hear is drawn by chance within ranges: where a string is plucked, how bright it is, how
long it rings on over the next note, how loud the noise of the hand is. ``TAUGHT`` are the ranges on which the ear was
built and its confidence taught; ``HELD`` are others, with other tone colours, for checking alone; ``LATER`` were
heard once, when the ear for strikes was done.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from libretto.hearing.audio import Clip
from libretto.score.table import Floats

__all__ = ["HELD", "LATER", "RATE", "TAUGHT", "Colour", "PlayedTone", "chained", "sounded"]

RATE = 22_050
_MOST_PARTIALS = 24
_LEAD = (0.0, 0.35)  # seconds of silence before the first note
_TAIL = 0.8  # seconds after the last
_A4, _A4_HERTZ = 69, 440.0


class PlayedTone(NamedTuple):
    """A note to be sounded: start and length in seconds, MIDI pitch, and how loud it is (0 to 1)."""

    start: float
    seconds: float
    pitch: float
    loud: float


class Colour(NamedTuple):
    """A kind of sound as ranges: tilt of the partials, decay (1/s) and its growth by partial, stretch, where a string
    is plucked (0: everywhere), attack in seconds, noise of the hand, ringing on (s), vibrato (cents), drive."""

    tilt: tuple[float, float]
    decay: tuple[float, float]
    damp: tuple[float, float]
    stretch: tuple[float, float]
    pluck: tuple[float, float]
    attack: tuple[float, float]
    noise: tuple[float, float]
    ring: tuple[float, float]
    vibrato: tuple[float, float]
    drive: tuple[float, float]


_TAUGHT = """
clean guitar    | 0.6 1.3 | 0.8 2.2 | 0.15 0.5 | 2e-05 9e-05 | 0.1 0.3 | 0.002 0.004 | 0.02 0.12 | 0 0.7 | 0 0 | 0 0
driven guitar   | 0.7 1.2 | 0.5 1.2 | 0.1 0.3 | 2e-05 9e-05 | 0.1 0.3 | 0.002 0.004 | 0.02 0.1 | 0 0.12 | 0 8 | 2 6
bass guitar     | 0.5 1.2 | 0.6 1.6 | 0.1 0.4 | 1e-05 6e-05 | 0.12 0.35 | 0.003 0.01 | 0.02 0.1 | 0 0.2 | 0 0 | 0 1
piano           | 0.9 1.6 | 0.7 1.8 | 0.1 0.4 | 0.0001 0.0006 | 0 0.12 | 0.001 0.004 | 0.01 0.06 | 0 0.5 | 0 0 | 0 0
nylon guitar    | 1.1 1.9 | 1.8 4 | 0.3 0.7 | 1e-05 5e-05 | 0.2 0.42 | 0.003 0.007 | 0.03 0.15 | 0.05 0.4 | 0 0 | 0 0
crunch guitar   | 0.6 1.1 | 0.6 1.5 | 0.1 0.3 | 2e-05 8e-05 | 0.06 0.2 | 0.002 0.005 | 0.02 0.12 | 0 0.2 | 0 12 | 3 9
picked bass     | 0.4 0.9 | 0.8 2 | 0.1 0.35 | 1e-05 6e-05 | 0.05 0.2 | 0.001 0.004 | 0.05 0.15 | 0 0.25 | 0 0 | 0 2
upright piano   | 0.7 1.3 | 1 2.6 | 0.15 0.5 | 0.0002 0.0009 | 0 0.1 | 0.001 0.004 | 0.02 0.1 | 0 0.6 | 0 0 | 0 0
electric piano  | 1.4 2.4 | 0.8 2 | 0.5 1.2 | 0 1e-05 | 0 0.05 | 0.001 0.004 | 0 0.03 | 0 0.4 | 0 6 | 0 1.5
reed            | 0.8 1.4 | 0 0.2 | 0 0.02 | 0 0 | 0 0 | 0.02 0.05 | 0 0.05 | 0 0.05 | 0 18 | 0 0
"""
_HELD = """
muted guitar    | 0.9 1.5 | 4 8 | 0.2 0.6 | 2e-05 8e-05 | 0.15 0.4 | 0.002 0.005 | 0.05 0.2 | 0 0.1 | 0 0 | 0 0
chorused guitar | 0.8 1.5 | 0.7 1.8 | 0.15 0.4 | 2e-05 9e-05 | 0.12 0.33 | 0.002 0.006 | 0.01 0.1 | 0 0.4 | 3 10 | 0 2
fretless bass   | 1 1.7 | 0.4 1.2 | 0.1 0.3 | 0 3e-05 | 0.15 0.4 | 0.01 0.03 | 0 0.05 | 0 0.15 | 0 15 | 0 1
harp            | 1 1.8 | 1.2 3 | 0.2 0.6 | 1e-05 8e-05 | 0.25 0.5 | 0.001 0.004 | 0.01 0.08 | 0.1 0.6 | 0 0 | 0 0
flute           | 1.6 2.6 | 0 0.1 | 0 0.02 | 0 0 | 0 0 | 0.03 0.06 | 0.02 0.08 | 0 0.05 | 5 20 | 0 0
celesta         | 1.8 3 | 1.5 3.5 | 0.5 1.5 | 0 0.0001 | 0 0.05 | 0.001 0.003 | 0 0.04 | 0 0.5 | 0 0 | 0 0
"""
_LATER = """
marimba         | 1.8 2.8 | 4 8 | 0.4 1.0 | 0 1e-05 | 0 0.05 | 0.001 0.003 | 0.01 0.08 | 0 0.4 | 0 0 | 0 0
harpsichord     | 0.3 0.8 | 1 2.5 | 0.1 0.3 | 1e-05 6e-05 | 0.1 0.2 | 0.001 0.002 | 0.03 0.15 | 0 0.15 | 0 0 | 0 0
baby grand      | 0.8 1.5 | 0.6 2 | 0.12 0.5 | 0.0001 0.0007 | 0.06 0.15 | 0.001 0.005 | 0.01 0.09 | 0 0.6 | 0 0 | 0 0
clarinet        | 0.9 1.6 | 0 0.15 | 0 0.02 | 0 0 | 0.5 0.5 | 0.02 0.05 | 0 0.06 | 0 0.05 | 0 12 | 0 0
steel guitar   | 0.6 1.2 | 0.6 1.6 | 0.15 0.45 | 2e-05 9e-05 | 0.08 0.25 | 0.001 0.004 | 0.02 0.15 | 0 0.6 | 0 4 | 0 0.5
jazz guitar     | 1.2 2.0 | 1 2.5 | 0.2 0.6 | 1e-05 6e-05 | 0.15 0.45 | 0.003 0.008 | 0.02 0.1 | 0 0.4 | 0 0 | 0 1.5
baritone guitar | 0.7 1.4 | 0.8 2 | 0.1 0.4 | 1e-05 8e-05 | 0.1 0.35 | 0.002 0.005 | 0.02 0.12 | 0 0.5 | 0 6 | 0 4
upright bass    | 0.9 1.8 | 1 2.5 | 0.2 0.6 | 0 5e-05 | 0.2 0.45 | 0.005 0.02 | 0.02 0.12 | 0 0.2 | 0 0 | 0 0
"""


def _colours(text: str) -> dict[str, Colour]:
    """Colours from a table: a name, then the two ends of each range."""
    rows = [line.split("|") for line in text.strip().splitlines()]
    return {
        name.strip(): Colour(*[(float(low), float(high)) for low, high in (cell.split() for cell in cells)])
        for name, *cells in rows
    }


TAUGHT, HELD, LATER = _colours(_TAUGHT), _colours(_HELD), _colours(_LATER)


def sounded(tones: Sequence[PlayedTone], colour: Colour, rng: Random) -> Clip:
    """Notes sounded in one colour, whose ranges chance settles once for all of them."""
    drawn = Colour(*[(value, value) for value in (rng.uniform(*ends) for ends in colour)])
    lead = rng.uniform(*_LEAD)
    end = max(tone.start + tone.seconds for tone in tones)
    sound = np.zeros(int((lead + end + _TAIL) * RATE))
    noise = np.random.default_rng(rng.randrange(1 << 30))
    for place, tone in enumerate(tones):
        following = tones[place + 1].start if place + 1 < len(tones) else end + _TAIL
        held = max(tone.seconds, following - tone.start) if rng.random() < 0.5 else tone.seconds
        note = _note(tone, held + drawn.ring[0] * rng.random(), drawn, rng, noise)
        at = int((lead + tone.start) * RATE)
        sound[at : at + len(note)] += note[: max(0, len(sound) - at)]
    sound /= max(1e-9, float(np.abs(sound).max()))
    if drawn.drive[0] > 0:
        sound = np.tanh(sound * (1 + drawn.drive[0]))
    return Clip((sound / max(1e-9, float(np.abs(sound).max()))).astype(np.float32), RATE)


def _note(tone: PlayedTone, held: float, colour: Colour, rng: Random, noise: np.random.Generator) -> Floats:
    """One note: partials that decay, let go over 40 ms, behind a noise of 15 ms."""
    seconds = held + 0.06
    at = np.arange(int(seconds * RATE)) / RATE
    hertz = _A4_HERTZ * 2 ** ((tone.pitch - _A4) / 12)
    bend = np.cumsum(2 ** (colour.vibrato[0] / 1200 * np.sin(2 * np.pi * 5.2 * at) * np.minimum(1, at / 0.3))) / RATE
    sound = np.zeros(len(at))
    for number in range(1, _MOST_PARTIALS + 1):
        partial = hertz * number * np.sqrt(1 + colour.stretch[0] * number**2)
        if partial > 0.45 * RATE:
            break
        level = number ** -colour.tilt[0] * (
            abs(np.sin(np.pi * number * colour.pluck[0])) + 0.03 if colour.pluck[0] > 0.02 else 1.0
        )
        rate = colour.decay[0] * (1 + colour.damp[0] * (number - 1)) * (hertz / 220) ** 0.35
        sound += level * np.exp(-rate * at) * np.sin(2 * np.pi * partial * bend + rng.uniform(0, 2 * np.pi))
    sound *= np.minimum(1, at / colour.attack[0]) * np.clip((held - at) / 0.04, 0, 1)
    hand = noise.standard_normal(len(at)) * np.exp(-at / 0.015) * colour.noise[0] * np.abs(sound).max(initial=0.0)
    return np.asarray((sound / max(1e-9, float(np.abs(sound).max(initial=0.0))) + hand) * tone.loud)


def chained(clip: Clip, rng: Random, noises: Sequence[float | None]) -> Clip:
    """A clip after a chain: perhaps an echo, perhaps a room, noise white or pink, a little out of tune."""
    sound = np.asarray(clip.samples, dtype=np.float64)
    if rng.random() < 0.3:  # an echo of a third to a half second
        late = int(rng.uniform(0.28, 0.5) * clip.rate)
        echo = np.zeros(len(sound))
        echo[late:] = sound[:-late] if late < len(sound) else 0.0
        sound = sound + rng.uniform(0.08, 0.3) * echo
    if rng.random() < 0.4:
        sound = _in_room(sound, clip.rate, rng.uniform(0.3, 1.2), rng.uniform(0.1, 0.35), rng.randrange(1 << 30))
    cents = rng.uniform(-25, 25)
    places = np.arange(int(len(sound) * 2 ** (-cents / 1200))) * 2 ** (cents / 1200)
    sound = np.interp(places, np.arange(len(sound)), sound)
    below = rng.choice(list(noises))
    if below is not None:
        sound = sound + _hiss(len(sound), rng) * np.sqrt(np.mean(sound**2)) * 10 ** (-below / 20)
    return Clip((0.9 * sound / max(1e-9, float(np.abs(sound).max()))).astype(np.float32), clip.rate)


def _in_room(sound: Floats, rate: int, seconds: float, part: float, seed: int) -> Floats:
    at = np.arange(int(seconds * rate)) / rate
    room = np.random.default_rng(seed).standard_normal(len(at)) * 10 ** (-3 * at / seconds)
    size = 1 << (len(sound) + len(room)).bit_length()
    rung = np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(room / np.sqrt((room**2).sum()), size), size)
    return np.asarray(sound + part * rung[: len(sound)])


def _hiss(count: int, rng: Random) -> Floats:
    noise = np.random.default_rng(rng.randrange(1 << 30)).standard_normal(count)
    if rng.random() < 0.5:
        spectrum = np.fft.rfft(noise)
        noise = np.fft.irfft(spectrum / np.sqrt(np.arange(1, len(spectrum) + 1)), count)
    return np.asarray(noise / np.sqrt(np.mean(noise**2)))
