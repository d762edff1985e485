"""Attacks that take real music: copies, plain or disguised, and scraps of it over and over or in any order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.bench.attacks.frame import Rows, attacks, lines_of, rewritten
from libretto.score import QUARTER, Score, join, take_bars

__all__ = [
    "a_few_bars",
    "bar_again",
    "copy",
    "copy_moved",
    "few_notes",
    "jittered",
    "one_bar",
    "one_line",
    "only_drums",
    "pasted",
    "scrambled",
    "shuffled_pitches",
    "two_bars_again",
]

_FARTHEST = 6  # semitones by which a copy is moved
_CHANGED, _NEAR = 0.1, (-2, -1, 1, 2)  # the share of notes that a jittered copy changes, and by how much
_LATE, _LOUD = QUARTER / 24, 12.0  # how far its notes are thrown, in time and loudness
_RARELY = 0.05  # of the notes are left
_PLAYS = 4  # notes without which a bar is not worth repeating


@attacks.register("a copy")
def copy(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score:
    """A song note by note."""
    return rewritten(score, [voice.array for voice in score.voices])


@attacks.register("a copy in another key")
def copy_moved(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score:
    """A song moved up or down."""
    far = int(chance.choice([n for n in range(-_FARTHEST, _FARTHEST + 1) if n]))
    return rewritten(score, [voice.array if voice.drums else _moved(voice.array, far) for voice in score.voices])


def _moved(rows: Rows, by: int) -> Rows:
    rows = rows.copy()
    rows["pitch"] += by
    return rows


@attacks.register("a copy with jitter")
def jittered(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score:
    """A song moved, with every note a little early or late, louder or softer, and one in ten another."""
    far, made = int(chance.integers(-_FARTHEST, _FARTHEST + 1)), []
    for voice in score.voices:
        rows = voice.array.copy()
        many = len(rows)
        rows["onset"] = np.maximum(rows["onset"] + np.rint(chance.normal(0, _LATE, many)).astype(np.int64), 0)
        rows["velocity"] = np.clip(rows["velocity"] + chance.normal(0, _LOUD, many), 1, 127).astype(np.int16)
        if not voice.drums:
            other = np.where(chance.random(many) < _CHANGED, chance.choice(_NEAR, many), 0)
            rows["pitch"] += (far + other).astype(np.int16)
        made.append(rows)
    return rewritten(score, made)


@attacks.register("pasted examples")
def pasted(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score | None:
    """What a composer was shown, one example after the other until it is long enough."""
    if not shown:
        return None
    able = [one for one in shown if len(one.voices) == len(shown[0].voices)]
    piece = able[int(chance.integers(len(able)))]
    while piece.bars < score.bars:
        piece = join(piece, able[int(chance.integers(len(able)))])
    return take_bars(piece, piece.numbers[0], piece.numbers[score.bars - 1])


def _tiled(score: Score, bars: int, chance: np.random.Generator) -> Score | None:
    """A few bars of the piece over and over."""
    lines = lines_of(score)
    length = np.diff(lines)
    unit = int(np.sort(length)[len(length) // 2])
    counts = np.bincount(score.table["bar"], minlength=score.bars)
    able = [
        bar
        for bar in range(score.bars - bars + 1)
        if (counts[bar : bar + bars] >= _PLAYS).all() and (length[bar : bar + bars] == unit).all()
    ]
    if not able or score.bars < 4 * bars:
        return None
    start = int(chance.choice(able))
    first = int(lines[int(length[0] != unit)])
    made = []
    for voice in score.voices:
        rows = voice.array
        block = rows[(rows["onset"] >= lines[start]) & (rows["onset"] < lines[start] + bars * unit)]
        times = np.arange(first, score.ticks, bars * unit)
        tiled = np.tile(block, len(times))
        tiled["onset"] += np.repeat(times - lines[start], len(block))
        made.append(tiled)
    return rewritten(score, made)


@attacks.register("a bar repeated")
def bar_again(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score | None:
    """One real bar over and over."""
    return _tiled(score, 1, chance)


@attacks.register("two bars repeated")
def two_bars_again(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score | None:
    """Two real bars over and over."""
    return _tiled(score, 2, chance)


@attacks.register("a few bars, then silence")
def a_few_bars(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score | None:
    """Real music for a quarter of the bars, and nothing after."""
    end = lines_of(score)[max(1, score.bars // 4)]
    return rewritten(score, [voice.array[voice.array["onset"] < end] for voice in score.voices])


@attacks.register("a bar and no more")
def one_bar(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score | None:
    """One real bar, well filled, as a whole piece."""
    counts = np.bincount(score.table["bar"], minlength=score.bars)
    number = score.numbers[int(counts.argmax())]
    return take_bars(score, number, number)


@attacks.register("percussion alone")
def only_drums(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score | None:
    """The real percussion, and nobody else."""
    if not any(voice.drums and len(voice.array) for voice in score.voices):
        return None
    return rewritten(score, [voice.array if voice.drums else voice.array[:0] for voice in score.voices])


@attacks.register("a note now and then")
def few_notes(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score:
    """One real note in twenty."""
    return rewritten(score, [voice.array[chance.random(len(voice.array)) < _RARELY] for voice in score.voices])


@attacks.register("real notes in any order")
def shuffled_pitches(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score:
    """The pitches of each voice in any order at its own times."""
    made = []
    for voice in score.voices:
        rows = voice.array.copy()
        if not voice.drums:
            rows["pitch"] = chance.permutation(rows["pitch"])
        made.append(rows)
    return rewritten(score, made)


@attacks.register("real notes at any time")
def scrambled(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score:
    """The notes of each voice at random sixteenths."""
    made, slot = [], QUARTER // 4
    for voice in score.voices:
        rows = voice.array.copy()
        if not voice.drums:
            rows["onset"] = chance.integers(0, max(1, score.ticks // slot), len(rows)) * slot
        made.append(rows)
    return rewritten(score, made)


@attacks.register("one line in every voice")
def one_line(score: Score, shown: Sequence[Score], chance: np.random.Generator) -> Score | None:
    """Every voice plays a quarter of one real line, over and over, in its octave."""
    pitched = [voice for voice in score.voices if not voice.drums and len(voice.array) >= 2 * _PLAYS]
    quarter = lines_of(score)[max(1, score.bars // 4)]
    if not pitched:
        return None
    line = pitched[int(chance.integers(len(pitched)))].array
    block = line[line["onset"] < quarter]
    if len(block) < _PLAYS:
        return None
    times = np.arange(0, score.ticks, int(quarter))
    tiled = np.tile(block, len(times))
    tiled["onset"] += np.repeat(times, len(block))
    middle = float(block["pitch"].mean())
    made = []
    for voice in score.voices:
        far = round((float(voice.array["pitch"].mean()) - middle) / 12) * 12 if len(voice.array) else 0
        made.append(voice.array[:0] if voice.drums else _moved(tiled, far))
    return rewritten(score, made)
