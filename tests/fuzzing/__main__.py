"""Fuzz every class of input for as many inputs, or as long, as is said, and print what became of them.

python -m fuzzing --inputs 20000                   every class; in tests/, or with tests/ on the path
python -m fuzzing --classes "midi;abc" --minutes 5   some classes, as many inputs as come
python -m fuzzing --one "briefs:812" --seed 1      one input here, with its traceback
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fuzzing.children import Tally, table, try_class, try_one
from fuzzing.corpora import load

_BLOCK = 500  # inputs of a class at a time, so that a run that is ended has something of every class


def main() -> None:
    """Try, say, and exit with 1 where something must not happen."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--inputs", type=int, default=20_000, help="of each class")
    reader.add_argument("--minutes", type=float, default=0.0, help="end after so long; 0 is never")
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--classes", default="", help="some, with semicolons between")
    reader.add_argument("--one", default="", help="CLASS:NUMBER")
    reader.add_argument("--keep", type=Path, help="a file for the result so far, as JSON")
    options = reader.parse_args()
    classes = load()
    if options.one:
        name, _, number = options.one.rpartition(":")
        print(try_one(name, int(number), options.seed))
        return
    names = [name.strip() for name in options.classes.split(";")] if options.classes else list(classes)
    if unknown := [name for name in names if name not in classes]:
        reader.error(f"there is no class {unknown[0]!r}; there are {'; '.join(classes)}")
    until = time.monotonic() + 60 * options.minutes if options.minutes else None
    tallies = {name: Tally(name) for name in names}
    for first in range(0, options.inputs, _BLOCK):
        for name in names:
            numbers = range(first, min(first + _BLOCK, options.inputs))
            _join(tallies[name], try_class(name, numbers, options.seed, until))
            if options.keep:
                options.keep.write_text(
                    json.dumps([one.__dict__ for one in tallies.values()], indent=1), encoding="utf-8"
                )
        if until is not None and time.monotonic() > until:
            break
    print(table(tallies.values()))
    sys.exit(1 if any(one.faults for one in tallies.values()) else 0)


def _join(whole: Tally, more: Tally) -> None:
    for fault in more.faults:
        print(fault, flush=True)
    for name in ("inputs", "refused", "read", "slow", "large", "raised"):
        setattr(whole, name, getattr(whole, name) + getattr(more, name))
    whole.slowest, whole.largest = max(whole.slowest, more.slowest), max(whole.largest, more.largest)
    whole.faults += more.faults[:20]


if __name__ == "__main__":
    main()
