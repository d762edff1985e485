"""Every mark of speed beside what is measured, in processor time on one core (which a busy machine stretches, too).

    python benchmarks/marks.py [FOLDER] [--all]

FOLDER holds ``corpus/midi`` and ``corpus/paper314``; without it, music is made up on the spot. ``--all`` also composes
a piece with sound, score and page, and makes a listening suite as large as the default (minutes). Where the time goes,
and what was done about it: docs/performance.md.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_threads] = "1"  # one core, also inside numpy

import plain
import plain_axes
from speed import made_up

from libretto.axes import measure, published_axes, view_of
from libretto.corpus import load_cloud, load_index
from libretto.formats import formats
from libretto.formats.midi.bytes import parse_midi
from libretto.gates import compare, judge
from libretto.grammar import notate, parse
from libretto.score import Score, played, take_bars

BRIEF = "a bossa nova for flute, guitar, bass and drums, 32 bars"
_REFUSED = 1  # what a command says of a piece that it refuses, such as one that is a copy
WARM = 3  # times that what is warm is done; the quickest counts


def spent(work: Callable[[Any], object], items: list[Any]) -> float:
    """Seconds of processor time an item."""
    work(items[0])
    start = time.process_time()
    for item in items:
        work(item)
    return (time.process_time() - start) / len(items)


def quickest(work: Callable[[], object]) -> float:
    """Seconds of processor time, at best."""
    took = []
    for _ in range(WARM):
        start = time.process_time()
        work()
        took.append(time.process_time() - start)
    return min(took)


def command(*words: str, folder: Path, times: int = WARM) -> tuple[float, float]:
    """Processor time and time on the clock of a command, once it is compiled."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env["PYTHONPYCACHEPREFIX"] = str(folder / "compiled")
    best = (float("inf"), float("inf"))
    for _ in range(times):
        before, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "libretto", *words], env=env, cwd=folder, capture_output=True, check=False
        )
        if done.returncode not in (0, _REFUSED):
            raise SystemExit(f"libretto {' '.join(words)} failed: {done.stderr.decode()}")
        after, took = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - clock
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = min(best, (used, took))
    return best


def line(what: str, value: float, mark: float, unit: str, *, more_is_better: bool = False) -> None:
    """Print one figure, its mark, and whether it is reached."""
    reached = value >= mark if more_is_better else value <= mark
    word = "at least" if more_is_better else "at most"
    print(f"{what:<44}{value:>9.2f} {unit:<6}{word} {mark:g}  {'reached' if reached else 'NOT REACHED'}", flush=True)


def published(text: str) -> dict[str, float]:
    """The 29 published axes of a text."""
    view = view_of(played(parse(text)))
    return {axis.name: float(axis(view)[0]) for axis in published_axes()}


def axes_and_reading(texts: list[str], midi: list[bytes]) -> None:
    few = texts[:: max(1, len(texts) // 20)]
    plainly = spent(lambda text: plain_axes.measure(plain.parse(text)), few)
    line("text to 29 axes, times the plain code", plainly / spent(published, few), 100, "x", more_is_better=True)
    whole = spent(lambda text: measure(parse(text)), few)
    line("text to 63 axes, times the plain code", plainly / whole, 60, "x", more_is_better=True)
    bare = spent(parse_midi, midi)
    line("MIDI to Score, times a bare parse", spent(formats["midi"].decode, midi) / bare, 10, "x")


def judging(song: Score) -> None:
    index, cloud = load_index("default"), load_cloud("default")
    if index is None:
        return
    start = time.process_time()
    compare(song, index, cloud)
    line("original, first question to the index", time.process_time() - start, 0.3, "s")
    compare(song, index, cloud)
    line("original, warm", 1000 * quickest(lambda: compare(song, index, cloud)), 50, "ms")
    piece = take_bars(song, song.first_bar, min(song.first_bar + 99, song.numbers[-1]))
    judge(piece)
    again = [take_bars(piece, piece.first_bar, piece.numbers[-1]) for _ in range(WARM)]  # nothing is known of these
    took = []
    for fresh in again:
        start = time.process_time()
        judge(fresh)
        took.append(time.process_time() - start)
    line(f"a verdict of {piece.bars} bars", 1000 * min(took), 60, "ms")


def commands(data: bytes, everything: bool) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "song.mid").write_bytes(data)
        line("libretto --help, cold", command("--help", folder=folder)[0], 0.3, "s")
        line(
            "libretto convert, cold",
            command("convert", "song.mid", "song.libretto", "--force", folder=folder)[0],
            0.4,
            "s",
        )
        line("libretto measure, cold", command("measure", "song.mid", folder=folder)[0], 0.8, "s")
        line("libretto original, cold", command("original", "song.mid", folder=folder)[0], 0.8, "s")
        if everything:
            line("compose 32 bars, sound, score, page (clock)", command("compose", BRIEF, folder=folder)[1], 5, "s")
            used = {
                kind: command("render", "song.mid", "-o", f"song.{kind}", "--force", folder=folder)[0]
                for kind in ("wav", "mp3")
            }
            line("MP3, beyond what WAV takes", used["mp3"] - used["wav"], 1, "s")
            suite = command("listen", "make", "-o", "suite", folder=folder, times=1)
            line("listen make, defaults (clock)", suite[1], 120, "s")


def main(folder: Path, everything: bool) -> None:
    midi = [path.read_bytes() for path in sorted((folder / "corpus/midi").rglob("*.mid"))[::20]]
    texts = [path.read_text(encoding="utf-8") for path in sorted((folder / "corpus/paper314").glob("*.txt"))]
    if not midi or not texts:
        pieces = made_up()
        midi, texts = [formats["midi"].encode(piece) for piece in pieces], [notate(piece) for piece in pieces]
    middle = sorted(midi, key=len)[len(midi) // 2]
    axes_and_reading(texts, midi)
    judging(formats["midi"].decode(middle))
    commands(middle, everything)


if __name__ == "__main__":
    given = [word for word in sys.argv[1:] if word != "--all"]
    main(Path(given[0] if given else "../shared"), "--all" in sys.argv)
