"""The nets that find beats, taught anew: ``python -m lab.beats.teaching FOLDER...``.

Written music is played by made players (``playing``). Three nets learn which place a beat has in a bar of two, three or
four beats, on the true beats; then one learns to tell good paths with good bars from others, by the F-measures that
they have: at the speed of the piece, and at others. Half of the pieces (by a hash of their names) are for teaching;
the others are never looked at. With ``--write`` the nets go into the package of this checkout.

The same folders and numbers give the same bytes. What the package has is older than this form of the command and
does not come out of it: nets taught on 32 pieces of each source found fewer beats, and were not kept.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from lab.beats.learning import Group, joined, learn
from lab.beats.pieces import Piece, pieces_of, seed_of
from lab.beats.playing import is_taught, perform
from lab.beats.scoring import f_measure, within
from libretto.formats import write_bytes
from libretto.formats.midi.beats.bars import BARS
from libretto.formats.midi.beats.evidence import around, evidence, lay
from libretto.formats.midi.beats.judging import LOG_PERIOD, LOG_PERIOD_SQUARED, MISFIT_SECONDS, candidates
from libretto.formats.midi.beats.levels import FASTEST, SLOWEST
from libretto.formats.midi.beats.net import Net
from libretto.formats.midi.beats.playing import played

__all__ = ["at_another_speed", "main", "options_of", "places_of", "teach"]

_NETS = Path(__file__).resolve().parents[2] / "src/libretto/formats/midi/beats/nets.json"
_SECONDS_FOR_BARS, _SECONDS_FOR_PATHS = 90.0, 45.0  # of each piece that are listened to
_LEAST_BEATS = 8
_REGULAR = 0.9  # of the bars of a piece that teaches bars are of one size
_SHARP = 0.04  # F-measures that differ by less are nearly as good
_BARS_COUNT = 0.5  # what the F-measure of bar lines counts beside that of beats
_TAPPED = (0.3, 1.2)  # seconds a beat at which performances are shown again
_NATURAL, _SPEEDS = 3, 1  # how often each is shown as it was played, and at other speeds
_JUDGES = 2  # are taught, and asked together
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
_DIGITS = 4
_CHUNK = 4


def places_of(piece: Piece) -> tuple[int, Group] | None:
    """Beats to a bar, and for each true beat what is seen of it and the place it has; None where bars are irregular."""
    performance = perform(piece, most_seconds=_SECONDS_FOR_BARS)
    lines = np.searchsorted(performance.beats, performance.downbeats - 1e-6)
    sizes = np.diff(lines)
    count = len(performance.beats)
    if count < _LEAST_BEATS or not len(sizes):
        return None
    size = int(np.bincount(sizes).argmax())
    if size not in BARS or float((sizes == size).mean()) < _REGULAR:
        return None
    beats = np.arange(count)
    line = np.searchsorted(lines, beats, side="right") - 1
    places = (beats - lines[np.maximum(line, 0)]) % size
    notes = played(performance.source)
    return size, (around(evidence(notes, lay(notes, performance.beats))), np.eye(size)[places])


def options_of(piece: Piece, nets: Mapping[int, Net]) -> Group | None:
    """What describes each path with bars that was found, and how much it is to be preferred."""
    performance = perform(piece, most_seconds=_SECONDS_FOR_PATHS)
    notes = played(performance.source)
    options = candidates(notes, nets) if len(performance.beats) >= _LEAST_BEATS else []
    if not options:
        return None
    worth = []
    for option in options:
        beats, lines = option.times, option.times[option.bars.places == 0]
        ends = notes.times[0], notes.times[-1]
        bars = f_measure(performance.downbeats, within(lines, *ends))
        worth.append(f_measure(performance.beats, within(beats, *ends)) + _BARS_COUNT * bars)
    wanted = np.exp((np.array(worth) - max(worth)) / _SHARP)
    return np.stack([option.features for option in options]), (wanted / wanted.sum())[:, None]


def at_another_speed(group: Group, dice: np.random.Generator) -> Group:
    """What the same performance would show at another speed: only numbers that hold time in seconds are different."""
    seen, wanted = group
    best = int(wanted[:, 0].argmax())
    faster = dice.uniform(*np.log2(_TAPPED)) - seen[best, LOG_PERIOD]
    other = seen.copy()
    other[:, LOG_PERIOD] += faster
    other[:, LOG_PERIOD_SQUARED] = other[:, LOG_PERIOD] ** 2
    other[:, MISFIT_SECONDS] *= 2.0**faster
    keep = (other[:, LOG_PERIOD] >= np.log2(FASTEST)) & (other[:, LOG_PERIOD] <= np.log2(SLOWEST))
    keep[best] = True
    return other[keep], wanted[keep] / wanted[keep].sum()


def teach(pieces: Sequence[Piece], jobs: int = 1) -> dict[str, Net]:
    """The four nets, taught on the pieces; whatever else the machine does, the numbers are the same.

    Sums are made in one order only where one thread makes them, and a process has to know that before it begins.
    """
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    mine = sorted(pieces, key=lambda piece: seed_of(f"o{piece.name}"))
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        seen = [one for one in pool.map(places_of, mine, chunksize=_CHUNK) if one is not None]
        nets = {
            size: pool.submit(
                learn,
                [group for beats, group in seen if beats == size],
                hidden=32,
                ranks=False,
                rounds=25 if size == max(BARS) else 50,
                decay=1.5e-3,
            ).result()
            for size in BARS
        }
        options = pool.map(partial(options_of, nets=nets), mine, chunksize=_CHUNK)
        groups = [group for group in options if group is not None]
        judge = pool.submit(_judge, groups).result()
    return {**{f"bar{size}": net for size, net in nets.items()}, "judge": judge}


def _judge(groups: list[Group]) -> Net:
    """The net that chooses among paths, taught on each performance as it was and at other speeds."""
    dice = np.random.default_rng(0)
    others = [at_another_speed(group, dice) for group in groups for _ in range(_SPEEDS)]
    shown = groups * _NATURAL + others
    return joined([learn(shown, hidden=24, ranks=True, rounds=10, decay=1e-2, seed=seed) for seed in range(_JUDGES)])


def main(arguments: Sequence[str]) -> None:
    """Teach the nets and, with ``--write``, keep them."""
    parser = argparse.ArgumentParser(prog="lab.beats.teaching", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--most", type=int, default=10**9, help="so many pieces of each folder")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(arguments)
    pieces: list[Piece] = []
    for folder in given.folders:
        pieces += pieces_of(folder, is_taught, given.most)
    pieces = list({piece.name.rpartition("/")[2]: piece for piece in reversed(pieces)}.values())[::-1]  # songs once
    nets = teach(pieces, given.jobs)
    print(f"taught on {len(pieces)} pieces")
    if given.write:
        rows = {
            name: {key: np.round(value, _DIGITS).tolist() for key, value in net._asdict().items()}
            for name, net in nets.items()
        }
        write_bytes(json.dumps(rows, separators=(",", ":")).encode(), _NETS, force=True)


if __name__ == "__main__":
    main(sys.argv[1:])
