"""Music made up for tests: a different little piece for every number, the same one for the same number."""

from __future__ import annotations

from random import Random

from libretto.score import QUARTER, Note, Score, Voice

__all__ = ["tune"]

_SCALE = "CDEFGAB"


def tune(number: int, title: str = "", bars: int = 8, micros: int = 500_000, drums: bool = True) -> Score:
    """A melody over a bass, with a drum beat, invented from a number."""
    dice = Random(number)
    melody, bass, beat = [], [], []
    for bar in range(bars):
        bass.append(Note.named(f"{dice.choice(_SCALE)}2", bar * 4 * QUARTER, 4 * QUARTER))
        at = 0
        while at < 8:
            length = dice.choice((1, 1, 2, 3))
            start, lasting = (bar * 8 + at) * QUARTER // 2, min(length, 8 - at) * QUARTER // 2
            melody.append(Note.named(f"{dice.choice(_SCALE)}4", start, lasting))
            at += length
        beat += [Note.named("C2", (bar * 4 + quarter) * QUARTER, QUARTER // 2) for quarter in range(4)]
    voices = [Voice.of("TUNE", melody, program=73), Voice.of("BASS", bass, program=32)]
    if drums:
        voices.append(Voice.of("DRUMS", beat, drums=True))
    return Score.build(voices, bars=bars, tempos=((0, micros),), title=title)
