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

import numpy as np

from libretto.errors import LibrettoError
from libretto.formats import write_bytes
from libretto.house.core.dice import dice
from libretto.listen.makers import MadeTrial, examples_of, makers
from libretto.listen.stimuli import Stimulus

__all__ = ["COLUMNS", "NOISES", "RATE", "USUAL_TRIALS", "make_suite", "makers", "trials_in"]

RATE = 22_050
#: Trials of each task in a suite where nobody says: two minutes of work make them.
USUAL_TRIALS = 20
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


def make_suite(
    folder: str | os.PathLike[str],
    trials: int = USUAL_TRIALS,
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
    examples = range(examples_of(task))
    return [*(("fewshot", number) for number in examples), *(("test", number) for number in order)]


def trials_in(trials: int, tasks: Sequence[str] = ()) -> int:
    """How many rows such a suite has, its examples included."""
    return sum(trials + examples_of(task) for task in _chosen(tasks))


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
