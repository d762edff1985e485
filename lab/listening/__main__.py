"""The ear's confidence taught anew and checked: ``python -m lab.listening KEPT``, with or without ``--write``.

It gathers what the ear says of made trials (``gathering``) into the folder KEPT, or goes on from what lies there; fits
the curves to the trials in sounds of the lab that are taught; prints accuracy and reliability on trials in other
sounds; and, with ``--write``, puts the curves into the package. ``--font`` is another soundfont, for the check.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from lab.listening.gathering import Gathered, heard_trial, load, save
from lab.listening.teaching import fit, outcomes_of, table_of, write
from libretto.listen.kinds import kinds

__all__ = ["main"]

_CURVES = Path(__file__).parents[2] / "src" / "libretto" / "listen" / "confidence.json"
_TAUGHT_SEED, _HELD_SEED = 11, 77


def main() -> None:
    """Gather what is missing, fit, check, and write where that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m lab.listening", description=__doc__)
    parser.add_argument("kept", type=Path, help="a folder for what was heard")
    parser.add_argument("--trials", type=int, default=40, help="how many of each task")
    parser.add_argument("--font", help="an .sf2 file for the trials to check")
    parser.add_argument("--write", action="store_true", help="put the curves into the package")
    asked = parser.parse_args()
    asked.kept.mkdir(parents=True, exist_ok=True)
    taught = _gathered(asked.kept / "taught.pickle", "taught", asked.trials, _TAUGHT_SEED, None)
    held = _gathered(asked.kept / "held.pickle", "held", asked.trials, _HELD_SEED, asked.font)
    fitted = fit(taught)
    curves = {name: curve for name, (curve, _, _) in fitted.items()}
    for title, items in (("taught", taught), ("held", held)):
        print(f"{title}\n{table_of(outcomes_of(items, curves))}\n")
    if asked.write:
        write(fitted, _CURVES)
        print(f"wrote {_CURVES}")


def _gathered(path: Path, which: str, trials: int, seed: int, font: str | None) -> list[Gathered]:
    """What was heard: read where it was kept, else gathered trial by trial."""
    if path.is_file():
        return load(path)
    items = []
    for number in range(trials):
        items += [heard_trial(which, task, number, seed, font) for task in kinds]
        print(f"{which}: {number + 1} of {trials}", flush=True)
    save(items, path)
    return items


if __name__ == "__main__":
    main()
