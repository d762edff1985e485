"""What chords do to the notes over them, taught by real tunes: ``python -m lab.carrying TUNES``.

The lifts are counted and the weights fitted on the half of the tunes that teaches (by the hash of their names); the
other half says how often tunes keep their own chords, and how often wrong ones are taken for theirs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lab.carrying.tunes import Tune, read_tunes, taught, wrong_chords
from lab.checkout import arguments_of, compact_json, keep_or_compare, package_of, run
from libretto.contract.checks.carrying import KINDS, agreement, carried, masses, measure_of, planned, share_of
from libretto.score.table import Floats

__all__ = ["main", "teach_lifts"]

_TUNES, _FULL = ("nottingham", "pop909"), "pop909_piano"
_ALONE = 400  # tunes of each collection that the weights are fitted on and that are held against them
_FEW = 5.0  # quarters that every count begins with, so that what is rare is not taken for impossible
_FAINT = 0.5  # the same of a piece as a whole
_KEEP, _KEEP_FULL = 0.045, 0.005  # of real tunes, and of full textures, that may fall below what is asked
_ROUNDS = 60  # of the fit
_DIGITS = 3

Labels = Sequence[tuple[str, ...]]


def teach_lifts(tunes: Sequence[Tune]) -> Floats:
    """By how much each kind of chord raises the chance of the notes above its root: logarithms, kinds by semitones."""
    counted, expected = np.full((len(KINDS), 12), _FEW), np.full((len(KINDS), 12), _FEW)
    for tune in tunes:
        mass, plan = masses(tune.score, tune.score.table), planned(tune.score.chords)
        whole = mass.sum(axis=0) + _FAINT
        whole = whole / whole.sum()
        for row, chord in zip(mass[plan >= 0], plan[plan >= 0].tolist(), strict=True):
            counted[chord // 12] += np.roll(row, -(chord % 12))
            expected[chord // 12] += row.sum() * np.roll(whole, -(chord % 12))
    return np.asarray(np.log(counted / expected))


def _a_bar(labels: Labels) -> list[tuple[str, ...]]:
    return [bar[:1] for bar in labels]


def _cases(tunes: Sequence[Tune], indices: Sequence[int]) -> Iterator[tuple[str, Tune, Labels]]:
    """Tunes with their own chords and with wrong ones, as given and as a chord a bar."""
    for index in indices:
        tune = tunes[index]
        for what, labels in {"own": list(tune.score.chords), **wrong_chords(tunes, index)}.items():
            yield what, tune, labels
            yield f"{what}, a chord a bar", tune, _a_bar(labels)


def _fit(rows: Floats, own: NDArray[np.bool_]) -> Floats:
    """Weights that tell own chords from wrong ones (a logistic regression, both sides of equal weight)."""
    weights = np.zeros(rows.shape[1])
    balance = np.where(own, 1 / own.sum(), 1 / (~own).sum())
    for _ in range(_ROUNDS):
        likely = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (balance * (own - likely)) - 1e-3 * weights
        bend = (rows * (balance * likely * (1 - likely))[:, None]).T @ rows + 1e-3 * np.eye(rows.shape[1])
        weights = weights + np.linalg.solve(bend, slope)
    return np.asarray(weights)


def _calibrate(tunes: dict[str, list[Tune]], lifts: Sequence[Sequence[float]]) -> tuple[list[float], float]:
    rows, own = [], []
    for several in tunes.values():
        teaching = [index for index, tune in enumerate(several) if taught(tune.name)][:_ALONE]
        for what, tune, labels in _cases(several, teaching):
            rows.append(agreement(masses(tune.score, tune.score.table), planned(labels), lifts))
            own.append(what.startswith("own"))
    kept = np.array(own)
    weights = [round(float(weight), _DIGITS) for weight in _fit(np.array([(*row[:3], 1.0) for row in rows]), kept)]
    reached = [
        measure_of(row, weights) if row.over_next >= 0 else -np.inf for row, mine in zip(rows, own, strict=True) if mine
    ]
    return weights, round(float(np.quantile(reached, _KEEP, method="lower")), _DIGITS)


def _shares(tunes: Sequence[Tune], kept: Callable[[Tune, Labels], bool]) -> dict[str, float]:
    """How often chords are taken for a tune's own, by what they are."""
    held = [index for index, tune in enumerate(tunes) if not taught(tune.name)][:_ALONE]
    answers: dict[str, list[bool]] = {}
    for what, tune, labels in _cases(tunes, held):
        answers.setdefault(what, []).append(kept(tune, labels))
    return {what: float(np.mean(said)) for what, said in answers.items()}


def main(arguments: Sequence[str]) -> None:
    """Teach, write what the package ships, and say how it does on the half that did not teach."""
    asked = arguments_of("Teach what chords do to notes.", "the folder of tunes").parse_args(arguments)
    folder: Path = asked.music
    tunes = {name: list(read_tunes(folder / f"{name}.jsonl.gz")) for name in _TUNES}
    teaching = [tune for several in tunes.values() for tune in several if taught(tune.name)]
    lifts = [[round(float(lift), _DIGITS) for lift in row] for row in teach_lifts(teaching)]
    weights, least = _calibrate(tunes, lifts)
    full = list(islice(read_tunes(folder / f"{_FULL}.jsonl.gz"), _ALONE))
    data = {"lifts": dict(zip(KINDS, lifts, strict=True)), "weights": weights, "least": least, "full": 0.0}
    place = package_of(asked.checkout) / "contract" / "checks" / "carrying.json"
    data["full"] = round(_full_share(full, lifts), 2)
    keep_or_compare(compact_json(data), place, asked.check)
    for name, several in {**tunes, _FULL: full}.items():
        for what, share in _shares(
            several, lambda tune, labels: carried(tune.score, tune.score.table, labels).kept
        ).items():
            print(f"{name:<14}{what:<36}{share:.1%}")


def _full_share(tunes: Sequence[Tune], lifts: Sequence[Sequence[float]]) -> float:
    """The share of bars that carry their own chord in nearly all full textures."""
    shares = [
        share_of(masses(tune.score, tune.score.table), planned(labels), lifts)[0]
        for tune in tunes
        if taught(tune.name)
        for labels in (tune.score.chords, _a_bar(tune.score.chords))
    ]
    return float(np.quantile(shares, _KEEP_FULL))


if __name__ == "__main__":
    run(main, sys.argv[1:])
