"""Teaching the net: a small recurrent network that points at what a tune said before (needs torch).

``python -m lab.tunes.training LESSON OUT`` reads what ``lab.tunes.lesson`` wrote, teaches, prints bits a note by
collection on the tunes that were kept aside, and writes the weights. Notes are taught from the public domain only; what
pop909 adds is a few hundred weights over the taught net: how pop songs prefer moves, degrees and chord tones.
"""

from __future__ import annotations

import argparse
import math
import time
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from lab.tunes.batches import Lesson
from lab.tunes.network import Net, Pop, Sizes

__all__ = ["main", "teach_file"]

TAUGHT, POP = 5, 5  # collections 0 to 4 teach; number 5 is pop909
NAMES = ("aird", "oneill", "ryan", "nottingham", "chorales", "pop909", "essen")
_SEED, _DECAY, _BATCH = 0, 0.02, 48
_NO_CHORDS, _NO_KIND, _NO_ECHO = 0.2, 0.25, 0.5  # how often a tune is taught without
#: What is known when tunes are measured: chords, kind, which bar answers which.
_KNOWN = {
    "chords and kind": (True, True, False),
    "kind": (False, True, False),
    "neither": (False, False, False),
    "echoes too": (True, True, True),
}


def loss_of(scores: Tensor, batch: dict[str, Tensor]) -> Tensor:
    """Bits of every note that is there."""
    bits = functional.cross_entropy(scores.transpose(1, 2), batch["classes"], reduction="none") / math.log(2)
    return bits[batch["there"]]


def measure(
    lesson: Lesson,
    net: Net,
    part: int,
    collection: int,
    known: tuple[bool, bool, bool],
    pop: Pop | None = None,
) -> float:
    """Bits a note of a collection, with chords, kinds and echoes known or not."""
    net.eval()
    bits, notes = 0.0, 0
    with torch.no_grad():
        for tunes in lesson.batches(lesson.members(part, {collection}), 32):
            batch = lesson.batch(tunes)
            flags = [torch.full((len(tunes),), not told, device=lesson.device) for told in known]
            lesson.forget(batch, *flags)
            scores = net(batch)
            lost = loss_of(pop(scores, batch, lesson.last_view) if pop else scores, batch)
            bits, notes = bits + float(lost.sum()), notes + len(lost)
    return bits / max(notes, 1)


def teach(lesson: Lesson, sizes: Sizes, epochs: int, rate: float) -> Net:
    """A net taught on the public domain, as it was when tunes kept aside were cheapest."""
    torch.manual_seed(_SEED)
    rng = np.random.default_rng(_SEED)
    net = Net(lesson, sizes)
    net.to(lesson.device)
    teach_on, check = lesson.members(0, set(range(TAUGHT))), range(TAUGHT)
    steps = epochs * math.ceil(len(teach_on) / _BATCH)
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=_DECAY, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=rate, total_steps=steps + 1, pct_start=0.1)
    best, kept, began = math.inf, None, time.time()
    for epoch in range(epochs):
        net.train()
        total, notes = 0.0, 0
        for tunes in lesson.batches(teach_on, _BATCH, rng):
            batch = lesson.batch(tunes)
            chance = torch.rand(3, len(tunes), device=lesson.device)
            lesson.forget(batch, chance[0] < _NO_CHORDS, chance[1] < _NO_KIND, chance[2] < _NO_ECHO)
            bits = loss_of(net(batch), batch)
            loss = bits.mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total, notes = total + float(bits.detach().sum()), notes + len(bits)
        if epoch % 4 == 1 or epoch >= epochs - 2:
            valid = float(np.mean([measure(lesson, net, 1, which, (True, True, False)) for which in check]))
            if valid < best:
                best, kept = valid, {name: value.clone() for name, value in net.state_dict().items()}
            print(
                f"epoch {epoch} taught {total / notes:.3f} aside {valid:.3f} {time.time() - began:.0f}s",
                flush=True,
            )
    if kept is not None:
        net.load_state_dict(kept)
    return net


def lean(lesson: Lesson, net: Net, epochs: int = 12) -> Pop:
    """The few weights that pop909 adds, over a net that stays as it is."""
    pop = Pop(net.classes, net.lowest)
    pop.to(lesson.device)
    optimizer = torch.optim.AdamW(pop.parameters(), lr=0.02, weight_decay=0.01)
    rng = np.random.default_rng(0)
    net.eval()
    for _ in range(epochs):
        for tunes in lesson.batches(lesson.members(0, {POP}), 32, rng):
            batch = lesson.batch(tunes)
            chance = torch.rand(2, len(tunes), device=lesson.device)
            lesson.forget(batch, chance[0] < _NO_CHORDS, chance[0] >= 0, chance[1] < _NO_ECHO)
            with torch.no_grad():
                scores = net(batch)
            loss = loss_of(pop(scores, batch, lesson.last_view), batch).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return pop


def teach_file(lesson_path: str, out: str, sizes: Sizes | None = None, epochs: int = 40, rate: float = 2e-3) -> None:
    """Teach on a lesson, print bits a note of tunes kept aside, and write the weights."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    lesson = Lesson(lesson_path, device)
    net = teach(lesson, sizes or Sizes(), epochs, rate)
    pop = lean(lesson, net)
    for which, name in enumerate(NAMES):
        row = [measure(lesson, net, 2, which, known) for known in _KNOWN.values()]
        row.append(measure(lesson, net, 2, which, (True, False, False), pop))
        said = [f"{words} {bits:.3f}" for words, bits in zip((*_KNOWN, "as pop"), row, strict=True)]
        print(f"{name:12}", *said, flush=True)
    weights: dict[str, Any] = {name: value.cpu().numpy() for name, value in net.state_dict().items()}
    weights |= {f"pop.{name}": value.detach().cpu().numpy() for name, value in pop.state_dict().items()}
    np.savez(out, **weights)


def main() -> None:
    """Teach and write."""
    parser = argparse.ArgumentParser(description="Teach the net on a lesson.")
    parser.add_argument("lesson")
    parser.add_argument("out")
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--state", type=int, default=256)
    parser.add_argument("--inner", type=int, default=192)
    parser.add_argument("--dropout", type=float, default=0.35)
    asked = parser.parse_args()
    sizes = Sizes(inner=asked.inner, state=asked.state, out=asked.inner, dropout=asked.dropout)
    teach_file(asked.lesson, asked.out, sizes, asked.epochs)


if __name__ == "__main__":
    main()
