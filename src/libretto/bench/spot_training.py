"""Measure the ear that spots faults anew: ``python -m libretto.bench.spot_training ../shared``.

Reads the songs of ``corpus/midi``, leaves out the artists who are kept for tests (a hash of the name decides), plants
faults, teaches every ear, sets the levels on songs that each fold left out, writes ``tasks/spot_ear.json``. The same
music gives the same file.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from libretto.bench.spot_examples import Lesson, lesson_of
from libretto.bench.spot_learning import Taught, number_of, teach
from libretto.bench.spot_levels import levels_within
from libretto.corpus.identity import group_of, normal_artist, normal_title
from libretto.corpus.labels import find_songs
from libretto.errors import LibrettoError
from libretto.formats import read, write_bytes
from libretto.tasks.spot_ear import SHARES
from libretto.tasks.spot_evidence import EARS
from libretto.tasks.spot_trees import grove_to_dict

__all__ = ["BUDGET", "ear_file", "group_mark", "is_for_tests", "lessons_from", "main", "songs_of"]

#: The share of untouched songs, held out, that may give any alarm; the mark is 5%.
BUDGET = 0.04
_TESTED = 4  # of ten artists
_SUBTLE = 3  # every so many songs have subtle faults as well


def is_for_tests(group: str) -> bool:
    """Whether the songs of an artist are kept for tests: two in five artists are."""
    return number_of(group) % 10 < _TESTED


def group_mark(group: str) -> str:
    """Eight letters for an artist, kept instead of the name."""
    return f"{number_of(group):016x}"[:8]


def songs_of(music: Path) -> list[tuple[str, str]]:
    """Every song of ``corpus/midi`` that may teach, as its path and its group, in an order of chance; copies once."""
    root, found, names = music / "corpus" / "midi", [], set()
    for song in find_songs(root).songs:
        name, group = (normal_artist(song.artist), normal_title(song.title)), group_of(song.artist, song.title)
        if is_for_tests(group) or (all(name) and name in names):
            continue
        names.add(name)
        found.append((number_of(f"midi/{song.path}"), str(root / song.path), group))
    return [(path, group) for _, path, group in sorted(found)]


def _lesson(songs: Sequence[tuple[str, str]], index: int) -> Lesson | None:
    path, group = songs[index]
    try:
        score, donor = read(path), read(songs[(index * 7919 + 13) % len(songs)][0])
    except LibrettoError:
        return None
    degrees = ("plain", "subtle") if index % _SUBTLE == 1 else ("plain",)
    return lesson_of(path, group, score, donor, index, degrees)


def lessons_from(songs: Sequence[tuple[str, str]], jobs: int, step: Callable[[str], None]) -> list[Lesson]:
    """A lesson from every song that can be read."""
    lessons = []
    with ProcessPoolExecutor(jobs or None) as pool:
        for number, lesson in enumerate(pool.map(partial(_lesson, songs), range(len(songs)), chunksize=4), 1):
            step(f"listening {number}/{len(songs)}")
            if lesson is not None:
                lessons.append(lesson)
    return lessons


def ear_file(lessons: Sequence[Lesson], step: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """Everything that ``spot_ear.json`` holds, from lessons."""
    taught: dict[str, Taught] = {}
    for ear in EARS:
        step(f"teaching {ear}")
        taught[ear] = teach(lessons, ear)
    least = dict(zip(EARS, _levels(lessons, taught, BUDGET).tolist(), strict=True))
    ears = {
        ear: {
            "first": grove_to_dict(one.ear.first),
            "second": grove_to_dict(one.ear.second),
            "levels": [round(x, 4) for x in np.quantile(one.clean, SHARES).tolist()],
            "least": round(least[ear], 4),
        }
        for ear, one in taught.items()
    }
    about = "Measured by libretto.bench.spot_training on real songs; numbers only."
    groups = sorted({group_mark(lesson.group) for lesson in lessons})
    return {"about": about, "songs": len(lessons), "taught": groups, "ears": ears}


def _levels(lessons: Sequence[Lesson], taught: dict[str, Taught], budget: float) -> np.ndarray:
    clean = np.stack([taught[ear].clean for ear in EARS], axis=1)
    faults, kinds = [], []
    for song, lesson in enumerate(lessons):
        for number, example in enumerate(lesson.examples):
            if example.degree == "plain":
                faults.append([taught[ear].faults[song][number] for ear in EARS])
                kinds.append(example.kind)
    return levels_within(clean, np.array(faults), kinds, budget)


def main(arguments: Sequence[str]) -> int:
    """Teach the ear from a folder of music, and write it into the package."""
    if len(arguments) != 1:
        print("usage: python -m libretto.bench.spot_training FOLDER", file=sys.stderr)
        return 2
    songs = songs_of(Path(arguments[0]))
    groups = {group for _, group in songs}
    print(f"{len(songs)} songs of {len(groups)} artists or titles teach; two in five artists are kept for tests")

    def step(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    data = ear_file(lessons_from(songs, 0, step), step)
    target = Path(__file__).parents[1] / "tasks" / "spot_ear.json"
    write_bytes(json.dumps(data, separators=(",", ":")).encode() + b"\n", target, force=True)
    print(f"wrote {target.name}: {target.stat().st_size // 1024} KB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
