"""A listening suite of our own: clips rendered from Scores we make, answers known by construction, one manifest.

The folder has the form of the published material: ``manifest.csv`` and ``audio/``. File names and trial ids say nothing
about the answers, classes are balanced, and no clip of an example (few-shot) is heard in a trial.
"""

from __future__ import annotations

import csv
import hashlib
import os
from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from libretto.errors import LibrettoError
from libretto.formats import write_bytes
from libretto.house.core.dice import dice
from libretto.listen.chords import make_chord
from libretto.listen.solvers import SYNCOPATIONS, interval_distance
from libretto.listen.stimuli import (
    CONTOURS,
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

__all__ = ["COLUMNS", "NOISES", "RATE", "MadeTrial", "make_suite", "makers", "trials_in"]

RATE = 22_050
#: How far noise lies below the sound, in decibels, where nobody says; None is a clean clip.
NOISES: tuple[float | None, ...] = (None, 40.0, 30.0, 20.0)
COLUMNS = (
    "trial_id",
    "task",
    "role",
    "audio_1",
    "audio_2",
    "sha256_1",
    "sha256_2",
    "answer",
    "choices",
    "schema",
    "gt_symbolic",
    "instrument",
    "note",
)
_MOST_TRIALS = 2_000
_LEAST_NOISE, _MOST_NOISE = -10, 120  # decibels below the sound
_NAME_DIGITS, _SUM_DIGITS = 12, 16  # of sha256 in a file's name, and in the table
_SEEDS = 1 << 30  # seeds of playing and of noise lie below this
_PEAK, _SILENCE = 0.9, 1e-6  # the loudest sample of a clip, and what is louder than none
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
#: How many examples each task has: one a class where classes have names, else two.
_EXAMPLES = {"chord_quality_4": len(_LETTERS), "contour": len(CONTOURS)}
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


def make_suite(
    folder: str | os.PathLike[str],
    trials: int = 200,
    seed: int = 0,
    noise: float | None = None,
    tasks: Sequence[str] = (),
    *,
    step: Callable[[], None] | None = None,
) -> Path:
    """Write a suite of that many trials a task into a new or empty folder, and give the path of its manifest.

    ``noise`` puts white noise that many decibels below every clip (left out: none, 40, 30 and 20 dB by chance);
    ``step`` is called after every trial. The same arguments, version and soundfont give the same bytes.
    """
    chosen = _chosen(tasks)
    if not 1 <= trials <= _MOST_TRIALS:
        raise LibrettoError(f"a suite has 1 to {_MOST_TRIALS} trials a task, not {trials}")
    if noise is not None and not _LEAST_NOISE <= noise <= _MOST_NOISE:
        raise LibrettoError(f"noise lies {_LEAST_NOISE} to {_MOST_NOISE} dB below the sound, not {noise:g}")
    place = _new_folder(Path(folder))
    rows: list[dict[str, str]] = []
    for task in chosen:
        for role, number in _order(task, trials, seed):
            trial = makers[task](dice(seed, role, task, number), number)
            rows.append(_row(place, f"m{len(rows) + 1:05d}", task, role, trial, seed, noise))
            if step is not None:
                step()
    manifest = place / "manifest.csv"
    write_bytes(_table(rows), manifest)
    return manifest


def _new_folder(place: Path) -> Path:
    """The folder of a suite, made with its folder of audio."""
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise LibrettoError(f"{place} is there and not an empty folder; name a new one")
    try:
        (place / "audio").mkdir(parents=True)
    except OSError as error:
        raise LibrettoError(f"cannot make {place}: {error.strerror}") from None
    return place


def _order(task: str, trials: int, seed: int) -> list[tuple[str, int]]:
    """Role and number of every trial of a task: the examples in turn, then the tests in an order of chance."""
    order = list(range(trials))
    dice(seed, "order", task).shuffle(order)
    examples = range(_EXAMPLES.get(task, _USUAL_EXAMPLES))
    return [*(("fewshot", number) for number in examples), *(("test", number) for number in order)]


def trials_in(trials: int, tasks: Sequence[str] = ()) -> int:
    """How many rows such a suite has, its examples included."""
    return sum(trials + _EXAMPLES.get(task, _USUAL_EXAMPLES) for task in _chosen(tasks))


def _chosen(tasks: Sequence[str]) -> list[str]:
    for task in tasks:
        if task not in makers:
            raise LibrettoError(f"there is no listening task {task!r}; there are {', '.join(makers)}")
    return [task for task in makers if not tasks or task in tasks]


def _row(
    place: Path, name: str, task: str, role: str, trial: MadeTrial, seed: int, noise: float | None
) -> dict[str, str]:
    """The row of a trial, its clips written."""
    files, sums, lines, notes = [], [], [], []
    for index, clip in enumerate(trial.clips):
        rng = dice(seed, "noise", name, index)
        level = noise if noise is not None else rng.choice(NOISES)
        data = _sound(clip, rng, level)
        file = f"{hashlib.sha256(f'{seed}/{name}/{index}'.encode()).hexdigest()[:_NAME_DIGITS]}.flac"
        write_bytes(data, place / "audio" / file)
        files.append(file)
        sums.append(hashlib.sha256(data).hexdigest()[:_SUM_DIGITS])
        suffix = f"_{index + 1}" if len(trial.clips) > 1 else ""
        lines.append(f"{trial.schema}({name}{suffix}, [{', '.join(map(str, clip.heard))}])")
        notes.append("clean" if level is None else f"noise {level:g} dB below")
    first_file, second_file = (*files, "")[:2]
    first_sum, second_sum = (*sums, "")[:2]
    values = (
        name, task, role, first_file, second_file, first_sum, second_sum, trial.answer,
        "|".join(trial.choices), trial.schema, "\n".join(lines), trial.clips[0].instrument, "; ".join(notes),
    )  # fmt: skip
    return dict(zip(COLUMNS, values, strict=True))


def _sound(clip: Stimulus, rng: Random, noise: float | None) -> bytes:
    """A stimulus as the bytes of a FLAC file: performed, in one channel, with noise that far below it."""
    from libretto.sound.audio import samples_of
    from libretto.sound.encode import encoded

    rows, rate = samples_of(clip.score, seed=rng.randrange(_SEEDS), rate=RATE)
    sound = rows.mean(axis=1)
    if noise is not None:
        hiss = np.random.default_rng(rng.randrange(_SEEDS)).standard_normal(len(sound), dtype=np.float32)
        sound = sound + hiss * np.float32(np.sqrt(float((sound**2).mean())) * 10 ** (-noise / 20))
    sound = sound * np.float32(_PEAK / max(_SILENCE, float(np.abs(sound).max())))
    return encoded(sound[:, None].astype(np.float32), rate, "flac")


def _table(rows: Sequence[dict[str, str]]) -> bytes:
    out = StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()
