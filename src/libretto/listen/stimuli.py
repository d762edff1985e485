"""What is to be heard: drum loops, tunes and contours of our own, with their answers known by construction.

Every stimulus is a Score and what it holds in the words of the tasks: slots, pitches. All chance comes from a
``Random`` that is passed in. Ranges are pairs of the least and the most that chance may give.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from libretto.house.core.line import Slot, ladder, sing
from libretto.listen.solvers import interval_distance
from libretto.score import Note, Score, Voice
from libretto.score.keys import Key, spell, spell_drums
from libretto.score.time import QUARTER, micros_of_bpm

__all__ = [
    "CONTOURS",
    "EIGHTH",
    "KITS",
    "MODES",
    "UNLIKE",
    "Stimulus",
    "StruckTone",
    "contour_line",
    "make_contour",
    "make_loop",
    "make_tune",
    "one_voice",
    "programs_of",
    "same_contour",
    "spelled_voice",
    "tune_pitches",
]

EIGHTH = QUARTER // 2
CONTOURS = ("Arch", "InvArch", "Asc", "Desc")
#: Two tunes are plainly different where at least this part of their intervals differs.
UNLIKE = 0.6


class _Instrument(NamedTuple):
    """The General MIDI programs that sound like an instrument, more for hard suites, and where it lies well."""

    programs: tuple[int, ...]
    more: tuple[int, ...]
    low: int
    high: int


_INSTRUMENTS = {
    "piano": _Instrument((0, 1, 2, 4), (3, 5, 11), 55, 79),  # more: honky-tonk, second electric piano, vibraphone
    "guitar": _Instrument((24, 25, 26, 27), (28, 46), 50, 74),  # more: muted guitar, harp
    "bass": _Instrument((32, 33, 34), (35,), 30, 52),  # more: fretless
}

# Loops: two bars that are said twice; the beats are quarters, the slots eighths from 1.
_LOOP_BARS, _LOOP_BEATS, _LOOP_SLOTS = 4, 8, 16
_SAID = (0, _LOOP_SLOTS)  # slots before each saying
#: Kits of General MIDI that play drums.
KITS = (0, 8, 16, 24, 25, 32)
_KICKS, _SNARES, _HAT = (35, 36), (38, 40), 42
_HAT_LOUD, _STROKE_LOUD, _LOOP_TEMPOS = (58, 82), (92, 112), (84, 152)

# Tunes: lengths are in eighths.
_BAR, _HALF_BAR = 8, 4
#: Scales on C.
MODES = {"major": (0, 2, 4, 5, 7, 9, 11), "minor": (0, 2, 3, 5, 7, 8, 10)}
_CHORDS = {
    "major": ((0, 4, 7), (5, 9, 0), (7, 11, 2), (0, 4, 7)),
    "minor": ((0, 3, 7), (5, 8, 0), (7, 10, 2), (0, 3, 7)),
}
#: Rhythms of a bar of 4/4, and of a last one.
_CELLS = ((2, 2, 2, 2), (3, 1, 2, 2), (2, 1, 1, 4), (4, 2, 2), (1, 1, 2, 4), (2, 2, 4), (2, 2, 1, 1, 2), (3, 1, 4))
_CLOSES = ((2, 2, 4), (4, 4), (2, 6), (1, 1, 2, 4))
_TUNE_BARS = (2, 3, 4)
_TUNE_PITCHES = (60, 77)
_BACK_AGAIN = 0.5  # how often the second bar has the rhythm of the first
_ARCH_FOOT, _ARCH_RISE = 0.2, 0.7  # where a tune's arch stands at its ends, and how much higher at its turn
_TUNE_LOUD, _MIXED_LOUD, _STRESS = (84, 96), (60, 96), 8  # velocities, and how much louder half-bars are
_LEGATO = 0.95  # the part of its length that a note sounds

# A tune like another: it rises and falls where that one does.
_TRIES = 60
_LIKE_PITCHES = (54, 84)
_MOVES = (1, 1, 2, 2, 3, 4)  # rungs of a scale, as often as they are likely
_LEAST_WANTED = 2  # that many moves, those of the old interval's size among them, are not taken

# Contours: scales and triads, up and down.
_TRIADS = ((0, 4, 7), (0, 3, 7))
_SCALE_NOTES, _TRIAD_NOTES = (5, 8), (4, 6)
_WIDEST = 40  # semitones in which their rungs are found
_CONTOUR_LENGTHS, _CONTOUR_TEMPOS = (1, 1, 2), (80, 132)


class Stimulus(NamedTuple):
    """A Score to be played, the instrument's name, and the integers that a perfect ear would write down."""

    score: Score
    instrument: str
    heard: tuple[int, ...]


