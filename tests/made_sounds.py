"""Sounds for the ears, made of sines and noise: a voice that scoops and wavers, plucked tones, and a small drum kit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.hearing.audio import Clip

RATE = 16_000


def voice(notes: Sequence[tuple[float, float, int]], *, vibrato: float = 0.5, scoop: float = 1.5) -> Clip:
    """Notes (start, stop, pitch) as a voice sings them: a scoop into each, vibrato of 5.5 Hz, a little breath."""
    count = int((notes[-1][1] + 0.3) * RATE)
    time = np.arange(count) / RATE
    pitch, loud = np.full(count, float(notes[0][2])), np.zeros(count)
    for start, stop, key in notes:
        since = time - start
        inside = since >= 0
        line = key - scoop * np.clip(1 - since / 0.09, 0, 1)
        line += vibrato * np.clip((since - 0.2) / 0.2, 0, 1) * np.sin(2 * np.pi * 5.5 * since)
        pitch[inside] = line[inside]
        shape = np.clip(since / 0.03, 0, 1) * np.clip((stop - time) / 0.05, 0, 1)
        loud = np.where((time >= start) & (time < stop), shape, loud)
    phase = 2 * np.pi * np.cumsum(440 * 2 ** ((pitch - 69) / 12)) / RATE
    sound = loud * sum(np.sin(n * phase) / n**1.3 for n in range(1, 12)) / 3
    sound = sound + 0.003 * np.random.default_rng(0).standard_normal(count)
    return Clip(sound.astype(np.float32), RATE)


def plucked(notes: Sequence[tuple[float, float, int]]) -> Clip:
    """Notes (start, stop, pitch) as strings are plucked: many may sound at once."""
    count = int((max(stop for _, stop, _ in notes) + 0.5) * RATE)
    sound = np.zeros(count)
    for start, stop, key in notes:
        first = int(start * RATE)
        time = np.arange(min(count - first, int((stop - start + 0.2) * RATE))) / RATE
        hertz = 440 * 2 ** ((key - 69) / 12)
        tone = sum(np.exp(-time * (1.5 + n)) * np.sin(2 * np.pi * n * hertz * time) / n for n in range(1, 10))
        sound[first : first + len(time)] += tone * np.minimum(1, time / 0.004)
    return Clip((sound / np.abs(sound).max() * 0.8).astype(np.float32), RATE)


def kit(strokes: Sequence[tuple[float, int]]) -> Clip:
    """Strokes (second, 36 kick, 38 snare or 42 hat) as a plain kit sounds."""
    dice = np.random.default_rng(1)
    count = int((max(at for at, _ in strokes) + 0.8) * RATE)
    sound = np.zeros(count)
    time = np.arange(RATE // 2) / RATE
    for at, drum in strokes:
        hiss = np.diff(dice.standard_normal(len(time)), prepend=0.0)
        if drum == 36:
            hertz = 50 + 90 * np.exp(-time / 0.03)
            piece = np.sin(2 * np.pi * np.cumsum(hertz) / RATE) * np.exp(-time / 0.12)
        elif drum == 38:
            body = np.sin(2 * np.pi * 195 * time) * np.exp(-time / 0.08)
            piece = 0.7 * body + 0.35 * dice.standard_normal(len(time)) * np.exp(-time / 0.1)
        else:
            piece = 0.25 * np.diff(hiss, prepend=0.0) * np.exp(-time / 0.03)
        first = int(at * RATE)
        piece = piece * np.clip((0.5 - time) / 0.1, 0, 1)
        sound[first : first + len(piece)] += piece[: count - first]
    return Clip((sound / np.abs(sound).max() * 0.8).astype(np.float32), RATE)
