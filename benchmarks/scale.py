"""How building a large cloud grows: ``python benchmarks/scale.py FOLDER --counts 1000 10000 --workers 1 2``.

FOLDER holds many files (``python -m lab.scale.making`` makes them). For every count so many of its files, spread
evenly, are built into a cloud of partitions, and a line is printed: wall time, processor time of all processes, the
same a file, the most memory that any one process held, and bytes on the disk a song. Where cores are shared with
others, processor time is what can be compared: growth is the processor time a file against that of the smallest count,
and the efficiency of several workers the processor time of one against theirs, which holds what it costs to hand work
out and to gather it.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

from libretto.corpus.scale import build_large
from libretto.corpus.scale.places import find_place


def build_once(folder: Path, count: int, workers: int, where: Path, share: float) -> dict[str, float]:
    """Build a cloud of so many files of a folder, from this process, and measure what it took."""
    every = list(find_place(folder).walk(lambda file, why: None))
    songs = islice(every, 0, None, max(1, len(every) // count))
    names = where / f"list-{count}.csv"
    rows = [f'"{folder / song.path}",{song.genre}' for song in islice(songs, count)]
    names.write_text("\n".join(["file,genre", *rows]) + "\n", encoding="utf-8")
    start = time.monotonic()
    built = build_large(names, str(where / f"cloud-{count}-{workers}"), workers=workers, in_full=share, quiet=True)
    wall = time.monotonic() - start
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    size = sum(path.stat().st_size for path in built.folder.rglob("*") if path.is_file())
    index = sum((built.folder / name).stat().st_size for name in ("marks.idx", "codes.bin", "songs.bin"))
    return {
        "files": built.files,
        "workers": workers,
        "songs": built.songs,
        "copies": sum(built.copies.values()),
        "refused": built.refused,
        "wall_seconds": round(wall, 2),
        "processor_seconds": round(own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime, 2),
        "parent_seconds": round(own.ru_utime + own.ru_stime, 2),
        "most_mb": round(max(own.ru_maxrss, others.ru_maxrss) / 1024, 1),
        "bytes_a_song": round(size / built.songs),
        "index_bytes_a_song": round(index / built.songs),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--counts", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--in-full", type=float, default=0.002, help="share of songs that are measured in full")
    parser.add_argument("--keep", type=Path, help="a folder where the clouds stay (else they are thrown away)")
    parser.add_argument("--once", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as passing:
        where = str(asked.keep or passing)
        if asked.once is not None:
            print(json.dumps(build_once(asked.folder, asked.once, asked.workers[0], Path(where), asked.in_full)))
            return
        first: dict[int, float] = {}
        for count in asked.counts:
            for workers in asked.workers:
                line = [sys.executable, __file__, str(asked.folder), "--once", str(count), "--workers", str(workers)]
                line += ["--in-full", str(asked.in_full), *(["--keep", str(asked.keep)] if asked.keep else [])]
                out = subprocess.run(line, capture_output=True, text=True, check=True)
                facts = json.loads(out.stdout.splitlines()[-1])
                each = facts["processor_seconds"] / facts["files"]
                first.setdefault(workers, each)
                growth = each / first[workers]
                print(json.dumps({**facts, "ms_a_file": round(1000 * each, 2), "growth": round(growth, 3)}), flush=True)


if __name__ == "__main__":
    main()
