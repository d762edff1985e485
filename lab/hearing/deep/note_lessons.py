"""What is played in the lessons for notes: voices of songs, each by a sampled instrument or by one made of sines."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

__all__ = ["KEYS", "LOWEST", "SECONDS", "Voices", "tones"]

SECONDS = 5.0
LOWEST, KEYS = 21, 88
PARTIALS = 16
_RATE = 22_050
_LONGEST = 3.0  # seconds of a made tone
_MOST = 130  # notes in a clip
_MADE = 0.4  # of the voices are made of sines
_SMEAR = ((-1, 0.4), (0, 1.0), (1, 0.4))
_AT_ONCE = 384
_ASKED = 3  # players, of whom the one plays a voice that has it in range

Rows = dict[str, np.ndarray]


def tones(notes: dict[str, Any], clips: int, count: int) -> Any:
    """Clips of so many samples in which every made tone sounds."""
    device = notes["hertz"].device
    out = torch.zeros(clips * count, device=device)
    steps = torch.arange(int(_LONGEST * _RATE), device=device)
    time = steps / _RATE
    for first in range(0, len(notes["hertz"]), _AT_ONCE):
        own = {name: values[first : first + _AT_ONCE, None] for name, values in notes.items() if name != "parts"}
        parts = notes["parts"][first : first + _AT_ONCE]
        sway = 2 * math.pi * own["rate"]
        bent = time + own["depth"] / sway * (1 - torch.cos(sway * time)) * torch.clamp(time / 0.3, max=1)
        turn = 2 * math.pi * own["hertz"] * bent
        sound = torch.zeros_like(turn)
        for number in range(1, PARTIALS + 1):
            stretch = number * torch.sqrt(1 + own["stiff"] * number**2)
            fall = torch.exp(-time * own["fall"] * (1 + own["faster"] * number))
            sound += parts[:, number - 1 : number] * torch.sin(turn * stretch + number**2) * fall
        level = own["gain"] * torch.clamp(time / own["rise"], max=1)
        level = level * torch.exp(-torch.clamp(time - own["last"], min=0) / own["release"])
        target = own["start"] + steps
        fits = target < count
        out.index_add_(
            0,
            (own["clip"] * count + torch.clamp(target, max=count - 1)).reshape(-1),
            (sound * level * fits).reshape(-1),
        )
    return out.reshape(clips, count)


class Voices(torch.utils.data.IterableDataset):  # type: ignore[misc,name-defined,unused-ignore]
    """Batches of clips as lists of sampled notes and of made tones, and where keys begin and sound."""

    def __init__(self, data: Rows, clips: int, hop: int, check: bool = False) -> None:
        self.rows, self.firsts = data["rows"], data["firsts"]
        self.clips, self.hop, self.check = clips, hop, check
        self.frames = int(SECONDS * _RATE) // hop + 1
        self.what, self.gain = data["what"], data["gain"]
        own = [np.flatnonzero(data["player"] == player) for player in np.flatnonzero(data["check"] == check)]
        self.players = [sounds for sounds in own if len(sounds)]

    def __iter__(self) -> Iterator[tuple[dict[str, np.ndarray], np.ndarray]]:
        worker = torch.utils.data.get_worker_info()
        dice = np.random.default_rng([19, worker.seed % 2**31 if worker else 0, int(self.check)])
        while True:
            sampled: list[Rows] = []
            made: list[Rows] = []
            labels = np.zeros((self.clips, self.frames, KEYS, 2), dtype=np.float32)
            for clip in range(self.clips):
                self._clip(dice, clip, labels[clip], sampled, made)
            batch = {f"sampled {name}": np.concatenate([part[name] for part in sampled]) for name in sampled[0]}
            batch |= {f"made {name}": np.concatenate([part[name] for part in made]) for name in made[0]}
            yield batch, labels

    def _chosen(self, dice: np.random.Generator) -> np.ndarray:
        """The notes of a few voices in a few seconds: start, length, pitch, velocity, voice."""
        while True:
            song = dice.integers(len(self.firsts) - 1)
            rows = self.rows[self.firsts[song] : self.firsts[song + 1]].astype(np.float64)
            voices = np.unique(rows[:, 4])
            some = int(dice.choice((1, 2, 2, 2, 2, 2, 3, 3, 9)))
            chosen = dice.permutation(voices)[: max(1, min(some, len(voices)))]
            rows = rows[np.isin(rows[:, 4], chosen)]
            if len(rows) < 4:
                continue
            pace = dice.uniform(0.75, 1.3)
            begin = dice.uniform(-0.4, max(0.0, rows[-1, 0] * pace - SECONDS))
            moments, back = np.unique(rows[:, 0], return_inverse=True)
            rows[:, 0] = rows[:, 0] * pace - begin + dice.normal(0, 0.008, len(moments))[back]
            rows[:, 1] *= pace
            rows[:, 2] += dice.integers(-5, 7)
            for voice in chosen:
                rows[rows[:, 4] == voice, 2] += 12 * dice.choice((-1, 0, 0, 0, 0, 0, 1))
            inside = (
                (rows[:, 0] > 0.002)
                & (rows[:, 0] < SECONDS - 0.1)
                & (rows[:, 2] >= LOWEST)
                & (rows[:, 2] < LOWEST + KEYS)
            )
            rows = rows[inside]
            if len(rows) >= 4:
                return rows[np.argsort(rows[:, 0])][:_MOST]

    def _clip(
        self, dice: np.random.Generator, clip: int, label: np.ndarray, sampled: list[Rows], made: list[Rows]
    ) -> None:
        rows = self._chosen(dice)
        tuning = dice.normal(0, 0.08)
        for voice in np.unique(rows[:, 4]):
            own = rows[rows[:, 4] == voice]
            loud = np.maximum(own[:, 3] / 127, 0.1) ** dice.uniform(0.7, 2.2) * 10 ** (dice.uniform(-9, 3) / 20)
            if dice.random() < _MADE and not self.check:
                made.append(self._tones(dice, clip, own, loud, tuning))
            else:
                sampled.append(self._samples(dice, clip, own, loud, tuning))
        if not made:  # so that there always is a list
            made.append(
                {name: values[:1] for name, values in self._tones(dice, clip, rows, np.zeros(len(rows)), 0).items()}
            )
        if not sampled:
            sampled.append(
                {name: values[:1] for name, values in self._samples(dice, clip, rows, np.zeros(len(rows)), 0).items()}
            )
        for start, length, pitch in rows[:, :3].tolist():
            frame, key = round(start * _RATE / self.hop), round(pitch) - LOWEST
            for beside, sure in _SMEAR:
                if 0 <= frame + beside < self.frames:
                    label[frame + beside, key, 0] = max(label[frame + beside, key, 0], sure)
            label[frame : max(frame + 2, round((start + length) * _RATE / self.hop)), key, 1] = 1

    def _samples(self, dice: np.random.Generator, clip: int, own: np.ndarray, loud: np.ndarray, tuning: float) -> Rows:
        some = [self.players[number] for number in dice.integers(len(self.players), size=_ASKED)]
        far = [np.abs(own[:, 2, None] - self.what[player][None]) for player in some]
        best = int(np.argmin([table.min(axis=1).mean() for table in far]))  # who has the voice in range
        sound = some[best][far[best].argmin(axis=1)]
        count = len(own)
        slow = 10 ** dice.uniform(-2.3, -1.0) if dice.random() < 0.3 else 1e-5
        fall = 10 ** dice.uniform(-0.8, 0.3) if dice.random() < 0.2 else 50.0
        return {
            "clip": np.full(count, clip), "start": (own[:, 0] * _RATE).astype(np.int64), "sound": sound,
            "gain": (loud * self.gain[sound]).astype(np.float32),
            "speed": (2 ** ((own[:, 2] + tuning - self.what[sound]) / 12)).astype(np.float32),
            "stop": (own[:, 1] * _RATE).astype(np.float32), "tau": np.full(count, fall, np.float32),
            "rise": np.full(count, slow, np.float32),
            "release": np.full(count, 10 ** dice.uniform(-1.7, -0.5), np.float32),
        }  # fmt: skip

    def _tones(self, dice: np.random.Generator, clip: int, own: np.ndarray, loud: np.ndarray, tuning: float) -> Rows:
        count = len(own)
        plucked = dice.random() < 0.5
        hertz = 440 * 2 ** ((own[:, 2] + tuning - 69) / 12)
        numbers = np.arange(1, PARTIALS + 1)
        octaves = np.log2(hertz[:, None] * numbers / 640)
        level = -20 * dice.uniform(0.5, 2.2) * np.log10(numbers) + dice.normal(0, 4, PARTIALS)
        level = level + sum(
            dice.uniform(0, 6) * np.sin(2 * np.pi * slow * octaves + dice.uniform(0, 6.28)) for slow in (0.2, 0.45, 0.8)
        )
        parts = 10 ** (level / 20) * (hertz[:, None] * numbers < 0.46 * _RATE)
        if dice.random() < 0.25:
            parts[:, 1::2] *= dice.uniform(0, 0.3)
        parts /= np.sqrt((parts**2).sum(axis=1, keepdims=True)) + 1e-9

        def same(value: float) -> np.ndarray:
            return np.full(count, value, np.float32)

        return {
            "clip": np.full(count, clip), "start": (own[:, 0] * _RATE).astype(np.int64),
            "hertz": hertz.astype(np.float32),
            "gain": (0.5 * loud).astype(np.float32), "parts": parts.astype(np.float32),
            "rise": same(10 ** dice.uniform(-2.8, -2) if plucked else 10 ** dice.uniform(-2.2, -0.95)),
            "fall": same(dice.uniform(0.3, 4) if plucked else dice.uniform(0, 0.4)),
            "faster": same(dice.uniform(0.05, 0.6) if plucked else 0.0),
            "stiff": same(10 ** dice.uniform(-5, -3.3) if plucked else 0.0),
            "rate": same(dice.uniform(4, 7)),
            "depth": same(0.0 if plucked or dice.random() < 0.4 else dice.uniform(0, 0.014)),
            "last": own[:, 1].astype(np.float32), "release": same(10 ** dice.uniform(-1.7, -0.5)),
        }  # fmt: skip
