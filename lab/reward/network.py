"""A small transformer over the grammar's tokens: what comes next, and texts drawn from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

__all__ = ["Network", "Size", "log_chances", "sample"]

_ROOM = 64  # places by which what is kept grows


@dataclass(frozen=True)
class Size:
    """How large a network is: kinds of tokens, width, layers, heads, and the longest text."""

    words: int
    width: int = 384
    layers: int = 8
    heads: int = 6
    longest: int = 1024


class _Layer(nn.Module):  # type: ignore[misc]
    def __init__(self, size: Size) -> None:
        super().__init__()
        self.heads = size.heads
        self.before, self.between = nn.LayerNorm(size.width), nn.LayerNorm(size.width)
        self.asked = nn.Linear(size.width, 3 * size.width, bias=False)
        self.told = nn.Linear(size.width, size.width, bias=False)
        self.wide, self.narrow = nn.Linear(size.width, 4 * size.width), nn.Linear(4 * size.width, size.width)

    def forward(self, x: Tensor, kept: tuple[Tensor, Tensor] | None, at: int) -> Tensor:
        many, length, width = x.shape
        asked = self.asked(self.before(x)).view(many, length, 3, self.heads, width // self.heads)
        query, key, value = asked.permute(2, 0, 3, 1, 4)
        if kept is None:
            heard = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        else:
            kept[0][:, :, at : at + length], kept[1][:, :, at : at + length] = key, value
            heard = _heard(query, kept, at)
        x = x + self.told(heard.transpose(1, 2).reshape(many, length, width))
        return x + self.narrow(functional.gelu(self.wide(self.between(x))))


def _heard(query: Tensor, kept: tuple[Tensor, Tensor], at: int) -> Tensor:
    """Attention over what is kept, by plain products in few sizes: libraries plan anew for every new length."""
    length = query.shape[2]
    room = min(kept[0].shape[2], -(-(at + length) // _ROOM) * _ROOM)
    places = torch.arange(room, device=query.device)
    later = places[None, :] > torch.arange(at, at + length, device=query.device)[:, None]
    scores = query @ kept[0][:, :, :room].transpose(-1, -2) / query.shape[-1] ** 0.5
    return scores.float().masked_fill(later, -torch.inf).softmax(-1).to(query.dtype) @ kept[1][:, :, :room]


class Network(nn.Module):  # type: ignore[misc]
    """Tokens in, what may come next out."""

    kinds: Tensor
    usual: Tensor

    def __init__(self, size: Size, kinds: Tensor | None = None, usual: Tensor | None = None) -> None:
        super().__init__()
        self.size = size
        # The kind of each token, and which kind may follow which two: what no text ever has, nobody draws.
        self.register_buffer("kinds", torch.zeros(size.words, dtype=torch.long) if kinds is None else kinds)
        self.register_buffer("usual", torch.ones(1, 1, 1, dtype=torch.bool) if usual is None else usual)
        self.word = nn.Embedding(size.words, size.width)
        self.place = nn.Embedding(size.longest, size.width)
        self.layers = nn.ModuleList(_Layer(size) for _ in range(size.layers))
        self.last = nn.LayerNorm(size.width)
        self.apply(_begin)

    def forward(self, tokens: Tensor, kept: list[tuple[Tensor, Tensor]] | None = None, at: int = 0) -> Tensor:
        """Scores of every token at every place; with ``kept`` only new places are worked out, from ``at`` on."""
        places = torch.arange(at, at + tokens.shape[1], device=tokens.device)
        x = self.word(tokens) + self.place(places)
        for number, layer in enumerate(self.layers):
            x = layer(x, None if kept is None else kept[number], at)
        return functional.linear(self.last(x), self.word.weight)

    def able(self, before: Tensor, last: Tensor) -> Tensor:
        """Which tokens may come after two others."""
        return self.usual[self.kinds[before], self.kinds[last]][..., self.kinds]


def _begin(module: nn.Module) -> None:
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


@torch.no_grad()  # type: ignore[untyped-decorator]
def sample(network: Network, prompts: Tensor, longest: int, end: int, generator: Any, warmth: float = 1.0) -> Tensor:
    """Texts drawn from a network, each after its prompt (all of one length); what follows the end is 0."""
    many, start = prompts.shape
    size, device = network.size, prompts.device
    kind = torch.bfloat16 if device.type == "cuda" else torch.float32
    shape = (many, size.heads, longest, size.width // size.heads)
    kept = [
        (torch.zeros(shape, device=device, dtype=kind), torch.zeros(shape, device=device, dtype=kind))
        for _ in range(size.layers)
    ]
    texts = torch.zeros((many, longest), dtype=torch.long, device=device)
    texts[:, :start] = prompts
    done = torch.zeros(many, dtype=torch.bool, device=device)
    fresh, at = prompts, 0
    with torch.autocast(device.type, kind, enabled=device.type == "cuda"):
        for place in range(start, longest):
            scores = network(fresh, kept, at)[:, -1].float() / warmth
            scores = scores.masked_fill(~network.able(texts[:, place - 2], texts[:, place - 1]), -torch.inf)
            scores[:, :2] = -torch.inf  # neither padding nor another start
            chosen = torch.multinomial(scores.softmax(-1), 1, generator=generator)[:, 0]
            texts[:, place] = torch.where(done, 0, chosen)
            done |= chosen == end
            at, fresh = place, texts[:, place : place + 1]
            if place % 16 == 0 and bool(done.all()):
                break
    return texts


def log_chances(network: Network, texts: Tensor) -> Tensor:
    """How likely each token after the first was, as logarithms."""
    with torch.autocast(texts.device.type, torch.bfloat16, enabled=texts.device.type == "cuda"):
        scores = network(texts[:, :-1])
    before = functional.pad(texts[:, :-2], (1, 0), value=0)
    able = network.able(before, texts[:, :-1])
    able = able.scatter(2, texts[:, 1:, None], True)  # what stands there was possible, whatever was usual
    scores = scores.float().masked_fill(~able, -torch.inf)
    return -functional.cross_entropy(scores.transpose(1, 2), texts[:, 1:], reduction="none")
