"""More to be heard: drum patterns, bars counted in threes, fours and fives, chords in a key and out of it, odd notes.

As in ``stimuli``, every stimulus is a Score and what a perfect ear would write down; chance comes from a ``Random``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import NamedTuple

from libretto.listen.stimuli import EIGHTH, KITS, Stimulus, StruckTone, programs_of, spelled_voice
from libretto.score import Score, Voice
from libretto.score.time import QUARTER, Meter, micros_of_bpm

__all__ = [
    "changed_pattern",
    "changed_row",
    "chord_row",
    "make_meter",
    "make_pattern",
    "make_progression",
    "make_row",
    "other_pitches",
    "pattern_strokes",
]

Strokes = frozenset[int]

# Drum patterns: two bars said twice, on eighths; a stroke is a slot with 100, 200 or 300 more.
_KICK, _SNARE, _HAT = 100, 200, 300
_KEYS = {_KICK: (35, 36), _SNARE: (38, 40), _HAT: (42,)}
_LOUD = {_KICK: (92, 112), _SNARE: (92, 112), _HAT: (58, 82)}
_SAYINGS, _BARS_SAID = 2, 2
_MOST_KICKS_MORE = 2
_GAPS = (0, 0, 0, 1, 2)  # strokes of the hi-hat that are left out in two bars

# Meters: where bass and chords fall, beats from 0.
_BASS_ON = {3: ((0,),), 4: ((0, 2), (0,)), 5: ((0, 3), (0, 2), (0,))}
_SNARE_ON = {3: ((1, 2), (2,)), 4: ((1, 3), (2,)), 5: ((2, 4), (1, 2, 4), (4,))}
_METER_BARS, _METER_TEMPOS = (5, 7), (96, 176)
_METER_SCORINGS = ("drums", "chords", "both")
_BASS_LOUD, _CHORD_LOUD = (88, 104), (66, 84)
_SHORT = 0.8  # the part of its beat that a chord sounds

# Progressions: degrees of a major key as semitones above the tonic, minor ones with 12 more, and of a minor key.
_MINOR = 12
_ROUNDS_A_ROW, _MAJOR_ROWS = 2, 0.7  # rounds of a row of chords, and how often it is major
_MAJOR_ROUNDS = ((0, 21, 14, 7), (21, 5, 0, 7), (0, 7, 21, 5), (0, 21, 5, 7), (0, 5, 14, 7), (0, 16, 5, 7))
_MINOR_ROUNDS = ((12, 17, 7, 12), (12, 8, 17, 7), (12, 17, 12, 7))
_MOVES_TO_MAJOR = (1, 2, 3, 5, 7, 8, 10, 11)  # semitones from the first key to a second one that is major
_MOVES_TO_MINOR = (1, 2, 5, 7, 11)  # and to one that is minor; 9 would be the relative key, with nearly the same chords
_TO_MINOR = 0.3
_BORROWED = 0.4  # how often a progression that stays has one chord from outside: the dominant of the dominant
_DOMINANT, _ABOVE_DOMINANT = 7, 2
_ROUNDS_A_KEY = 2
_PROGRESSION_TEMPOS = (118, 168)
_BEATS_A_CHORD = 2
_ROOTS, _HANDS = (38, 49), (56, 68)  # where the bass lies, and the chord


class _Beat(NamedTuple):
    """What a voice plays: drums or an instrument's program, and its notes."""

    program: int
    notes: tuple[StruckTone, ...]
    drums: bool = False


def _score(parts: Sequence[_Beat], bpm: float, beats: int) -> Score:
    voices: list[Voice] = [
        spelled_voice("Drums" if part.drums else "Voice", part.notes, part.program, drums=part.drums) for part in parts
    ]
    return Score.build(voices, meters=((0, Meter(beats, 4)),), tempos=((0, micros_of_bpm(bpm)),))


def pattern_strokes(rng: Random, beats: int) -> Strokes:
    """A drum pattern of two bars: kick on the first beat and elsewhere, snare between, hi-hat on nearly all eighths."""
    slots = 2 * beats * _BARS_SAID
    kicks = {1, 2 * beats + 1, *rng.sample(range(1, slots + 1), rng.randint(1, _MOST_KICKS_MORE))}
    backbeats = {bar * 2 * beats + 2 * beat + 1 for bar in range(_BARS_SAID) for beat in range(1, beats, 2)}
    snares = backbeats | ({rng.randint(2, slots)} if rng.random() < 1 / 2 else set())
    hats = set(range(1, slots + 1)) - set(rng.sample(range(2, slots + 1), rng.choice(_GAPS)))
    kicks -= snares
    return frozenset(
        {_KICK + slot for slot in kicks} | {_SNARE + slot for slot in snares} | {_HAT + slot for slot in hats}
    )


