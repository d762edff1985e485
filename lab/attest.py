"""Count the songs that show each concept, by genre, and measure what each does: ``python -m lab.attest MUSIC``.

The songs are those of the default cloud. Counts and measured effects are written into the entries of a checkout
(``--checkout``; this one unless it is said), never into an installed package. Nothing else of the music is kept.
An effect is how far an example moves every axis against its plain version, in spreads of real music (a standard
deviation over the default cloud), so that axes can be compared.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from lab.clouds import default_songs
from libretto.corpus import Cloud, load_cloud
from libretto.corpus.progress import Progress
from libretto.errors import LibrettoError
from libretto.formats import read, write_bytes
from libretto.grammar import parse
from libretto.knowledge import Concept, Sight, load_concepts, shows
from libretto.knowledge.detect import moved

__all__ = ["attest", "effect_of", "knowledge_of", "main", "with_measures", "write_measures"]

_ROOT = Path(__file__).resolve().parents[1]
_LEAST = 0.1  # spreads; what moves an axis less is left out
_CHUNK = 4  # songs that a process takes at a time
_TABLES = re.compile(r"^\[(?:attested|effect)\]\n(?:(?!\+\+\+).*\n)*?(?=^\[|^\+\+\+)", re.MULTILINE)

#: By concept and genre: how many songs show it, of how many.
Counts = dict[str, dict[str, tuple[int, int]]]


def attest(songs: Sequence[tuple[str, str]], concepts: Iterable[Concept], jobs: int = 0, quiet: bool = False) -> Counts:
    """For every concept and genre: how many songs show it, of how many. ``songs`` are pairs of file and genre."""
    entries = tuple(concepts)
    shown: Counter[tuple[str, str]] = Counter()
    progress = Progress(len(songs), quiet=quiet)
    with ProcessPoolExecutor(jobs or None) as pool:
        seen = pool.map(partial(_shown, entries), [path for path, _ in songs], chunksize=_CHUNK)
        for (_, genre), keys in zip(songs, seen, strict=True):
            shown.update((key, genre) for key in keys)
            progress.step()
    total = Counter(genre for _, genre in songs)
    return {
        concept.key: {genre: (shown[concept.key, genre], total[genre]) for genre in sorted(total)}
        for concept in entries
    }


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
    options = parser.parse_args(arguments)
    folder = knowledge_of(options.checkout)
    if options.effects:
        print(f"wrote {len(write_measures(folder, {}))} entries")
        return
    songs = [(path, song.row.genre) for path, song in default_songs(options.music / "corpus")]
    print(f"wrote {len(write_measures(folder, attest(songs, load_concepts(folder).values())))} entries")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except LibrettoError as error:
        raise SystemExit(str(error)) from None
