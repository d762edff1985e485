"""How well the local ear hears a suite: as it is, at 16 kHz, with noise 20 dB below, and after 50 ms of silence.

python benchmarks/hearing.py ../shared/muse
libretto listen make -o suite && python benchmarks/hearing.py suite --plain     (as it is alone; 95% intervals)
python benchmarks/hearing.py suite --hard                                       (more noise, a room, out of tune)
"""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from libretto.corpus.statistics import wilson
from libretto.hearing.audio import Clip, at_rate, load_clip
from libretto.listen.kinds import kinds
from libretto.listen.local import readers


def noisy(below: float, pink: bool = False) -> Callable[[Clip], Clip]:
    """White or pink noise so many decibels below a clip."""

    def changed(clip: Clip) -> Clip:
        noise = np.random.default_rng(0).standard_normal(len(clip.samples)).astype(np.float32)
        if pink:
            spectrum = np.fft.rfft(noise)
            noise = np.fft.irfft(spectrum / np.sqrt(np.arange(1, len(spectrum) + 1)), len(noise))
            noise = (noise / np.sqrt(np.mean(noise**2))).astype(np.float32)
        return Clip(
            clip.samples + noise * np.sqrt(np.mean(clip.samples**2)) * np.float32(10 ** (-below / 20)), clip.rate
        )

    return changed


def echoing(clip: Clip) -> Clip:
    """A clip in a room that rings for 0.8 s, 10 dB below."""
    at = np.arange(int(0.8 * clip.rate)) / clip.rate
    room = np.random.default_rng(1).standard_normal(len(at)) * 10 ** (-3 * at / 0.8)
    size = 1 << (len(clip.samples) + len(room)).bit_length()
    rung = np.fft.irfft(np.fft.rfft(clip.samples, size) * np.fft.rfft(room / np.sqrt((room**2).sum()), size), size)
    return Clip((clip.samples + 0.3 * rung[: len(clip.samples)]).astype(np.float32), clip.rate)


def flat(clip: Clip) -> Clip:
    """A clip 20 cents lower."""
    count = len(clip.samples)
    places = np.arange(int(count * 2 ** (20 / 1200))) * 2 ** (-20 / 1200)
    return Clip(np.interp(places, np.arange(count), clip.samples).astype(np.float32), clip.rate)


USUAL = ("as it is", "16 kHz", "noise 20 dB", "50 ms late")
CONDITIONS: dict[str, Callable[[Clip], Clip]] = {
    "as it is": lambda clip: clip,
    "16 kHz": lambda clip: Clip(at_rate(clip, 16_000), 16_000),
    "noise 20 dB": noisy(20),
    "50 ms late": lambda clip: Clip(np.pad(clip.samples, (clip.rate // 20, 0)), clip.rate),
    "noise 15 dB": noisy(15),
    "pink 20 dB": noisy(20, pink=True),
    "pink 15 dB": noisy(15, pink=True),
    "room": echoing,
    "20 cents flat": flat,
}


def answers(task: str, heard: list[list[int]]) -> dict[str, str]:
    """What the solvers answer, by the name of the row it is counted in."""
    kind = kinds[task]
    strict = kind.solve(*heard).answer or ""
    if kind.tolerant is None:
        return {task: strict}
    return {f"{task} (strict)": strict, f"{task} (tolerant)": kind.tolerant(*heard).answer or ""}


def interval(right: int, count: int) -> str:
    """The 95% interval of a share, in percent."""
    estimate = wilson(right / count, count)
    return f"{100 * estimate.low:.1f}-{100 * estimate.high:.1f}"


def heard_in(path: Path, schema: str, names: list[str]) -> tuple[list[list[int]], float]:
    """What is heard in a clip under each condition, and the longest that took."""
    ear = readers()[schema]
    clip = load_clip(path)
    heard, slowest = [], 0.0
    for name in names:
        changed = CONDITIONS[name](clip)
        start = time.process_time()
        heard.append(list(ear(changed).values))
        slowest = max(slowest, time.process_time() - start)
    return heard, slowest


def main(folder: str, *flags: str) -> None:
    with open(Path(folder) / "manifest.csv", newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["role"] == "test"]
    names = [name for name in CONDITIONS if name in USUAL[: 1 if "--plain" in flags else None] or "--hard" in flags]
    keys = sorted({(row[column], row["schema"]) for row in rows for column in ("audio_1", "audio_2") if row[column]})
    heard: dict[tuple[str, str], list[list[int]]] = {}
    slowest = 0.0
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        jobs = [pool.submit(heard_in, Path(folder) / "audio" / audio, schema, names) for audio, schema in keys]
        for number, (key, job) in enumerate(zip(keys, jobs, strict=True), 1):
            heard[key], took = job.result()
            slowest = max(slowest, took)
            if sys.stderr.isatty():
                print(f"{number}/{len(keys)} clips", end="\r", file=sys.stderr)
    table: dict[str, dict[str, list[bool]]] = {}
    for row in rows:
        clips = [heard[audio, row["schema"]] for audio in (row["audio_1"], row["audio_2"]) if audio]
        for index, name in enumerate(names):
            for line, answer in answers(row["task"], [clip[index] for clip in clips]).items():
                table.setdefault(line, {}).setdefault(name, []).append(answer == row["answer"])
    print("| task | " + " | ".join(names) + " |\n|---|" + "---|" * len(names))
    for line, cells in sorted(table.items()):
        shown = [f"{sum(cells[name])}/{len(cells[name])}" for name in names]
        if len(names) == 1:
            shown = [f"{shown[0]} ({interval(sum(cells[names[0]]), len(cells[names[0]]))}%)"]
        print(f"| {line} | " + " | ".join(shown) + " |")
    print(f"slowest clip: {slowest:.2f} s of one core")


if __name__ == "__main__":
    main(*sys.argv[1:])
