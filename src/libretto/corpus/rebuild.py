"""Rebuild the clouds of the package from the music they were measured on: ``python -m libretto.corpus.rebuild FOLDER``.

Nothing but numbers and genre names is kept.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from libretto.axes import measure
from libretto.corpus.cloud import Cloud, of_profiles
from libretto.formats import read, write_bytes

__all__ = ["main", "paper314"]

_ABOUT = (
    "The 314 songs of the published corpus, eight genres where labelled, in the published encoding: it writes many "
    "sparse straight off-beats as triplets and lengthens notes. Percentiles by the published rule."
)


def paper314(folder: Path) -> Cloud:
    """The published corpus on the 29 published axes."""
    with open(folder / "manifest.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    profiles = [measure(read(folder / f"{row['id']}.txt")) for row in rows]
    genres = [row["genre"] for row in rows]
    return of_profiles("paper314", profiles, genres, rule="at or below", about=_ABOUT)


def main(folder: Path) -> None:
    """Write every cloud anew."""
    target = Path(__file__).parent / "clouds" / "paper314.json"
    write_bytes(paper314(folder / "corpus" / "paper314").to_json().encode(), target, force=True)
    print(f"wrote {target}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
