"""Count the songs that show each concept, by genre, and measure what each does: ``python -m lab.attest MUSIC``.

The songs are those of the default cloud. Counts and measured effects are written into the entries of a checkout
(``--checkout``; this one unless it is said), never into an installed package. Which songs of the shipped clouds show
the entries of composing is written as the numbers of their rows into ``knowledge/attesting.json`` (``--rows`` writes
that alone). Nothing else of the music is kept.
An effect is how far an example moves every axis against its plain version, in spreads of real music (a standard
deviation over the default cloud), so that axes can be compared.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from lab.checkout import compact_json
from lab.clouds import default_songs
from libretto.corpus import Cloud, load_cloud
from libretto.corpus.progress import Progress
from libretto.errors import LibrettoError
from libretto.formats import read, write_bytes
from libretto.grammar import parse
from libretto.knowledge import Concept, Sight, load_concepts, shows
from libretto.knowledge.detect import moved

__all__ = [
    "attest",
    "counts_of",
    "effect_of",
    "knowledge_of",
    "main",
    "paper_paths",
    "rows_of",
    "shown_by",
    "with_measures",
    "write_measures",
]

_ROOT = Path(__file__).resolve().parents[1]
_LEAST = 0.1  # spreads; what moves an axis less is left out
_CHUNK = 4  # songs that a process takes at a time
_TABLES = re.compile(r"^\[(?:attested|effect)\]\n(?:(?!\+\+\+).*\n)*?(?=^\[|^\+\+\+)", re.MULTILINE)

#: By concept and genre: how many songs show it, of how many.
Counts = dict[str, dict[str, tuple[int, int]]]


def attest(songs: Sequence[tuple[str, str]], concepts: Iterable[Concept], jobs: int = 0, quiet: bool = False) -> Counts:
    """For every concept and genre: how many songs show it, of how many. ``songs`` are pairs of file and genre."""
    entries = tuple(concepts)
    shown = shown_by([path for path, _ in songs], entries, jobs, quiet)
    return counts_of([genre for _, genre in songs], shown, entries)


def shown_by(paths: Sequence[str], concepts: Iterable[Concept], jobs: int = 0, quiet: bool = False) -> list[list[str]]:
    """For every song the concepts that it shows."""
    entries, progress = tuple(concepts), Progress(len(paths), quiet=quiet)
    shown = []
    with ProcessPoolExecutor(jobs or None) as pool:
        for keys in pool.map(partial(_shown, entries), paths, chunksize=_CHUNK):
            shown.append(keys)
            progress.step()
    return shown


def counts_of(genres: Sequence[str], shown: Sequence[Sequence[str]], concepts: Iterable[Concept]) -> Counts:
    """For every concept and genre: how many songs show it, of how many."""
    seen = Counter((key, genre) for genre, keys in zip(genres, shown, strict=True) for key in keys)
    total = Counter(genres)
    return {
        concept.key: {genre: (seen[concept.key, genre], total[genre]) for genre in sorted(total)}
        for concept in concepts
    }


def rows_of(shown: Sequence[Sequence[str]], concepts: Iterable[Concept]) -> dict[str, list[int]]:
    """For every concept of composing the numbers of the songs that show it, from 0."""
    rows: dict[str, list[int]] = {concept.key: [] for concept in concepts if concept.base == "composing"}
    for row, keys in enumerate(shown):
        for key in keys:
            if key in rows:
                rows[key].append(row)
    return rows


def _shown(concepts: Sequence[Concept], path: str) -> list[str]:
    sight = Sight(read(path))
    return [concept.key for concept in concepts if shows(sight, concept)]


def effect_of(concept: Concept, cloud: Cloud | None = None) -> dict[str, float]:
    """How far the example of a composing concept moves each axis, in spreads; what hardly moves is left out."""
    if concept.base != "composing":
        return {}
    spread = (cloud or load_cloud()).spread
    steps = moved(parse(concept.example), parse(concept.plain))
    sizes = {axis: round(step / spread[axis], 2) for axis, step in steps.items() if spread.get(axis)}
    return {axis: size for axis, size in sorted(sizes.items()) if abs(size) >= _LEAST}


def with_measures(text: str, attested: Mapping[str, tuple[int, int]], effect: Mapping[str, float], cloud: str) -> str:
    """The same file with what was measured of it: the tables ``[attested]`` and ``[effect]`` at the end of its head."""
    start = text.index("+++") + len("+++\n")
    end = text.index("\n+++", start) + 1
    head = _TABLES.sub("", text[start:end] + "+++").removesuffix("+++").rstrip("\n")
    lines = [head, "", "[attested]", f'cloud = "{cloud}"']
    lines += [f"{genre} = [{shown}, {songs}]" for genre, (shown, songs) in sorted(attested.items())]
    if effect:
        lines += ["", "[effect]", *(f"{axis} = {size}" for axis, size in effect.items())]
    return text[:start] + "\n".join(lines) + "\n" + text[end:]


def knowledge_of(checkout: Path) -> Path:
    """The folder of the concepts in a checkout; a LibrettoError where it is no checkout of this repository."""
    folder = checkout / "src" / "libretto" / "knowledge"
    if not (checkout / "pyproject.toml").is_file() or not folder.is_dir():
        raise LibrettoError(f"{checkout} is not a checkout of this repository; name one with --checkout FOLDER")
    return folder


def write_measures(folder: Path, counts: Mapping[str, Mapping[str, tuple[int, int]]]) -> list[Path]:
    """Write counts and effects into the entries under a folder; only files that change are written."""
    cloud = load_cloud()
    written = []
    for key, concept in load_concepts(folder).items():
        path = folder / concept.base / f"{concept.name}.md"
        old = path.read_text(encoding="utf-8")
        new = with_measures(old, counts.get(key, concept.attested), effect_of(concept, cloud), cloud.full_name)
        if new != old:
            write_bytes(new.encode(), path, force=True)
            written.append(path)
    return written


def main(arguments: Sequence[str]) -> None:
    """Count over the music beside the checkout and write what was counted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("music", type=Path, help="the folder of the calibration music")
    parser.add_argument("--checkout", type=Path, default=_ROOT, help="the checkout to write into (default: this one)")
    parser.add_argument("--effects", action="store_true", help="count nothing, only measure effects by a new cloud")
    parser.add_argument("--rows", action="store_true", help="write only which songs show the entries of composing")
    parser.add_argument("--jobs", type=int, default=0, help="processes; 0 takes one for each core")
    options = parser.parse_args(arguments)
    folder = knowledge_of(options.checkout)
    if options.effects:
        print(f"wrote {len(write_measures(folder, {}))} entries")
        return
    corpus, concepts = options.music / "corpus", tuple(load_concepts(folder).values())
    songs = [(path, song.row.genre) for path, song in default_songs(corpus, options.jobs)]
    composing = tuple(concept for concept in concepts if concept.base == "composing")
    shown = shown_by([path for path, _ in songs], composing if options.rows else concepts, options.jobs)
    printed = shown_by(paper_paths(corpus / "paper314"), composing, options.jobs)
    rows = {
        load_cloud(name).full_name: rows_of(keys, composing)
        for name, keys in (("default", shown), ("paper314", printed))
    }
    write_bytes(compact_json(rows), folder / "attesting.json", force=True)
    print(f"wrote {folder / 'attesting.json'}")
    if not options.rows:
        counts = counts_of([genre for _, genre in songs], shown, concepts)
        print(f"wrote {len(write_measures(folder, counts))} entries")


def paper_paths(folder: Path) -> list[str]:
    """The texts of the published corpus in the order of its cloud."""
    with open(folder / "manifest.csv", encoding="utf-8", newline="") as file:
        return [str(folder / f"{row['id']}.txt") for row in csv.DictReader(file)]


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except LibrettoError as error:
        raise SystemExit(str(error)) from None
