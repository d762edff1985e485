"""Lessons as sound, on whatever device torch has: sounds laid into clips, then filters, rooms, drive and noise."""

from __future__ import annotations

import math
from typing import Any

import torch

__all__ = ["RATE", "Pool", "finished", "laid"]

RATE = 22_050
_AT_ONCE = 768  # sounds
_LONGEST_ROOM = 1.2  # seconds
_RELEASE_FLOOR = 1e-4


class Pool:
    """All single sounds, one after another, as numbers within -1 to 1, with where each begins and how long it is."""

    def __init__(self, samples: Any, lengths: Any) -> None:
        self.samples = samples
        self.lengths = lengths
        self.firsts = torch.cumsum(lengths, 0) - lengths

    def joined(self, samples: Any) -> Pool:
        """The pool with more sounds, one a row, behind its own."""
        lengths = torch.full((len(samples),), samples.shape[1], device=samples.device, dtype=self.lengths.dtype)
        return Pool(torch.cat((self.samples, samples.reshape(-1))), torch.cat((self.lengths, lengths)))


def laid(pool: Pool, strokes: dict[str, Any], clips: int, count: int, longest: int) -> Any:
    """Clips of so many samples in which every stroke sounds: its clip, start, sound, gain, speed, stop and decay.

    A stroke is let go ``stop`` samples after its start and dies away in ``release`` seconds; ``tau`` is a decay of its
    own and ``rise`` the seconds in which it comes in.
    """
    device = pool.samples.device
    out = torch.zeros(clips * count, device=device)
    steps = torch.arange(longest, device=device, dtype=torch.float32)
    for first in range(0, len(strokes["clip"]), _AT_ONCE):
        own = {name: values[first : first + _AT_ONCE, None] for name, values in strokes.items()}
        places = steps * own["speed"]
        whole = places.long()
        lengths = pool.lengths[own["sound"]]
        inside = whole + 1 < lengths
        at = pool.firsts[own["sound"]] + torch.minimum(whole, lengths - 2)
        part = places - whole
        sound = pool.samples[at].float() * (1 - part) + pool.samples[at + 1].float() * part
        level = own["gain"] * torch.exp(-steps / (RATE * own["tau"]))
        level = level * torch.clamp(steps / (RATE * own["rise"]), max=1.0)
        level = level * torch.exp(-torch.clamp(steps - own["stop"], min=0) / (RATE * own["release"]))
        target = own["start"] + steps.long()
        fits = inside & (target < count)
        out.index_add_(
            0,
            (own["clip"] * count + torch.clamp(target, max=count - 1)).reshape(-1),
            (sound * level * fits).reshape(-1),
        )
    return out.reshape(clips, count)


def _between(clips: int, low: float, high: float, device: Any) -> Any:
    return torch.rand(clips, 1, device=device) * (high - low) + low


def _curves(clips: int, at: Any, depth: float) -> Any:
    """Smooth curves over frequency, as factors: a tilt, slow waves, and now and then nothing above some point."""
    device = at.device
    octaves = torch.log2(torch.clamp(at, min=20.0) / 640.0)[None]
    level = _between(clips, -0.35, 0.35, device) * depth * octaves
    for slow in (0.11, 0.23, 0.37):
        turn = _between(clips, 0, 2 * math.pi, device)
        level = level + _between(clips, 0, 0.5, device) * depth * torch.sin(2 * math.pi * slow * octaves + turn)
    level = level * (_between(clips, 0, 1, device) < 0.75)
    edge = torch.where(_between(clips, 0, 1, device) < 0.15, _between(clips, 4500, 10000, device), 1e6)
    deep = torch.where(_between(clips, 0, 1, device) < 0.15, _between(clips, 30, 120, device), 1e-3)
    cut = 1 / torch.sqrt(1 + (at[None] / edge) ** 8) / torch.sqrt(1 + (deep / torch.clamp(at[None], min=1e-2)) ** 4)
    return 10 ** (level / 20) * cut


def _rooms(clips: int, device: Any) -> Any:
    """Impulses of rooms: the sound itself, and for two clips in three a tail of noise."""
    count = int(_LONGEST_ROOM * RATE)
    time = torch.arange(count, device=device)[None] / RATE
    tail = torch.randn(clips, count, device=device) * torch.exp(-6.9 * time / _between(clips, 0.15, 1.1, device))
    dull = torch.nn.functional.avg_pool1d(tail[:, None], 3, 1, 1)[:, 0]
    tail = torch.where(_between(clips, 0, 1, device) < 0.7, dull, tail)
    tail = tail * (time >= _between(clips, 0, 0.02, device))
    tail = tail / torch.sqrt((tail**2).sum(1, keepdim=True))
    wet = _between(clips, 0.05, 0.45, device) * (_between(clips, 0, 1, device) < 0.6)
    tail = tail * wet
    tail[:, 0] += 1
    return tail


def _noise(clips: int, count: int, device: Any) -> Any:
    """Noise from white to brown, of power one."""
    spectrum = torch.fft.rfft(torch.randn(clips, count, device=device))
    at = torch.clamp(torch.arange(spectrum.shape[1], device=device)[None] * 20 / spectrum.shape[1], min=1.0)
    noise = torch.fft.irfft(spectrum / at ** _between(clips, 0, 0.9, device), count)
    return noise / torch.sqrt((noise**2).mean(1, keepdim=True))


def finished(sound: Any, depth: float = 9.0) -> Any:
    """Clips as they might be recorded: filtered, in rooms, some driven, most in noise, the loudest sample at one."""
    clips, count = sound.shape
    device = sound.device
    size = 1 << math.ceil(math.log2(count + int(_LONGEST_ROOM * RATE)))
    at = torch.fft.rfftfreq(size, 1 / RATE).to(device)
    spectrum = torch.fft.rfft(sound, size) * _curves(clips, at, depth) * torch.fft.rfft(_rooms(clips, device), size)
    sound = torch.fft.irfft(spectrum, size)[:, :count]
    sound = sound / torch.clamp(sound.abs().amax(1, keepdim=True), min=_RELEASE_FLOOR)
    drive = _between(clips, 1.0, 4.0, device)
    driven = torch.tanh(drive * sound) / torch.tanh(drive)
    sound = torch.where(_between(clips, 0, 1, device) < 0.2, driven, sound)
    power = torch.sqrt((sound**2).mean(1, keepdim=True))
    below = 10 ** (-_between(clips, 20, 55, device) / 20) * (_between(clips, 0, 1, device) < 0.8)
    sound = sound + below * power * _noise(clips, count, device)
    return sound / torch.clamp(sound.abs().amax(1, keepdim=True), min=_RELEASE_FLOOR)
