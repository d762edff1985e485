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
from libretto.listen.stimuli import (
    CONTOURS,
    Stimulus,
    intervals_apart,
    make_chord,
    make_contour,
    make_loop,
    make_tune,
    programs_of,
    same_contour,
    tune_pitches,
)
from libretto.registry import Registry

__all__ = ["COLUMNS", "NOISES", "RATE", "Trial", "make_suite", "makers", "trials_in"]

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
_OFFBEATS = {"A": 0, "B": 2, "C": 4, "D": 6, "E": 8}
_LETTERS = {"A": "major", "B": "minor", "C": "dominant", "D": "diminished"}


class Trial(NamedTuple):
    """A question: the clips to be heard, the answer, the choices, and the schema in which an ear writes down."""

    clips: tuple[Stimulus, ...]
    answer: str
    choices: tuple[str, ...]
    schema: str


#: How a trial of each task is made from chance and its number.
makers: Registry[Callable[[Random, int], Trial]] = Registry("listening task")


@makers.register("syncopation_score")
def _score(rng: Random, number: int) -> Trial:
    answer = list(_OFFBEATS)[number % 5]
    return Trial((make_loop(rng, _OFFBEATS[answer]),), answer, tuple(_OFFBEATS), "rhythm")


@makers.register("syncopation_pair")
def _pair(rng: Random, number: int) -> Trial:
    less, more = sorted(rng.sample((0, 2, 4, 6, 8), 2))
    first = number % 2 == 0
    counts = (more, less) if first else (less, more)
    clips = tuple(make_loop(rng, count) for count in counts)
    return Trial(clips, "1" if first else "2", ("1", "2"), "rhythm")


@makers.register("transposition")
def _transposition(rng: Random, number: int) -> Trial:
    instrument = rng.choice(("piano", "guitar"))
    program, bpm = rng.choice(programs_of(instrument)), rng.randint(76, 168)
    pitches, lengths = tune_pitches(rng)
    base = rng.randint(-5, 5) - (5 if instrument == "guitar" else 0)
    first = make_tune(rng, [pitch + base for pitch in pitches], lengths, instrument, program, bpm)
    if number % 2 == 0:
        moved = base + rng.choice([step for step in range(-6, 7) if step and -8 <= base + step <= 6])
        second = make_tune(rng, [pitch + moved for pitch in pitches], lengths, instrument, program, bpm)
    else:
        other = same_contour(rng, pitches) if number % 4 == 1 else None
        while other is None:
            drawn, spans = tune_pitches(rng)
            if intervals_apart(drawn, pitches) >= 0.6:
                other, lengths = drawn, spans
        second = make_tune(rng, [pitch + base for pitch in other], lengths, instrument, program, bpm)
    return Trial((first, second), "no" if number % 2 else "yes", ("yes", "no"), "melody")


@makers.register("chord_quality_4")
def _chord_four(rng: Random, number: int) -> Trial:
    answer = "ABCD"[number % 4]
    return Trial((make_chord(rng, _LETTERS[answer], "piano"),), answer, tuple(_LETTERS), "chord")


@makers.register("chord_quality_2")
def _chord_two(rng: Random, number: int) -> Trial:
    answer = ("major", "minor")[number % 2]
    made = make_chord(rng, answer, ("piano", "guitar")[number // 2 % 2])
    return Trial((made,), answer, ("major", "minor"), "chord")


@makers.register("contour")
def _contour(rng: Random, number: int) -> Trial:
    answer = CONTOURS[number % 4]
    made = make_contour(rng, answer, ("piano", "guitar", "bass")[number // 4 % 3])
    return Trial((made,), answer, CONTOURS, "melody")


#: How many examples each task has: one a class where classes have names, else two.
_EXAMPLES = {"chord_quality_4": 4, "contour": 4}


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
    if noise is not None and not -10 <= noise <= 120:
        raise LibrettoError(f"noise lies -10 to 120 dB below the sound, not {noise:g}")
    place = Path(folder)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise LibrettoError(f"{place} is there and not an empty folder; name a new one")
    try:
        (place / "audio").mkdir(parents=True)
    except OSError as error:
        raise LibrettoError(f"cannot make {place}: {error.strerror}") from None
    rows: list[dict[str, str]] = []
    for task in chosen:
        examples = _EXAMPLES.get(task, 2)
        order = list(range(trials))
        dice(seed, "order", task).shuffle(order)
        for index in range(examples + trials):
            fewshot = index < examples
            number = index if fewshot else order[index - examples]
            trial = makers[task](dice(seed, "fewshot" if fewshot else "test", task, number), number)
            name = f"m{len(rows) + 1:05d}"
            rows.append(_row(place, name, task, "fewshot" if fewshot else "test", trial, seed, noise))
            if step is not None:
                step()
    manifest = place / "manifest.csv"
    write_bytes(_table(rows), manifest)
    return manifest


def trials_in(trials: int, tasks: Sequence[str] = ()) -> int:
    """How many rows such a suite has, its examples included."""
    return sum(trials + _EXAMPLES.get(task, 2) for task in _chosen(tasks))


def _chosen(tasks: Sequence[str]) -> list[str]:
    for task in tasks:
        if task not in makers:
            raise LibrettoError(f"there is no listening task {task!r}; there are {', '.join(makers)}")
    return [task for task in makers if not tasks or task in tasks]


def _row(place: Path, name: str, task: str, role: str, trial: Trial, seed: int, noise: float | None) -> dict[str, str]:
    files, sums, lines, notes = [], [], [], []
    for index, clip in enumerate(trial.clips):
        rng = dice(seed, "noise", name, index)
        level = noise if noise is not None else rng.choice(NOISES)
        data = _sound(clip, rng, level)
        file = f"{hashlib.sha256(f'{seed}/{name}/{index}'.encode()).hexdigest()[:12]}.flac"
        write_bytes(data, place / "audio" / file)
        files.append(file)
        sums.append(hashlib.sha256(data).hexdigest()[:16])
        suffix = f"_{index + 1}" if len(trial.clips) > 1 else ""
        lines.append(f"{trial.schema}({name}{suffix}, [{', '.join(map(str, clip.heard))}])")
        notes.append("clean" if level is None else f"noise {level:g} dB below")
    second = len(files) > 1
    values = (
        name, task, role, files[0], files[1] if second else "", sums[0], sums[1] if second else "", trial.answer,
        "|".join(trial.choices), trial.schema, "\n".join(lines), trial.clips[0].instrument, "; ".join(notes),
    )  # fmt: skip
    return dict(zip(COLUMNS, values, strict=True))


def _sound(clip: Stimulus, rng: Random, noise: float | None) -> bytes:
    """A stimulus as the bytes of a FLAC file: performed, in one channel, with noise that far below it."""
    from libretto.sound.audio import samples_of
    from libretto.sound.encode import encoded

    rows, rate = samples_of(clip.score, seed=rng.randrange(1 << 30), rate=RATE)
    sound = rows.mean(axis=1)
    if noise is not None:
        hiss = np.random.default_rng(rng.randrange(1 << 30)).standard_normal(len(sound), dtype=np.float32)
        sound = sound + hiss * np.float32(np.sqrt(float((sound**2).mean())) * 10 ** (-noise / 20))
    sound = sound * np.float32(0.9 / max(1e-6, float(np.abs(sound).max())))
    return encoded(sound[:, None].astype(np.float32), rate, "flac")


def _table(rows: Sequence[dict[str, str]]) -> bytes:
    out = StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()
