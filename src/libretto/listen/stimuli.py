"""What is to be heard: drum loops, tunes, chords and contours of our own, with their answers known by construction.

Every stimulus is a Score and what it holds in the words of the tasks: slots, pitches. All chance comes from a
``Random`` that is passed in.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from libretto.house.core.line import Slot, ladder, sing
from libretto.score import Note, Score, Voice
from libretto.score.keys import Key, spell, spell_drums
from libretto.score.time import QUARTER, micros_of_bpm

__all__ = [
    "CONTOURS",
    "QUALITIES",
    "Stimulus",
    "contour_line",
    "intervals_apart",
    "make_chord",
    "make_contour",
    "make_hard_chord",
    "make_loop",
    "make_tune",
    "programs_of",
    "same_contour",
    "tune_pitches",
]

EIGHTH = QUARTER // 2
#: Chord qualities and their tones above the root.
QUALITIES = {"major": (0, 4, 7), "minor": (0, 3, 7), "dominant": (0, 4, 7, 10), "diminished": (0, 3, 6)}
CONTOURS = ("Arch", "InvArch", "Asc", "Desc")
_MODES = {"major": (0, 2, 4, 5, 7, 9, 11), "minor": (0, 2, 3, 5, 7, 8, 10)}
_CHORDS = (((0, 4, 7), (5, 9, 0), (7, 11, 2), (0, 4, 7)), ((0, 3, 7), (5, 8, 0), (7, 10, 2), (0, 3, 7)))
#: Rhythms of a bar of 4/4 as lengths in eighths.
_CELLS = ((2, 2, 2, 2), (3, 1, 2, 2), (2, 1, 1, 4), (4, 2, 2), (1, 1, 2, 4), (2, 2, 4), (2, 2, 1, 1, 2), (3, 1, 4))
_CLOSES = ((2, 2, 4), (4, 4), (2, 6), (1, 1, 2, 4))
#: Instruments by General MIDI program and where they lie well.
_VOICES = {"piano": ((0, 1, 2, 4), 55, 79), "guitar": ((24, 25, 26, 27), 50, 74), "bass": ((32, 33, 34), 30, 52)}
_KITS = (0, 8, 16, 24, 25, 32)
#: More colours for hard suites: honky-tonk and second electric pianos, vibraphone; muted guitar, harp; fretless bass.
_MORE_VOICES = {"piano": (3, 5, 11), "guitar": (28, 46), "bass": (35,)}
#: How a guitar spreads a chord: steps of the chord (from 0) over its strings, as tone and octave.
_SPREADS = (
    ((0, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2)),
    ((0, 0), (2, 0), (0, 1), (1, 1)),
    ((0, 0), (2, 0), (1, 1)),
)
_STRUM = QUARTER // 16  # the most between two strings of a strummed chord


class Stimulus(NamedTuple):
    """A Score to be played, the instrument's name, and the integers that a perfect ear would write down."""

    score: Score
    instrument: str
    heard: tuple[int, ...]


def _score(notes: Sequence[tuple[int, int, int, int]], program: int, bpm: float, bars: int = 1) -> Score:
    """A Score of one voice; rows are start and length in ticks, pitch, velocity."""
    pitches = np.array([row[2] for row in notes], dtype=np.int64)
    spelled = spell(pitches, Key(0)).tolist()
    made = [
        Note(start, length, pitch, loud, fifths)
        for (start, length, pitch, loud), fifths in zip(notes, spelled, strict=True)
    ]
    return _built(Voice.of("Voice", made, program), bpm, bars)


def _built(voice: Voice, bpm: float, bars: int) -> Score:
    return Score.build([voice], bars=bars, tempos=((0, micros_of_bpm(bpm)),))


