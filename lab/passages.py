"""What tells which bars of a song fill a gap in it: ``python -m lab.passages MUSIC``.

Bars are taken out of real songs, and every other bar of the song is held against them. Songs teach whose artist's hash
is odd; ``libretto bench fill-truth`` measures on the others.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from random import Random

import numpy as np

from lab.checkout import arguments_of, compact_json, keep_or_compare, package_of, run
from libretto.bench.fill_truth import songs_of
from libretto.house.fill.alike import Alike, alike
from libretto.house.fill.passages import clues, surroundings
from libretto.score import Score
from libretto.score.table import Floats

__all__ = ["main", "rows_of"]

_SONGS = 90  # songs that teach
_LENGTHS = (8, 8, 8, 4, 12)  # bars of the gaps that are made in each
_MARGIN = 4  # bars of a song that stay at either end
_RIDGE = 0.1
_ROUNDS = 400  # of the fit
_EVERY = 3  # one bar in so many of a voice is looked at
_DIGITS = 4


def _gaps(song: Score) -> Iterator[tuple[int, int]]:
    dice = Random(song.digest)
    for length in _LENGTHS:
        if song.bars > length + 2 * _MARGIN:
            first = dice.randrange(_MARGIN, song.bars - length - _MARGIN)
            yield first, first + length - 1


class _Sums:
    """Normal equations, summed up; every bar counts alike, however many others it is held against.

    No weight is negative: what is more alike around a gap never speaks against a passage.
    """

    def __init__(self) -> None:
        self.left: Floats | None = None
        self.right: Floats | None = None

    def add(self, rows: Floats, values: Floats, weight: float) -> None:
        rows, values = rows - rows.mean(axis=0), values - values.mean()
        share = weight / len(values)
        left, right = share * rows.T @ rows, share * rows.T @ values
        self.left = left if self.left is None else self.left + left
        self.right = right if self.right is None else self.right + right

    def solved(self) -> list[float]:
        if self.left is None or self.right is None:
            return []
        left, made = self.left + _RIDGE * np.eye(len(self.right)), np.zeros(len(self.right))
        for _ in range(_ROUNDS):
            for at in range(len(made)):
                slope = self.right[at] - left[at] @ made
                made[at] = max(0.0, made[at] + slope / left[at, at])
        return [round(float(weight), _DIGITS) for weight in made]


def rows_of(song: Score, bars: Alike, gap: tuple[int, int], whole: _Sums, voice: _Sums) -> None:
    """What one gap of a song teaches, of all voices and of each."""
    first, last = gap[0] - bars.first, gap[1] - bars.first
    count, length = len(bars.whole), last - first + 1
    if first < 0 or last >= count:
        return
    shifts = np.arange(-last, count - first)
    around = surroundings(bars.whole, (first, last), shifts)
    counts = np.bincount(song.table["voice"], minlength=len(song.voices))
    own = [surroundings(table, (first, last), shifts) if counts[v] else None for v, table in enumerate(bars.voices)]
    lengths = np.diff(song.bar_lines)[bars.first : bars.first + count]
    for index in range(length):
        there = first + index + shifts
        known = (there >= 0) & (there < count) & ((there < first) | (there > last))
        known[known] &= lengths[there[known]] == lengths[first + index]
        if known.sum() < _MARGIN:
            continue
        columns = there[known]
        whole.add(clues(around, shifts, index, length)[known], bars.whole[first + index, columns], 1.0)
        for number, mine in enumerate(own):
            if mine is not None and index % _EVERY == number % _EVERY:
                rows = clues(mine, shifts, index, length, around)[known]
                weight = float(counts[number] / counts.sum())
                voice.add(rows, np.asarray(bars.voices[number][first + index, columns], dtype=np.float64), weight)


def main(arguments: Sequence[str]) -> None:
    """Teach, and write what the package ships."""
    asked = arguments_of("Teach which bars fill a gap.", "the folder that holds corpus/").parse_args(arguments)
    whole, voice = _Sums(), _Sums()
    for _, song in songs_of(asked.music / "corpus" / "midi", _SONGS, teaching=True):
        for gap in _gaps(song):
            rows_of(song, alike(song, gap), gap, whole, voice)
    data = {"whole": whole.solved(), "voice": voice.solved()}
    place = package_of(asked.checkout) / "house" / "fill" / "passages.json"
    keep_or_compare(compact_json(data), place, asked.check)


if __name__ == "__main__":
    run(main, sys.argv[1:])
