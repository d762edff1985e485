"""Trials of every task played in sounds of the lab and heard by the local ear: what it said, and what was right.

``taught`` draws sounds, noise and rooms from those that the ear was built on; ``held`` draws other sounds, other
programs of the soundfont, other tempi and other seeds, and is for checking alone; so does ``later``.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from lab.listening.sounds import HELD, LATER, RATE, TAUGHT, Colour, PlayedTone, chained, sounded
from libretto.hearing.audio import Clip
from libretto.hearing.reading import Reading
from libretto.listen.kinds import kinds
from libretto.listen.local import paired
from libretto.listen.makers import makers
from libretto.listen.stimuli import Stimulus
from libretto.score import Score
from libretto.score.time import QUARTER
from libretto.sound.audio import samples_of

__all__ = [
    "NOISES",
    "Gathered",
    "family",
    "gather",
    "heard_trial",
    "in_colour",
    "in_font",
    "load",
    "player_colours",
    "save",
]

#: Decibels of noise below the sound, as often as they are drawn.
NOISES: tuple[float | None, ...] = (None, None, None, 40.0, 30.0, 20.0, 15.0, 10.0, 6.0, 3.0)
_COLOURS = {"taught": TAUGHT, "held": HELD, "later": LATER}
_TEMPO = {"taught": (0.8, 1.3), "held": (0.65, 1.5), "later": (0.6, 1.6)}  # times what the trial says
_SYNTHESISED = 0.6  # of the trials without drums
_SEEDS = 1 << 30


class Gathered(NamedTuple):
    """What the ear heard of one trial, the right answer, and in what sound it was played."""

    task: str
    answer: str
    readings: tuple[Reading, ...]
    sound: str


def gather(which: str, tasks: Sequence[str], trials: int, seed: int, font: str | None = None) -> list[Gathered]:
    """That many trials of each task, heard."""
    return [heard_trial(which, task, number, seed, font) for task in tasks for number in range(trials)]


def heard_trial(which: str, task: str, number: int, seed: int, font: str | None = None) -> Gathered:
    """One trial made, played and heard."""
    rng = Random(f"{which} {task} {seed} {number}")
    trial = makers[task](rng, number)
    fixed = task in ("tempo_pair",)
    pace = 1.0 if fixed else rng.uniform(*_TEMPO[which])
    drums = any(voice.drums for clip in trial.clips for voice in clip.score.voices)
    colours = _COLOURS[which]
    choose = player_colours if task == "instrument" else family
    names = choose(colours, trial.clips[0].instrument)
    name = rng.choice(names) if names else "font"
    own = bool(names) and not drums and rng.random() < _SYNTHESISED
    colour_seed, clips = rng.randrange(_SEEDS), []
    for stimulus in trial.clips:
        clip = in_colour(stimulus, colours[name], pace, rng, colour_seed) if own else in_font(stimulus, rng, font)
        clips.append(chained(clip, rng, NOISES))
    readings = paired(kinds[task], clips)
    return Gathered(task, trial.answer, tuple(readings), name if own else "font")


def family(colours: dict[str, Colour], instrument: str) -> list[str]:
    """The colours that stand for an instrument."""
    if instrument in ("guitar", "bass"):
        return [name for name in colours if instrument in name and ("bass" in name) == (instrument == "bass")]
    return [name for name in colours if "guitar" not in name and "bass" not in name]


def player_colours(colours: dict[str, Colour], instrument: str) -> list[str]:
    """The colours that are a piano, a guitar or a bass, and no other instrument."""
    if instrument == "piano":
        return [name for name in colours if "piano" in name or "grand" in name]
    return [name for name in colours if instrument in name and ("bass" in name) == (instrument == "bass")]


def in_colour(stimulus: Stimulus, colour: Colour, pace: float, rng: Random, seed: int) -> Clip:
    """A stimulus in a colour, a little uneven in time and loudness."""
    return sounded(_tones(stimulus.score, pace, rng), colour, Random(seed))


def _tones(score: Score, pace: float, rng: Random) -> list[PlayedTone]:
    seconds = 60 / (score.bpm * pace) / QUARTER
    return [
        PlayedTone(
            float(row["onset"]) * seconds + max(0.0, rng.gauss(0.01, 0.006)),
            float(row["duration"]) * seconds,
            float(row["pitch"]),
            (float(row["velocity"]) / 110) ** 1.5 * rng.uniform(0.7, 1.0),
        )
        for row in score.table
    ]


def in_font(stimulus: Stimulus, rng: Random, font: str | None) -> Clip:
    """A stimulus played by a soundfont."""
    rows, rate = samples_of(stimulus.score, seed=rng.randrange(_SEEDS), rate=RATE, soundfont=font)
    return Clip(rows.mean(axis=1).astype(np.float32), rate)


def save(gathered: Sequence[Gathered], path: Path) -> None:
    """Keep what was heard, for teaching more than once."""
    path.write_bytes(pickle.dumps([tuple(item) for item in gathered]))


def load(path: Path) -> list[Gathered]:
    """What ``save`` kept."""
    return [Gathered(*item) for item in pickle.loads(path.read_bytes())]
