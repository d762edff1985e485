"""Whether the model recites: how many of its tunes hold a run of twelve notes of a tune that taught it.

``python -m lab.tunes.recital ../shared/tunes`` tells tunes over rhythms, phrases and chords of tunes that it was not
taught, and looks for runs (moves and how lengths follow each other; even scales and arpeggios aside) among those of the
taught tunes, exactly and not by the shipped sketch. Real tunes that were kept aside are looked at in the same way.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import cycle, islice, pairwise
from pathlib import Path

from lab.checkout import run
from lab.tunes.figures import retold
from lab.tunes.reading import TAUGHT, TEST, Tune, read_tunes
from libretto.house.tune.sketch import RUN, is_plain

__all__ = ["main", "recital_lines", "reciting", "runs_in"]

Run = tuple[tuple[int, ...], tuple[Fraction, ...]]


def runs_in(tune: Tune) -> set[Run]:
    """The runs of a tune: moves, and each length as a multiple of the one before; plain runs aside."""
    pitches, lengths = tune.pitches, [step.length for step in tune.steps]
    runs = set()
    for start in range(len(pitches) - RUN + 1):
        notes, held = pitches[start : start + RUN], lengths[start : start + RUN]
        moves = tuple(b - a for a, b in pairwise(notes))
        if not is_plain(moves, len(set(held)) == 1):
            runs.add((moves, tuple(Fraction(b, a) for a, b in pairwise(held))))
    return runs


def reciting(tunes: Iterable[Tune], taught: set[Run]) -> int:
    """How many tunes hold a run of a taught one."""
    return sum(not runs_in(tune).isdisjoint(taught) for tune in tunes)


def recital_lines(tunes: Sequence[Tune], count: int) -> list[str]:
    """How often told tunes, and real ones that were kept aside, hold a run of a taught tune."""
    own = [tune for tune in tunes if tune.collection in TAUGHT]
    taught = {run for tune in own if tune.part != TEST for run in runs_in(tune)}
    aside = [tune for tune in own if tune.part == TEST]
    plans = list(islice(cycle(aside), count))
    told = retold(plans)
    return [
        f"{reciting(told, taught)} of {len(told)} told tunes hold a run of a taught tune",
        f"{reciting(aside, taught)} of {len(aside)} real tunes kept aside do",
    ]


def main(arguments: Sequence[str]) -> None:
    """Print how often told tunes recite."""
    parser = argparse.ArgumentParser(description="Count told tunes that recite a taught one.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tunes", type=int, default=1000)
    asked = parser.parse_args(arguments)
    tunes = [tune for collection in TAUGHT for tune in read_tunes(asked.folder, collection)]
    print("\n".join(recital_lines(tunes, asked.tunes)))


if __name__ == "__main__":
    run(main, sys.argv[1:])
