"""What unrelated songs share, and from where on sharing is copying: ``python -m lab.copying MUSIC``.

Each song of a corpus, and pieces cut out of it (solo to quartet and band, a few bars to the whole), are searched for
among the songs of all other artists and other titles. From what they share a curve is learnt, which says for so many
notes how much is too much; how often it cries wolf is counted on artists that it has not seen. Then the same pieces are
searched for as copies, moved to another key and with a note in ten changed, to see how many are caught.

The curve is written into the default cloud; the axes stay as they are. The cloud of the published songs keeps the
published rule.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from lab.checkout import arguments_of, package_of, run
from lab.samples import Sample, index_here, prepare, samples_of
from libretto.corpus.calibrate import Copies
from libretto.corpus.cloud import Cloud
from libretto.corpus.copying import WHOLE, Copying, Unrelated, learn_copying
from libretto.corpus.rows import WINDOW_BARS, window_starts
from libretto.corpus.sketch import Sketch
from libretto.corpus.store import load_cloud, load_index, save_cloud
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.score import take_bars

__all__ = ["caught", "copies_of", "kind_of", "lesson", "main", "with_copying"]

_SONGS = 400  # so many songs of a corpus are asked at most, evenly
_WINDOW_SONGS = 120  # so many songs lend a window of each length
_DIGITS = 4
_FOLDERS = {"default": "midi"}  # where songs of a cloud lie; the cloud of the published songs keeps the published rule
_SAID = {
    "phrase": "4 to 7 bars",
    "short": "8 to 32 bars",
    "middle": "36 to 64 bars",
    "whole": "all bars",
    "sixteen": "16 bars",
}


class _Question(NamedTuple):
    """A song to search for: its file, the songs of its own group, and whether its windows are searched for too."""

    path: str
    relatives: list[int]
    windowed: bool


def copies_of(paths: Sequence[str], groups: Sequence[str], index: Sketch, jobs: int = 0) -> Copies:
    """Originality scores of some songs, and of one window of each length in some of those, against all other groups.

    The songs stand in the order of the index.
    """
    every = max(1, len(paths) // _WINDOW_SONGS)
    step = max(1, -(-len(paths) // _SONGS))
    relatives: dict[str, list[int]] = {}
    for number, group in enumerate(groups):
        relatives.setdefault(group, []).append(number)
    asked = [(n, path, group) for n, (path, group) in enumerate(zip(paths, groups, strict=True)) if n % step == 0]
    work = [_Question(path, relatives[group], n % every < step) for n, path, group in asked]
    with ProcessPoolExecutor(jobs or None, initializer=prepare, initargs=(index.to_bytes(),)) as pool:
        answers = list(pool.map(_scores, work, chunksize=4))
    windows = {bars: [scores[bars] for _, scores in answers if bars in scores] for bars in WINDOW_BARS}
    scores = {n: score for (n, _, _), (score, _) in zip(asked, answers, strict=True)}
    return Copies([scores.get(n) for n in range(len(paths))], windows)


def _scores(asked: _Question) -> tuple[float | None, dict[int, float]]:
    """What a song shares with the nearest other one, and so a window of each length; None where it cannot be read."""
    try:
        score = read(asked.path)
    except LibrettoError:
        return None, {}
    index = index_here()
    best = index.nearest(score, 1, asked.relatives)
    windows: dict[int, float] = {}
    for bars in WINDOW_BARS if asked.windowed else ():
        for start in window_starts(score, bars)[:1]:
            first = start + score.first_bar
            nearest = index.nearest(take_bars(score, first, first + bars - 1), 1, asked.relatives)
            if nearest:
                windows[bars] = round(nearest[0].score, _DIGITS)
    return (round(best[0].score, _DIGITS) if best else None), windows


def with_copying(cloud: Cloud, before: Cloud) -> Cloud:
    """A cloud that was measured anew, with the curve that the one before it had."""
    if cloud.gauges is None or before.gauges is None:
        return cloud
    return replace(cloud, gauges=replace(cloud.gauges, copying=before.gauges.copying))


def kind_of(sample: Sample) -> str:
    """What is said of a sample: a whole song, or what was cut out of one."""
    if (sample.size, sample.length) == ("band", "whole"):
        return WHOLE
    return f"{sample.size}, {_SAID[sample.length]}" if sample.copy else sample.size


def lesson(samples: Sequence[Sample]) -> Copying:
    """The curve that samples of real music teach."""
    pieces = [Unrelated(one.group, kind_of(one), one.telling, one.score) for one in samples if not one.copy]
    return learn_copying(pieces)


def caught(samples: Sequence[Sample], copying: Copying) -> dict[str, tuple[int, int]]:
    """How many copies of each kind are caught, and of how many."""
    kinds: dict[str, tuple[int, int]] = {}
    for one in samples:
        if one.copy:
            right, of = kinds.get(kind_of(one), (0, 0))
            kinds[kind_of(one)] = (right + (one.score >= copying.ceiling(one.telling)), of + 1)
    return dict(sorted(kinds.items()))


def main(arguments: Sequence[str]) -> None:
    """Learn the curve of a cloud that ships from its own songs, and write it into the cloud."""
    parser = arguments_of("Learn from where on sharing is copying.", "the folder that holds corpus/", check=False)
    parser.add_argument("names", nargs="*", help=f"which of {', '.join(_FOLDERS)} (default: all)")
    parser.add_argument("--step", type=int, default=1, help="take one song in so many")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--samples", type=Path, help="samples that were gathered before, a line of JSON each")
    asked = parser.parse_args(arguments)
    clouds = package_of(asked.checkout) / "corpus" / "clouds"
    for name in asked.names or _FOLDERS:
        cloud, index = load_cloud(clouds / name), load_index(clouds / name)
        if not isinstance(index, Sketch) or cloud.gauges is None:
            raise LibrettoError(f"{clouds / name} is no cloud that ships")
        if asked.samples is not None:
            lines = asked.samples.read_text(encoding="utf-8").splitlines()
            samples = [Sample(**json.loads(line)) for line in lines]
        else:
            samples = samples_of(cloud, index, asked.music / "corpus" / _FOLDERS[name], asked.jobs, asked.step)
        copying = lesson(samples)
        save_cloud(
            clouds / name,
            replace(cloud, gauges=replace(cloud.gauges, copying=copying)),
            (clouds / name / "overlap.bin").read_bytes(),
            force=True,
        )
        print(f"{name}: {', '.join(f'{n} {c:.2f}' for n, c in zip(copying.notes, copying.ceilings, strict=True))}")
        for kind, (wrong, of) in copying.alarms.items():
            print(f"  {kind}: {wrong} of {of} called copies")
        for kind, (right, of) in caught(samples, copying).items():
            print(f"  copies of {kind}: {right} of {of} caught")


if __name__ == "__main__":
    run(main, sys.argv[1:])
