"""Rebuild the clouds of the package from the music they were measured on: ``python -m lab.clouds MUSIC``.

Nothing but numbers and genre names is kept, and an index from which no notes can be read. Songs are measured on the
paper grid; it is said how long each cloud took.
"""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from lab.checkout import arguments_of, package_of, run
from lab.copying import copies_of, with_copying
from libretto.axes import published_axes
from libretto.corpus.build import Gathered, gather_songs
from libretto.corpus.calibrate import assemble
from libretto.corpus.cloud import Cloud
from libretto.corpus.gauging import Gauge
from libretto.corpus.identity import normal_artist, normal_title
from libretto.corpus.labels import find_songs
from libretto.corpus.rows import SongRow, row_of
from libretto.corpus.sketch import Sketch, join_sketches, sketch_piece
from libretto.corpus.store import load_cloud, save_cloud
from libretto.errors import LibrettoError
from libretto.formats import read

__all__ = ["CLOUDS", "THIN", "Made", "default", "default_songs", "main", "paper314"]

#: The clouds that ship.
CLOUDS = ("paper314", "default")
#: Genres of which there are too few MIDI files; they are topped up from texts.
THIN = ("blues_gospel", "hiphop_rap", "latin")
_PAPER = (
    "The 314 songs of the published corpus, eight genres where labelled, in the published encoding: it writes many "
    "sparse straight off-beats as triplets and lengthens notes. Percentiles by the published rule."
)
_DEFAULT = (
    "MIDI files of twelve genres, read by this package and measured on sixteenths and triplets by bar, without copies; "
    "blues and gospel, hip-hop and Latin are topped up from texts of the published encoding, which writes some "
    "straight off-beats as triplets and lengthens notes. Genres weigh equally."
)


@dataclass(frozen=True, eq=False)
class Made:
    """A cloud and its index."""

    cloud: Cloud
    index: Sketch


def paper314(folder: Path, jobs: int = 0, *, search: bool = True) -> Made:
    """The published corpus on the 29 published axes, every song of it."""
    with open(folder / "manifest.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    paths = [str(folder / f"{row['id']}.txt") for row in rows]
    with ProcessPoolExecutor(jobs or None) as pool:
        songs = list(pool.map(_measured, paths, chunksize=8))
    measured = [replace(song, genre=row["genre"]) for (song, _), row in zip(songs, rows, strict=True)]
    names = [axis.name for axis in published_axes()]
    index = join_sketches([piece for _, piece in songs])
    groups = [row.group or str(number) for number, row in enumerate(measured)]
    return Made(
        assemble(
            "paper314",
            measured,
            about=_PAPER,
            rule="at or below",
            axes=names,
            copies=copies_of(paths, groups, index, jobs) if search else None,
        ),
        index,
    )


def _measured(path: str) -> tuple[SongRow, bytes]:
    score = read(path)
    return row_of(score), sketch_piece(score)


def default_songs(folder: Path, jobs: int = 0, kept: Path | None = None) -> list[tuple[str, Gathered]]:
    """The songs of the package's own corpus with their files: MIDI first, thin genres topped up, no song twice.

    What is measured stays in the folder ``kept``, if there is one, and is not measured again.
    """
    songs: list[tuple[str, Gathered]] = []
    known: set[tuple[str, str]] = set()
    for name in ("midi", "lakh"):
        there = find_songs(folder / name)
        if name == "lakh":
            there = replace(there, songs=tuple(song for song in there.songs if song.genre in THIN))
        with TemporaryDirectory() as place:
            built = gather_songs(there, (kept or Path(place)) / name, sketch_piece, jobs=jobs)
        marks = [(normal_artist(one.song.artist), normal_title(one.song.title)) for one in built.songs]
        for one, mark in zip(built.songs, marks, strict=True):
            if not (all(mark) and mark in known):
                songs.append((str(folder / name / one.song.path), one))
        known |= set(marks)
    return songs


def default(folder: Path, jobs: int = 0, *, search: bool = True, kept: Path | None = None) -> Made:
    """The package's own corpus, measured and sketched."""
    songs = default_songs(folder, jobs, kept)
    paths = [path for path, _ in songs]
    rows = [song.row for _, song in songs]
    index = join_sketches([song.piece for _, song in songs])
    copies = copies_of(paths, [row.group for row in rows], index, jobs) if search else None
    return Made(assemble("default", rows, about=_DEFAULT, copies=copies), index)


def _with_ceilings(cloud: Cloud, before: Cloud) -> Cloud:
    """The cloud with the ceilings of originality that another of the same songs has; no grid changes them."""
    if cloud.gauges is None or before.gauges is None:
        return cloud
    songs = _same_ceilings(cloud.gauges.songs, before.gauges.songs)
    known = {region.bars: region.gauges for region in before.gauges.regions}
    regions = tuple(
        replace(region, gauges=_same_ceilings(region.gauges, known.get(region.bars, {})))
        for region in cloud.gauges.regions
    )
    return replace(cloud, gauges=replace(cloud.gauges, songs=songs, regions=regions))


def _same_ceilings(gauges: Mapping[str, Gauge], before: Mapping[str, Gauge]) -> dict[str, Gauge]:
    return {
        genre: replace(gauge, ceiling=before[genre].ceiling) if genre in before else gauge
        for genre, gauge in gauges.items()
    }


def main(arguments: Sequence[str]) -> None:
    """Write every cloud anew; with names after the folder, only those."""
    parser = arguments_of("Measure the package's clouds anew.", "the folder that holds corpus/", check=False)
    parser.add_argument("names", nargs="*", help=f"which of {', '.join(CLOUDS)} (default: all)")
    parser.add_argument(
        "--same-copies",
        action="store_true",
        help="search for no copies but keep from the clouds that are there what counts as one: half the time, for "
        "when only axes have changed",
    )
    parser.add_argument(
        "--kept", type=Path, help="a folder where what is measured stays, so that a run can be taken up"
    )
    parser.add_argument("--jobs", type=int, default=0, help="processes; 0 takes one for each core")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.names) - set(CLOUDS):
        raise LibrettoError(f"there is no shipped cloud {', '.join(sorted(unknown))}; there are {', '.join(CLOUDS)}")
    clouds = package_of(asked.checkout) / "corpus" / "clouds"
    folder = asked.music / "corpus"
    for name in asked.names or CLOUDS:
        start = time.perf_counter()
        make = partial(paper314, folder / name) if name == "paper314" else partial(default, folder, kept=asked.kept)
        made = make(asked.jobs, search=not asked.same_copies)
        if asked.same_copies:
            made = replace(made, cloud=_with_ceilings(made.cloud, load_cloud(clouds / name)))
        made = replace(made, cloud=with_copying(made.cloud, load_cloud(clouds / name)))
        save_cloud(clouds / name, made.cloud, made.index.to_bytes(), force=True)
        songs, seconds = len(made.cloud.genres), time.perf_counter() - start
        print(f"wrote {clouds / name}: {songs:,} songs on the {made.cloud.grid} grid, {seconds:,.0f} s", flush=True)


if __name__ == "__main__":
    run(main, sys.argv[1:])
