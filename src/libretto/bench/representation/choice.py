"""How the 29 axes were chosen among 35 candidates, repeated on any music: spread first, then redundancy.

Conventions: the candidates are the 29 published axes and the six measurements that were tried and given up. An axis
lacks *spread* where more than 55 of 100 songs fall into one of twelve equal bins of its range, or where it says yes or
no and nearly always the same. Of two axes that agree by |r| >= ``bound`` (of raw values) one is *redundant*: again and
again the axis goes that has most such partners, of equals the one that agrees more. The paper prints the two rules and
the outcome; bins and bounds are those of its authors' code, which chose on 59 songs. Where an axis does not
apply it has the value that is published for that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from libretto.axes import measure, published_axes
from libretto.axes.counting import has_chord
from libretto.axes.measure import view_of
from libretto.corpus import cloud_names
from libretto.corpus.labels import find_songs
from libretto.corpus.store import load_source
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.gates.paper import UNDEFINED
from libretto.score import Score, played
from libretto.score.table import Floats

__all__ = ["BOUND", "GIVEN_UP", "Choice", "candidates_of", "choice_lines", "choose", "measure_candidates"]

#: The six measurements that were tried and given up.
GIVEN_UP = (
    "dominant_seventh_rate",
    "dominant_seventh_at_all",
    "diminished_at_all",
    "mean_interval",
    "doubling_ratio",
    "reprise_fraction",
)
BOUND = 0.80  #: axes that agree so much are one; 0.77 is the largest agreement that the paper leaves
_BINS, _MODAL = 12, 0.55  # bins of a range, and the share of the songs in one from which on there is no spread
_NEARLY = 0.05  # the share of songs that must say otherwise where an axis says yes or no
_TOGETHER, _DOUBLED = 12, 0.9  # onsets that two voices must share to be compared; the share at which they double
_REPRISE = 4  # bars of a passage that returns
_LEAST_SONGS = 12  # fewer songs choose nothing
_DIGITS, _SHOWN = 4, 80  # of what is kept; characters of a name that an error shows


@dataclass(frozen=True)
class Choice:
    """What was kept, what lacks spread, and what was redundant with what (the partner it agrees with most, and r)."""

    songs: int
    kept: tuple[str, ...]
    flat: Mapping[str, float]
    redundant: Mapping[str, tuple[str, float]]

    def to_dict(self) -> dict[str, Any]:
        """The choice as plain data."""
        told = {name: {"with": other, "r": round(r, _DIGITS)} for name, (other, r) in self.redundant.items()}
        flat = {name: round(share, _DIGITS) for name, share in self.flat.items()}
        return {"songs": self.songs, "kept": list(self.kept), "without spread": flat, "redundant": told}


def candidates_of(score: Score) -> dict[str, float]:
    """The 35 candidate measurements of a piece."""
    piece = played(score)
    profile = measure(piece)
    values = {
        axis.name: value if (value := profile[axis.name]) is not None else UNDEFINED.get(axis.name, 0.0)
        for axis in published_axes()
    }
    view = view_of(piece).whole
    bars = max(1, len(view.by_bar))
    seventh = np.asarray(has_chord(4, 7, 10).any(axis=1))[view.by_bar].sum()
    diminished = np.asarray(has_chord(3, 6).any(axis=1))[view.by_bar].sum()
    moves = np.abs(view.moves[0])
    moves = moves[moves > 0]
    return values | {
        "dominant_seventh_rate": float(seventh) / bars,
        "dominant_seventh_at_all": float(seventh > 0),
        "diminished_at_all": float(diminished > 0),
        "mean_interval": float(moves.mean()) if len(moves) else 0.0,
        "doubling_ratio": _doubling(piece),
        "reprise_fraction": _reprises(piece),
    }


def _doubling(score: Score) -> float:
    """The share of pairs of voices that move in unison or octaves, of those that start much together."""
    lines = [
        dict(sorted(zip(voice.array["onset"].tolist(), voice.array["pitch"].tolist(), strict=True)))
        for voice in score.voices
        if not voice.drums and len(voice.array)
    ]
    pairs = doubled = 0
    for one, two in combinations(lines, 2):
        shared = one.keys() & two.keys()
        if len(shared) >= _TOGETHER:
            pairs += 1
            doubled += sum((one[at] - two[at]) % 12 == 0 for at in shared) >= _DOUBLED * len(shared)
    return doubled / pairs if pairs else 0.0


def _reprises(score: Score) -> float:
    """The share of passages of four sounding bars that were heard before, note for note."""
    drums = np.array([voice.drums for voice in score.voices], dtype=np.bool_)
    rows = score.table[~drums[score.table["voice"]]]
    bars: dict[int, set[tuple[int, ...]]] = {}
    for bar, *note in rows[["bar", "voice", "position", "pitch"]].tolist():
        bars.setdefault(bar, set()).add(tuple(note))
    heard: set[tuple[frozenset[tuple[int, ...]], ...]] = set()
    again = passages = 0
    for first in sorted(bars):
        if all(first + step in bars for step in range(_REPRISE)):
            passage = tuple(frozenset(bars[first + step]) for step in range(_REPRISE))
            passages += 1
            again += passage in heard
            heard.add(passage)
    return again / passages if passages else 0.0


def measure_candidates(
    music: str, limit: int | None = None, jobs: int = 0, step: Callable[[int, int], None] = lambda done, total: None
) -> list[dict[str, float]]:
    """The candidates of every song of a folder, or of a cloud whose songs are still there; unreadable ones left out."""
    folder = Path(music) if Path(music).is_dir() else load_source(music) if music in cloud_names() else None
    if folder is None:
        raise LibrettoError(f"{music[:_SHOWN]!r} is neither a folder of songs nor a cloud that was built from one")
    there = find_songs(folder)
    paths = [str(Path(there.folder) / song.path) for song in there.songs][:limit]
    pieces = []
    with ProcessPoolExecutor(jobs or None) as pool:
        for done, piece in enumerate(pool.map(_candidates_in, paths, chunksize=4), start=1):
            pieces += [piece] if piece is not None else []
            step(done, len(paths))
    return pieces


def _candidates_in(path: str) -> dict[str, float] | None:
    try:
        score = read(path)
        return candidates_of(score) if len(score.table) else None
    except LibrettoError:
        return None


def choose(pieces: Sequence[Mapping[str, float]], bound: float = BOUND) -> Choice:
    """Which candidates pass by spread and by redundancy on some music."""
    if len(pieces) < _LEAST_SONGS:
        raise LibrettoError(f"{len(pieces)} songs are too few to choose axes by; {_LEAST_SONGS} are needed")
    names = list(pieces[0])
    values = np.array([[piece[name] for name in names] for piece in pieces])
    modal = {name: _modal(values[:, index]) for index, name in enumerate(names)}
    flat = {name: share for name, share in modal.items() if share > _MODAL}
    left = [name for name in names if name not in flat]
    agreement = np.corrcoef(values[:, [names.index(name) for name in left]].T) if len(left) > 1 else np.eye(len(left))
    redundant = _redundant(left, agreement, bound)
    kept = tuple(name for name in left if name not in redundant)
    return Choice(len(pieces), kept, flat, redundant)


def _redundant(left: Sequence[str], agreement: Floats, bound: float) -> dict[str, tuple[str, float]]:
    """The axes that go, in order, each with the one that is left and agrees most with it."""
    redundant: dict[str, tuple[str, float]] = {}
    while True:
        at = [index for index, name in enumerate(left) if name not in redundant]
        close = np.abs(agreement[np.ix_(at, at)]) * (1 - np.eye(len(at)))
        partners = close >= bound
        if not partners.any():
            return redundant
        mean = np.where(partners, close, 0).sum(axis=1) / np.maximum(partners.sum(axis=1), 1)
        worst = max(range(len(at)), key=lambda i: (int(partners[i].sum()), float(mean[i]), -i))
        nearest = int(close[worst].argmax())
        redundant[left[at[worst]]] = (left[at[nearest]], float(agreement[at[worst], at[nearest]]))


def _modal(column: Floats) -> float:
    """The share of songs in the fullest of twelve bins; 1 where nearly all of yes and no are the same."""
    if column.max() == column.min():
        return 1.0
    if set(np.unique(column)) <= {0.0, 1.0}:
        rare = min(float(column.mean()), 1 - float(column.mean()))
        return 1.0 if rare < _NEARLY else 1 - rare
    return float(np.histogram(column, bins=_BINS)[0].max() / len(column))


def choice_lines(choice: Choice) -> list[str]:
    """The choice for a terminal, beside the published one."""
    published = {axis.name for axis in published_axes()}
    total = len(choice.kept) + len(choice.flat) + len(choice.redundant)
    lines = [f"{len(choice.kept)} of {total} candidates are kept on {choice.songs} songs; published: 29 of 35"]
    lines += [f"  {name:<26} no spread: {share:.0%} in one bin" for name, share in choice.flat.items()]
    lines += [f"  {name:<26} redundant with {other} (r {r:+.2f})" for name, (other, r) in choice.redundant.items()]
    lost, won = sorted(published - set(choice.kept)), sorted(set(choice.kept) - published)
    lines.append(f"published, and not kept here: {', '.join(lost) or 'none'}")
    return [*lines, f"kept here, and not published: {', '.join(won) or 'none'}"]
