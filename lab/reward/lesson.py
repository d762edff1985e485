"""The whole lesson, from an empty network to a report: writing, looking, tuning, looking again."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from lab.reward.lessons import Lessons, learn_texts, lessons_of
from lab.reward.looking import begin, judged, picture, rewarded, summary
from lab.reward.network import Network, Size
from lab.reward.tuning import Plan, draw, tune, variety_of
from libretto.reward import Reward

__all__ = ["teach"]

_TEXTS, _LOOK = 192, 48  # texts that are looked at before and after, and while it is tuned
_WRITING, _END = 0.22, 0.08  # of the time: learning to write at most, and what the last look is left
_SEED = 7
_WATCHED = ("gates_passed", "merit", "same_bar", "copies", "notes_a_bar")


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


class _Readers:
    """The processes that reward and judge, and the texts that are drawn for them, always with the same seed."""

    def __init__(self, lessons: Lessons, longest: int, jobs: int) -> None:
        self.lessons, self.longest, self.jobs = lessons, longest, jobs
        self.pool = ProcessPoolExecutor(jobs, get_context("spawn"), begin, (lessons.memory,))
        list(self.pool.map(rewarded, [""] * (4 * jobs)))  # awake before the clock of the tuning runs

    def rewards(self, texts: Sequence[str]) -> list[Reward]:
        """What texts are worth."""
        return list(self.pool.map(rewarded, texts, chunksize=max(1, len(texts) // (4 * self.jobs))))

    def judge(self, texts: Sequence[str]) -> dict[str, Any]:
        """What the gates say of texts, in sum."""
        return summary(texts, list(self.pool.map(judged, texts)), self.rewards(texts))

    def look(self, network: Network, many: int) -> tuple[list[str], dict[str, Any]]:
        """Texts to the prompts that are looked at, and what is said of them."""
        generator = torch.Generator(next(network.parameters()).device).manual_seed(_SEED)
        rows = _prompts(self.lessons, many, self.longest)
        drawn = [row for some in rows for row in draw(network, self.lessons, some, self.longest, generator)]
        texts = [self.lessons.words.decode(row.tolist()) for row in drawn]
        return texts, self.judge(texts) | {"variety": variety_of(torch.stack(drawn))}


def teach(data: Path, out: Path, seconds: float, jobs: int, tiny: bool, chosen: Mapping[str, float]) -> None:
    """Teach a network, tune it, and write what came of it into a folder."""
    start = time.monotonic()
    out.mkdir(parents=True, exist_ok=True)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(_SEED)
    torch.set_float32_matmul_precision("high")
    torch.backends.cuda.enable_cudnn_sdp(False)  # it plans anew for every length of a batch
    lessons = lessons_of(data)
    words = len(lessons.words.words)
    plan = Plan(prompts=4, group=8, part=16, longest=520, look=4) if tiny else Plan()
    plan = Plan(**{**plan.__dict__, **chosen})
    many, some = (12, 8) if tiny else (_TEXTS, _LOOK)

    def say(line: str) -> None:
        print(f"{time.monotonic() - start:6.0f} s {line}", flush=True)

    network = Network(Size(words, 96, 3, 3) if tiny else Size(words), *lessons.habits()).to(device)
    weights = sum(p.numel() for p in network.parameters())
    say(f"{device}, {weights:,} weights, {len(lessons.taught)} texts, {jobs} jobs")
    readers = _Readers(lessons, plan.longest, jobs)
    real = [lessons.words.decode(row.tolist()) for row in lessons.aside[:: max(1, len(lessons.aside) // many)][:many]]
    report: dict[str, Any] = {"real": readers.judge(real)}
    say(f"real texts, kept aside: {json.dumps(report['real'])}")
    written = learn_texts(network, lessons, _WRITING * seconds, 16 if tiny else 96, 3e-3 if tiny else 1e-3, say)
    first = copy.deepcopy(network).eval().requires_grad_(False)
    before, report["before"] = readers.look(network, many)
    say(f"before: {json.dumps(report['before'])}")

    def watch(step: int) -> dict[str, float]:
        told = readers.look(network, some)[1]
        return {f"look_{name}": told[name] for name in _WATCHED}

    left = seconds * (1 - _END) - (time.monotonic() - start)
    tuned = tune(network, first, lessons, plan, left, readers.rewards, watch, say)
    after, report["after"] = readers.look(network, many)
    report |= {"device": str(device), "weights": weights, "plan": plan.__dict__}
    report |= {"steps_written": written[-1]["step"], "steps_tuned": len(tuned)}
    report["seconds"] = round(time.monotonic() - start, 1)
    _write(out, report, written, tuned, list(zip(before, after, strict=True)))
    say(json.dumps(report))
    readers.pool.shutdown()


def _write(out: Path, report: Any, written: Any, tuned: Any, pairs: Sequence[tuple[str, str]]) -> None:
    names = [name for name in (tuned[0] if tuned else {}) if name not in ("step", "seconds")]
    curves = {"loss on texts kept aside": [(row["step"], row["aside"]) for row in written]}
    curves |= {name: [(row["step"], row[name]) for row in tuned if name in row] for name in names}
    samples = [{"before": one, "after": other} for one, other in pairs]
    for name, text in (
        ("report.json", json.dumps(report, indent=1)),
        ("curves.json", json.dumps({"written": written, "tuned": tuned})),
        ("curves.svg", picture(curves)),
        ("samples.json", json.dumps(samples)),
    ):
        (out / name).write_text(text, encoding="utf-8")
