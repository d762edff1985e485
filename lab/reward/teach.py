"""Whether the reward teaches: a small model learns to write, is tuned by the reward, and is looked at before and after.

``python -m lab.reward.teach --data FILE --out DIR --minutes 10`` does all of it on whatever there is, an accelerator or
a processor, and writes ``report.json`` (gates passed before and after, signs of hacking), ``curves.json`` and
``curves.svg``, and ``samples.json`` (texts to the same prompts before and after, none chosen). Chance comes from seeds.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from lab.checkout import run
from lab.reward.lessons import Lessons, learn_texts, lessons_of
from lab.reward.looking import judged, picture, summary
from lab.reward.network import Network, Size
from lab.reward.tuning import Plan, draw, tune, variety_of
from libretto.reward import RewardPool, Terms

__all__ = ["main"]

_TEXTS, _LOOK = 192, 48  # texts that are looked at before and after, and while it is tuned
_SHARES = (0.38, 0.5)  # of the time: learning to write, being tuned; the rest is for looking
_SEED = 7


def _asked() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Teach a small model, tune it by the reward, and look.")
    parser.add_argument("--data", type=Path, required=True, help="what lab.reward.data wrote")
    parser.add_argument("--out", type=Path, required=True, help="a folder for what comes of it")
    parser.add_argument("--minutes", type=float, default=10.0, help="time for all of it")
    parser.add_argument("--jobs", type=int, default=0, help="processes that reward; 0 is one a core")
    parser.add_argument("--tiny", action="store_true", help="a toy of everything, for a processor")
    parser.add_argument("--rate", type=float, default=None, help="how fast it is tuned")
    parser.add_argument("--stay", type=float, default=None, help="what straying from the first model costs")
    return parser


def _prompts(lessons: Lessons, many: int, longest: int) -> list[list[Tensor]]:
    """The prompts that texts are looked at for, those of one length together; from what is kept aside."""
    able = lessons.prompts(longest)
    total = sum(map(len, able.values()))
    rows = []
    for length in sorted(able):
        share = max(1, round(many * len(able[length]) / total))
        mine = able[length] * -(-share // len(able[length]))
        rows.append(mine[:: len(mine) // share][:share])
    return rows


class _Looking:
    """Texts to the same prompts, drawn with the same seed, and what the gates say of them."""

    def __init__(self, lessons: Lessons, longest: int, jobs: int) -> None:
        self.lessons, self.longest = lessons, longest
        self.pool = ProcessPoolExecutor(jobs, get_context("spawn"))

    def __call__(self, network: Network, many: int) -> tuple[list[str], list[dict[str, Any]], float]:
        device = next(network.parameters()).device
        generator = torch.Generator(device).manual_seed(_SEED)
        drawn = [
            draw(network, self.lessons, rows, self.longest, generator)
            for rows in _prompts(self.lessons, many, self.longest)
        ]
        texts = [self.lessons.words.decode(row) for rows in drawn for row in rows.tolist()]
        return texts, list(self.pool.map(judged, texts, chunksize=4)), variety_of(torch.cat(drawn))


def main(arguments: Sequence[str]) -> None:
    """Learn, tune, look, and write down what came of it."""
    asked = _asked().parse_args(arguments)
    start = time.monotonic()
    asked.out.mkdir(parents=True, exist_ok=True)
    jobs = asked.jobs or os.cpu_count() or 1
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(_SEED)
    torch.set_float32_matmul_precision("high")
    lessons = lessons_of(asked.data)
    words, tiny = len(lessons.words.words), asked.tiny
    size = Size(words, 96, 3, 3) if tiny else Size(words)
    plan = Plan(prompts=4, group=8, part=16, longest=520, look=4) if tiny else Plan()
    plan = Plan(**{**plan.__dict__, **{k: v for k in ("rate", "stay") if (v := getattr(asked, k)) is not None}})
    many, some = (12, 8) if tiny else (_TEXTS, _LOOK)

    def say(line: str) -> None:
        print(f"{time.monotonic() - start:6.0f} s {line}", flush=True)

    network = Network(size).to(device)
    say(f"{device}, {sum(p.numel() for p in network.parameters()):,} weights, {len(lessons.taught)} texts, {jobs} jobs")
    seconds = 60.0 * asked.minutes
    looking = _Looking(lessons, plan.longest, jobs)
    written = learn_texts(network, lessons, _SHARES[0] * seconds, 16 if tiny else 96, 3e-3 if tiny else 1e-3, say)
    first = copy.deepcopy(network).eval().requires_grad_(False)
    before = looking(network, many)
    say(f"before: {json.dumps(summary(before[0], before[1], lessons.memory))}")

    def watch(step: int) -> dict[str, float]:
        texts, looks, _ = looking(network, some)
        told = summary(texts, looks, lessons.memory)
        return {f"look_{name}": told[name] for name in ("gates_passed", "merit", "same_bar", "copies", "notes_a_bar")}

    left = min(_SHARES[1] * seconds, seconds - (time.monotonic() - start) - 0.08 * seconds)
    with RewardPool(Terms(memory=lessons.memory), jobs) as pool:
        tuned = tune(network, first, lessons, plan, left, pool, watch, say)
    after = looking(network, many)
    report = {
        "before": summary(before[0], before[1], lessons.memory) | {"variety": before[2]},
        "after": summary(after[0], after[1], lessons.memory) | {"variety": after[2]},
        "device": str(device),
        "weights": sum(p.numel() for p in network.parameters()),
        "steps_written": len(written) and written[-1]["step"],
        "steps_tuned": len(tuned),
        "plan": plan.__dict__,
        "seconds": round(time.monotonic() - start, 1),
    }
    _write(asked.out, report, written, tuned, before, after)
    say(json.dumps(report))
    looking.pool.shutdown()


def _write(out: Path, report: Any, written: Any, tuned: Any, before: Any, after: Any) -> None:
    names = [name for name in (tuned[0] if tuned else {}) if name not in ("step", "seconds")]
    curves = {"loss on texts kept aside": [(row["step"], row["aside"]) for row in written]}
    curves |= {name: [(row["step"], row[name]) for row in tuned if name in row] for name in names}
    pairs = [
        {"before": one, "after": other, "looks": [look, again]}
        for one, other, look, again in zip(before[0], after[0], before[1], after[1], strict=True)
    ]
    for name, text in (
        ("report.json", json.dumps(report, indent=1)),
        ("curves.json", json.dumps({"written": written, "tuned": tuned})),
        ("curves.svg", picture(curves)),
        ("samples.json", json.dumps(pairs)),
    ):
        (out / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    run(main, sys.argv[1:])
