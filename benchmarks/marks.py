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

from libretto.axes import measure, measure_all, published_axes, view_of_all
from libretto.corpus import load_cloud, load_index
from libretto.corpus.hands import hands_here
from libretto.formats import formats
from libretto.formats.midi.bytes import parse_midi
from libretto.gates import compare, judge
from libretto.grammar import notate, parse, parse_all
from libretto.score import Score, played, take_bars, transpose

BRIEF = "a bossa nova for flute, guitar, bass and drums, 32 bars"
_REFUSED = 1  # what a command says of a piece that it refuses, such as one that is a copy
MINUTE = 60.0  # seconds
WARM = 3  # times that what is warm is done; the quickest counts
JUDGED = 12  # times that a verdict is given; the quickest counts
TWO = 2  # cores
SONGS = 16  # texts that are read and measured together


def spent(work: Callable[[Any], object], items: list[Any]) -> float:
    """Seconds of processor time an item."""
    work(items[0])
    start = time.process_time()
    for item in items:
        work(item)
    return (time.process_time() - start) / len(items)


def quickest(
    work: Callable[[Score], object],
    piece: Score,
    clock: Callable[[], float] = time.process_time,
    times: int = WARM,
) -> float:
    """Seconds of processor time, at best, for a piece in other keys, so that nothing is known of any of them."""
    took = []
    for turn in range(times):
        fresh = transpose(piece, 1 + turn % WARM)
        start = clock()
        work(fresh)
        took.append(clock() - start)
    return min(took)


def on_cores(cores: int) -> None:
    """So many cores from now on, where there are as many; what numpy multiplies keeps to one."""
    os.environ["OMP_NUM_THREADS"] = str(cores)


def a_minute_of(song: Score) -> Score:
    """The first bars of a piece that last a minute; all of it where that is less."""
    bars = (number for number in song.numbers if take_bars(song, song.first_bar, number).seconds >= MINUTE)
    return take_bars(song, song.first_bar, next(bars, song.numbers[-1]))


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


def published(texts: list[str]) -> dict[str, list[float]]:
    """The 29 published axes of texts."""
    view = view_of_all([played(score) for score in parse_all(texts) if isinstance(score, Score)])
    return {axis.name: axis(view)[: view.songs].tolist() for axis in published_axes()}


def everything_of(texts: list[str]) -> object:
    """All axes of texts."""
    return measure_all([score for score in parse_all(texts) if isinstance(score, Score)])


def axes_and_reading(texts: list[str], midi: list[bytes]) -> None:
    few = texts[:: max(1, len(texts) // (2 * SONGS))][: 2 * SONGS]
    plainly = spent(lambda text: plain_axes.measure(plain.parse(text)), few)
    lots = [few[first : first + SONGS] for first in range(0, len(few), SONGS)]
    for axes, mark, work, alone in (
        (29, 100, published, lambda text: published([text])),
        (63, 60, everything_of, lambda text: measure(parse(text))),
    ):
        together = spent(work, lots) * len(lots) / len(few)
        what = f"text to {axes} axes, {SONGS} at once, times plain"
        line(what, plainly / together, mark, "x", more_is_better=True)
        print(f"{'  the same one by one':<44}{plainly / spent(alone, few):>9.2f} x", flush=True)
    bare = spent(parse_midi, midi)
    line("MIDI to Score, times a bare parse", spent(formats["midi"].decode, midi) / bare, 10, "x")


def judging(song: Score) -> None:
    index, cloud = load_index("default"), load_cloud("default")
    if index is None:
        return
    start = time.process_time()
    compare(song, index, cloud)
    line("original, first question to the index", time.process_time() - start, 0.3, "s")
    compare(transpose(song, -1), index, cloud)
    line("original, warm", 1000 * quickest(lambda piece: compare(piece, index, cloud), song), 50, "ms")
    piece = take_bars(song, song.first_bar, min(song.first_bar + 99, song.numbers[-1]))
    judge(transpose(piece, -1))
    bars = f"a verdict of {piece.bars} bars"
    alone = 1000 * quickest(lambda fresh: judge(fresh, original=False), piece, times=JUDGED)
    print(f"{bars + ', without the search':<44}{alone:>9.2f} ms", flush=True)
    line(f"{bars}, one core", 1000 * quickest(judge, piece, times=JUDGED), 60, "ms")
    if hands_here() == 1 < _cores():
        on_cores(TWO)
        both = 1000 * quickest(judge, piece, time.perf_counter, JUDGED)
        on_cores(1)
        line(f"{bars}, two cores, by the clock", both, 60, "ms")


def _cores() -> int:
    """How many cores this process may work on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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
            minute = a_minute_of(formats["midi"].decode(data))
            (folder / "minute.mid").write_bytes(formats["midi"].encode(minute))
            used = {
                kind: command("render", "minute.mid", "-o", f"minute.{kind}", "--force", folder=folder)[0]
                for kind in ("wav", "mp3")
            }
            line(f"MP3 of {minute.seconds:.0f} s, beyond what WAV takes", used["mp3"] - used["wav"], 1, "s")
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
