"""Learn what is better and worse, and say how often that is right: ``python -m lab.merit MUSIC``.

Prints held-out accuracy by kind of pair, forces and length; ``--write`` also writes ``merit/curves.json``, learnt from
all pairs. ``--cache FOLDER`` keeps measured pairs, so that a run may go on where it stopped; ``--songs`` takes fewer.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lab.checkout import arguments_of, compact_json, keep_or_compare, package_of, run
from lab.merit.frozen import MORE
from lab.merit.habits import samples_of
from lab.merit.jury import beside_drafts, jury_lines
from lab.merit.learning import held_out, learnt
from lab.merit.ours import composed, jury_numbers
from lab.merit.pieces import Pairs, draft_rows, measured, pairs_of, sources
from lab.merit.tables import ASKED, lines_of, right
from libretto.merit.curves import Curves
from libretto.merit.habits import the_habits
from libretto.merit.weigh import TOPICS, topic_of

__all__ = ["curves_file", "main"]

_BRIEFS = 110  # of which every second makes a piece of ours, but those that readers judged


def _spread(curves: Curves, pairs: Pairs) -> dict[str, float]:
    """How far real pieces differ in the worth of each topic."""
    total = {topic.name: np.zeros(len(pairs.rows)) for topic in TOPICS}
    for column, name in enumerate(pairs.names):
        if name in curves.knots and topic_of(name) in total:
            values = pairs.better[:, column]
            total[topic_of(name)] += np.where(
                np.isnan(values), 0.0, np.interp(values, curves.knots[name], curves.values[name])
            )
    return {name: max(round(float(values.std()), 4), 1e-3) for name, values in total.items()}


def curves_file(pairs: Pairs) -> dict[str, Any]:
    """Everything that ``merit/curves.json`` holds, from pairs."""
    curves = learnt(pairs, np.ones(len(pairs.rows), dtype=np.bool_))
    numbers = {
        name: [knots.tolist(), [float(f"{value:.4g}") for value in curves.values[name].tolist()]]
        for name, knots in curves.knots.items()
    }
    about = "Learnt by lab.merit from pairs of real and worse music; numbers only."
    return {"about": about, "pairs": len(pairs.rows), "curves": numbers, "spread": _spread(curves, pairs)}


def main(arguments: Sequence[str]) -> None:
    """Measure, learn, print, and with ``--write`` keep what was learnt."""
    parser = arguments_of("Learn better and worse anew.", "the folder that holds corpus/", check=False)
    parser.add_argument("--cache", type=Path, help="keep measured pairs in this folder")
    parser.add_argument("--songs", type=int, default=None, help="so many songs at most (default: all)")
    parser.add_argument("--write", action="store_true", help="write what was learnt into the checkout")
    asked = parser.parse_args(arguments)

    def step(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    rows = measured(sources(asked.music)[: asked.songs], list(samples_of(asked.music)), asked.cache, step)
    briefs = [number for number in range(0, _BRIEFS, 2) if number not in jury_numbers(asked.music)]
    rows += draft_rows(composed(asked.music, briefs, 0, asked.cache), the_habits())
    pairs = pairs_of(rows)
    better, lower = held_out(pairs)
    margin = better - lower
    print("\n".join(lines_of(pairs.rows, margin)))
    asked_for = np.array([row.kind not in MORE for row in pairs.rows])
    print(f"asked: {ASKED}; the kinds asked for: {100 * right(margin[asked_for]):.1f}")
    print(beside_drafts(pairs, better))
    print("\n".join(jury_lines(asked.music, asked.cache)))
    if asked.write:
        target = package_of(asked.checkout) / "merit" / "curves.json"
        keep_or_compare(compact_json(curves_file(pairs)), target, check=False)


if __name__ == "__main__":
    run(main, sys.argv[1:])
