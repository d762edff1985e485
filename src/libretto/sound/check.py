"""Whether a soundfont can be trusted: single notes are played, and the pitch that sounds is compared with the key.

The pitch is the period at which the sound repeats (the first high peak of its autocorrelation), so that overtones that
are stronger than their fundamental do not mislead.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.errors import FormatError
from libretto.score.general_midi import DRUM_KEYS, PROGRAMS
from libretto.score.pitch import pitch_name
from libretto.score.table import Floats
from libretto.sound.sf2 import PERCUSSION_BANK, Font, prepared, read_font
from libretto.sound.synth import (
    ALL_SOUND_OFF,
    BLOCK,
    DRUM_CHANNEL,
    RATE,
    REVERB,
    Event,
    control,
    note_off,
    note_on,
    play,
    program_change,
)

__all__ = ["check_soundfont", "pitch_heard"]

#: Instruments whose pitch is plain, each with keys that it plays in music.
_ASKED = (
    (0, (36, 60, 69, 84)), (11, (65, 77)), (24, (40, 57, 64)), (32, (33, 45)), (33, (28, 43)), (40, (57, 69, 81)),
    (42, (38, 50)), (48, (55, 72)), (56, (58, 70)), (60, (53, 65)), (65, (56, 64, 72)), (71, (52, 67)),
    (73, (62, 74, 86)), (80, (60, 72)),
)  # fmt: skip
_DRUMS = (36, 38, 42, 49)
_FIFTH, _FLATS = 7, 3
_VELOCITY = 100
_NAMED = 4  # missing instruments that are named
_SLOT, _HELD = 700, 400  # blocks: the rest lets each note die away
_LISTEN = slice(int(0.12 * RATE), int(0.5 * RATE))
_TOLERANCE = 0.45  #: semitones: half-way to the next key would be another note
_SILENT = 40.0  # of 32768
_LOWEST, _HIGHEST = 20.0, 2500.0  # Hz between which a pitch is looked for
_SHORTEST = 0.1  # seconds of sound in which a pitch is heard
_REPEATS, _AS_GOOD = 0.5, 0.9  # how like itself a sound with a pitch is, and which peak counts beside the highest
_A4, _A4_HERTZ = 69, 440.0
_TINY = 1e-9  # power that is none


def check_soundfont(path: str | os.PathLike[str]) -> list[str]:
    """What is wrong with a soundfont, one line a fault: unreadable, missing instruments, silent or wrong notes."""
    try:
        font = read_font(Path(path))
        return [*_missing(font), *_misheard(font)]
    except FormatError as error:
        return [str(error)]


def _missing(font: Font) -> list[str]:
    """Presets that a General MIDI font has and this one has not."""
    presets = font.presets
    absent = [name for program, name in enumerate(PROGRAMS) if (0, program) not in presets]
    problems = []
    if absent:
        shown = ", ".join(absent[:_NAMED]) + (f" and {len(absent) - _NAMED} more" if len(absent) > _NAMED else "")
        problems.append(f"{len(absent)} of the {len(PROGRAMS)} instruments are missing: {shown}")
    if not any(bank == PERCUSSION_BANK for bank, _ in presets):
        problems.append(f"there is no drum kit (bank {PERCUSSION_BANK})")
    return problems


def _misheard(font: Font) -> list[str]:
    """Notes that are silent, or sound at another pitch than the one that is written."""
    asked = [(program, key) for program, keys in _ASKED if (0, program) in font.presets for key in keys]
    data = prepared(font, {(0, program): keys for program, keys in _ASKED})
    drums = [(DRUM_CHANNEL, 0, key) for key in _DRUMS]
    heard = _slots(data, [*((0, program, key) for program, key in asked), *drums])
    problems = []
    for (program, key), sound in zip(asked, heard, strict=False):
        problem = _problem(key, sound)
        if problem:
            problems.append(f"{PROGRAMS[program]} at {pitch_name(key, _plain_fifths(key))} {problem}")
    silent = [DRUM_KEYS[key] for key, sound in zip(_DRUMS, heard[len(asked) :], strict=True) if _level(sound) < _SILENT]
    return [*problems, *(f"the {drum} of the drum kit is silent" for drum in silent)]


def _plain_fifths(key: int) -> int:
    """The plain spelling of a key as a place on the line of fifths: from three flats to eight sharps of C."""
    return (_FIFTH * key + _FLATS) % 12 - _FLATS


def _problem(key: int, sound: NDArray[Any]) -> str:
    """What is wrong with the sound of a key; empty where nothing is."""
    pitch = pitch_heard(sound[_LISTEN], RATE)
    if _level(sound) < _SILENT:
        return "is silent"
    if pitch is None:
        return "has no clear pitch"
    if abs(pitch - key) > _TOLERANCE:
        return f"sounds {abs(pitch - key):.1f} semitones too {'high' if pitch > key else 'low'}"
    return ""


def _slots(font: bytes, places: list[tuple[int, int, int]]) -> list[NDArray[Any]]:
    """The sound of each (channel, program, key) alone, in mono."""
    events = []
    for slot, (channel, program, key) in enumerate(places):
        start = slot * _SLOT
        messages = (
            (start, control(channel, ALL_SOUND_OFF, 0)),
            (start, control(channel, REVERB, 0)),
            (start, program_change(channel, program)),
            (start + 1, note_on(channel, key, _VELOCITY)),
            (start + _HELD, note_off(channel, key)),
        )
        events += [Event(block, rank, message) for rank, (block, message) in enumerate(messages)]
    sound = play(font, events, len(places) * _SLOT).mean(axis=1)
    return [sound[slot * _SLOT * BLOCK : (slot + 1) * _SLOT * BLOCK] for slot in range(len(places))]


def _level(sound: NDArray[Any]) -> float:
    return float(np.sqrt(np.mean(sound**2))) if len(sound) else 0.0


def pitch_heard(sound: NDArray[Any], rate: int) -> float | None:
    """The pitch of a single steady note as a MIDI number with fractions; None where nothing repeats."""
    sound = sound - sound.mean() if len(sound) else sound
    if len(sound) < int(_SHORTEST * rate) or not sound.any():
        return None
    reach = min(len(sound) // 2, int(rate / _LOWEST))
    likeness = _likeness(sound, reach)
    down = np.flatnonzero(likeness < 0)
    start = max(int(down[0]) if len(down) else reach, int(rate / _HIGHEST))
    inside = likeness[start + 1 : -1]
    tops = (inside >= likeness[start:-2]) & (inside > likeness[start + 2 :])
    peaks = start + 1 + np.flatnonzero(tops & (inside >= _REPEATS))
    if not len(peaks):
        return None
    period = _between(likeness, int(peaks[np.argmax(likeness[peaks] >= _AS_GOOD * likeness[peaks].max())]))
    return float(_A4 + 12 * np.log2(rate / period / _A4_HERTZ))


def _likeness(sound: NDArray[Any], reach: int) -> Floats:
    """How like itself a sound is when shifted by each number of samples, from -1 to 1."""
    size = 1 << (2 * len(sound) - 1).bit_length()
    spectrum = np.fft.rfft(sound, size)
    products = np.fft.irfft(np.abs(spectrum) ** 2, size)[:reach]
    power = np.concatenate(([0.0], np.cumsum(sound.astype(np.float64) ** 2)))
    shifts = np.arange(reach)
    both = power[len(sound) - shifts] + power[-1] - power[shifts]
    return np.asarray(2 * products / np.maximum(both, _TINY))


def _between(values: Floats, peak: int) -> float:
    """Where the parabola through a peak and its neighbours is highest."""
    before, at, after = values[peak - 1], values[peak], values[peak + 1]
    bend = before - 2 * at + after
    return float(peak + (0.5 * (before - after) / bend if bend else 0.0))
