"""How rare steps of melodies are in music, and from where on a passage is cited: ``python -m lab.citing MUSIC``.

Steps are counted in the voices of real songs. Then eight bars of one song are shown, and searched for in songs of other
artists. Twice what nearly all such pairs have in common at most is too much: real songs are played, and what is written
on paper agrees sooner.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from random import Random

import numpy as np

from lab.checkout import arguments_of, package_of, run
from libretto.corpus.identity import normal_artist, normal_title
from libretto.formats import read
from libretto.gates.cited import STEPS, Line, Rarity, all_cited, lines_of, step_kinds
from libretto.knowledge.exemplars import typical_stretch
from libretto.score import Score, take_bars

__all__ = ["main", "measure_pairs", "measure_steps"]

_SONGS = 100  # songs that are read, evenly
_PIECES = 10  # songs of others in which each excerpt is searched for
_BARS = 8  # of an excerpt, as a page shows them
_UNRELATED, _ABOVE = 0.995, 2.0  # this part of the pairs has less in common; so many times that is too much
_DIGITS = 2


def measure_steps(songs: Sequence[Score]) -> Rarity:
    """How many bits each kind of step tells; the ceiling is not yet known."""
    same = kept = steps = 0
    kinds = np.ones(len(STEPS) + 1)  # one each, so that none is impossible
    for line in (line for song in songs for line in lines_of(song)):
        going, keeping, moved = _steps(line)
        same, kept, steps = same + int(going.sum()), kept + int((keeping & ~going).sum()), steps + len(going)
        kinds += np.bincount(moved[~going], minlength=len(kinds))
    others = steps - same
    moving = -np.log2(kinds / kinds.sum() * others / steps)
    return Rarity(
        round(float(-np.log2(same / steps)), _DIGITS),
        tuple(round(float(bits), _DIGITS) for bits in moving),
        round(float(-np.log2(kept / others)), _DIGITS),
        round(float(-np.log2(1 - kept / others)), _DIGITS),
    )


def _steps(line: Line) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For every step but the first: whether it goes on as before, whether its time does, and its kind in pitch."""
    pitch, time = line.steps
    keeping = np.diff(time) == 0
    return keeping & (np.diff(pitch) == 0), keeping, step_kinds(pitch)[1:]


def measure_pairs(songs: Sequence[tuple[str, str, Score]], rarity: Rarity) -> list[dict[str, float]]:
    """What tunes and basses of excerpts have in common with songs of other artists and other titles, in bits."""
    dice, shared = Random(_BARS), []
    for artist, title, song in songs:
        first = typical_stretch(song, _BARS)
        excerpt = take_bars(song, song.numbers[first], song.numbers[min(first + _BARS, song.bars) - 1])
        others = [other for a, t, other in songs if a != artist and t != title]
        for other in dice.sample(others, min(_PIECES, len(others))):
            shared.append({cited.what: cited.bits for cited in all_cited(other, [("", excerpt)], rarity)})
    return shared


def main(arguments: Sequence[str]) -> None:
    """Measure steps and pairs, and write what the package ships."""
    asked = arguments_of("Measure how rare steps are.", "the folder that holds corpus/", check=False).parse_args(
        arguments
    )
    folder = asked.music / "corpus" / "midi"
    with open(folder / "manifest.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    rows = rows[:: max(1, len(rows) // _SONGS)]
    songs = [(normal_artist(row["artist"]), normal_title(row["title"]), read(folder / row["file"])) for row in rows]
    rarity = measure_steps([song for _, _, song in songs])
    shared = measure_pairs(songs, rarity)
    tune, bass = (_ceiling([pair[what] for pair in shared if what in pair]) for what in ("tune", "bass"))
    rarity = replace(rarity, tune=tune, bass=bass, pairs=len(shared))
    place: Path = package_of(asked.checkout) / "gates" / "citing.json"
    place.write_text(json.dumps(asdict(rarity), indent=1) + "\n", encoding="utf-8")
    print(f"wrote {place}: {len(shared):,} pairs; too much is {tune:g} bits of tune, {bass:g} of bass")


def _ceiling(shared: Sequence[float]) -> float:
    return round(_ABOVE * float(np.quantile(shared, _UNRELATED)), 1)


if __name__ == "__main__":
    run(main, sys.argv[1:])
