"""Count the songs that show each concept, by genre: ``python -m libretto.knowledge.attest FOLDER`` (``make concepts``).

The songs are those of the default cloud; the counts and the measured effects are written into the entries. Nothing
else of the music is kept.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from lab.clouds import default_songs
from libretto.corpus import load_cloud
from libretto.corpus.progress import Progress
from libretto.formats import read, write_bytes
from libretto.knowledge.concept import Concept
from libretto.knowledge.detect import shows
from libretto.knowledge.effect import effect_of, with_measures
from libretto.knowledge.library import all_concepts, concept_path
from libretto.knowledge.sight import Sight

__all__ = ["attest", "main", "write_measures"]

Counts = dict[str, dict[str, tuple[int, int]]]


def attest(songs: Sequence[tuple[str, str]], concepts: Iterable[Concept], jobs: int = 0, quiet: bool = False) -> Counts:
    """For every concept and genre: how many songs show it, of how many. ``songs`` are pairs of file and genre."""
    entries = tuple(concepts)
    shown: Counter[tuple[str, str]] = Counter()
    progress = Progress(len(songs), quiet=quiet)
    with ProcessPoolExecutor(jobs or None) as pool:
        found = pool.map(partial(_shown, entries), [path for path, _ in songs], chunksize=4)
        for (_, genre), keys in zip(songs, found, strict=True):
            shown.update((key, genre) for key in keys)
            progress.step()
    total = Counter(genre for _, genre in songs)
    return {each.key: {genre: (shown[each.key, genre], total[genre]) for genre in sorted(total)} for each in entries}


def _shown(concepts: Sequence[Concept], path: str) -> list[str]:
    sight = Sight(read(path))
    return [concept.key for concept in concepts if shows(sight, concept)]


def write_measures(counts: Mapping[str, Mapping[str, tuple[int, int]]]) -> list[Path]:
    """Write counts and effects into the entries; only files that change are written."""
    cloud = load_cloud()
    written = []
    for key, concept in all_concepts().items():
        path = concept_path(concept)
        old = path.read_text(encoding="utf-8")
        new = with_measures(old, counts.get(key, concept.attested), effect_of(concept, cloud), cloud.full_name)
        if new != old:
            write_bytes(new.encode(), path, force=True)
            written.append(path)
    return written


def main(arguments: Sequence[str]) -> None:
    """Count over the music beside the checkout and write what was counted."""
    songs = [(path, each.row.genre) for path, each in default_songs(Path(arguments[0]) / "corpus")]
    print(f"wrote {len(write_measures(attest(songs, all_concepts().values())))} entries")


if __name__ == "__main__":
    main(sys.argv[1:])
