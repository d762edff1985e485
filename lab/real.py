"""A second opinion on ours beside real songs, by trees: ``python -m lab.real MUSIC [--seeds 20] [--length 32]``.

``libretto bench real`` tells them apart by a ridge regression, which is all that the package itself needs. Here a
forest and boosted trees of scikit-learn are asked the same of the same features and folds; where they tell much more,
the figure of the bench flatters us. With ``--others FOLDER`` pieces of that folder stand in our place: another
collection of songs, or what somebody else wrote. Where they have no genres, songs of all genres are held beside them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np

from lab.checkout import run
from libretto.bench.real.bench import compare, even, halves, table_of
from libretto.bench.real.pieces import Excerpt, our_excerpts, real_excerpts, real_songs
from libretto.bench.real.telling import area, folds_of
from libretto.contract import GENRES
from libretto.score.table import Bools

__all__ = ["main"]


def _trees() -> dict[str, Callable[[], Any]]:
    from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier

    return {
        "forest": lambda: RandomForestClassifier(400, min_samples_leaf=2, random_state=0),
        "boosted trees": lambda: HistGradientBoostingClassifier(max_iter=150, learning_rate=0.06, random_state=0),
    }


def _area(make: Callable[[], Any], excerpts: Sequence[Excerpt], second: Bools) -> float:
    """The area under the curve of scores by trees that have not met a piece's group."""
    table = table_of(excerpts)[1]
    table = np.where(np.isfinite(table), table, np.nanmedian(table, axis=0))
    groups = np.asarray([one.group for one in excerpts])
    fold = folds_of(groups.tolist(), second)
    scores = np.zeros(len(table))
    for number in np.unique(fold):
        tried = fold == number
        taught = ~np.isin(groups, groups[tried])
        model = make().fit(table[taught], second[taught])
        scores[tried] = model.predict_proba(table[tried])[:, 1]
    return area(scores, second)


def _read(folder: str, genres: Sequence[str], most: int, bars: int) -> list[Excerpt]:
    """An excerpt of each of so many songs of a genre."""
    where, songs = real_songs(folder, genres, most)
    return real_excerpts(where, songs, bars, 1, lambda done, total: None)


def _mingled(real: Sequence[Excerpt]) -> list[Excerpt]:
    """Songs without their genres, in an order of chance."""
    return Random("mingled").sample([one._replace(genre="") for one in real], len(real))


def main(arguments: Sequence[str]) -> None:
    """Compose, read the songs, and print what each classifier tells."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("music", help="a folder of songs with labels")
    parser.add_argument("--seeds", type=int, default=20, help="pieces a genre")
    parser.add_argument("--bars", type=int, default=32, help="bars of an excerpt")
    parser.add_argument("--length", type=int, default=32, help="bars that each of our pieces is asked for")
    parser.add_argument("--others", help="a folder of pieces that stand in the place of ours")
    asked = parser.parse_args(arguments)
    real = _read(asked.music, GENRES, 2 * asked.seeds, asked.bars)
    if asked.others:
        ours = _read(asked.others, [*GENRES, ""], 2 * asked.seeds, asked.bars)
        real = real if all(one.genre for one in ours) else _mingled(real)
    else:
        ours = our_excerpts(GENRES, asked.seeds, asked.length, asked.bars, 1, lambda done, total: None)
    mine, theirs = even(ours, real, asked.seeds)
    is_real = np.arange(len(mine) + len(theirs)) >= len(mine)
    ridge = compare(ours, real, asked.seeds).rows[-1]
    who = "others" if asked.others else "ours"
    print(f"{len(mine)} {who}, {len(theirs)} real")
    print(f"ridge regression: {who} from real {ridge.area:.3f}, real from real {ridge.control:.3f}")
    for name, make in _trees().items():
        told, control = _area(make, [*mine, *theirs], is_real), _area(make, real, halves(real))
        print(f"{name}: {who} from real {told:.3f}, real from real {control:.3f}", flush=True)


if __name__ == "__main__":
    run(main, sys.argv[1:])
