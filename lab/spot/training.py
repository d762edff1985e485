"""Measure the ear that spots faults anew: ``python -m lab.spot.training ../shared``.

Reads the songs of ``corpus/midi`` and the texts of ``corpus/lakh`` that are other songs, leaves out the artists who are
kept for tests (a hash of the name decides), plants faults in the former, teaches every ear with both, sets the levels
on songs that each fold left out, and writes ``faults/ear.json``. The same music gives the same file. (The ear that
ships was taught with trees grown by code of our own, before scikit-learn grew them: teaching anew gives another.)
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from lab.checkout import arguments_of, compact_json, keep_or_compare, package_of, run
from lab.spot.examples import Lesson, lesson_of
from lab.spot.learning import Taught, teach
from lab.spot.levels import levels_within
from libretto.bench.spotting import group_mark, number_of
from libretto.corpus.identity import group_of, normal_artist, normal_title
from libretto.corpus.labels import find_songs
from libretto.errors import LibrettoError
from libretto.faults.ear import SHARES
from libretto.faults.evidence import EARS
from libretto.faults.trees import grove_to_dict
from libretto.formats import read
from libretto.score.table import Floats

__all__ = ["BUDGET", "Source", "ear_file", "is_for_tests", "lessons_from", "main", "songs_of"]

#: The share of songs that are to be expected to give any alarm untouched; the mark is 5%.
BUDGET = 0.045
_TESTED, _ARTISTS = 4, 10  # so many of so many artists are kept for tests
_SUBTLE = 3  # every so many songs have subtle faults as well
_STRIDE, _OFFSET = 7919, 13  # which song lends foreign bars: primes, so that all do in turn
_DIGITS = 4  # of a level


def is_for_tests(group: str) -> bool:
    """Whether the songs of an artist are kept for tests: two in five artists are."""
    return number_of(group) % _ARTISTS < _TESTED


@dataclass(frozen=True, order=True)
class Source:
    """A song that may teach: its place in an order of chance, its file, its group."""

    place: int
    path: str
    group: str


def songs_of(music: Path) -> tuple[list[Source], list[Source]]:
    """The songs that may teach: those of ``corpus/midi``, and other songs among the texts of ``corpus/lakh``."""
    names: set[tuple[str, str]] = set()
    stems: set[str] = set()
    both: list[list[Source]] = []
    for folder in ("midi", "lakh"):
        root, sources, before = music / "corpus" / folder, [], set(stems)
        known = set(names)
        for song in find_songs(root).songs:
            name, group = (normal_artist(song.artist), normal_title(song.title)), group_of(song.artist, song.title)
            copy = name in (names if folder == "midi" and all(name) else known) or Path(song.path).stem in before
            names.add(name)
            stems.add(Path(song.path).stem)
            if not copy and not is_for_tests(group):
                sources.append(Source(number_of(f"{folder}/{song.path}"), str(root / song.path), group))
        both.append(sorted(sources))
    return both[0], both[1]


def _lesson(songs: Sequence[Source], planting: bool, index: int) -> Lesson | None:
    source = songs[index]
    degrees = () if not planting else ("plain", "subtle") if index % _SUBTLE == 1 else ("plain",)
    try:
        score = read(source.path)
        donor = read(songs[(index * _STRIDE + _OFFSET) % len(songs)].path) if planting else score
    except LibrettoError:
        return None
    return lesson_of(source.path, source.group, score, donor, index, degrees)


def lessons_from(
    songs: Sequence[Source], step: Callable[[str], None], *, planting: bool = True, jobs: int = 0
) -> list[Lesson]:
    """A lesson from every song that can be read, with faults planted or as it is alone."""
    lessons = []
    with ProcessPoolExecutor(jobs or None) as pool:
        several = pool.map(partial(_lesson, songs, planting), range(len(songs)), chunksize=4)
        for number, lesson in enumerate(several, 1):
            step(f"listening {number}/{len(songs)}")
            if lesson is not None:
                lessons.append(lesson)
    return lessons


def ear_file(
    lessons: Sequence[Lesson], step: Callable[[str], None] = lambda _: None, *, jobs: int = 1
) -> dict[str, Any]:
    """Everything that ``faults/ear.json`` holds, from lessons."""
    taught: dict[str, Taught] = {}
    with ProcessPoolExecutor(jobs or None) as pool:
        several = (map if jobs == 1 else pool.map)(partial(teach, lessons), EARS)
        for ear, one in zip(EARS, several, strict=True):
            step(f"taught {ear}")
            taught[ear] = one
    least = dict(zip(EARS, _levels(lessons, taught, BUDGET).tolist(), strict=True))
    planted = np.array([bool(lesson.examples) for lesson in lessons])
    ears = {
        ear: {
            "pairs": [{"first": grove_to_dict(a), "second": grove_to_dict(b)} for a, b in one.ear.pairs],
            "levels": [round(x, _DIGITS) for x in np.quantile(one.clean[planted], SHARES).tolist()],
            "least": round(least[ear], _DIGITS),
        }
        for ear, one in taught.items()
    }
    about = "Measured by lab.spot.training on real songs; numbers only."
    groups = sorted({group_mark(lesson.group) for lesson in lessons})
    return {"about": about, "songs": len(lessons), "taught": groups, "ears": ears}


def _levels(lessons: Sequence[Lesson], taught: dict[str, Taught], budget: float) -> Floats:
    """Levels from the songs in which faults were planted; texts, which are written otherwise, only teach."""
    songs = [number for number, lesson in enumerate(lessons) if lesson.examples]
    clean = np.stack([taught[ear].clean[songs] for ear in EARS], axis=1)
    faults = [
        [taught[ear].faults[song][number] for ear in EARS]
        for song in songs
        for number, example in enumerate(lessons[song].examples)
        if example.degree == "plain"
    ]
    return levels_within(clean, np.array(faults), budget)


def main(arguments: Sequence[str]) -> None:
    """Teach the ear from a folder of music, and write it into the checkout."""
    asked = arguments_of("Teach the ear anew.", "the folder that holds corpus/", check=False).parse_args(arguments)
    target = package_of(asked.checkout) / "faults" / "ear.json"
    songs, more = songs_of(asked.music)
    groups = {source.group for source in (*songs, *more)}
    print(f"{len(songs)} songs with faults and {len(more)} as they are teach, of {len(groups)} artists or titles")

    def step(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    data = ear_file([*lessons_from(songs, step), *lessons_from(more, step, planting=False)], step, jobs=0)
    keep_or_compare(compact_json(data), target, check=False)


if __name__ == "__main__":
    run(main, sys.argv[1:])
