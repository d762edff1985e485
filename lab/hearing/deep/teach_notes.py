"""Teach the network that hears many notes at once; torch is needed, a GPU wanted: it is busy for some minutes.

python -m lab.hearing.deep.teach_notes lessons/notes.npz -o src/libretto/hearing/keys.npz --seconds 330
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

from lab.hearing.deep.learning import Course, course_parser, folded, kept_weights, learned, read_lessons
from lab.hearing.deep.mixing import RATE, Pool, finished, laid
from lab.hearing.deep.note_lessons import KEYS, SECONDS, Voices, tones
from libretto.hearing.looking import AROUND_KEYS, NEAR_KEYS, NOTE_HOP, NOTE_SIZES, note_bands, places_of_keys

__all__ = ["NoteNet", "main"]

_LONGEST = int(2.2 * RATE)


class NoteNet(nn.Module):  # type: ignore[misc,unused-ignore]
    """Every key sees its own partials, then its neighbours in time, the keys that share partials, and the rest."""

    def __init__(self, cells: int = 32, memory: int = 24) -> None:
        super().__init__()
        places = torch.from_numpy(places_of_keys())
        self.register_buffer("places", places, persistent=False)
        self.see = nn.Conv2d(2 * places.shape[1], cells, 1)
        self.near = nn.Conv2d(cells, cells, (5, 1), padding=(2, 0))
        self.wide = nn.Conv2d(cells * len(AROUND_KEYS), cells, 1)
        self.memory = nn.GRU(cells, memory, batch_first=True, bidirectional=True)
        self.last = nn.Conv2d(2 * memory * len(NEAR_KEYS), cells, 1)
        self.said = nn.Conv2d(cells, 2, 1)
        self.norms = nn.ModuleList(nn.BatchNorm2d(cells) for _ in range(4))
        self.drop = nn.Dropout(0.1)

    def forward(self, levels: Any) -> Any:
        """Log-odds that each key begins, and sounds, for the levels of clips: clips, frames, long and short, thirds."""
        clips, frames = levels.shape[:2]
        padded = torch.nn.functional.pad(levels, (1, 0))  # the first place stands for what lies outside
        seen = padded[..., self.places]  # clips, frames, two, keys, places
        seen = seen.permute(0, 2, 4, 1, 3).reshape(clips, -1, frames, KEYS)
        one = torch.relu(self.norms[0](self.see(seen)))
        two = one + torch.relu(self.norms[1](self.near(one)))
        three = two + torch.relu(self.norms[2](self.wide(_shifted(two, AROUND_KEYS))))
        rows = three.permute(0, 3, 2, 1).reshape(clips * KEYS, frames, -1)
        kept = self.memory(self.drop(rows))[0].reshape(clips, KEYS, frames, -1).permute(0, 3, 2, 1)
        four = three + torch.relu(self.norms[3](self.last(_shifted(kept, NEAR_KEYS))))
        return self.said(self.drop(four)).permute(0, 2, 3, 1)

    def weights(self) -> dict[str, np.ndarray]:
        """The numbers to be kept, norms folded into the layers before them; one row for every number that is seen."""
        kept = {}
        for name, norm in zip(("see", "near", "wide", "last"), self.norms, strict=True):
            weights, kept[f"{name}_offset"] = folded(getattr(self, name), norm)
            kept[name] = weights[..., 0] if name == "near" else weights[..., 0, 0].T
        kept["said"], kept["said_offset"] = self.said.weight[..., 0, 0].T, self.said.bias
        kept |= {f"memory_{name}": value for name, value in self.memory.named_parameters()}
        return {name: value.detach().float().cpu().numpy() for name, value in kept.items()}


def _shifted(seen: Any, steps: Sequence[int]) -> Any:
    """What the keys so many steps away have, one after another; nothing beyond the ends."""
    far = max(abs(step) for step in steps)
    padded = torch.nn.functional.pad(seen, (far, far))
    return torch.cat([padded[..., far + step : far + step + seen.shape[-1]] for step in steps], 1)


class Hearing:
    """Clips of notes as levels of thirds of semitones."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        device = pool.samples.device
        self.views = []
        for sizes in NOTE_SIZES:
            above, view = 0.0, []
            for size, below in sizes:
                bands = torch.from_numpy(note_bands(size, above, below)).to(device)
                view.append((size, torch.hann_window(size, device=device), bands))
                above = below
            self.views.append(view)

    def __call__(self, notes: dict[str, Any], clips: int) -> Any:
        """The levels of finished clips."""
        parted: dict[str, dict[str, Any]] = {"sampled": {}, "made": {}}
        for name, values in notes.items():
            who, what = name.split(" ")
            parted[who][what] = values
        count = int(SECONDS * RATE)
        sound = laid(self.pool, parted["sampled"], clips, count, _LONGEST) + tones(parted["made"], clips, count)
        return self.levels(finished(sound, 6.0))

    def levels(self, sound: Any) -> Any:
        """What ``libretto.hearing.looking.note_levels`` gives."""
        count = sound.shape[1] // NOTE_HOP + 1
        views = []
        for view in self.views:
            total: Any = 0
            for size, window, bands in view:
                padded = torch.nn.functional.pad(sound, (size // 2, size))
                frames = padded.unfold(1, size, NOTE_HOP)[:, :count]
                spectra = torch.fft.rfft(frames * window) * (2 / window.sum())
                total = total + spectra.abs() ** 2 @ bands
            views.append(torch.clamp((10 * torch.log10(total + 1e-8) + 80) / 40, min=0))
        return torch.stack(views, 2)


def main(arguments: Sequence[str] | None = None) -> None:
    """Teach for a while, and write the weights."""
    parser = course_parser("lab.hearing.deep.teach_notes", __doc__, 20)
    given = parser.parse_args(arguments)
    began = time.monotonic()
    torch.manual_seed(given.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data, samples, lengths = read_lessons(given.lessons, device)
    hearing = Hearing(Pool(samples.half(), lengths))
    net = NoteNet().to(device)
    lessons = Voices(data, given.clips, NOTE_HOP)
    checks = Voices(data, given.clips, NOTE_HOP, check=True)
    learned(net, hearing, lessons, checks, Course(given.seconds, given.clips, given.workers, 3e-3, (2.0, 1.0)), began)
    kept_weights(given.output, net.weights())


if __name__ == "__main__":
    main()
