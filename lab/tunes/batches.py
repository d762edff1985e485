"""A lesson's arrays as batches of tunes, with what is not always known taken away (needs torch)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor

__all__ = ["Lesson"]


class Lesson:
    """The arrays of a lesson, on the device, and batches of tunes from them."""

    def __init__(self, path: str, device: str) -> None:
        read = np.load(path)
        self.arrays = {
            name: torch.from_numpy(read[name].astype(kind)).to(device)
            for name, kind in (
                ("views", np.float32),
                ("told", np.int64),
                ("plain", np.float32),
                ("pointers", np.int64),
                ("roots", np.int64),
                ("tones", np.float32),
                ("strengths", np.int64),
                ("classes", np.int64),
            )
        }
        self.sizes, self.parts, self.collections = read["sizes"], read["parts"], read["collections"]
        self.starts = np.concatenate([[0], np.cumsum(self.sizes)[:-1]])
        self.scales = torch.from_numpy(read["scales"].astype(np.float32)).to(device)
        self.minor = torch.from_numpy(read["minor"].astype(np.int64)).to(device)
        self.chord_views, self.kind_views = slice(*read["chord_views"]), slice(*read["kind_views"])
        self.echo_view, self.sources, self.absent, self.numbers, self.lowest, self.classes, self.last_view = map(
            int, read["echo"]
        )
        self.tables = [int(size) for size in read["tables"]]
        self.device = device

    def members(self, part: int, collections: set[int]) -> np.ndarray:
        """Numbers of the tunes that are for this part."""
        return np.flatnonzero((self.parts == part) & np.isin(self.collections, list(collections)))

    def batches(self, tunes: np.ndarray, size: int, rng: np.random.Generator | None = None) -> Iterator[np.ndarray]:
        """Tunes in batches of about one length, shuffled where there is chance."""
        noise = rng.uniform(0.8, 1.25, len(tunes)) if rng else np.ones(len(tunes))
        ordered = tunes[np.argsort(self.sizes[tunes] * noise, kind="stable")]
        cut = [ordered[start : start + size] for start in range(0, len(ordered), size)]
        for place in rng.permutation(len(cut)) if rng else range(len(cut)):
            yield cut[place]

    def batch(self, tunes: np.ndarray) -> dict[str, Tensor]:
        """The rows of those tunes side by side, with a mask of what is there."""
        longest = int(self.sizes[tunes].max())
        place = np.arange(longest)[None]
        there = place < self.sizes[tunes][:, None]
        rows = torch.from_numpy(np.where(there, self.starts[tunes][:, None] + place, self.starts[tunes][:, None]))
        flip = torch.from_numpy(np.where(there, self.sizes[tunes][:, None] - 1 - place, place))
        picked = {name: array[rows.to(self.device)] for name, array in self.arrays.items()}
        picked["views"] = picked["views"].clone()
        chosen = torch.from_numpy(tunes).to(self.device)
        return picked | {
            "there": torch.from_numpy(there).to(self.device),
            "flip": flip.to(self.device),
            "scale": self.scales[chosen],
            "minor": self.minor[chosen],
        }

    def forget(self, batch: dict[str, Tensor], chord: Tensor, kind: Tensor, echo: Tensor) -> None:
        """Take the chords, the kind and the echoes away from the tunes that are marked."""
        views = batch["views"]
        views[..., self.chord_views] *= (~chord)[:, None, None].float()
        batch["roots"] = torch.where(chord[:, None], -1, batch["roots"])
        named = views[..., self.kind_views]
        unknown = torch.zeros_like(named)
        unknown[..., 0] = 1
        views[..., self.kind_views] = torch.where(kind[:, None, None], unknown, named)
        views[..., self.echo_view] *= (~echo)[:, None].float()
        told, plain, pointers = batch["told"].clone(), batch["plain"].clone(), batch["pointers"].clone()
        last = self.sources - 1
        first = self.numbers - 2 * self.sources
        for column in (first + last, first + self.sources + last):
            told[..., column] = torch.where(echo[:, None], self.absent, told[..., column])
        for column in (3 + last, 3 + self.sources + last):
            plain[..., column] *= (~echo)[:, None].float()
        for column in (last, self.sources + last, 2 * self.sources + last):
            pointers[..., column] = torch.where(echo[:, None], -1, pointers[..., column])
        root_column = 5  # the last pitch above the root of the chord: nothing without a chord
        told[..., root_column] = torch.where(chord[:, None], 12, told[..., root_column])
        batch |= {"told": told, "plain": plain, "pointers": pointers}
