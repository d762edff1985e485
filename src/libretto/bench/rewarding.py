"""Whether the reward can be had without music: attacks held against real pieces, pair by pair.

Conventions: artists are parted in two halves by their names' hashes, and a song that several play by that of the first
of them. Attacks are made in the frame of pieces of one half, all of whose songs are remembered; real music is of the
other half, of which nothing is. A pair is an attack and a real piece; it comes out right where the real piece is worth
strictly more. No piece is chosen by what it is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from libretto.bench.attacks import attacks
from libretto.bench.spotting import number_of
from libretto.bench.tunes.scores import COLLECTIONS, tunes_of
from libretto.corpus.forces import SIZES, excerpt
from libretto.corpus.identity import group_of, normal_title
from libretto.corpus.labels import find_songs
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.reward import Memory, RewardPool, Terms
from libretto.reward.memory import KEPT
from libretto.score import Score, played
from libretto.score.table import Floats

__all__ = ["AttackRow", "Rewarding", "bench_reward", "rewarding_dict", "rewarding_lines", "rewarding_passed"]

_MARK = 0.99  # of the pairs
_LENGTHS = ("short", "middle")  # of what is cut out of a song
_FEWEST = 8  # bars of a tune
_SHOWN = 4  # examples that a composer was shown
_FRAMES = 60  # pieces that attacks are made of, at most
_QUANTILES = (0.01, 0.5, 0.99)


@dataclass(frozen=True)
class AttackRow:
    """One attack: how many pieces, the share of pairs in which real music is worth more, what it is worth at most."""

    name: str
    pieces: int
    right: float
    middle: float
    most: float


@dataclass(frozen=True)
class Rewarding:
    """The whole suite: real pieces and what they are worth (1, 50, 99 of 100), and every attack."""

    real: int
    worth: tuple[float, float, float]
    rows: tuple[AttackRow, ...]
    depth: str

    @property
    def right(self) -> float:
        """The share of all pairs, every attack counting alike."""
        return float(np.mean([row.right for row in self.rows])) if self.rows else 0.0


@dataclass(frozen=True)
class _Piece:
    score: Score
    remembered: bool


def _songs(folder: Path, limit: int | None, sizes: Sequence[str]) -> Iterator[tuple[bool, Score, list[Score]]]:
    """For each song whether it is remembered, itself, and pieces cut out of it.

    A song that others play, too, belongs to the half of whoever of them comes first by name.
    """
    every = find_songs(folder).songs
    players: dict[str, str] = {}
    for song in every:
        title, group = normal_title(song.title), group_of(song.artist, song.title)
        players[title] = min(group, players.get(title, group))
    for song in sorted(every, key=lambda song: number_of(Path(song.path).name))[:limit]:
        try:
            score = played(read(str(folder / song.path)))
        except LibrettoError:
            continue
        title = normal_title(song.title)
        half = number_of(players[title] if title else group_of(song.artist, song.title)) % 2 == 0
        dice = Random(score.digest)
        cuts = [excerpt(score, dice.choice(sizes), length, 0) for length in _LENGTHS]
        yield half, score, [cut for cut in cuts if cut is not None and len(cut.table)]


def _tunes(folder: Path, limit: int | None, sizes: Sequence[str]) -> Iterator[tuple[bool, Score, list[Score]]]:
    for collection in COLLECTIONS:
        if (folder / f"{collection}.jsonl.gz").is_file():
            every = sorted(tunes_of(folder, collection), key=lambda tune: number_of(tune[0] + tune[1].digest))
            for group, score in every[:limit]:
                tune = played(score)
                yield number_of(group) % 2 == 0, tune, [tune] if tune.bars >= _FEWEST else []


def bench_reward(
    music: Sequence[str],
    limit: int | None = None,
    *,
    jobs: int = 0,
    depth: str = "quick",
    sizes: Sequence[str] = SIZES,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Rewarding:
    """Attacks against real music of some folders: songs with a table of labels, or collections of tunes.

    ``sizes`` says for how many players songs are cut: ``band`` alone takes all their parts.
    """
    pieces: list[_Piece] = []
    known: list[Score] = []
    for folder in map(Path, music):
        tunes = any(folder.glob("*.jsonl.gz"))
        for half, whole, cuts in (_tunes if tunes else _songs)(folder, limit, sizes):
            known += [whole] if half else []
            pieces += [_Piece(cut, half) for cut in cuts]
    real = [piece.score for piece in pieces if not piece.remembered]
    frames = [piece.score for piece in pieces if piece.remembered]
    if not real or not frames:
        raise LibrettoError("too little music: name a folder with songs of several artists, or of tunes")
    frames = Random(len(frames)).sample(frames, min(_FRAMES, len(frames)))
    shown = frames[:_SHOWN]
    terms = Terms(memory=Memory.of(known, KEPT), shown=Memory.of(shown), depth=depth)
    with RewardPool(terms, jobs) as pool:
        worth = np.array([reward.value for reward in pool(real)])
        rows = []
        for number, name in enumerate(attacks, 1):
            progress(number, len(attacks))
            chance = np.random.default_rng(number_of(name))
            made = [attacks[name](frame, shown, chance) for frame in frames]
            values = np.array([reward.value for reward in pool([one for one in made if one is not None])])
            if len(values):
                rows.append(_row(name, values, worth))
    low, middle, high = np.quantile(worth, _QUANTILES).tolist()
    return Rewarding(len(real), (low, middle, high), tuple(rows), depth)


def _row(name: str, values: Floats, worth: Floats) -> AttackRow:
    right = float(np.mean(worth[:, None] > values[None, :]))
    return AttackRow(name, len(values), right, float(np.median(values)), float(values.max()))


def rewarding_lines(result: Rewarding) -> list[str]:
    """The result as a table."""
    low, middle, high = result.worth
    lines = [
        f"{result.real} real pieces ({result.depth}): {low:.3f} (1 of 100), {middle:.3f} (the middle), {high:.3f} (99)",
        f"{'attack':28s} {'pieces':>6s} {'below real, of 100 pairs':>25s} {'middle':>8s} {'most':>8s}",
    ]
    for row in sorted(result.rows, key=lambda row: (row.right, row.name)):
        lines.append(f"{row.name:28s} {row.pieces:6d} {100 * row.right:25.2f} {row.middle:8.3f} {row.most:8.3f}")
    least = min(result.rows, key=lambda row: row.right)
    lines.append(f"all attacks alike: {100 * result.right:.2f} of 100 pairs (99 are asked for); least {least.name}")
    return lines


def rewarding_dict(result: Rewarding) -> dict[str, Any]:
    """The result as plain data."""
    rows = [row.__dict__ for row in result.rows]
    return {
        "real": result.real,
        "worth": list(result.worth),
        "depth": result.depth,
        "right": result.right,
        "attacks": rows,
    }


def rewarding_passed(result: Rewarding) -> bool:
    """Whether attacks come out below real music in at least 99 of 100 pairs."""
    return result.right >= _MARK
