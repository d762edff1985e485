"""Teach the model of tunes and say what came of it: ``python -m lab.tunes ../shared/tunes``.

With ``--write`` it teaches the net (needs torch; or takes weights that were taught elsewhere: ``--weights FILE``) and
writes ``house/tune/tunes.npz``. It prints bits a note of both ways of learning on tunes kept aside, figures of
told tunes beside real ones, and how many told tunes recite.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from lab.checkout import arguments_of, package_of, run
from lab.tunes.figures import figures_of, retold
from lab.tunes.lesson import write_lesson
from lab.tunes.packing import pack, sketch_of_tunes
from lab.tunes.reading import COLLECTIONS, TAUGHT, TEACH, TEST, Tune, read_tunes
from lab.tunes.recital import recital_lines
from lab.tunes.viewpoints import Viewpoints
from libretto.house.tune.telling import bits

__all__ = ["main"]

_MEASURED = 40  # tunes a collection that figures and bits are of, unless all are asked for
_LONGEST = 200  # notes of a tune that are looked at: pop songs are long, and repeat


def _ship(tunes: Sequence[Tune], weights: Path | None, path: Path) -> None:
    """Teach, or take what was taught, and write it with the sketch."""
    with TemporaryDirectory() as folder:
        taught = weights or Path(folder) / "weights.npz"
        if weights is None:
            from lab.tunes.training import teach_file

            lesson = Path(folder) / "lesson.npz"
            write_lesson([tune for tune in tunes if tune.collection != "essen" or tune.part == TEST], lesson)
            teach_file(str(lesson), str(taught))
        with np.load(taught) as read:
            sketch = sketch_of_tunes(tune for tune in tunes if tune.collection != "essen")
            pack({name: read[name] for name in read.files}, sketch, path)


def _aside(tunes: Sequence[Tune], collection: str, most: int) -> list[Tune]:
    """Tunes of a collection that were kept aside, long ones in part, and none told which bar answers which."""
    aside = [tune for tune in tunes if tune.collection == collection and tune.part == TEST][:most]
    return [
        replace(
            tune,
            steps=tuple(replace(step, echo=-1) for step in tune.steps[:_LONGEST]),
            pitches=tune.pitches[:_LONGEST],
        )
        for tune in aside
    ]


def _bits_lines(tunes: Sequence[Tune], most: int) -> list[str]:
    """Bits a note by collection: statistics of viewpoints, and the net as shipped."""
    counted = Viewpoints.learn(tune for tune in tunes if tune.collection in TAUGHT and tune.part == TEACH)
    lines = ["| collection | tunes | notes | viewpoints | net | net, no chords |", "|---|---|---|---|---|---|"]
    for collection in COLLECTIONS:
        aside = _aside(tunes, collection, most)
        notes = sum(len(tune.steps) for tune in aside)
        bare = [replace(tune, steps=tuple(replace(step, chord=None) for step in tune.steps)) for tune in aside]
        spent = [
            sum(bits(tune.steps, tune.pitches, tune.key, tune.meter, tune.kind) * len(tune.steps) for tune in given)
            for given in (aside, bare)
        ]
        spent = [sum(counted.bits(tune) for tune in aside), *spent]
        row = [collection, len(aside), notes, *(f"{total / notes:.2f}" for total in spent)]
        lines.append("| " + " | ".join(map(str, row)) + " |")
    return lines


def _figure_lines(tunes: Sequence[Tune], most: int) -> list[str]:
    """Figures of real tunes and of tunes told over their rhythms, by collection."""
    lines = [
        "| | repeated / step / third / leap | range | downbeat root / chord / neither | bars that return | peak "
        "| tonic at the end | outside the scale |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for collection in (*TAUGHT, "pop909"):
        aside = _aside(tunes, collection, most)
        lines.append(f"| {collection}, real | {figures_of(aside)} |")
        lines.append(f"| {collection}, told | {figures_of(retold(aside))} |")
    return lines


def main(arguments: Sequence[str]) -> None:
    """Teach, print, and with ``--write`` ship."""
    parser = arguments_of("Teach the model of tunes anew.", "the folder of tunes", check=False)
    parser.add_argument("--weights", type=Path, help="weights that lab.tunes.training wrote elsewhere")
    parser.add_argument("--write", action="store_true", help="ship what is taught; else what is shipped is measured")
    parser.add_argument("--measured", type=int, default=_MEASURED, help="tunes a collection that are measured")
    parser.add_argument("--told", type=int, default=1000, help="tunes told to see whether they recite")
    asked = parser.parse_args(arguments)
    tunes = [tune for collection in COLLECTIONS for tune in read_tunes(asked.music, collection)]
    if asked.write:
        _ship(tunes, asked.weights, package_of(asked.checkout) / "house" / "tune" / "tunes.npz")
    for lines in (_bits_lines(tunes, asked.measured), _figure_lines(tunes, asked.measured)):
        print("\n".join(lines), flush=True)
    print("\n".join(recital_lines(tunes, asked.told)))


if __name__ == "__main__":
    run(main, sys.argv[1:])
