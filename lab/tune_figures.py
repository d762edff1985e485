"""What is usual of real tunes, measured anew: ``python -m lab.tune_figures FOLDER`` writes ``bench/tunes.json``.

Only numbers are kept: by kind and figure the values between which the middle 80 in 100 of the tunes lie, and how many
of the tunes held back lie within. ``--check`` writes nothing and says whether anything differs.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from lab.checkout import arguments_of, compact_json, keep_or_compare, package_of, run
from libretto.bench.tunes.figures import FIGURES
from libretto.bench.tunes.usual import measured

__all__ = ["main"]


def main(arguments: Sequence[str]) -> None:
    """Measure the collections, say what came out, and write or compare the shipped numbers."""
    asked = arguments_of(__doc__ or "", "the folder of the collections").parse_args(arguments)
    usual = measured(asked.music)
    for kind, one in usual.items():
        print(
            f"{kind}: {one.tunes} stretches measured, {one.held} held back; every figure within {one.every:.1%}, "
            f"at most {one.most} outside in 80 of 100"
        )
        for name in FIGURES:
            if name in one.ranges:
                bounds = " ".join(f"{value:.3g}" for value in one.ranges[name])
                print(f"  {name:<12} {bounds:<16} held back within: {one.inside.get(name, 0.0):.1%}")
    target = package_of(asked.checkout) / "bench" / "tunes.json"
    keep_or_compare(compact_json({kind: one.to_dict() for kind, one in usual.items()}), target, asked.check)


if __name__ == "__main__":
    run(main, sys.argv[1:])
