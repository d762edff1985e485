"""A voice that hums or sings: partials shaped by formants, glides and scoops into notes, vibrato, drift and breath."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lab.hearing.material import Played
from libretto.score.table import Floats, Singles

__all__ = ["sung"]

_VOWELS = (  # frequencies of three formants in Hz: a, e, i, o, u, and a hum with the mouth closed
    (730, 1090, 2440), (530, 1840, 2480), (270, 2290, 3010), (570, 840, 2410), (300, 870, 2240), (250, 1100, 2200),
)  # fmt: skip
_WIDTHS, _HEIGHTS = (90, 110, 170), (1.0, 0.5, 0.25)


def sung(notes: Sequence[Played], rate: int, dice: np.random.Generator) -> Singles:
    """The notes of a line as a voice sings them; the truth of an onset is where its note is due."""
    last = max(note.stop for note in notes)
    count = int((last + 0.4) * rate)
    pitch, loud = _contours(notes, count, rate, dice)
    hertz = 440 * 2 ** ((pitch - 69) / 12)
    phase = 2 * np.pi * np.cumsum(hertz) / rate
    vowel = _VOWELS[int(dice.integers(len(_VOWELS)))]
    tilt = dice.uniform(1.0, 2.0)
    sound = np.zeros(count)
    for number in range(1, 33):
        part = number * hertz
        weight = number**-tilt * (0.08 + _formants(part, vowel)) * (part < 0.45 * rate)
        if not weight.any():
            break
        sound += weight * np.sin(number * phase)
    sound *= loud / max(1e-9, float(np.abs(sound).max()))
    breath = np.convolve(dice.standard_normal(count), np.array([0.5, 0.3, 0.2]), "same")
    level = dice.uniform(0.01, 0.04)
    return np.asarray(sound + level * breath * (0.15 + loud), dtype=np.float32)


def _formants(hertz: Floats, vowel: Sequence[int]) -> Floats:
    pairs = zip(vowel, _WIDTHS, _HEIGHTS, strict=True)
    return np.asarray(sum(height / (1 + ((hertz - at) / (2 * width)) ** 2) for at, width, height in pairs))


def _contours(notes: Sequence[Played], count: int, rate: int, dice: np.random.Generator) -> tuple[Floats, Floats]:
    """Pitch (MIDI, with fractions) and loudness of every sample."""
    time = np.arange(count) / rate
    pitch = np.full(count, float(notes[0].pitch))
    loud = np.zeros(count)
    tuning = dice.uniform(-0.2, 0.2)
    speed, depth = dice.uniform(5.0, 6.0), dice.uniform(0.2, 0.5)
    humming = dice.random() < 0.5  # legato, with dips only where a pitch comes again
    before: Played | None = None
    for note in notes:
        first, stop = int(note.start * rate), min(count, int(note.stop * rate))
        inside = slice(first, count)
        since = time[inside] - note.start
        aim = note.pitch + tuning + dice.normal(0, 0.06)
        line = np.full(count - first, aim)
        joined = before is not None and note.start - before.stop < 0.06
        if joined and before is not None and before.pitch != note.pitch and humming:
            glide = min(dice.uniform(0.04, 0.12), (note.stop - note.start) / 2)
            where = np.clip((since + glide / 2) / glide, 0, 1)
            line -= (aim - pitch[max(0, first - 1)]) * (1 - (1 - np.cos(np.pi * where)) / 2)
        elif dice.random() < 0.5:
            scoop = min(dice.uniform(0.05, 0.15), (note.stop - note.start) / 3)
            line -= dice.uniform(0.8, 2.0) * np.clip(1 - since / scoop, 0, 1) ** 1.5
        swell = np.clip((since - 0.2) / 0.25, 0, 1)
        line += depth * swell * np.sin(2 * np.pi * speed * since)
        pitch[inside] = line
        strong = dice.uniform(0.6, 1.0)
        soft = joined and humming and before is not None and before.pitch != note.pitch
        length = stop - first
        rise = max(2, int(dice.uniform(0.02, 0.05) * rate))
        fall = max(2, int(min(0.06, (note.stop - note.start) / 4) * rate))
        shape = np.ones(length)
        if not soft:
            shape[:rise] = np.linspace(0.05, 1, rise)[:length]
        shape[-fall:] *= np.linspace(1, 0.6 if humming else 0.15, min(fall, length))
        loud[first:stop] = strong * shape
        tail = min(count, stop + int(0.05 * rate))
        loud[stop:tail] = strong * shape[-1] * np.linspace(1, 0, tail - stop) if tail > stop else 0
        before = note
    slow = np.convolve(dice.standard_normal(count // 1000 + 8), np.ones(8) / 8, "same")
    pitch += 0.12 * np.interp(time, np.arange(len(slow)) * 1000 / rate, slow)
    smooth = int(0.008 * rate)
    return pitch, np.convolve(loud, np.ones(smooth) / smooth, "same")
