"""Notes as sound: by soundfonts, by sums of sines of our own, or by a voice; then a room, and noise."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np

from lab.hearing.material import Played, Stretch
from lab.hearing.voice import sung
from libretto.score import Key, Note, Score, Voice
from libretto.score.keys import spell, spell_drums
from libretto.score.table import Floats, Singles
from libretto.score.time import QUARTER, micros_of_bpm
from libretto.sound.audio import mixed
from libretto.sound.perform import Performance

__all__ = ["RATE", "by_font", "in_room", "pink", "sounded"]

RATE = 22_050
_BPM = 120.0
_TICKS_A_SECOND = QUARTER * 2
_ROOM_SECONDS = (0.2, 0.9)
_NOISES = (None, 40.0, 30.0, 24.0)  # decibels below the music
_ADDITIVE = 0.2  # of the tuned clips are sums of sines


def sounded(stretch: Stretch, fonts: Sequence[Path], dice: Random) -> tuple[Singles, str]:
    """The sound of a stretch at 22,050 Hz, and in words how it was made."""
    numbers = np.random.default_rng(dice.randrange(1 << 32))
    if stretch.kind == "hum":
        sound, by = sung(stretch.notes, RATE, numbers), "voice"
    elif stretch.kind in ("line", "piano", "duo") and dice.random() < _ADDITIVE:
        sound, by = _sines(stretch.notes, numbers), "sines"
    else:
        font = dice.choice(list(fonts))
        sound, by = by_font(stretch.notes, font), font.stem
    room = dice.choice((0.0, 0.0, 0.15, 0.3))
    if room:
        sound = in_room(sound, room, dice.uniform(*_ROOM_SECONDS), numbers)
    noise = dice.choice(_NOISES)
    if noise is not None:
        level = float(np.sqrt(np.mean(sound**2))) * 10 ** (-noise / 20)
        sound = np.asarray(sound + level * pink(len(sound), numbers), dtype=np.float32)
    loudest = max(1e-9, float(np.abs(sound).max()))
    return np.asarray(sound / loudest * 0.8, dtype=np.float32), f"{by}, room {room:g}, noise {noise or 0:g}"


def by_font(notes: Sequence[Played], font: Path) -> Singles:
    """The notes as a soundfont plays them, and what rings on for a moment."""
    voices = []
    for program, drum in sorted({(note.program, note.drum) for note in notes}):
        mine = [
            Note(
                round(note.start * _TICKS_A_SECOND), max(1, round((note.stop - note.start) * _TICKS_A_SECOND)),
                note.pitch, note.velocity, _named(note),
            )
            for note in notes if (note.program, note.drum) == (program, drum)
        ]  # fmt: skip
        voices.append(Voice.of(f"v{program}{'d' if drum else ''}", mine, program=program, drums=drum))
    score = Score.build(voices, tempos=((0, micros_of_bpm(_BPM)),))
    sound = mixed(Performance.exact(score), font, RATE).mean(axis=1)
    end = int((max(note.stop for note in notes) + 0.8) * RATE)
    return np.asarray(sound[:end], dtype=np.float32)


def _named(note: Played) -> int:
    """A name for a pitch, which a Score wants and a sound does not need."""
    pitches = np.array([note.pitch])
    return int((spell_drums(pitches) if note.drum else spell(pitches, Key.parse("C major")))[0])


def _sines(notes: Sequence[Played], dice: np.random.Generator) -> Singles:
    """Sums of sines: plucked tones decay, blown ones are held; a little out of step with whole numbers."""
    count = int((max(note.stop for note in notes) + 0.8) * RATE)
    sound = np.zeros(count)
    tilts = {program: dice.uniform(0.8, 1.8) for program in sorted({note.program for note in notes})}
    for note in notes:
        held = note.program not in (0, 24, 25)
        first, length = int(note.start * RATE), int((note.stop - note.start + 0.15) * RATE)
        time = np.arange(min(length, count - first)) / RATE
        hertz = 440 * 2 ** ((note.pitch - 69) / 12)
        tone = np.zeros(len(time))
        for number in range(1, 16):
            part = number * hertz * (1 if held else np.sqrt(1 + 2e-4 * number**2))
            if part > 0.45 * RATE:
                break
            decay = np.ones(len(time)) if held else np.exp(-time * (1.2 + 0.5 * number))
            tone += number ** -tilts[note.program] * decay * np.sin(2 * np.pi * part * time + dice.uniform(0, 6.28))
        shape = np.minimum(1, time / (0.025 if held else 0.004)) * np.clip((time[-1] - time) / 0.12, 0, 1)
        sound[first : first + len(time)] += note.velocity / 127 * tone * shape
    return np.asarray(sound, dtype=np.float32)


def in_room(sound: Singles, wet: float, seconds: float, dice: np.random.Generator) -> Singles:
    """The sound with its echo in a room: how loud beside it, and for how many seconds."""
    tail = dice.standard_normal(int(seconds * RATE)) * np.exp(-6.9 * np.arange(int(seconds * RATE)) / (seconds * RATE))
    tail = np.convolve(tail, np.ones(3) / 3, "same")
    tail /= np.sqrt((tail**2).sum())
    size = 1 << int(np.ceil(np.log2(len(sound) + len(tail))))
    echo = np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(tail, size), size)[: len(sound)]
    return np.asarray(sound + wet * echo, dtype=np.float32)


def pink(count: int, dice: np.random.Generator) -> Floats:
    """Noise that falls off towards the treble, of power one."""
    spectrum = np.fft.rfft(dice.standard_normal(count))
    spectrum /= np.sqrt(np.maximum(1.0, np.arange(len(spectrum)) * 20 / len(spectrum)))
    noise = np.fft.irfft(spectrum, count)
    return np.asarray(noise / np.sqrt(np.mean(noise**2)))
