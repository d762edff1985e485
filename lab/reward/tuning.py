"""The second lesson: texts are drawn, rewarded, and made likelier where they beat others to the same prompt.

Group-relative policy gradient as it is usual: of every prompt several texts; a text's advantage is its reward less the
mean of its group, by the group's spread; the ratio of chances is clipped; and what strays from the first model pays for
it. Nothing of the reward is known here but its value.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lab.reward.lessons import Lessons
from lab.reward.network import Network, log_chances, sample
from lab.reward.tokens import END
from libretto.reward import Reward

__all__ = ["Plan", "draw", "tune", "variety_of"]

_TINY = 1e-4
_CLIP = 1.0
_SAME = 4  # tokens of a run by which texts are compared


@dataclass(frozen=True)
class Plan:
    """How texts are drawn and learnt from."""

    prompts: int = 32
    group: int = 16
    part: int = 64  # texts that are learnt from at once
    longest: int = 760
    rate: float = 1e-4
    clip: float = 0.2
    stay: float = 0.1  # what straying costs; with 0.03 readers liked the texts less, with 0.3 little was learnt
    times: int = 1  # how often a batch is learnt from
    look: int = 10  # steps between looks


def draw(network: Network, lessons: Lessons, prompts: Sequence[Tensor], longest: int, generator: Any) -> Tensor:
    """A text for every prompt, all of one length."""
    device = next(network.parameters()).device
    rows = torch.stack(list(prompts)).to(device)
    network.eval()
    texts = sample(network, rows, longest, lessons.words.numbers[END], generator)
    network.train()
    return texts


def _chosen(lessons: Lessons, plan: Plan, chance: np.random.Generator) -> list[Tensor]:
    """Prompts of one length, by chance; each as often as its group is large."""
    able = lessons.prompts(plan.longest)
    lengths = sorted(able)
    weight = np.array([len(able[length]) for length in lengths], dtype=np.float64)
    mine = able[lengths[int(chance.choice(len(lengths), p=weight / weight.sum()))]]
    picked = chance.integers(0, len(mine), plan.prompts).tolist()
    return [mine[one] for one in picked for _ in range(plan.group)]


def tune(
    network: Network,
    first: Network,
    lessons: Lessons,
    plan: Plan,
    seconds: float,
    give: Callable[[Sequence[str]], list[Reward]],
    watch: Callable[[int], dict[str, float]],
    say: Callable[[str], None],
) -> list[dict[str, float]]:
    """Tune a network by rewards for so long; what was seen at every step."""
    device = next(network.parameters()).device
    generator = torch.Generator(device).manual_seed(1)
    chance = np.random.default_rng(1)
    optimiser = torch.optim.AdamW(network.parameters(), lr=plan.rate, weight_decay=0.0, betas=(0.9, 0.95))
    start, curve, step = time.monotonic(), [], 0
    while time.monotonic() - start < seconds:
        seen: dict[str, float] = watch(step) if step % plan.look == 0 else {}
        prompts = _chosen(lessons, plan, chance)
        texts = draw(network, lessons, prompts, plan.longest, generator)
        texts = texts[:, : int((texts != 0).any(0).sum())]
        rewards = give([lessons.words.decode(row) for row in texts.tolist()])
        value = torch.tensor([reward.value for reward in rewards], device=device)
        grouped = value.view(-1, plan.group)
        gain = ((grouped - grouped.mean(1, keepdim=True)) / (grouped.std(1, keepdim=True) + _TINY)).view(-1)
        far = _learn(network, first, optimiser, texts, len(prompts[0]), gain, plan)
        curve.append(_seen(step, time.monotonic() - start, rewards, texts, far) | seen)
        say(" ".join(f"{name} {number:.3g}" for name, number in curve[-1].items()))
        step += 1
    return curve


def _learn(
    network: Network, first: Network, optimiser: Any, texts: Tensor, prompt: int, gain: Tensor, plan: Plan
) -> float:
    """One step or a few on what was drawn; how far the network has strayed, in nats a token."""
    real = texts[:, 1:] != 0
    real[:, : prompt - 1] = False
    parts = [slice(at, at + plan.part) for at in range(0, len(texts), plan.part)]
    with torch.no_grad():
        before = torch.cat([log_chances(network, texts[part]) for part in parts])
        at_first = torch.cat([log_chances(first, texts[part]) for part in parts])
    strayed, whole = 0.0, float(real.sum())
    for _ in range(plan.times):
        optimiser.zero_grad(set_to_none=True)
        strayed = 0.0
        for part in parts:
            now, mine = log_chances(network, texts[part]), real[part]
            ratio = torch.exp(now - before[part])
            advantage = gain[part, None]
            won = torch.minimum(ratio * advantage, ratio.clamp(1 - plan.clip, 1 + plan.clip) * advantage)
            apart = at_first[part] - now
            cost = torch.exp(apart) - apart - 1.0
            loss = -((won - plan.stay * cost) * mine).sum() / whole
            loss.backward()
            strayed += float((cost.detach() * mine).sum()) / whole
        torch.nn.utils.clip_grad_norm_(network.parameters(), _CLIP)
        optimiser.step()
    return strayed


def _seen(step: int, seconds: float, rewards: Sequence[Reward], texts: Tensor, far: float) -> dict[str, float]:
    """What is worth watching: the reward and its parts, and what would betray that it is hacked."""
    read = [reward for reward in rewards if reward.parts["parses"] > 0]
    names = ("clauses", "gates", "originality", "ordering")
    means = {name: float(np.mean([reward.parts[name] for reward in read])) if read else 0.0 for name in names}
    return {
        "step": step,
        "seconds": round(seconds, 1),
        "reward": float(np.mean([reward.value for reward in rewards])),
        "parses": len(read) / len(rewards),
        **means,
        "tokens": float((texts != 0).sum()) / len(texts),
        "strayed": far,
        "variety": variety_of(texts),
    }


def variety_of(texts: Tensor) -> float:
    """The share of short runs of tokens that no other text has: low where all texts are alike."""
    owners: dict[tuple[int, ...], int] = {}
    runs = []
    for number, row in enumerate(texts.tolist()):
        mine = {tuple(row[at : at + _SAME]) for at in range(0, len(row) - _SAME) if row[at + _SAME - 1] != 0}
        runs.append(mine)
        for run in mine:
            owners[run] = -1 if run in owners and owners[run] != number else number
    total = sum(map(len, runs))
    return sum(owners[run] >= 0 for mine in runs for run in mine) / total if total else 0.0