class StruckTone(NamedTuple):
    """A note before it is spelled: start and length in ticks, pitch, velocity."""

    start: int
    length: int
    pitch: int
    velocity: int


def _pitches(notes: Sequence[StruckTone]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([note.pitch for note in notes], dtype=np.int64)


def one_voice(notes: Sequence[StruckTone], program: int, bpm: float) -> Score:
    """A Score of one pitched voice."""
    return _built(spelled_voice("Voice", notes, program), bpm, bars=1)


def spelled_voice(name: str, notes: Sequence[StruckTone], program: int, *, drums: bool = False) -> Voice:
    """Notes as a voice, pitches or drums spelled."""
    spelled = (spell_drums(_pitches(notes)) if drums else spell(_pitches(notes), Key(0))).tolist()
    return Voice.of(name, [Note(*note, fifths) for note, fifths in zip(notes, spelled, strict=True)], program, drums)


def _built(voice: Voice, bpm: float, bars: int) -> Score:
    return Score.build([voice], bars=bars, tempos=((0, micros_of_bpm(bpm)),))


def programs_of(instrument: str, *, hard: bool = False) -> tuple[int, ...]:
    """The General MIDI programs that play an instrument's part; hard suites have more."""
    played = _INSTRUMENTS[instrument]
    return played.programs + (played.more if hard else ())


def make_loop(rng: Random, offbeats: int, bpm: float | None = None) -> Stimulus:
    """Four bars of kick and snare under hats on every eighth; that many of the sixteen strokes lie off the beat.

    Two bars are said twice. A stroke leaves its beat for the eighth before or after it.
    """
    slots = _loop_slots(rng, offbeats // len(_SAID))
    kick, snare = rng.choice(_KICKS), rng.choice(_SNARES)
    notes = [
        StruckTone(slot * EIGHTH, EIGHTH // 2, _HAT, rng.randint(*_HAT_LOUD))
        for slot in range(_LOOP_SLOTS * len(_SAID))
    ]
    for before in _SAID:
        for beat, slot in enumerate(slots):
            loud = rng.randint(*_STROKE_LOUD)
            notes.append(StruckTone((before + slot - 1) * EIGHTH, EIGHTH, snare if beat % 2 else kick, loud))
    voice = spelled_voice("Drums", notes, rng.choice(KITS), drums=True)
    heard = tuple(sorted(before + slot for before in _SAID for slot in slots))
    pace = rng.randint(*_LOOP_TEMPOS) if bpm is None else bpm
    return Stimulus(_built(voice, pace, _LOOP_BARS), "drums", heard)


def _loop_slots(rng: Random, offbeats: int) -> list[int]:
    """The slots of two bars' strokes, one a beat, of which that many lie beside their beat, no two on one slot."""
    while True:
        moved = rng.sample(range(_LOOP_BEATS), offbeats)
        slots = [1 + 2 * beat + (rng.choice((-1, 1)) if beat in moved else 0) for beat in range(_LOOP_BEATS)]
        slots = [slot or _LOOP_SLOTS for slot in slots]  # before the first beat is at the end of the bars before
        if len(set(slots)) == _LOOP_BEATS:
            return slots


def tune_pitches(rng: Random) -> tuple[list[int], list[int]]:
    """A tune of two to four bars as pitches from 60 to 77 and lengths in eighths: it follows chords and comes home."""
    mode = rng.choice(("major", "minor"))
    bars = rng.choice(_TUNE_BARS)
    cells = [rng.choice(_CELLS) for _ in range(bars - 1)]
    if len(cells) > 1 and rng.random() < _BACK_AGAIN:
        cells[1] = cells[0]
    lengths = [length for cell in (*cells, rng.choice(_CLOSES)) for length in cell]
    chords = _CHORDS[mode][-bars:]
    slots, at, total = [], 0, sum(lengths)
    turn = rng.random()
    for length in lengths:
        height = _ARCH_FOOT + _ARCH_RISE * (1 - abs(at / total - turn) / max(turn, 1 - turn))
        slots.append(Slot(height, at % _HALF_BAR == 0, frozenset(chords[at // _BAR])))
        at += length
    rungs = ladder(set(MODES[mode]), *_TUNE_PITCHES)
    return sing(slots, rungs, rng, first=frozenset(_CHORDS[mode][0]), last=frozenset({0})), lengths


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
    """A tune as an instrument plays it: nearly legato, strong beats a little louder; ``hard``: loud and soft mixed.

    Lengths are in eighths.
    """
    notes, at = [], 0
    for pitch, length in zip(pitches, lengths, strict=True):
        loud = rng.randint(*(_MIXED_LOUD if hard else _TUNE_LOUD)) + (_STRESS if at % _HALF_BAR == 0 else 0)
        notes.append(StruckTone(at * EIGHTH, int(length * EIGHTH * _LEGATO), pitch, loud))
        at += length
    return Stimulus(one_voice(notes, program, bpm), instrument, tuple(pitches))


def same_contour(rng: Random, pitches: Sequence[int]) -> list[int] | None:
    """Another tune that rises and falls where this one does, most intervals of other sizes; None where luck fails."""
    for _ in range(_TRIES):
        rungs = ladder(set(rng.choice(list(MODES.values()))), *_LIKE_PITCHES)
        other = _with_other_moves(rng, pitches, rungs)
        if other is not None and interval_distance(other, pitches) >= UNLIKE:
            return other
    return None


def _with_other_moves(rng: Random, pitches: Sequence[int], rungs: Sequence[int]) -> list[int] | None:
    """A tune on these rungs with the same ups and downs; None where it would leave them."""
    row = min(range(len(rungs)), key=lambda place: abs(rungs[place] - pitches[0]))
    other = [rungs[row]]
    for step in np.diff(pitches).tolist():
        if step:
            row = _moved(rng, row, step, rungs)
            if row < 0:
                return None
        other.append(rungs[row])
    return other


def _moved(rng: Random, row: int, step: int, rungs: Sequence[int]) -> int:
    """The rung after a step up or down, rather by another interval than the step's own; -1 where there is none."""
    way = 1 if step > 0 else -1
    moves = [size for size in _MOVES if 0 <= row + size * way < len(rungs)]
    if not moves:
        return -1
    moves.sort(key=lambda size: abs(rungs[row + size * way] - rungs[row]) == abs(step))
    return row + way * rng.choice(moves[: max(1, len(moves) - _LEAST_WANTED)])


def contour_line(rng: Random, contour: str, low: int, high: int) -> list[int]:
    """A scale or a broken chord that rises, falls, or turns once."""
    steps = rng.choice((*MODES.values(), *_TRIADS))
    count = rng.randint(*(_TRIAD_NOTES if steps in _TRIADS else _SCALE_NOTES))
    rungs = ladder(set(steps), 0, _WIDEST)[:count]
    base = rng.randint(low, max(low, high - rungs[-1]))
    up = [base + rung for rung in rungs]
    down = up[::-1]
    return {"Asc": up, "Desc": down, "Arch": up + down[1:], "InvArch": down + up[1:]}[contour]


def make_contour(rng: Random, contour: str, instrument: str, *, hard: bool = False) -> Stimulus:
    """A contour played in even notes."""
    played = _INSTRUMENTS[instrument]
    line = contour_line(rng, contour, played.low, played.high)
    length = rng.choice(_CONTOUR_LENGTHS)
    program = rng.choice(programs_of(instrument, hard=hard))
    return make_tune(rng, line, [length] * len(line), instrument, program, rng.randint(*_CONTOUR_TEMPOS), hard=hard)
