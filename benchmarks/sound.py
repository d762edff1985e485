"""Speed of sound on one core: seconds of music for each second of work, and what each step takes.

    python benchmarks/sound.py [FILE...]

Without files, a piece of eight voices is made up; with files, each is read and rendered.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_threads] = "1"  # one core, also inside numpy

from libretto.formats import read
from libretto.score import QUARTER, Note, Score, Voice
from libretto.sound import KINDS, check_soundfont, find_soundfont, samples_of
from libretto.sound import audio as audio_module
from libretto.sound.encode import encoded

LEAST = 20.0
STEPS = {"play": "the synthesiser", "loudnesses": "weighing", "add_room": "the room", "resampled": "resampling"}


def eight_voices(bars: int = 32) -> Score:
    """Drums, bass, piano chords, arpeggios, strings, a tune, its echo and a pad: a minute of ordinary texture."""
    roots = ("C", "A", "F", "G")
    chords = (("C4", "E4", "G4"), ("C4", "E4", "A4"), ("C4", "F4", "A4"), ("B3", "D4", "G4"))
    parts: dict[str, list[Note]] = {
        name: [] for name in ("DRUMS", "BASS", "PIANO", "HARP", "STRINGS", "TUNE", "ECHO", "PAD")
    }
    for bar in range(bars):
        start, chord, root = bar * 4 * QUARTER, chords[bar % 4], roots[bar % 4]
        for eighth in range(8):
            at, half = start + eighth * QUARTER // 2, QUARTER // 2
            parts["DRUMS"].append(Note.named("F#2", at, half // 2, 70))
            parts["HARP"].append(Note.named(chord[eighth % 3], at, half, 64))
            parts["TUNE"].append(Note.named(chord[(eighth * 2) % 3].replace("4", "5"), at, half, 90))
            if eighth % 2 == 0:
                parts["BASS"].append(Note.named(f"{root}2", at, QUARTER, 88))
                parts["DRUMS"].append(Note.named("D2" if eighth % 4 else "C2", at, half // 2, 96))
            if eighth % 4 == 2:
                parts["PIANO"] += [Note.named(name, at, QUARTER, 70) for name in chord]
                parts["ECHO"].append(Note.named(chord[0], at, QUARTER, 60))
        for name in ("STRINGS", "PAD"):
            parts[name] += [Note.named(pitch, start, 4 * QUARTER, 60) for pitch in chord[: 2 if name == "PAD" else 3]]
    programs = {"BASS": 33, "PIANO": 0, "HARP": 46, "STRINGS": 48, "TUNE": 73, "ECHO": 11, "PAD": 89}
    return Score.build([Voice.of(name, notes, programs.get(name), name == "DRUMS") for name, notes in parts.items()])


def timed(name: str, work: Callable[..., Any], spent: dict[str, float]) -> Callable[..., Any]:
    """The same function, which notes the processor time that it takes."""

    def run(*given: Any, **named: Any) -> Any:
        start = time.process_time()
        try:
            return work(*given, **named)
        finally:
            spent[name] = spent.get(name, 0.0) + time.process_time() - start

    return run


def report(title: str, score: Score) -> float:
    spent: dict[str, float] = {}
    for name in STEPS:
        setattr(audio_module, name, timed(name, getattr(audio_module, name), spent))
    start = time.process_time()
    sound, rate = samples_of(score)
    total = time.process_time() - start
    lasts = len(sound) / rate
    print(f"{title}: {len(score.voices)} voices, {len(score.table):,} notes, {lasts:.0f} s of sound in {total:.2f} s")
    print(f"  {lasts / total:.1f} times real time (at least {LEAST:.0f} is wanted); of that "
          + ", ".join(f"{STEPS[name]} {seconds / total:.0%}" for name, seconds in spent.items()))  # fmt: skip
    for kind in KINDS:
        start = time.process_time()
        size = len(encoded(sound, rate, kind))
        ratio = lasts / (time.process_time() - start)
        print(f"  {kind:<5}{ratio:>8.0f} times real time, {size * 8 / lasts / 1000:.0f} kbit/s")
    return lasts / total


def main(files: list[str]) -> None:
    font = find_soundfont()
    start = time.process_time()
    problems = check_soundfont(font.path)
    print(f"{font.path.name} ({font.why}): self-test in {time.process_time() - start:.2f} s, {len(problems)} problems")
    pieces = [(path, read(path)) for path in files] or [("made up", eight_voices())]
    for title, score in pieces:
        report(title, score)


if __name__ == "__main__":
    main(sys.argv[1:])
