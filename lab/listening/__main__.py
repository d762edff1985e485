"""The ear's confidence taught anew and checked: ``python -m lab.listening KEPT``, with or without ``--write``.

It gathers what the ear says of made trials (``gathering``) into the folder KEPT, or goes on from what lies there; fits
the curves to the trials in sounds of the lab that are taught; prints accuracy and reliability on trials in other
sounds; and, with ``--write``, puts the curves into the package. ``--font`` is another soundfont, for the check.
``--only TASK`` teaches the curve of one task and leaves the others as they are. An ear with a network of its own is
surer of the sounds it was taught on than of others; its curve is taught on sounds that are held (``--taught-font``),
and checked on those that came later.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NamedTuple

from lab.listening.gathering import Gathered, heard_trial, load, save
from lab.listening.teaching import fit, outcomes_of, table_of, write
from libretto.listen.kinds import kinds

__all__ = ["main"]

_CURVES = Path(__file__).parents[2] / "src" / "libretto" / "listen" / "confidence.json"
_TAUGHT_SEED, _HELD_SEED = 11, 77
_ONLY_SEED, _LATER_SEED = 12, 79


def main() -> None:
    """Gather what is missing, fit, check, and write where that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m lab.listening", description=__doc__)
    parser.add_argument("kept", type=Path, help="a folder for what was heard")
    parser.add_argument("--trials", type=int, default=40, help="how many of each task")
    parser.add_argument("--font", help="an .sf2 file for the trials to check")
    parser.add_argument("--only", action="append", default=[], choices=list(kinds), help="a task; may be said again")
    parser.add_argument("--taught-font", help="with --only: an .sf2 file that no network was taught on")
    parser.add_argument("--write", action="store_true", help="put the curves into the package")
    asked = parser.parse_args()
    asked.kept.mkdir(parents=True, exist_ok=True)
    if asked.only:
        wanted = Wanted("held", _ONLY_SEED, asked.taught_font, asked.only)
        checked = Wanted("later", _LATER_SEED, asked.font, asked.only)
    else:
        wanted = Wanted("taught", _TAUGHT_SEED, None, list(kinds))
        checked = Wanted("held", _HELD_SEED, asked.font, list(kinds))
    taught = _gathered(asked.kept / "taught.pickle", wanted, asked.trials)
    held = _gathered(asked.kept / "held.pickle", checked, asked.trials)
    fitted = fit(taught)
    curves = {name: curve for name, (curve, _, _) in fitted.items()}
    for title, items in (("taught", taught), ("held", held)):
        print(f"{title}\n{table_of(outcomes_of(items, curves))}\n")
    if asked.write:
        write(fitted, _CURVES, keep=bool(asked.only))
        print(f"wrote {_CURVES}")


class Wanted(NamedTuple):
    """Which sounds, seed, font and tasks are gathered."""

    which: str
    seed: int
    font: str | None
    tasks: list[str]


def _gathered(path: Path, wanted: Wanted, trials: int) -> list[Gathered]:
    """What was heard: read where it was kept, else gathered trial by trial."""
    if path.is_file():
        return load(path)
    items = []
    for number in range(trials):
        items += [heard_trial(wanted.which, task, number, wanted.seed, wanted.font) for task in wanted.tasks]
        print(f"{wanted.which}: {number + 1} of {trials}", flush=True)
    save(items, path)
    return items


if __name__ == "__main__":
    main()
