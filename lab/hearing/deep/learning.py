"""How a network is taught: batches as long as there is time, ever smaller steps, the mean of late weights kept."""

from __future__ import annotations

import argparse
import copy
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

__all__ = ["Course", "course_parser", "folded", "kept_weights", "learned", "read_lessons"]

_KEEP = 0.999  # of the mean of weights, a step
_WARM = 200  # steps
_CHECKS = 12  # batches
_SURES = (0.3, 0.4, 0.5, 0.6)
_BLOCK = 256


class Course(NamedTuple):
    """Seconds, clips at once, processes that prepare them, largest step, how much a yes counts, whether in halves."""

    seconds: float
    clips: int
    workers: int
    step: float
    yes: tuple[float, ...] = (1.0,)
    half: bool = False


def course_parser(prog: str, description: str | None, clips: int) -> argparse.ArgumentParser:
    """What every teacher is told: the lessons, where weights go, for how long and how much at once."""
    parser = argparse.ArgumentParser(prog=prog, description=description)
    parser.add_argument("lessons", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=330.0)
    parser.add_argument("--clips", type=int, default=clips)
    parser.add_argument("--workers", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0)
    return parser


def read_lessons(path: Path, device: str) -> tuple[dict[str, np.ndarray], Any, Any]:
    """A packed file: everything but the sounds, all samples within -1 to 1, and the lengths of the sounds."""
    with np.load(path) as packed:
        data = {name: packed[name] for name in packed.files}
    pool = data.pop("pool")
    samples = torch.from_numpy(pool).to(device).float() / 32768
    if "scale" in data:
        scale = torch.from_numpy(data.pop("scale").astype(np.float32)).to(device)
        samples = (samples.reshape(-1, _BLOCK) * scale[:, None]).reshape(-1)
    return data, samples, torch.from_numpy(data["length"]).to(device)


def kept_weights(path: Path, weights: dict[str, np.ndarray], prefix: str = "") -> None:
    """Write weights as halves into a file, beside those of other networks that are in it."""
    others = {}
    if prefix and path.exists():
        with np.load(path) as packed:
            others = {name: packed[name] for name in packed.files if not name.startswith(prefix)}
    own = {prefix + name: values.astype(np.float16) for name, values in weights.items()}
    np.savez(path, **dict(sorted((others | own).items())))


def folded(conv: Any, norm: Any) -> tuple[Any, Any]:
    """The weights and offsets of a layer with the norm after it."""
    scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    shape = (-1,) + (1,) * (conv.weight.dim() - 1)
    return conv.weight * scale.reshape(shape), (conv.bias - norm.running_mean) * scale + norm.bias


def _moved(batch: tuple[dict[str, Any], Any], device: Any) -> tuple[dict[str, Any], Any]:
    strokes, labels = batch
    return {name: values.to(device) for name, values in strokes.items()}, labels.to(device)


def learned(
    net: Any, hearing: Callable[[dict[str, Any], int], Any], lessons: Any, checks: Any, course: Course, began: float
) -> None:
    """Teach a network in place until the time is up; it ends as the mean of its late selves."""
    device = next(net.parameters()).device
    loader = iter(torch.utils.data.DataLoader(lessons, batch_size=None, num_workers=course.workers, prefetch_factor=4))
    makers = torch.utils.data.DataLoader(checks, batch_size=None, num_workers=1, prefetch_factor=4)
    held = [_moved(batch, device) for batch, _ in zip(makers, range(_CHECKS), strict=False)]
    with torch.no_grad():
        tests = [(hearing(strokes, course.clips), labels) for strokes, labels in held]
    mean = copy.deepcopy(net).eval()
    steps = torch.optim.AdamW(net.parameters(), lr=course.step, weight_decay=1e-3)
    yes = torch.tensor(course.yes, device=device)
    number, told, loss = 0, time.monotonic(), None
    start = time.monotonic()
    while True:
        part = (time.monotonic() - start) / max(1.0, course.seconds - (start - began))
        if part >= 1:
            break
        rate = course.step * min(1.0, (number + 1) / _WARM) * (0.5 + 0.5 * np.cos(np.pi * part)) + 1e-6
        for group in steps.param_groups:
            group["lr"] = rate
        strokes, labels = _moved(next(loader), device)
        with torch.no_grad():
            seen = hearing(strokes, course.clips)
        net.train()
        with torch.autocast(device.type, torch.bfloat16, enabled=course.half):
            odds = net(seen)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(odds.float(), labels, pos_weight=yes)
        steps.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        steps.step()
        number += 1
        _averaged(mean, net, min(_KEEP, number / (number + 10)))
        if time.monotonic() - told > 30:
            told = time.monotonic()
            print(f"{told - began:.0f} s, step {number}, loss {loss.item():.4f}; {_checked(mean, tests)}", flush=True)
    net.load_state_dict(mean.state_dict())
    net.eval()
    print(f"{number} steps; {_checked(net, tests)}", flush=True)


def _averaged(mean: Any, net: Any, keep: float) -> None:
    with torch.no_grad():
        for old, new in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
            if old.dtype.is_floating_point:
                old.mul_(keep).add_(new, alpha=1 - keep)
            else:
                old.copy_(new)


def _checked(net: Any, tests: list[tuple[Any, Any]]) -> str:
    """F1 of beginnings within two frames, for each class where there are few, at several sureties."""
    net.eval()
    counts: dict[float, Any] = {}
    with torch.no_grad():
        for seen, labels in tests:
            sure = torch.sigmoid(net(seen))
            if labels.dim() == 4:  # notes: only beginnings, all pitches together
                sure, labels = sure[..., 0].flatten(2), labels[..., 0].flatten(2)
            top = torch.nn.functional.max_pool1d(sure.transpose(1, 2), 5, 1, 2).transpose(1, 2)
            true = labels > 0.99
            near = torch.nn.functional.max_pool1d(true.float().transpose(1, 2), 7, 1, 3).transpose(1, 2) > 0
            for least in _SURES:
                peaks = (sure >= least) & (sure >= top)
                heard = torch.nn.functional.max_pool1d(peaks.float().transpose(1, 2), 7, 1, 3).transpose(1, 2) > 0
                row = torch.stack(
                    [(true & heard).sum((0, 1)), true.sum((0, 1)), (peaks & near).sum((0, 1)), peaks.sum((0, 1))]
                )
                counts[least] = counts.get(least, 0) + row.double()
    said = []
    for least, row in counts.items():
        if row.shape[1] > 3:
            row = row.sum(1, keepdim=True)
        recall, precision = row[0] / row[1].clamp(min=1), row[2] / row[3].clamp(min=1)
        f1 = 2 * recall * precision / (recall + precision).clamp(min=1e-9)
        said.append(f"{least}: " + " ".join(f"{value:.3f}" for value in f1.tolist()))
    return ", ".join(said)