def make_loop(rng: Random, offbeats: int) -> Stimulus:
    """Four bars of kick and snare under hats on every eighth; that many of the sixteen strokes lie off the beat.

    Two bars are said twice. A stroke leaves its beat for the eighth before or after it.
    """
    while True:
        moved = rng.sample(range(8), offbeats // 2)
        slots = [1 + 2 * beat + (rng.choice((-1, 1)) if beat in moved else 0) for beat in range(8)]
        slots = [16 if slot == 0 else slot for slot in slots]
        if len(set(slots)) == 8:
            break
    kick, snare = rng.choice((35, 36)), rng.choice((38, 40))
    notes = [(slot * EIGHTH, EIGHTH // 2, 42, rng.randint(58, 82)) for slot in range(32)]
    for bar in (0, 16):
        for beat, slot in enumerate(slots):
            loud = rng.randint(92, 112)
            notes.append(((bar + slot - 1) * EIGHTH, EIGHTH, snare if beat % 2 else kick, loud))
    spelled = spell_drums(np.array([row[2] for row in notes])).tolist()
    made = [Note(a, b, c, d, fifths) for (a, b, c, d), fifths in zip(notes, spelled, strict=True)]
    voice = Voice.of("Drums", made, rng.choice(_KITS), drums=True)
    heard = tuple(sorted(bar + slot for bar in (0, 16) for slot in slots))
    return Stimulus(_built(voice, rng.randint(84, 152), 4), "drums", heard)


def tune_pitches(rng: Random) -> tuple[list[int], list[int]]:
    """A tune of two to four bars as pitches from 60 to 77 and lengths in eighths: it follows chords and comes home."""
    mode = rng.choice(("major", "minor"))
    bars = rng.choice((2, 3, 4))
    cells = [rng.choice(_CELLS) for _ in range(bars - 1)]
    if bars > 2 and rng.random() < 0.5:
        cells[1] = cells[0]
    lengths = [each for cell in (*cells, rng.choice(_CLOSES)) for each in cell]
    chords = _CHORDS[mode == "minor"][4 - bars :]
    slots, at, total = [], 0, sum(lengths)
    turn = rng.random()
    for length in lengths:
        place = at / total
        height = 0.2 + 0.7 * (1 - abs(place - turn) / max(turn, 1 - turn))
        slots.append(Slot(height, at % 4 == 0, frozenset(chords[at // 8])))
        at += length
    rungs = ladder(set(_MODES[mode]), 60, 77)
    return sing(
        slots, rungs, rng, first=frozenset(_CHORDS[0][0] if mode == "major" else _CHORDS[1][0]), last=frozenset({0})
    ), lengths


def make_tune(
    rng: Random,
    pitches: Sequence[int],
    lengths: Sequence[int],
    instrument: str,
    program: int,
    bpm: float,
    *,
    hard: bool = False,
) -> Stimulus:
    """A tune as an instrument plays it: nearly legato, strong beats a little louder; ``hard``: loud and soft mixed."""
    notes, at = [], 0
    for pitch, length in zip(pitches, lengths, strict=True):
        loud = rng.randint(60 if hard else 84, 96) + (8 if at % 4 == 0 else 0)
        notes.append((at * EIGHTH, int(length * EIGHTH * 0.95), pitch, loud))
        at += length
    return Stimulus(_score(notes, program, bpm), instrument, tuple(pitches))


def intervals_apart(first: Sequence[int], second: Sequence[int]) -> float:
    """The edit distance between two tunes' intervals as a part of the longer one's: 0 means transposed, 1 unlike.

    >>> intervals_apart([60, 62, 64], [65, 67, 69]), intervals_apart([60, 62, 64], [60, 64, 67])
    (0.0, 1.0)
    """
    one, other = np.diff(first).tolist(), np.diff(second).tolist()
    row = list(range(len(other) + 1))
    for index, step in enumerate(one, 1):
        above, row[0] = row[0], index
        for place, move in enumerate(other, 1):
            above, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, above + (step != move))
    return row[-1] / max(1, len(one), len(other))


def same_contour(rng: Random, pitches: Sequence[int]) -> list[int] | None:
    """Another tune that rises and falls where this one does, most intervals of other sizes; None where luck fails."""
    for _ in range(60):
        rungs = ladder(set(rng.choice(list(_MODES.values()))), 54, 84)
        row = min(range(len(rungs)), key=lambda each: abs(rungs[each] - pitches[0]))
        made = [rungs[row]]
        for step in np.diff(pitches).tolist():
            sizes = [size for size in (1, 1, 2, 2, 3, 4) if 0 <= row + size * _sign(step) < len(rungs)]
            if step and not sizes:
                break
            sizes.sort(key=lambda size: abs(rungs[row + size * _sign(step)] - rungs[row]) == abs(step))
            row += _sign(step) * (rng.choice(sizes[: max(1, len(sizes) - 2)]) if step else 0)
            made.append(rungs[row])
        if len(made) == len(pitches) and intervals_apart(made, pitches) >= 0.6:
            return made
    return None


def programs_of(instrument: str, *, hard: bool = False) -> tuple[int, ...]:
    """The General MIDI programs that play an instrument's part; hard suites have more."""
    return _VOICES[instrument][0] + (_MORE_VOICES[instrument] if hard else ())


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def make_chord(rng: Random, quality: str, instrument: str) -> Stimulus:
    """A chord in root position, struck and held, then its notes one by one; at times some are doubled an octave up."""
    tones = QUALITIES[quality]
    root = rng.randint(45, 62) if instrument == "guitar" else rng.randint(45, 65)
    pitches = [root + tone for tone in tones]
    doubled = rng.choice((0, 0, 1, 2))
    pitches += [pitch + 12 for pitch in pitches[:doubled]]
    beats = rng.choice((2, 3, 4))
    loud = rng.randint(80, 100)
    notes = [(0, beats * QUARTER, pitch, loud + rng.randint(-6, 6)) for pitch in pitches]
    order = pitches if rng.random() < 0.7 else [*pitches, *pitches[-2::-1]]
    held = rng.random() < 0.3
    for index, pitch in enumerate(order):
        start = (beats + index) * QUARTER
        length = (len(order) - index) * QUARTER if held and len(order) == len(pitches) else QUARTER
        notes.append((start, int(length * 0.96), pitch, loud + rng.randint(-6, 6)))
    program = rng.choice(_VOICES[instrument][0])
    return Stimulus(_score(notes, program, rng.randint(80, 126)), instrument, tuple(sorted(set(pitches))))


def make_hard_chord(rng: Random, quality: str, instrument: str) -> Stimulus:
    """A chord as hands play it: strummed, spread over the strings of a guitar, inner voices and single notes soft."""
    tones = QUALITIES[quality]
    root = rng.randint(40, 57) if instrument == "guitar" else rng.randint(45, 65)
    pitches = [root + tone for tone in tones]
    if len(tones) == 3 and rng.random() < 0.5:
        spread = rng.choice(_SPREADS[: 3 if instrument == "guitar" else 2])
        pitches = sorted({root + tones[tone] + 12 * octave for tone, octave in spread})
    loud = rng.randint(76, 100)
    beats = rng.choice((2, 3, 4))
    strum = rng.randint(0, _STRUM) if instrument == "guitar" or rng.random() < 0.3 else 0
    notes = []
    for index, pitch in enumerate(pitches):
        soft = rng.randint(0, 28) if 0 < index < len(pitches) - 1 else rng.randint(0, 10)
        notes.append((index * strum, beats * QUARTER - index * strum, pitch, loud - soft))
    order = pitches if rng.random() < 0.7 else [*pitches, *pitches[-2::-1]]
    step = rng.choice((QUARTER, QUARTER, EIGHTH + EIGHTH // 2))
    rings = rng.random() < 0.4
    for index, pitch in enumerate(order):
        length = (len(order) - index) * step if rings and len(order) == len(pitches) else step
        notes.append((beats * QUARTER + index * step, int(length * 0.96), pitch, loud - rng.randint(0, 28)))
    program = rng.choice(programs_of(instrument, hard=True))
    return Stimulus(_score(notes, program, rng.randint(80, 126)), instrument, tuple(sorted(set(pitches))))


def contour_line(rng: Random, contour: str, low: int, high: int) -> list[int]:
    """A scale or a broken chord that rises, falls, or turns once."""
    steps = rng.choice((*_MODES.values(), (0, 4, 7), (0, 3, 7)))
    count = rng.randint(5, 8) if len(steps) == 7 else rng.randint(4, 6)
    rungs = ladder(set(steps), 0, 40)[:count]
    base = rng.randint(low, max(low, high - rungs[-1]))
    up = [base + rung for rung in rungs]
    down = up[::-1]
    return {"Asc": up, "Desc": down, "Arch": up + down[1:], "InvArch": down + up[1:]}[contour]


def make_contour(rng: Random, contour: str, instrument: str, *, hard: bool = False) -> Stimulus:
    """A contour played in even notes."""
    _, low, high = _VOICES[instrument]
    line = contour_line(rng, contour, low, high)
    length = rng.choice((1, 1, 2))
    program = rng.choice(programs_of(instrument, hard=hard))
    return make_tune(rng, line, [length] * len(line), instrument, program, rng.randint(80, 132), hard=hard)
