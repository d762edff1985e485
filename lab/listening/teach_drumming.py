"""Teach the ear for drum patterns: ``python -m lab.listening.teach_drumming -o OUT --fonts a.sf2 --fonts b.sf2``.

Patterns of the task ``rhythm_match`` are played by the kits of soundfonts, in rooms, echoes and noise down to 3 dB
below. Where the pulse is heard rightly, what is seen of every eighth is taught with what was struck there: of each half
by itself, and of both together. The network is small (24 cells), and fitted by Adam's steps from a fixed start.
``--check`` counts, in other fonts and seeds, how many pairs of patterns are matched rightly.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from lab.listening.gathering import in_font
from lab.listening.sounds import chained
from libretto.hearing.audio import Clip
from libretto.hearing.drumming import read_drum_pair, signs_at, take_of
from libretto.hearing.partials import hearable
from libretto.hearing.rhythm import find_pulses
from libretto.listen.makers import makers
from libretto.listen.relations import rhythm_match
from libretto.listen.stimuli import Stimulus
from libretto.score.table import Floats, Singles

__all__ = ["fitted", "main", "matched", "pattern_pair", "rows_of"]

#: Decibels of noise below the sound, as often as they are drawn: loud noise more often than it is met.
LOUD: tuple[float | None, ...] = (None, 40.0, 20.0, 15.0, 15.0, 10.0, 10.0, 6.0, 6.0, 3.0, 3.0)
_TRIALS, _TAUGHT_SEED, _HELD_SEED = 240, "a", "held"
_OFF = 0.03  # how far from its own the tempo that is heard may be
_A_DRUM, _DRUMS = 100, 3
_HIDDEN, _ROUNDS, _BATCH, _RATE, _PRICE = 24, 60, 128, 0.005, 2e-3
_MOST_TRUST = 4.0  # how much more an eighth without a hat counts, since nearly all have one
_DIGITS = 4


class Pair(NamedTuple):
    """Two clips, the strokes of each, beats a minute, and whether they are one pattern."""

    clips: tuple[Clip, Clip]
    strokes: tuple[tuple[int, ...], tuple[int, ...]]
    bpm: float
    answer: str


def pattern_pair(number: int, seed: str, fonts: Sequence[str | None], noises: Sequence[float | None]) -> Pair:
    """A trial of the task, each of its clips in a room and a noise of its own."""
    rng = Random(f"dev {seed} {number}")
    trial = makers["rhythm_match"](rng, number)
    font = fonts[number // 4 % len(fonts)]
    one, two = (_in_noise(stimulus, rng, font, noises) for stimulus in trial.clips)
    first, second = trial.clips
    return Pair((one, two), (first.heard, second.heard), first.score.bpm, trial.answer)


def _in_noise(stimulus: Stimulus, rng: Random, font: str | None, noises: Sequence[float | None]) -> Clip:
    below = rng.choice(list(noises))
    return chained(in_font(stimulus, rng, font), rng, (below,))


def rows_of(sound: Singles, strokes: Sequence[int], bpm: float) -> tuple[Floats, Floats] | None:
    """What is seen of every eighth of a pattern, and which drums are struck there; None where its pulse is misheard."""
    count = 32 if max(stroke % _A_DRUM for stroke in strokes) > 24 else 24
    take = take_of(sound)
    pulses = find_pulses([take.strength], count)
    if not pulses or abs(pulses[0].period * bpm / 30 - 1) > _OFF or pulses[0].start > pulses[0].period / 2:
        return None
    struck = np.zeros((count, _DRUMS))
    for stroke in strokes:
        struck[stroke % _A_DRUM - 1, stroke // _A_DRUM - 1] = 1.0
    apart = signs_at(take, pulses[0], count, folded=False)
    both = signs_at(take, pulses[0], count, folded=True)
    return np.concatenate([apart, both]), np.concatenate([struck, struck[: count // 2]])


def fitted(signs: Floats, struck: Floats) -> dict[str, Floats]:
    """Middle, spread and weights of the network."""
    numbers = np.random.default_rng(0)
    middle, spread = signs.mean(axis=0), signs.std(axis=0) + 1e-2
    inner = (signs - middle) / spread
    trust = np.where(
        struck > 0, 1.0, np.minimum(_MOST_TRUST, np.maximum(1.0, struck.mean(axis=0) / (1 - struck.mean(axis=0))))
    )
    count = inner.shape[1]
    net = [
        numbers.normal(0, count**-0.5, (count, _HIDDEN)), np.zeros(_HIDDEN),
        numbers.normal(0, _HIDDEN**-0.5, (_HIDDEN, _DRUMS)), np.zeros(_DRUMS),
    ]  # fmt: skip
    mean, square, step = [np.zeros_like(part) for part in net], [np.zeros_like(part) for part in net], 0
    for turn in range(_ROUNDS):
        order = numbers.permutation(len(inner))
        for first in range(0, len(inner), _BATCH):
            some = order[first : first + _BATCH]
            hidden = np.tanh(inner[some] @ net[0] + net[1])
            off = (1 / (1 + np.exp(-(hidden @ net[2] + net[3]))) - struck[some]) * trust[some] / len(some)
            back = (off @ net[2].T) * (1 - hidden**2)
            slopes = [inner[some].T @ back + _PRICE * net[0], back.sum(axis=0)]
            slopes += [hidden.T @ off + _PRICE * net[2], off.sum(axis=0)]
            step += 1
            for place, slope in enumerate(slopes):
                mean[place] = 0.9 * mean[place] + 0.1 * slope
                square[place] = 0.999 * square[place] + 0.001 * slope**2
                size = np.sqrt(square[place] / (1 - 0.999**step)) + 1e-8
                net[place] = net[place] - _RATE * (1 - turn / _ROUNDS) * mean[place] / (1 - 0.9**step) / size
    return {"middle": middle, "spread": spread, "first": net[0], "offset": net[1], "second": net[2], "last": net[3]}


def matched(pair: Pair) -> bool:
    """Whether two patterns are matched rightly by the shipped weights."""
    return rhythm_match(*(reading.values for reading in read_drum_pair(*pair.clips))).answer == pair.answer


def main(arguments: Sequence[str] | None = None) -> None:
    """Make patterns, teach, write the weights; with ``--check``, count what is matched rightly."""
    parser = argparse.ArgumentParser(prog="lab.listening.teach_drumming", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, help="where the weights go")
    parser.add_argument("--trials", type=int, default=_TRIALS)
    parser.add_argument("--fonts", action="append", default=[], help="an .sf2 file; may be said more than once")
    parser.add_argument("--check", action="store_true", help="do not teach: match pairs of other seeds")
    given = parser.parse_args(arguments)
    fonts = given.fonts or [None]
    if given.check:
        right = [matched(pattern_pair(number, _HELD_SEED, fonts, LOUD)) for number in range(given.trials)]
        print(f"{sum(right)} of {len(right)} matched rightly")
        return
    rows = []
    for number in range(given.trials):
        pair = pattern_pair(number, _TAUGHT_SEED, fonts, LOUD)
        for clip, strokes in zip(pair.clips, pair.strokes, strict=True):
            row = rows_of(hearable(clip), strokes, pair.bpm)
            if row is not None:
                rows.append(row)
    net = fitted(*(np.concatenate([row[side] for row in rows]) for side in (0, 1)))
    print(f"taught on {sum(len(struck) for _, struck in rows)} eighths of {len(rows)} clips")
    if given.output is not None:
        data = {name: np.round(values, _DIGITS).tolist() for name, values in net.items()}
        given.output.write_text(json.dumps(data) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
