"""What is struck in the lessons for drums: songs and patterns, each in a kit that is whole, mixed or made by lot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch

__all__ = ["CLASSES", "KINDS", "RANGES", "SECONDS", "Range", "Strokes", "made_sounds"]

#: For every kind of stroke the class taught: 0 kick, 1 snare, 2 hat, -1 none; in the order of ``sounds.GROUPS``.
CLASSES = np.array([0, 1, 1, 1, 2, 2, 2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1])
#: For every key of the percussion map the kind of stroke, -1 for none.
KINDS = np.full(128, -1)
for _number, _keys in enumerate(
    ((35, 36), (38, 40), (37,), (39,), (42,), (44,), (46,), (49, 57, 52, 55), (51, 59), (53,), (41, 43), (45, 47),
     (48, 50), (54,), (56, 67, 68), (60, 61, 62, 63, 64, 65, 66, 78, 79), (69, 70, 82), (75, 76, 77, 31, 73, 74),
     (58, 71, 72, 80, 81, 83, 84))
):  # fmt: skip
    KINDS[list(_keys)] = _number
SECONDS = 6.0


class Range(NamedTuple):
    """Decibels of the softest kind of stroke and of the softest hats, and how much softer soft strokes are at most."""

    softest: float
    softest_hat: float
    steepest: float


#: How far drums differ in loudness in the lessons of each network.
RANGES = {"a": Range(-7, -10, 1.8), "b": Range(-9, -12, 2.4)}
_RATE = 22_050
_OPEN, _HATS, _SHAKER = 6, (4, 5, 6), 16
_MADE_LENGTH = int(0.7 * _RATE)
_MADE_KITS = 300
_RINGS = 0.6  # of the made strokes of metal
#: Ranges of made strokes: from, to (Hz) and decay (s) of the tone, its level; low and high edge and decay of the noise,
#: its level; level and decay of the ring.
_MADE = {
    0: ((60, 260), (35, 75), (0.05, 0.35), (0.9, 1), (300, 3000), (2000, 9000), (0.002, 0.02), (0, 0.35), 0, 0.1),
    1: ((180, 400), (140, 280), (0.03, 0.15), (0.1, 1), (300, 2500), (5000, 11000), (0.04, 0.25), (0.3, 1), 0, 0.1),
    2: ((800, 2400), (400, 2000), (0.01, 0.05), (0.2, 1), (600, 2000), (3000, 9000), (0.005, 0.04), (0.1, 1), 0, 0.1),
    3: ((200, 300), (200, 300), (0.02, 0.03), (0, 0), (500, 1200), (2000, 6000), (0.03, 0.15), (0.9, 1), 0, 0.1),
    4: ((300, 900), (300, 900), (0.01, 0.02), (0, 0.05), (3000, 8000), (8000, 12000), (0.01, 0.08), (0.5, 1), 0.5, 0.1),
    5: ((300, 900), (300, 900), (0.01, 0.02), (0, 0.1), (2500, 7000), (8000, 12000), (0.01, 0.06), (0.5, 1), 0.5, 0.05),
    6: ((300, 900), (300, 900), (0.01, 0.02), (0, 0.05), (3000, 7500), (8000, 12000), (0.12, 0.6), (0.5, 1), 0.6, 0.3),
    7: ((200, 600), (200, 600), (0.1, 0.3), (0, 0.1), (800, 4500), (8000, 12000), (0.3, 1.2), (0.6, 1), 0.4, 0.6),
    8: ((300, 900), (300, 900), (0.1, 0.3), (0, 0.1), (2000, 5000), (7000, 12000), (0.1, 0.8), (0.2, 0.7), 1.0, 0.5),
    9: ((600, 1500), (600, 1500), (0.1, 0.5), (0.2, 0.6), (2000, 5000), (7000, 12000), (0.1, 0.6), (0.1, 0.5), 1, 0.5),
    10: ((80, 180), (60, 120), (0.12, 0.5), (0.9, 1), (300, 2000), (2000, 6000), (0.005, 0.05), (0, 0.3), 0, 0.1),
    11: ((110, 260), (90, 180), (0.12, 0.4), (0.9, 1), (300, 2000), (2000, 6000), (0.005, 0.05), (0, 0.3), 0, 0.1),
    12: ((160, 360), (120, 260), (0.1, 0.35), (0.9, 1), (300, 2000), (2000, 6000), (0.005, 0.05), (0, 0.3), 0, 0.1),
    13: ((300, 900), (300, 900), (0.01, 0.02), (0, 0), (4000, 8000), (8000, 12000), (0.05, 0.25), (0.5, 1), 0.8, 0.15),
    14: ((400, 900), (400, 900), (0.05, 0.3), (0.8, 1), (500, 2000), (2000, 6000), (0.005, 0.02), (0, 0.2), 0.2, 0.1),
    15: ((160, 700), (140, 600), (0.04, 0.25), (0.9, 1), (500, 2000), (2000, 6000), (0.003, 0.03), (0, 0.3), 0, 0.1),
    16: ((300, 900), (300, 900), (0.01, 0.02), (0, 0), (3500, 7000), (8000, 12000), (0.02, 0.12), (0.8, 1), 0, 0.1),
    17: ((900, 2800), (800, 2600), (0.01, 0.08), (0.9, 1), (500, 2000), (2000, 6000), (0.003, 0.02), (0, 0.2), 0, 0.1),
    18: ((900, 4500), (900, 4500), (0.1, 0.6), (0.5, 1), (3000, 6000), (7000, 12000), (0.05, 0.3), (0, 0.3), 1.0, 0.4),
}  # fmt: skip


def made_sounds(device: Any) -> tuple[Any, np.ndarray]:
    """Strokes of sines and noise, one a row, ``_MADE_KITS`` of every kind, and which kind each row is."""
    time = torch.arange(_MADE_LENGTH, device=device)[None] / _RATE
    at = torch.fft.rfftfreq(_MADE_LENGTH, 1 / _RATE).to(device)[None]
    rows: list[Any] = []
    for top, base, fall, tone, low, high, hiss, noise, ring, ringing in _MADE.values():

        def lot(span: tuple[float, float], even: bool = True) -> Any:
            part = torch.rand(_MADE_KITS, 1, device=device)
            return span[0] + (span[1] - span[0]) * part if even else span[0] * (span[1] / span[0]) ** part

        hertz = lot(base) + (lot(top) - lot(base)).clamp(min=0) * torch.exp(-time / lot((0.005, 0.06)))
        sound = (
            lot(tone) * torch.sin(2 * torch.pi * torch.cumsum(hertz, 1) / _RATE) * torch.exp(-time / lot(fall, False))
        )
        shape = 1 / (1 + (lot(low) / at.clamp(min=1)) ** 4) / (1 + (at / lot(high)) ** 4)
        rush = torch.fft.irfft(
            torch.fft.rfft(torch.randn(_MADE_KITS, _MADE_LENGTH, device=device)) * shape, _MADE_LENGTH
        )
        rush = rush / rush.abs().amax(1, keepdim=True)
        sound = sound + lot(noise) * rush * torch.exp(-time / lot(hiss, False))
        loud = ring * (torch.rand(_MADE_KITS, 1, device=device) < _RINGS)  # the others are noise alone
        for _ in range(6 if ring else 0):
            partial = torch.sin(2 * torch.pi * lot((1200, 9500)) * time + lot((0, 6.28)))
            sound = sound + loud * lot((0, 0.25)) * partial * torch.exp(-time / (ringing * lot((0.5, 1.5))))
        if len(rows) == _SHAKER:  # what is shaken comes in slowly; a hat does not
            sound = sound * torch.clamp(time / lot((0.008, 0.03)), max=1)
        sound = sound * torch.clamp((time[:, -1:] - time) / 0.05, max=1)
        rows.append((sound / sound.abs().amax(1, keepdim=True)).half())
    return torch.cat(rows), np.repeat(np.arange(len(_MADE)), _MADE_KITS)


class Strokes(torch.utils.data.IterableDataset):  # type: ignore[misc,name-defined,unused-ignore]
    """Batches of clips as lists of strokes, and in which frames kick, snare and hat begin."""

    def __init__(
        self, data: dict[str, np.ndarray], made: np.ndarray, clips: int, hop: int, span: Range, check: bool = False
    ) -> None:
        self.range = span
        self.rows, self.firsts = data["rows"], data["firsts"]
        self.clips, self.hop, self.check = clips, hop, check
        self.frames = int(SECONDS * _RATE) // hop + 1
        kinds = data["what"].astype(int)
        self.gain = np.concatenate((data["gain"], np.full(len(made), 0.7))).astype(np.float32)
        self.kits: list[dict[int, np.ndarray]] = []
        for player in np.flatnonzero(data["check"] == check):
            own = np.flatnonzero(data["player"] == player)
            self.kits.append({kind: own[kinds[own] == kind] for kind in np.unique(kinds[own])})
        self.made = {kind: len(kinds) + np.flatnonzero(made == kind) for kind in range(len(CLASSES))}
        self.whole = [kit for kit in self.kits if {0, 1, 4} <= set(kit)]
        self.holders = {kind: [kit for kit in self.kits if kind in kit] for kind in range(len(CLASSES))}

    def __iter__(self) -> Iterator[tuple[dict[str, np.ndarray], np.ndarray]]:
        worker = torch.utils.data.get_worker_info()
        dice = np.random.default_rng([17, worker.seed % 2**31 if worker else 0, int(self.check)])
        while True:
            parts, labels = [], np.zeros((self.clips, self.frames, 3), dtype=np.float32)
            for clip in range(self.clips):
                strokes = self._clip(dice, labels[clip])
                strokes["clip"] = np.full(len(strokes["start"]), clip)
                parts.append(strokes)
            yield {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}, labels

    def _kit(self, dice: np.random.Generator) -> dict[int, np.ndarray]:
        """A kit: one as it is, one mixed of all, or made; what it lacks is lent."""
        way = dice.random()
        base = self.whole[dice.integers(len(self.whole))]
        kit = {}
        for kind in range(len(CLASSES)):
            made = not self.check and (way > 0.75 or (way > 0.6 and dice.random() < 0.3))
            if made or not self.holders[kind]:
                kit[kind] = self.made[kind][dice.integers(_MADE_KITS, size=1)]
            elif (way < 0.45 or self.check) and kind in base:
                kit[kind] = base[kind]
            else:
                kit[kind] = self.holders[kind][dice.integers(len(self.holders[kind]))][kind]
        return kit

    def _events(self, dice: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Times in seconds, kinds and loudness of what is struck."""
        song = dice.integers(len(self.firsts) - 1)
        rows = self.rows[self.firsts[song] : self.firsts[song + 1]]
        pace = dice.uniform(0.8, 1.25)
        begin = dice.uniform(-0.5, max(0.0, rows[-1, 0] * pace - SECONDS))
        times = rows[:, 0] * pace - begin + dice.normal(0, 0.006, len(rows))
        kinds = KINDS[rows[:, 2].astype(int)]
        keep = (times > 0.002) & (times < SECONDS - 0.05) & (kinds >= 0)
        lot = dice.random()
        if lot < 0.06:  # one class alone
            keep &= CLASSES[kinds] == dice.integers(3)
        elif lot < 0.14:  # one class missing
            keep &= CLASSES[kinds] != dice.integers(3)
        elif lot < 0.24:  # everything by lot
            kinds = np.where(dice.random(len(kinds)) < 0.5, kinds, dice.integers(len(CLASSES), size=len(kinds)))
        elif lot < 0.34:  # another kind of metal keeps the time
            kinds = np.where(np.isin(kinds, _HATS), dice.choice((4, 4, 5, 6, 8, 9, 13, 16)), kinds)
        return times[keep], kinds[keep], rows[keep, 3] / 127

    def _clip(self, dice: np.random.Generator, label: np.ndarray) -> dict[str, np.ndarray]:
        times, kinds, louds = self._events(dice)
        kit = self._kit(dice)
        count = len(times)
        level = 10 ** (dice.uniform(self.range.softest, 5, len(CLASSES)) / 20)
        level[list(_HATS)] *= 10 ** (dice.uniform(self.range.softest_hat, 3) / 20)
        moved = np.where(dice.random(len(CLASSES)) < 0.6, 2 ** dice.uniform(-0.35, 0.35, len(CLASSES)), 1.0)
        fall = np.where(dice.random(len(CLASSES)) < 0.25, 10 ** dice.uniform(-1.2, -0.2, len(CLASSES)), 50.0)
        curve = dice.uniform(0.5, self.range.steepest)
        sound = np.zeros(count, dtype=np.int64)
        gain = np.zeros(count, dtype=np.float32)
        for place, (kind, loud) in enumerate(zip(kinds.tolist(), louds.tolist(), strict=True)):
            layers = kit[kind]
            if len(layers) > 1:
                order = layers[np.argsort(self.gain[layers])]
                rank = int(np.clip((loud + dice.normal(0, 0.15)) * len(order), 0, len(order) - 1))
                sound[place] = order[rank]
            else:
                sound[place] = layers[0]
            power = curve if len(layers) == 1 else 0.5 * curve
            gain[place] = self.gain[sound[place]] ** 0.8 * max(loud, 0.05) ** power * level[kind]
        stop = np.full(count, 10 * _RATE, dtype=np.float32)
        hats = times[np.isin(kinds, _HATS)]
        for place in np.flatnonzero(kinds == _OPEN).tolist():
            later = hats[hats > times[place] + 0.02]
            if len(later):
                stop[place] = (later.min() - times[place]) * _RATE
        self._mark(times, kinds, label)
        return {
            "start": (times * _RATE).astype(np.int64), "sound": sound, "gain": gain,
            "speed": moved[kinds].astype(np.float32) * dice.normal(1, 0.01, count).astype(np.float32),
            "stop": stop, "tau": fall[kinds].astype(np.float32),
            "rise": np.full(count, 1e-5, np.float32), "release": np.full(count, 0.015, np.float32),
        }  # fmt: skip

    def _mark(self, times: np.ndarray, kinds: np.ndarray, label: np.ndarray) -> None:
        """Write into the frames of a clip where the drums that are taught begin."""
        for time, kind in zip(times.tolist(), kinds.tolist(), strict=True):
            frame, drum = round(time * _RATE / self.hop), int(CLASSES[kind])
            for beside, sure in ((-1, 0.4), (0, 1.0), (1, 0.4)):
                if drum >= 0 and 0 <= frame + beside < self.frames:
                    label[frame + beside, drum] = max(label[frame + beside, drum], sure)
