"""Teach the ear for parts anew: ``python -m lab.parts MUSIC``.

Reads the songs of ``corpus/midi``, takes each whole and in excerpts, as it is and damaged, teaches every ear, sets
from which strength it speaks, writes ``faults/parts/parts.json`` and prints what is noticed, artists held out. The same
music gives the same file. With ``--lessons`` the material is kept in a folder, so that nobody listens twice.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lab.checkout import arguments_of, compact_json, keep_or_compare, package_of, run
from lab.parts.examples import Lesson, lesson_of
from lab.parts.levels import cell_key, levels_of, table_lines
from lab.parts.teaching import FOLDS, Taught, fold_of, teach
from libretto.bench.spotting import group_mark, number_of
from libretto.corpus.identity import group_of
from libretto.corpus.labels import find_songs
from libretto.errors import LibrettoError
from libretto.faults.ear import SHARES
from libretto.faults.parts.ear import EARS
from libretto.faults.trees import grove_to_dict
from libretto.formats import read

__all__ = ["Source", "ear_file", "lessons_of", "main", "songs_of"]

_DIGITS = 4  # of a level


class Source(NamedTuple):
    """A song that teaches: its place in an order of chance, its file, its artist and its genre."""

    number: int
    path: str
    group: str
    genre: str


def songs_of(music: Path) -> list[Source]:
    """The songs of ``corpus/midi`` in an order of chance."""
    there = find_songs(music / "corpus" / "midi")
    songs = sorted(there.songs, key=lambda song: (number_of(song.path), song.path))
    return [
        Source(number, str(there.folder / song.path), group_of(song.artist, song.title), song.genre)
        for number, song in enumerate(songs)
    ]


def _lesson(kept: Path | None, source: Source) -> Lesson | None:
    place = kept / f"{source.number:04d}.pkl" if kept else None
    if place is not None and place.is_file():
        lesson: Lesson = pickle.loads(place.read_bytes())
        return lesson
    try:
        lesson = lesson_of(source.path, source.group, source.genre, read(source.path), source.number)
    except LibrettoError:
        return None
    if place is not None:
        place.write_bytes(pickle.dumps(lesson))
    return lesson


def lessons_of(
    songs: Sequence[Source], step: Callable[[str], None], *, kept: Path | None = None, jobs: int = 0
) -> list[Lesson]:
    """A lesson from every song that can be read."""
    lessons = []
    with ProcessPoolExecutor(jobs or None) as pool:
        for number, lesson in enumerate(pool.map(partial(_lesson, kept), songs, chunksize=2), 1):
            step(f"listening {number}/{len(songs)}")
            if lesson is not None:
                lessons.append(lesson)
    return lessons


def ear_file(lessons: Sequence[Lesson], taught: Taught) -> dict[str, Any]:
    """Everything that ``faults/parts/parts.json`` holds."""
    least = levels_of(taught.reached)
    songs = [one for one in taught.reached if not one.kind and one.piece == 0]
    levels = {ear: np.quantile([one.strength.get(ear, -12.0) for one in songs], SHARES) for ear in EARS}
    marks = [sorted({group_mark(one.group) for one in lessons if fold_of(one.group) == fold}) for fold in range(FOLDS)]
    return {
        "about": "Measured by lab.parts on real songs, whole and in excerpts; numbers only.",
        "songs": len(lessons),
        "taught": marks,
        "levels": {ear: [round(x, _DIGITS) for x in values.tolist()] for ear, values in levels.items()},
        "least": {ear: {cell: round(x, _DIGITS) for cell, x in cells.items()} for ear, cells in least.items()},
        "groves": {ear: [grove_to_dict(grove) for grove in groves] for ear, groves in taught.groves.items()},
    }


def main(arguments: Sequence[str]) -> None:
    """Teach the ear from a folder of music, and write it into the checkout."""
    parser = arguments_of("Teach the ear for parts anew.", "the folder that holds corpus/", check=False)
    parser.add_argument("--lessons", type=Path, help="a folder in which the material is kept between runs")
    parser.add_argument("--limit", type=int, default=0, help="so many songs at most; 0 for all")
    asked = parser.parse_args(arguments)
    target = package_of(asked.checkout) / "faults" / "parts" / "parts.json"

    def step(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    if asked.lessons is not None:
        asked.lessons.mkdir(parents=True, exist_ok=True)
    songs = songs_of(asked.music)
    lessons = lessons_of(songs[: asked.limit or None], step, kept=asked.lessons)
    taught = teach(lessons, step)
    data = ear_file(lessons, taught)
    keep_or_compare(compact_json(data), target, check=False)
    print("\n".join(table_lines(taught.reached, data["least"])))
    print(f"cells: {len({cell_key(one.cell) for one in taught.reached})}")


if __name__ == "__main__":
    run(main, sys.argv[1:])
