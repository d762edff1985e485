"""The networks that are taught tunes: what is seen and remembered to a score for every pitch (needs torch).

``libretto.house.tune.net`` and ``leaning`` do the same with numpy; a test of teaching compares them.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from lab.tunes.batches import Lesson

__all__ = ["REACH", "Net", "Pop", "Sizes"]

REACH = 24  #: semitones of the moves that are told apart


@dataclass(frozen=True)
class Sizes:
    """How large the net is."""

    inner: int = 192
    state: int = 256
    ahead: int = 64
    out: int = 192
    dropout: float = 0.35


class Net(nn.Module):  # type: ignore[misc]
    """What is seen and remembered, through a recurrent state, to a score for every pitch."""

    def __init__(self, lesson: Lesson, sizes: Sizes) -> None:
        super().__init__()
        self.lowest, self.classes = lesson.lowest, lesson.classes
        views, plain = lesson.arrays["views"].shape[1], lesson.arrays["plain"].shape[1]
        self.offsets = [sum(lesson.tables[:index]) for index in range(len(lesson.tables))]
        self.look = nn.Linear(views, sizes.ahead)
        self.ahead = nn.GRU(sizes.ahead, sizes.ahead, batch_first=True)
        self.seen = nn.Linear(views + sizes.ahead, sizes.inner)
        self.table = nn.EmbeddingBag(sum(lesson.tables), sizes.inner, mode="sum")
        nn.init.normal_(self.table.weight, std=0.1)
        self.plain = nn.Linear(plain, sizes.inner, bias=False)
        self.state = nn.GRU(sizes.inner, sizes.state, batch_first=True)
        self.mix = nn.Linear(sizes.state + sizes.inner, sizes.out)
        self.heads = [self.classes, 2 * REACH + 1, lesson.arrays["pointers"].shape[1], 12, 1, 1]
        self.head = nn.Linear(sizes.out, sum(self.heads))
        self.drop = nn.Dropout(sizes.dropout)

    def forward(self, batch: dict[str, Tensor]) -> Tensor:
        """Scores by tune, step and class."""
        views, flip = batch["views"], batch["flip"][..., None]
        seen = torch.relu(self.look(views))
        back = torch.gather(seen, 1, flip.expand_as(seen))
        back, _ = self.ahead(back)
        back = torch.gather(back, 1, flip.expand_as(back))
        offsets = torch.tensor(self.offsets, device=views.device)
        told = (batch["told"] + offsets).flatten(0, 1)
        inner = self.table(told).view(*views.shape[:2], -1) + self.plain(batch["plain"])
        inner = inner + self.seen(torch.cat([views, back], -1))
        inner = self.drop(torch.relu(inner))
        state, _ = self.state(inner)
        out = self.drop(torch.relu(self.mix(torch.cat([self.drop(state), inner], -1))))
        return self.scores(self.head(out), batch)

    def scores(self, head: Tensor, batch: dict[str, Tensor]) -> Tensor:
        """What the heads say, gathered for every class."""
        plain, move, points, above, chord, scale = torch.split(head, self.heads, -1)
        classes = torch.arange(self.classes, device=head.device)
        last = batch["told"][..., 0]
        known = (last < self.classes)[..., None]
        size = (classes - last[..., None]).clamp(-REACH, REACH) + REACH
        total = plain + torch.where(known, torch.gather(move, 2, size), 0.0)
        pointers = batch["pointers"]
        total = torch.scatter_add(
            torch.cat([total, torch.zeros_like(total[..., :1])], -1),
            2,
            torch.where(pointers >= 0, pointers, self.classes),
            points,
        )[..., : self.classes]
        degree = (classes - self.lowest) % 12
        roots = batch["roots"][..., None]
        relative = (degree - roots) % 12
        chords = torch.gather(above, 2, relative) + chord * batch["tones"][..., degree]
        total = total + torch.where(roots >= 0, chords, 0.0)
        return total + scale * batch["scale"][:, None, :][..., degree]


class Pop(nn.Module):  # type: ignore[misc]
    """How pop songs lean away from the net: weights by move, degree, chord tone and place, and no more."""

    def __init__(self, classes: int, lowest: int) -> None:
        super().__init__()
        self.classes, self.lowest = classes, lowest
        self.trust = nn.Parameter(torch.ones(1))
        self.moves = nn.Parameter(torch.zeros(5, 2 * REACH + 1))
        self.turns = nn.Parameter(torch.zeros(7, 2 * REACH + 1))
        self.degrees = nn.Parameter(torch.zeros(2, 5, 12))
        self.above = nn.Parameter(torch.zeros(5, 2, 12))
        self.closing = nn.Parameter(torch.zeros(2, 12))
        self.points = nn.Parameter(torch.zeros(15))

    def forward(self, scores: Tensor, batch: dict[str, Tensor], last_view: int) -> Tensor:
        """The scores of the net, leaning."""
        place = batch["strengths"]
        classes = torch.arange(self.classes, device=scores.device)
        told = batch["told"]
        last = told[..., 0]
        size = (classes - last[..., None]).clamp(-REACH, REACH) + REACH
        moved = torch.bucketize(told[..., 1] - 13, torch.tensor([-4, -2, 0, 1, 3, 5], device=scores.device), right=True)
        moved = torch.where(told[..., 1] == 27, 3, moved)
        lean = torch.gather(self.moves[place] + self.turns[moved], 2, size)
        lean = torch.where((last < self.classes)[..., None], lean, 0.0)
        degree = (classes - self.lowest) % 12
        minor = batch["minor"][:, None].expand_as(place)
        lean = lean + self.degrees[minor, place][..., degree]
        roots = batch["roots"][..., None]
        relative = (degree - roots) % 12
        third = torch.gather(batch["tones"], 2, (batch["roots"].clamp(min=0)[..., None] + 3) % 12)[..., 0].long()
        lean = lean + torch.where(roots >= 0, torch.gather(self.above[place, third], 2, relative), 0.0)
        ending = batch["views"][..., last_view][..., None]
        lean = lean + ending * self.closing[batch["minor"]][:, None, :][..., degree]
        pointers = batch["pointers"]
        pad = torch.cat([lean, torch.zeros_like(lean[..., :1])], -1)
        points = self.points.expand(*pointers.shape)
        lean = torch.scatter_add(pad, 2, torch.where(pointers >= 0, pointers, self.classes), points)[
            ..., : self.classes
        ]
        return self.trust * scores + lean
