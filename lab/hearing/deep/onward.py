"""Teach the networks for drums on, by small steps: hats that are noise alone, and recordings that hold no treble.

    python -m lab.hearing.deep.onward lessons/drums.npz -o src/libretto/hearing/strokes.npz --steps 200

Both networks of the file are taught with the same clips; no GPU is needed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from lab.hearing.deep.drum_lessons import RANGES, Strokes, made_sounds
from lab.hearing.deep.learning import kept_weights, read_lessons
from lab.hearing.deep.mixing import Pool
from lab.hearing.deep.teach_drums import DrumNet, Hearing
from libretto.hearing.looking import DRUM_HOP

__all__ = ["main"]

_STEP = 3e-4
_CLIPS = 8
_CUT, _FEWEST = 0.3, 50  # of the clips hold fewer bands, at least so many
_TOP_BANDS, _SOFTER = 6, 0.2  # as in ``libretto.hearing.looking.filled``
_SHOWN = 20  # steps


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the networks, teach them on, and write them."""
    parser = argparse.ArgumentParser(prog="lab.hearing.deep.onward", description=__doc__)
    parser.add_argument("lessons", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=200)
    given = parser.parse_args(arguments)
    torch.manual_seed(1)
    data, samples, lengths = read_lessons(given.lessons, "cpu")
    made, kinds = made_sounds("cpu")
    hearing = Hearing(Pool(samples.half(), lengths).joined(made))
    batches = iter(Strokes(data, kinds, _CLIPS, DRUM_HOP, RANGES["b"]))
    nets = {name: DrumNet.read(given.output, f"{name}_").train() for name in RANGES}
    steps = torch.optim.AdamW([row for net in nets.values() for row in net.parameters()], lr=_STEP, weight_decay=1e-3)
    dice = np.random.default_rng(2)
    lost = []
    for number in range(given.steps):
        for group in steps.param_groups:
            group["lr"] = _STEP * min(1.0, (number + 1) / 10) * (0.5 + 0.5 * np.cos(np.pi * number / given.steps))
        strokes, labels = next(batches)
        with torch.no_grad():
            seen = _cut(hearing({name: torch.from_numpy(rows) for name, rows in strokes.items()}, _CLIPS), dice)
        true = torch.from_numpy(labels)
        loss = sum(torch.nn.functional.binary_cross_entropy_with_logits(net(seen), true) for net in nets.values())
        steps.zero_grad()
        loss.backward()
        for net in nets.values():
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        steps.step()
        lost.append(loss.item())
        if (number + 1) % _SHOWN == 0:
            print(f"step {number + 1}, loss {np.mean(lost[-_SHOWN:]):.4f}", flush=True)
    for name, net in nets.items():
        kept_weights(given.output, net.eval().weights(), f"{name}_")


def _cut(levels: Any, dice: np.random.Generator) -> Any:
    """Levels of clips some of which hold no treble."""
    for clip in levels:
        if dice.random() < _CUT:
            count = int(dice.integers(_FEWEST, clip.shape[1]))
            clip[:, count:] = clip[:, count - _TOP_BANDS : count].mean(1, keepdim=True) - _SOFTER
    return levels


if __name__ == "__main__":
    main()