def changed_pattern(rng: Random, strokes: Strokes, beats: int) -> Strokes:
    """The pattern with one stroke of kick or snare moved, left out, added, or given to the other of the two."""
    slots = 2 * beats * _BARS_SAID
    drums = sorted(stroke for stroke in strokes if stroke < _HAT and stroke not in (_KICK + 1, _SNARE + 1))
    struck = {stroke % _KICK for stroke in strokes if stroke < _HAT}
    free = [slot for slot in range(2, slots + 1) if slot not in struck]
    stroke, drum = rng.choice(drums), rng.choice((_KICK, _SNARE))
    way = rng.choice(("moved", "left out", "added", "swapped"))
    added = {drum + rng.choice(free)}
    if way == "moved":
        added = {stroke // _KICK * _KICK + rng.choice(free)}
    elif way == "swapped":
        added = {stroke % _KICK + (_SNARE if stroke < _SNARE else _KICK)}
    kept = strokes if way == "added" else strokes - {stroke}
    return kept if way == "left out" else kept | added


def make_pattern(rng: Random, strokes: Strokes, beats: int, kit: int, bpm: float) -> Stimulus:
    """A drum pattern of two bars, played twice."""
    length = 2 * beats * _BARS_SAID
    keys = {drum: rng.choice(choices) for drum, choices in _KEYS.items()}
    heard = sorted(stroke + before * length for before in range(_SAYINGS) for stroke in strokes)
    notes = [
        StruckTone((stroke % _KICK - 1) * EIGHTH, EIGHTH // 2, keys[drum], rng.randint(*_LOUD[drum]))
        for stroke in heard
        for drum in (stroke // _KICK * _KICK,)
    ]
    return Stimulus(_score([_Beat(kit, tuple(notes), drums=True)], bpm, beats), "drums", tuple(heard))


def make_meter(rng: Random, beats: int) -> Stimulus:
    """Bars of so many beats, for drums, for bass and chords, or both; what is heard is every beat's number."""
    scoring = rng.choice(_METER_SCORINGS)
    bars, bpm = rng.randint(*_METER_BARS), rng.randint(*_METER_TEMPOS)
    instrument = "drums" if scoring == "drums" else rng.choice(("piano", "guitar"))
    bass_on = rng.choice(_BASS_ON[beats])
    parts = []
    if scoring != "chords":
        parts.append(_Beat(rng.choice(KITS), tuple(_kit_bars(rng, beats, bars, bass_on)), drums=True))
    if scoring != "drums":
        notes = _chord_bars(rng, beats, bars, bass_on)
        parts.insert(0, _Beat(rng.choice(programs_of(instrument)), tuple(notes)))
    heard = tuple(beat + 1 for _ in range(bars) for beat in range(beats))
    return Stimulus(_score(parts, bpm, beats), instrument, heard)


def _kit_bars(rng: Random, beats: int, bars: int, kick_on: Sequence[int]) -> list[StruckTone]:
    """Kick on the first beat and its like, snare on others, hi-hat on beats or eighths."""
    snare_on = [beat for beat in rng.choice(_SNARE_ON[beats]) if beat not in kick_on]
    step = rng.choice((QUARTER, EIGHTH))
    kick, snare = rng.choice(_KEYS[_KICK]), rng.choice(_KEYS[_SNARE])
    notes = []
    for bar in range(bars):
        first = bar * beats * QUARTER
        notes += [StruckTone(first + beat * QUARTER, EIGHTH, kick, rng.randint(*_LOUD[_KICK])) for beat in kick_on]
        notes += [StruckTone(first + beat * QUARTER, EIGHTH, snare, rng.randint(*_LOUD[_SNARE])) for beat in snare_on]
        for at in range(first, first + beats * QUARTER, step):
            notes.append(StruckTone(at, EIGHTH // 2, _KEYS[_HAT][0], rng.randint(*_LOUD[_HAT])))
    return notes


def _chord_bars(rng: Random, beats: int, bars: int, bass_on: Sequence[int]) -> list[StruckTone]:
    """A bass note on the first beat and its like, chords on the others, a chord a bar."""
    tonic, chords = rng.randrange(_MINOR), rng.choice(_MAJOR_ROUNDS)
    notes = []
    for bar in range(bars):
        low, high = _voiced(_moved(chords[bar % len(chords)], tonic))
        for beat in range(beats):
            at = (bar * beats + beat) * QUARTER
            if beat in bass_on:
                notes.append(StruckTone(at, QUARTER, low, rng.randint(*_BASS_LOUD)))
            else:
                loud = rng.randint(*_CHORD_LOUD)
                notes += [StruckTone(at, int(QUARTER * _SHORT), pitch, loud) for pitch in high]
    return notes


def _moved(chord: int, tonic: int) -> int:
    """A chord of a key on C, in the key of another tonic."""
    return chord // _MINOR * _MINOR + (chord + tonic) % _MINOR


def _voiced(chord: int) -> tuple[int, list[int]]:
    """The bass note and the close position of a chord, each where it lies well."""
    root = chord % _MINOR
    tones = (root, root + (3 if chord >= _MINOR else 4), root + 7)
    low = next(pitch for pitch in range(_ROOTS[0], _ROOTS[1] + 1) if pitch % _MINOR == root)
    return low, [next(p for p in range(*_HANDS) if p % _MINOR == tone % _MINOR) for tone in tones]


def make_progression(rng: Random, instrument: str, *, modulates: bool) -> Stimulus:
    """Sixteen chords: two rounds in a key, then two in another or in the same; one that stays may borrow a chord."""
    tonic = rng.randrange(_MINOR)
    first, second = rng.sample(_MAJOR_ROUNDS, 2)
    if modulates and rng.random() < _TO_MINOR:
        after, move = rng.choice(_MINOR_ROUNDS), rng.choice(_MOVES_TO_MINOR)
    else:
        after, move = second, rng.choice(_MOVES_TO_MAJOR) if modulates else 0
    chords = [_moved(chord, tonic) for chord in first * _ROUNDS_A_KEY]
    chords += [_moved(chord, tonic + move) for chord in after * _ROUNDS_A_KEY]
    if not modulates and rng.random() < _BORROWED:
        dominants = [at for at, chord in enumerate(chords[1:], 1) if chord == _moved(_DOMINANT, tonic)]
        chords[rng.choice(dominants) - 1] = _moved(_ABOVE_DOMINANT, tonic)
    notes = _struck_chords(rng, chords)
    bpm, program = rng.randint(*_PROGRESSION_TEMPOS), rng.choice(programs_of(instrument))
    heard = tuple(chord for at, chord in enumerate(chords) if not at or chord != chords[at - 1])
    return Stimulus(_score([_Beat(program, tuple(notes))], bpm, 4), instrument, heard)


def chord_row(rng: Random) -> list[int]:
    """Eight chords of a key: two rounds, of which no chord follows itself."""
    tonic, rounds = rng.randrange(_MINOR), _MAJOR_ROUNDS if rng.random() < _MAJOR_ROWS else _MINOR_ROUNDS
    while True:
        row = [_moved(chord, tonic) for _ in range(_ROUNDS_A_ROW) for chord in rng.choice(rounds)]
        if all(one != two for one, two in pairwise(row)):
            return row


def changed_row(rng: Random, row: Sequence[int]) -> list[int]:
    """The row with one of its inner chords another one of the same key, and not one of its neighbours."""
    at = rng.randrange(1, len(row) - 1)
    others = sorted(set(row) - {row[at - 1], row[at], row[at + 1]})
    return [*row[:at], rng.choice(others), *row[at + 1 :]] if others else changed_row(rng, row)


def make_row(rng: Random, row: Sequence[int], instrument: str) -> Stimulus:
    """A row of chords as an instrument plays it, in a tempo and a way of its own."""
    bpm, program = rng.randint(*_PROGRESSION_TEMPOS), rng.choice(programs_of(instrument))
    score = _score([_Beat(program, tuple(_struck_chords(rng, row)))], bpm, 4)
    return Stimulus(score, instrument, tuple(row))


def _struck_chords(rng: Random, chords: Sequence[int]) -> list[StruckTone]:
    """Every chord for two beats: held, or struck on each of them over a held bass."""
    strikes = rng.choice((1, _BEATS_A_CHORD))
    length = _BEATS_A_CHORD * QUARTER
    notes = []
    for place, chord in enumerate(chords):
        low, high = _voiced(chord)
        notes.append(StruckTone(place * length, int(length * _SHORT), low, rng.randint(*_BASS_LOUD)))
        for strike in range(strikes):
            at, loud = place * length + strike * length // strikes, rng.randint(*_CHORD_LOUD)
            notes += [StruckTone(at, int(length // strikes * _SHORT), pitch, loud) for pitch in high]
    return notes


def other_pitches(rng: Random, pitches: Sequence[int], scales: Sequence[Sequence[int]]) -> list[int]:
    """A tune with one of its pitches, not the first one, a semitone higher or lower wherever it comes: out of every one
    of the scales on C that hold the whole tune."""
    classes = {pitch % _MINOR for pitch in pitches}
    inside = {tone for scale in scales if classes <= set(scale) for tone in scale} | classes
    moves = [
        (pitch, pitch + step)
        for pitch in sorted(set(pitches[1:]) - {pitches[0]})
        for step in (-1, 1)
        if (pitch + step) % _MINOR not in inside
    ]
    old, new = rng.choice(moves)
    return [new if pitch == old else pitch for pitch in pitches]
