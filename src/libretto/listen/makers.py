"""How a trial of each task is made: what is played, what is right, and in which lines it is written down.

To add a task is to register what makes its trials, beside its ``Kind``. Classes are balanced by the trial's number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from libretto.listen.chords import make_chord
from libretto.listen.families import FAMILIES
from libretto.listen.kinds import kinds
from libretto.listen.patterns import (
    changed_pattern,
    changed_row,
    chord_row,
    make_meter,
    make_pattern,
    make_progression,
    make_row,
    other_pitches,
    pattern_strokes,
)
from libretto.listen.playing import make_playing
from libretto.listen.relations import GROUPS
from libretto.listen.solvers import SYNCOPATIONS, interval_distance
from libretto.listen.stimuli import (
    CONTOURS,
    KITS,
    MODES,
    UNLIKE,
    Stimulus,
    make_contour,
    make_loop,
    make_tune,
    programs_of,
    same_contour,
    tune_pitches,
)
from libretto.registry import Registry

__all__ = ["MadeTrial", "examples_of", "makers"]

_OFFBEATS = {letter: count for count, letter in SYNCOPATIONS.items()}
_LETTERS = {"A": "major", "B": "minor", "C": "dominant", "D": "diminished"}
_THIRDS = ("major", "minor")
_SAME, _OTHER = "yes", "no"
_TUNERS, _CONTOUR_PLAYERS = ("piano", "guitar"), ("piano", "guitar", "bass")
_TUNE_TEMPOS = (76, 168)
_BASES = (-5, 5)  # semitones by which the first of two tunes is moved
_GUITAR_LOWER = 5
_WIDEST_MOVE = 6  # semitones from the first tune to the second
_LOWEST_BASE, _HIGHEST_BASE = -8, 6
_TUNE_SHIFTS = (-4, -3, -2, -1, 1, 2, 3, 4)  # semitones of a pitch shift
_PATTERN_TEMPOS, _PATTERN_BEATS = (90, 160), (4, 4, 3)
_PAIR_TEMPOS, _FASTER = (72, 160), (1.06, 1.35)  # beats a minute of the slower loop, and how much faster the other is
#: How many examples each task has: one a class where classes have names, else two.
_EXAMPLES = {
    "chord_quality_4": len(_LETTERS),
    "contour": len(CONTOURS),
    "instrument": len(FAMILIES),
    "meter": len(GROUPS),
}
_USUAL_EXAMPLES = 2


class MadeTrial(NamedTuple):
    """A question: the clips to be heard, the answer, the choices, and the schema in which an ear writes down."""

    clips: tuple[Stimulus, ...]
    answer: str
    choices: tuple[str, ...]
    schema: str


#: How a trial of each task is made from chance and its number.
makers: Registry[Callable[[Random, int], MadeTrial]] = Registry("listening task")


def _in_turn(choices: Sequence[str], number: int) -> str:
    """The choice whose turn it is, so that classes are balanced."""
    return choices[number % len(choices)]


@makers.register("syncopation_score")
def _score(rng: Random, number: int) -> MadeTrial:
    answer = _in_turn(tuple(_OFFBEATS), number)
    return MadeTrial((make_loop(rng, _OFFBEATS[answer]),), answer, tuple(_OFFBEATS), "rhythm")


@makers.register("syncopation_pair")
def _pair(rng: Random, number: int) -> MadeTrial:
    less, more = sorted(rng.sample(tuple(_OFFBEATS.values()), 2))
    answer = _in_turn(("1", "2"), number)
    counts = (more, less) if answer == "1" else (less, more)
    return MadeTrial(tuple(make_loop(rng, count) for count in counts), answer, ("1", "2"), "rhythm")


@makers.register("transposition")
def _transposition(rng: Random, number: int) -> MadeTrial:
    instrument = rng.choice(_TUNERS)
    program, bpm = rng.choice(programs_of(instrument)), rng.randint(*_TUNE_TEMPOS)
    pitches, lengths = tune_pitches(rng)
    base = rng.randint(*_BASES) - (_GUITAR_LOWER if instrument == "guitar" else 0)

    def played(tune: Sequence[int], spans: Sequence[int], move: int) -> Stimulus:
        return make_tune(rng, [pitch + move for pitch in tune], spans, instrument, program, bpm)

    first = played(pitches, lengths, base)
    answer = _in_turn((_SAME, _OTHER), number)
    if answer == _SAME:
        second = played(pitches, lengths, base + rng.choice(_moves(base)))
    else:
        like = number % 4 == 1  # every other one of the trials whose tunes differ
        other, spans = _other_tune(rng, pitches, lengths, like=like)
        second = played(other, spans, base)
    return MadeTrial((first, second), answer, (_SAME, _OTHER), "melody")


def _moves(base: int) -> list[int]:
    """The steps by which a tune at that base may be moved: up or down, and not out of reach."""
    steps = range(-_WIDEST_MOVE, _WIDEST_MOVE + 1)
    return [step for step in steps if step and _LOWEST_BASE <= base + step <= _HIGHEST_BASE]


def _other_tune(
    rng: Random, pitches: Sequence[int], lengths: Sequence[int], *, like: bool
) -> tuple[Sequence[int], Sequence[int]]:
    """Pitches and lengths of a plainly different tune; ``like``: in the same rhythm and contour, where one is met."""
    other = same_contour(rng, pitches) if like else None
    if other is not None:
        return other, lengths
    while True:
        drawn, spans = tune_pitches(rng)
        if interval_distance(drawn, pitches) >= UNLIKE:
            return drawn, spans


@makers.register("chord_quality_4")
def _chord_four(rng: Random, number: int) -> MadeTrial:
    answer = _in_turn(tuple(_LETTERS), number)
    return MadeTrial((make_chord(rng, _LETTERS[answer], "piano"),), answer, tuple(_LETTERS), "chord")


@makers.register("chord_quality_2")
def _chord_two(rng: Random, number: int) -> MadeTrial:
    answer = _in_turn(_THIRDS, number)
    chord = make_chord(rng, answer, _in_turn(_TUNERS, number // len(_THIRDS)))
    return MadeTrial((chord,), answer, _THIRDS, "chord")


@makers.register("contour")
def _contour(rng: Random, number: int) -> MadeTrial:
    answer = _in_turn(CONTOURS, number)
    line = make_contour(rng, answer, _in_turn(_CONTOUR_PLAYERS, number // len(CONTOURS)))
    return MadeTrial((line,), answer, CONTOURS, "melody")


class _Tuner(NamedTuple):
    """Who plays both tunes of a trial: instrument, program, tempo, and by how much the tune is moved."""

    instrument: str
    program: int
    bpm: int
    base: int

    def play(self, rng: Random, tune: Sequence[int], spans: Sequence[int], move: int = 0) -> Stimulus:
        """A tune as this one plays it."""
        pitches = [pitch + self.base + move for pitch in tune]
        return make_tune(rng, pitches, spans, self.instrument, self.program, self.bpm)


def _tuner(rng: Random) -> _Tuner:
    instrument = rng.choice(_TUNERS)
    base = rng.randint(*_BASES) - (_GUITAR_LOWER if instrument == "guitar" else 0)
    return _Tuner(instrument, rng.choice(programs_of(instrument)), rng.randint(*_TUNE_TEMPOS), base)


@makers.register("oddball")
def _oddball(rng: Random, number: int) -> MadeTrial:
    who, answer = _tuner(rng), _in_turn((_SAME, _OTHER), number)
    pitches, lengths = tune_pitches(rng)
    again = pitches if answer == _SAME else other_pitches(rng, pitches, tuple(MODES.values()))
    return MadeTrial(
        (who.play(rng, pitches, lengths), who.play(rng, again, lengths)), answer, (_SAME, _OTHER), "melody"
    )


@makers.register("pitch_shift")
def _pitch_shift(rng: Random, number: int) -> MadeTrial:
    who, answer = _tuner(rng), _in_turn((_SAME, _OTHER), number)
    pitches, lengths = tune_pitches(rng)
    move = rng.choice(_TUNE_SHIFTS) if answer == _SAME else 0
    changed = answer == _OTHER and number % 4 == 1  # every other one of those that are not shifted has an odd note
    again = other_pitches(rng, pitches, tuple(MODES.values())) if changed else pitches
    clips = (who.play(rng, pitches, lengths), who.play(rng, again, lengths, move))
    return MadeTrial(clips, answer, (_SAME, _OTHER), "melody")


@makers.register("rhythm_match")
def _rhythm_match(rng: Random, number: int) -> MadeTrial:
    beats, kit, bpm = rng.choice(_PATTERN_BEATS), rng.choice(KITS), rng.randint(*_PATTERN_TEMPOS)
    answer = _in_turn((_SAME, _OTHER), number)
    first = pattern_strokes(rng, beats)
    second = first
    while answer == _OTHER and second == first:  # every other one differs in one stroke alone
        second = changed_pattern(rng, first, beats) if number % 4 == 1 else pattern_strokes(rng, beats)
    clips = tuple(make_pattern(rng, strokes, beats, kit, bpm) for strokes in (first, second))
    return MadeTrial(clips, answer, (_SAME, _OTHER), "drums")


@makers.register("tempo_pair")
def _tempo_pair(rng: Random, number: int) -> MadeTrial:
    slower = rng.randint(*_PAIR_TEMPOS)
    faster = max(slower + 1, round(slower * rng.uniform(*_FASTER)))
    answer = _in_turn(("1", "2"), number)
    tempos = (faster, slower) if answer == "1" else (slower, faster)
    loops = [make_loop(rng, rng.choice(tuple(_OFFBEATS.values())), bpm)._replace(heard=(bpm,)) for bpm in tempos]
    return MadeTrial(tuple(loops), answer, ("1", "2"), "tempo")


@makers.register("instrument")
def _instrument(rng: Random, number: int) -> MadeTrial:
    answer = _in_turn(tuple(FAMILIES), number)
    return MadeTrial((make_playing(rng, FAMILIES[answer][0]),), answer, tuple(FAMILIES), "players")


@makers.register("meter")
def _meter(rng: Random, number: int) -> MadeTrial:
    beats = tuple(GROUPS)[number % len(GROUPS)]
    return MadeTrial((make_meter(rng, beats),), GROUPS[beats], tuple(GROUPS.values()), "beats")


@makers.register("key_modulation")
def _key_modulation(rng: Random, number: int) -> MadeTrial:
    answer = _in_turn((_SAME, _OTHER), number)
    while True:  # what the definition cannot decide is not asked
        clip = make_progression(rng, rng.choice(_TUNERS), modulates=answer == _SAME)
        if kinds["key_modulation"].solve(clip.heard).answer == answer:
            return MadeTrial((clip,), answer, (_SAME, _OTHER), "harmony")


@makers.register("progression_match")
def _progression_match(rng: Random, number: int) -> MadeTrial:
    answer = _in_turn((_SAME, _OTHER), number)
    first = chord_row(rng)
    second = first
    while answer == _OTHER and second == first:  # every other one differs in one chord alone
        second = changed_row(rng, first) if number % 4 == 1 else chord_row(rng)
    clips = tuple(make_row(rng, row, rng.choice(_TUNERS)) for row in (first, second))
    return MadeTrial(clips, answer, (_SAME, _OTHER), "harmony")


def examples_of(task: str) -> int:
    """How many examples a suite shows of a task."""
    return _EXAMPLES.get(task, _USUAL_EXAMPLES)
