"""A song of our own for the tests of faults: four chords around, a tune, a counter-line, chords, bass and drums."""

from __future__ import annotations

import numpy as np

from libretto.score import QUARTER, Key, Note, Score, Voice, spell

BAR = 4 * QUARTER
CHORDS = ((48, 52, 55), (45, 48, 52), (41, 45, 48), (43, 47, 50))
TUNE = ((72, 74, 76, 79), (76, 74, 72, 69), (77, 76, 74, 72), (74, 76, 74, 71))
COUNTER = ((64, 67, 64, 60), (60, 64, 60, 64), (65, 60, 65, 69), (62, 67, 67, 62))


def _note(onset: int, length: int, pitch: int) -> Note:
    return Note(onset, length, pitch, 80, int(spell(np.array([pitch]), Key(0))[0]))


def song(bars: int = 32) -> Score:
    """A song in C that repeats every four bars, its eighth a little varied."""
    tune, counter, chords, bass, kit = [], [], [], [], []
    for bar in range(bars):
        start, chord = bar * BAR, CHORDS[bar % 4]
        for beat in range(4):
            at = start + beat * QUARTER
            pitch = TUNE[bar % 4][beat] + (2 if bar % 8 == 7 and beat == 1 and bar % 16 == 15 else 0)
            tune.append(_note(at, QUARTER, pitch))
            counter.append(_note(at, QUARTER, COUNTER[bar % 4][beat]))
            kit.append(Note(at, QUARTER // 4, 42, 80, 6))
        for half in range(2):
            at = start + half * 2 * QUARTER
            chords += [_note(at, 2 * QUARTER, pitch + 12) for pitch in chord]
            bass.append(_note(at, 2 * QUARTER, chord[0] - 12))
            kit += [Note(at, QUARTER // 4, 36, 90, 0), Note(at + QUARTER, QUARTER // 4, 38, 90, 2)]
    return Score.build(
        [
            Voice.of("TUNE", tune, 73),
            Voice.of("COUNTER", counter, 71),
            Voice.of("CHORDS", chords, 0),
            Voice.of("BASS", bass, 33),
            Voice.of("DRUMS", kit, None, True),
        ]
    )
