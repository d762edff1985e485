"""Teach the network that hears kick, snare and hat; torch is needed, a GPU wanted: it is busy for some minutes.

python -m lab.hearing.deep.teach_drums lessons/drums.npz -o src/libretto/hearing/strokes.npz --seconds 400
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from lab.hearing.deep.drum_lessons import RANGES, SECONDS, Strokes, made_sounds
from lab.hearing.deep.learning import Course, course_parser, folded, kept_weights, learned, read_lessons
from lab.hearing.deep.mixing import RATE, Pool, finished, laid
from libretto.hearing.looking import DRUM_HOP, DRUM_SIZE, drum_bands

__all__ = ["DrumNet", "Hearing", "main"]

_LONGEST = int(1.2 * RATE)


class DrumNet(nn.Module):  # type: ignore[misc,unused-ignore]
    """Three layers of local cells, each seeing half as many bands, then cells that remember, both ways in time."""

    def __init__(self, wide: tuple[int, int, int] = (16, 32, 48), told: int = 96, memory: int = 80) -> None:
        super().__init__()
        first, second, third = wide
        self.convs = nn.ModuleList(
            (
                nn.Conv2d(1, first, (3, 5), (1, 2), (1, 2)),
                nn.Conv2d(first, second, 3, (1, 2), 1),
                nn.Conv2d(second, third, 3, (1, 2), 1),
            )
        )
        self.norms = nn.ModuleList(nn.BatchNorm2d(count) for count in wide)
        self.told = nn.Linear(third * 8, told)
        self.memory = nn.GRU(told, memory, batch_first=True, bidirectional=True)
        self.said = nn.Linear(2 * memory, 3)
        self.drop = nn.Dropout(0.2)

    def forward(self, levels: Any) -> Any:
        """Log-odds of kick, snare and hat for the levels of clips: clips, frames, bands."""
        seen = levels[:, None]
        for conv, norm in zip(self.convs, self.norms, strict=True):
            seen = torch.relu(norm(conv(seen)))
        flat = seen.permute(0, 2, 3, 1).flatten(2)  # frames, then bands, then cells
        told = self.drop(torch.relu(self.told(flat)))
        return self.said(self.drop(self.memory(told)[0]))

    def weights(self) -> dict[str, np.ndarray]:
        """The numbers to be kept, norms folded into the layers before them."""
        kept = {}
        for number, (conv, norm) in enumerate(zip(self.convs, self.norms, strict=True)):
            plain = isinstance(norm, nn.Identity)
            kept[f"conv{number}"], kept[f"conv{number}_offset"] = (
                (conv.weight, conv.bias) if plain else folded(conv, norm)
            )
        for name, layer in (("told", self.told), ("said", self.said)):
            kept[name], kept[f"{name}_offset"] = layer.weight.T, layer.bias
        kept |= {f"memory_{name}": value for name, value in self.memory.named_parameters()}
        return {name: value.detach().float().cpu().numpy() for name, value in kept.items()}

    @classmethod
    def read(cls, path: Path, net: str) -> DrumNet:
        """A network that was taught before, its norms folded in."""
        with np.load(path) as packed:
            kept = {
                name.removeprefix(net): torch.from_numpy(packed[name].astype(np.float32))
                for name in packed.files
                if name.startswith(net)
            }
        own = cls()
        own.norms = nn.ModuleList(nn.Identity() for _ in own.norms)
        state = {f"convs.{number}.weight": kept[f"conv{number}"] for number in range(len(own.convs))}
        state |= {f"convs.{number}.bias": kept[f"conv{number}_offset"] for number in range(len(own.convs))}
        for name in ("told", "said"):
            state |= {f"{name}.weight": kept[name].T, f"{name}.bias": kept[f"{name}_offset"]}
        state |= {f"memory.{name.removeprefix('memory_')}": kept[name] for name in kept if name.startswith("memory_")}
        own.load_state_dict(state)
        return own


class Hearing:
    """Clips of strokes as levels of bands."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        device = pool.samples.device
        self.bands = torch.from_numpy(drum_bands()).to(device)
        self.window = torch.hann_window(DRUM_SIZE, device=device)

    def __call__(self, strokes: dict[str, Any], clips: int) -> Any:
        """The levels of finished clips."""
        count = int(SECONDS * RATE)
        return self.levels(finished(laid(self.pool, strokes, clips, count, _LONGEST)))

    def levels(self, sound: Any) -> Any:
        """What ``libretto.hearing.looking.drum_levels`` gives."""
        padded = torch.nn.functional.pad(sound, (DRUM_SIZE // 2, DRUM_SIZE))
        frames = padded.unfold(1, DRUM_SIZE, DRUM_HOP)[:, : sound.shape[1] // DRUM_HOP + 1]
        spectra = torch.fft.rfft(frames * self.window) * (2 / self.window.sum())
        return (10 * torch.log10(spectra.abs() ** 2 @ self.bands + 1e-9) + 50) / 20


def main(arguments: Sequence[str] | None = None) -> None:
    """Teach for a while, and write the weights."""
    parser = course_parser("lab.hearing.deep.teach_drums", __doc__, 48)
    parser.add_argument("--net", choices=sorted(RANGES), required=True)
    given = parser.parse_args(arguments)
    began = time.monotonic()
    torch.manual_seed(given.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data, samples, lengths = read_lessons(given.lessons, device)
    made, kinds = made_sounds(device)
    hearing = Hearing(Pool(samples.half(), lengths).joined(made))
    net = DrumNet().to(device)
    span = RANGES[given.net]
    lessons = Strokes(data, kinds, given.clips, DRUM_HOP, span)
    checks = Strokes(data, kinds, given.clips, DRUM_HOP, span, check=True)
    course = Course(given.seconds, given.clips, given.workers, 2e-3, half=given.net == "b")
    learned(net, hearing, lessons, checks, course, began)
    kept_weights(given.output, net.weights(), f"{given.net}_")


if __name__ == "__main__":
    main()
