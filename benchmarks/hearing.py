"""How well the local ear hears a suite: as it is, at 16 kHz, with noise 20 dB below, and after 50 ms of silence.

python benchmarks/hearing.py ../shared/muse
libretto listen make -o suite && python benchmarks/hearing.py suite --plain
"""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np

from libretto.listen.audio import Clip, at_rate, load_clip
from libretto.listen.local import hear_chord, hear_melody, hear_rhythm
from libretto.listen.stimuli import intervals_apart

QUALITIES = {(0, 4, 7): "A", (0, 3, 7): "B", (0, 4, 7, 10): "C", (0, 3, 6): "D"}


def hissing(clip: Clip) -> Clip:
    noise = np.random.default_rng(0).standard_normal(len(clip.samples)).astype(np.float32)
    return Clip(clip.samples + noise * np.sqrt(np.mean(clip.samples**2)) / 10, clip.rate)


CONDITIONS: dict[str, Callable[[Clip], Clip]] = {
    "as it is": lambda clip: clip,
    "16 kHz": lambda clip: Clip(at_rate(clip, 16_000), 16_000),
    "noise 20 dB": hissing,
    "50 ms late": lambda clip: Clip(np.pad(clip.samples, (clip.rate // 20, 0)), clip.rate),
}


def offbeats(slots: list[int]) -> int:
    return sum(slot % 2 == 0 for slot in slots)


def above(pitches: list[int]) -> tuple[int, ...]:
    return tuple(sorted({(pitch - min(pitches)) % 12 for pitch in pitches})) if pitches else ()


def contour(pitches: list[int]) -> str:
    ways = [step > 0 for step in np.diff(pitches) if step]
    turns = sum(one != two for one, two in pairwise(ways))
    return {0: "Asc" if ways and ways[0] else "Desc", 1: "Arch" if ways and ways[0] else "InvArch"}.get(turns, "")


def answers(task: str, heard: list[list[int]]) -> dict[str, str]:
    """What a solver answers, by the name of the row it is counted in."""
    if task == "syncopation_score":
        return {task: {0: "A", 2: "B", 4: "C", 6: "D", 8: "E"}.get(offbeats(heard[0]), "")}
    if task == "syncopation_pair":
        one, two = map(offbeats, heard)
        return {task: "1" if one > two else "2" if two > one else ""}
    if task == "transposition":
        apart = intervals_apart(*heard)
        return {f"{task} (strict)": "no" if apart else "yes", f"{task} (tolerant)": "yes" if apart < 0.5 else "no"}
    if task == "chord_quality_4":
        return {task: QUALITIES.get(above(heard[0]), "")}
    if task == "chord_quality_2":
        tones = above(heard[0])
        thirds = [name for third, name in ((4, "major"), (3, "minor")) if third in tones]
        strict = {"A": "major", "B": "minor"}.get(QUALITIES.get(tones, ""), "")
        return {f"{task} (strict)": strict, f"{task} (by the third)": thirds[0] if len(thirds) == 1 else ""}
    return {task: contour(heard[0])}


def main(folder: str, *flags: str) -> None:
    with open(Path(folder) / "manifest.csv", newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["role"] == "test"]
    ears = {"rhythm": hear_rhythm, "melody": hear_melody, "chord": hear_chord}
    table: dict[str, dict[str, list[bool]]] = {}
    slowest = 0.0
    for name in ["as it is"] if "--plain" in flags else list(CONDITIONS):
        heard: dict[tuple[str, str], list[int]] = {}
        for row in rows:
            for audio in filter(None, (row["audio_1"], row["audio_2"])):
                key = (audio, row["schema"])
                if key not in heard:
                    clip = CONDITIONS[name](load_clip(Path(folder) / "audio" / audio))
                    start = time.process_time()
                    heard[key] = ears[row["schema"]](clip)
                    slowest = max(slowest, time.process_time() - start)
            lists = [heard[audio, row["schema"]] for audio in (row["audio_1"], row["audio_2"]) if audio]
            for line, answer in answers(row["task"], lists).items():
                table.setdefault(line, {}).setdefault(name, []).append(answer == row["answer"])
    names = list(next(iter(table.values())))
    print("| task | " + " | ".join(names) + " |\n|---|" + "---|" * len(names))
    for line, cells in sorted(table.items()):
        print(f"| {line} | " + " | ".join(f"{sum(cells[name])}/{len(cells[name])}" for name in names) + " |")
    print(f"slowest clip: {slowest:.2f} s of one core")


if __name__ == "__main__":
    main(*sys.argv[1:])
