"""What the model is taught, read back from its file, and the first lesson: what comes next in real texts."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from lab.reward.network import Network, log_chances
from lab.reward.tokens import END, KINDS, PAD, START, Vocabulary, kind_of, prompt_length
from libretto.reward import Memory

__all__ = ["Lessons", "learn_texts", "lessons_of"]

_CLIP, _WARM, _DECAY = 1.0, 100, 0.05
_ROOM = 0.8  # of the longest text that may be drawn: what is asked for must fit
_PATIENCE = 3  # looks without getting better, after which it stops; the best is kept
_LOOK = 200  # steps between looks at what is kept aside


@dataclass(frozen=True, eq=False)
class Lessons:
    """Texts to be taught and texts kept aside, as numbers of tokens; the tokens; what is remembered of the taught."""

    taught: tuple[Tensor, ...] = field(repr=False)
    aside: tuple[Tensor, ...] = field(repr=False)
    words: Vocabulary = field(repr=False)
    memory: Memory

    def prompts(self, longest: int) -> dict[int, list[Tensor]]:
        """The headers of what is kept aside and not too long, by their lengths: what is asked of the model."""
        by_length: dict[int, list[Tensor]] = {}
        for text in (text for text in self.aside if len(text) <= _ROOM * longest):
            tokens = [self.words.words[number] for number in text[1:].tolist()]
            length = 1 + prompt_length(tokens)
            by_length.setdefault(length, []).append(text[:length])
        return by_length

    def habits(self) -> tuple[Tensor, Tensor]:
        """The kind of each token, and which kind followed which two in what is taught."""
        kinds = torch.tensor([kind_of(word) for word in self.words.words])
        usual = torch.zeros(len(KINDS), len(KINDS), len(KINDS), dtype=torch.bool)
        for text in self.taught:
            row = functional.pad(kinds[text], (1, 0))
            usual[row[:-2], row[1:-1], row[2:]] = True
        for word in (PAD, END):  # whatever follows the end is not read
            usual[kinds[self.words.numbers[word]]] = True
            usual[:, kinds[self.words.numbers[word]]] = True
        return kinds, usual


def lessons_of(path: Path) -> Lessons:
    """Lessons from a file."""
    data = np.load(path)
    words = Vocabulary(tuple(json.loads(bytes(data["words"]).decode())))
    start, end = words.numbers[START], words.numbers[END]
    ends = data["ends"].tolist()
    rows = _rows(data["tokens"], ends, start, end)
    held = data["held"].tolist()
    return Lessons(
        tuple(row for row, out in zip(rows, held, strict=True) if not out),
        tuple(row for row, out in zip(rows, held, strict=True) if out),
        words,
        Memory.from_bytes(bytes(data["memory"])),
    )


def _rows(tokens: Any, ends: Sequence[int], start: int, end: int) -> list[Tensor]:
    whole = torch.from_numpy(tokens.astype(np.int64))
    edge = torch.tensor([start]), torch.tensor([end])
    return [torch.cat([edge[0], whole[first:last], edge[1]]) for first, last in zip([0, *ends[:-1]], ends, strict=True)]


def _batches(texts: Sequence[Tensor], many: int, chance: np.random.Generator) -> Any:
    """Texts of about one length together, in any order, padded with 0; without end."""
    order = np.argsort([len(text) + chance.uniform(0, 40) for text in texts])
    groups = [order[at : at + many] for at in range(0, len(order), many)]
    while True:
        for group in chance.permutation(len(groups)).tolist():
            yield torch.nn.utils.rnn.pad_sequence([texts[one] for one in groups[group].tolist()], batch_first=True)


def _loss(network: Network, batch: Tensor) -> Tensor:
    real = batch[:, 1:] != 0
    return -(log_chances(network, batch) * real).sum() / real.sum()


def learn_texts(
    network: Network, lessons: Lessons, seconds: float, many: int, rate: float, say: Callable[[str], None]
) -> list[dict[str, float]]:
    """Teach what comes next for so long; the loss on what is kept aside, as it went."""
    device = next(network.parameters()).device
    chance = np.random.default_rng(0)
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=_DECAY, betas=(0.9, 0.95))
    taught, aside = _batches(lessons.taught, many, chance), lessons.aside[: 4 * many]
    start, step, curve = time.monotonic(), 0, []
    best, kept, later = float("inf"), copy.deepcopy(network.state_dict()), 0
    while (spent := time.monotonic() - start) < seconds:
        share = spent / seconds
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / _WARM) * max(0.05, 1.0 - share)
        loss = _loss(network, next(taught).to(device))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), _CLIP)
        optimiser.step()
        if step % _LOOK == 0:
            with torch.no_grad():
                rows = [aside[at : at + many] for at in range(0, len(aside), many)]
                padded = [torch.nn.utils.rnn.pad_sequence(row, batch_first=True).to(device) for row in rows]
                other = float(np.mean([float(_loss(network, row)) for row in padded]))
            curve.append({"step": step, "taught": float(loss.detach()), "aside": other, "seconds": round(spent, 1)})
            say(f"step {step}: {float(loss.detach()):.3f}, kept aside {other:.3f}")
            later = 0 if other < best else later + 1
            if other < best:
                best, kept = other, copy.deepcopy(network.state_dict())
            if later >= _PATIENCE:
                break
        step += 1
    network.load_state_dict(kept)
    return curve
