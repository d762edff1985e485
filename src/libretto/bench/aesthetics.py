"""Aesthetics of sound by the published predictor: enjoyment, usefulness, complexity and quality of every piece.

The scores are those of the package ``audiobox-aesthetics`` (four axes from 1 to 10): ours is only the way there. Every
piece becomes sound as it does in a study, is brought to one channel at the predictor's rate, and handed over in turn,
as samples and not as a file: reading files depends on what else is installed beside the package.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, Protocol

import numpy as np

from libretto.bench.study.pieces import RATE, pieces_in, sound_of
from libretto.corpus.statistics import Estimate
from libretto.errors import LibrettoError, MissingExtra
from libretto.score.table import Singles
from libretto.sound.encode import resampled

__all__ = ["AXES", "Predictor", "Rated", "aesthetics_lines", "load_predictor", "rate_folder"]

#: The four axes, in the order of the published table.
AXES = {"CE": "enjoyment", "CU": "usefulness", "PC": "complexity", "PQ": "quality"}
_PREDICTOR_RATE = 16_000  # samples a second that the predictor hears
_BATCH = 8  # pieces at a time
_DRAWS, _LOW, _HIGH = 1_000, 0.025, 0.975  # how often pieces are drawn anew, and between which shares the interval lies


class Predictor(Protocol):
    """What judges sound: four scores for every sound of a batch."""

    def rate(self, sounds: Sequence[Singles]) -> Sequence[Mapping[str, float]]:
        """The four scores of every sound, each one channel of samples, 16,000 a second."""


@dataclass(frozen=True)
class Rated:
    """The scores of one piece of one system."""

    system: str
    piece: str
    scores: Mapping[str, float]


@dataclass(frozen=True)
class _Published:
    """The predictor of the package, which takes sounds as tensors."""

    predictor: Any
    torch: Any

    def rate(self, sounds: Sequence[Singles]) -> Sequence[Mapping[str, float]]:
        """The four scores of every sound."""
        tensors = [self.torch.from_numpy(np.ascontiguousarray(sound, dtype=np.float32)[None]) for sound in sounds]
        batch = [{"path": tensor, "sample_rate": _PREDICTOR_RATE} for tensor in tensors]
        scores: Sequence[Mapping[str, float]] = self.predictor.forward(batch)
        return scores


def load_predictor(weights: str | None = None) -> Predictor:
    """The published predictor, with weights from a file or as the package itself finds them."""
    try:
        infer, torch = (importlib.import_module(name) for name in ("audiobox_aesthetics.infer", "torch"))
    except ImportError:
        raise MissingExtra("judging the aesthetics of sound", "aesthetics") from None
    except (RuntimeError, OSError) as error:  # releases of torch and torchaudio that do not go together
        raise LibrettoError(f"audiobox-aesthetics cannot be loaded: {_one_line(error)}") from None
    if weights is not None and not Path(weights).is_file():
        raise LibrettoError(f"{weights} is no file of weights")
    try:
        return _Published(infer.initialize_predictor(weights), torch)
    except Exception as error:  # whatever a download or a damaged file makes of itself
        raise LibrettoError(
            f"the weights of audiobox-aesthetics cannot be had ({_one_line(error)}); name a file with --weights"
        ) from None


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def rate_folder(
    folder: str | os.PathLike[str],
    predictor: Predictor,
    *,
    soundfont: str | None = None,
    step: Callable[[int, int], None] = lambda done, total: None,
) -> list[Rated]:
    """The scores of every piece in a folder of systems, WAV files of any rate among them."""
    pieces = [(system, name, path) for system, mine in pieces_in(folder).items() for name, path in mine.items()]
    rated: list[Rated] = []
    for start in range(0, len(pieces), _BATCH):
        batch = pieces[start : start + _BATCH]
        scores = predictor.rate([_mono(sound_of(path, soundfont)) for _, _, path in batch])
        if len(scores) != len(batch) or any(axis not in row for row in scores for axis in AXES):
            raise LibrettoError(f"the predictor did not give {', '.join(AXES)} for every piece")
        rated += [
            Rated(system, name, {axis: float(row[axis]) for axis in AXES})
            for (system, name, _), row in zip(batch, scores, strict=True)
        ]
        step(len(rated), len(pieces))
    return rated


def _mono(sound: Singles) -> Singles:
    """One channel at the predictor's rate."""
    return resampled(sound.mean(axis=1, keepdims=True), RATE, _PREDICTOR_RATE)[:, 0]


def _mean(values: Sequence[float]) -> Estimate:
    """A mean, between the ends of what it is when pieces are drawn anew."""
    dice = Random(0)
    means = sorted(fmean(dice.choices(values, k=len(values))) for _ in range(_DRAWS))
    return Estimate(fmean(values), means[round(_LOW * (_DRAWS - 1))], means[round(_HIGH * (_DRAWS - 1))])


def aesthetics_lines(rated: Sequence[Rated]) -> list[str]:
    """The table as Markdown: one line a system, every mean with its interval."""
    lines = ["| system | pieces | " + " | ".join(AXES) + " |", "|---" * (2 + len(AXES)) + "|"]
    for system in dict.fromkeys(row.system for row in rated):
        mine = [row for row in rated if row.system == system]
        means = [_mean([row.scores[axis] for row in mine]) for axis in AXES]
        cells = " | ".join(f"{mean.value:.2f} [{mean.low:.2f}-{mean.high:.2f}]" for mean in means)
        lines.append(f"| {system} | {len(mine)} | {cells} |")
    return [*lines, "", ", ".join(f"{axis} {name}" for axis, name in AXES.items()) + "; intervals are 95%, by piece."]
