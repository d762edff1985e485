"""How well beats and bars are found, as a table: ``python -m lab.beats FOLDER...``.

Every quantised piece of the folders (``pieces``) is played by a made player (``playing``), about as fast as it says or,
with ``--free``, at any speed; its beats are found from the notes alone, and both are compared (``scoring``).
Pieces whose names the teaching saw are left out unless ``--all``.
With ``--leave`` it counts instead which untouched MIDI files are said to ignore their bar lines.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lab.beats.pieces import Piece, pieces_of
from lab.beats.playing import Performance, is_taught, perform
from lab.beats.scoring import f_measure, within
from libretto.errors import LibrettoError
from libretto.formats.midi.beats import beats_of, freedom_of
from libretto.formats.midi.source import source_of

__all__ = ["Row", "main", "measured", "table"]

_GOOD = 0.85  # an F-measure from which on a piece was understood, its level too
_CHUNK = 4  # pieces that a process takes at a time


class Row(NamedTuple):
    """What was measured of one performance."""

    name: str
    groups: tuple[str, ...]
    beats: float
    downbeats: float
    free: bool


def measured(piece: Piece, most_seconds: float, free: bool) -> Row:
    """One piece played, its beats found and compared."""
    performance = perform(piece, most_seconds=most_seconds, free=free)
    source = performance.source
    heard = beats_of(source)
    first = min(int(part.onset.min()) for part in source.parts)
    last = max(int(part.onset.max()) for part in source.parts)
    start, stop = (tick * source.tempos[0][1] / 40320e6 for tick in (first, last))
    times = within(heard.times, start, stop) if heard else np.empty(0)
    lines = within(heard.times[heard.places == 0], start, stop) if heard else np.empty(0)
    groups = ("all", piece.kind, f"tempo {performance.curve}", _tempo_of(performance, free))
    return Row(
        piece.name,
        groups,
        f_measure(performance.beats, times),
        f_measure(performance.downbeats, lines),
        freedom_of(source).is_free,
    )


def _tempo_of(performance: Performance, free: bool) -> str:
    return "any speed" if free else "said speed" if performance.own else "usual speed"


def table(rows: Sequence[Row]) -> Iterator[str]:
    """The figures by kind of music, by player, and of all."""
    yield f"{'':16}{'pieces':>8}{'beats':>8}{'bars':>8}{'level':>8}{'said':>8}"
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        for group in row.groups:
            groups[group].append(row)
    for group, members in sorted(groups.items()):
        figures = np.array([(row.beats, row.downbeats, row.beats >= _GOOD, row.free) for row in members]).mean(axis=0)
        yield f"{group:16}{len(members):8}" + "".join(f"{figure:8.3f}" for figure in figures)


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="lab.beats", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--all", action="store_true", help="also what the nets were taught on")
    parser.add_argument("--most", type=int, default=10**9, help="so many pieces of each folder")
    parser.add_argument("--seconds", type=float, default=1e9, help="only so much of each piece")
    parser.add_argument("--free", action="store_true", help="at any speed from 50 to 200 beats a minute")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--leave", action="store_true", help="count untouched MIDI files that are said to be free")
    parser.add_argument("--verbose", action="store_true", help="every piece")
    given = parser.parse_args(arguments)
    if given.leave:
        left_alone([file for folder in given.folders for file in sorted(folder.rglob("*.mid"))])
        return
    pieces: list[Piece] = []
    for folder in given.folders:
        pieces += pieces_of(folder, lambda name: given.all or not is_taught(name), given.most)
    with ProcessPoolExecutor(given.jobs) as pool:
        rows = list(pool.map(partial(measured, most_seconds=given.seconds, free=given.free), pieces, chunksize=_CHUNK))
    if given.verbose:
        for row in rows:
            print(f"{row.beats:6.3f} {row.downbeats:6.3f}  {row.name}  {', '.join(row.groups[1:])}")
    print("\n".join(table(rows)))


def left_alone(files: Sequence[Path]) -> None:
    """Print which untouched files are said to ignore their bar lines, and how many."""
    said = read = 0
    for file in files:
        try:
            freedom = freedom_of(source_of(file.read_bytes()))
        except LibrettoError:
            continue
        read += 1
        if freedom.is_free:
            said += 1
            print(f"{file.parent.name}/{file.name}: crowding {freedom.crowding:.3f}, {freedom.starts} starts")
    print(f"{said} of {read} files are said to ignore their bar lines")


if __name__ == "__main__":
    main(sys.argv[1:])
