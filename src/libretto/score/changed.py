"""Which notes differ between two pieces, by their places in the note tables; and in a line, what stayed.

Bars that were put in, taken out or moved are traced: a bar that plays the same as before counts as the same bar,
wherever it stands now. Voices are matched as ``diff`` does: by name, or by what they play.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np

from libretto.score.diff import match_voices
from libretto.score.model import Score
from libretto.score.table import Ints

__all__ = ["Stayed", "changed_notes", "stayed"]

_MOST_TRACED = 3_000  # bars of either piece; longer ones are compared bar by bar
_COLUMNS = ("position", "duration", "pitch", "velocity")
_DIGITS = 12  # of a digest: enough to tell two apart
_NEW = "\n"  # before the name of a voice that had no counterpart: no voice is called so
_FEW = 6  # voices or stretches of bars that a line names

Row = tuple[str, int, int, int, int]
Bars = list[list[tuple[Row, int]]]  # for every bar its notes, each with its place in the table


def changed_notes(before: Score, after: Score) -> tuple[list[int], list[int]]:
    """The notes of either piece that the other does not have, each by its place in ``score.table``.

    >>> piece = Score.build([], bars=2)
    >>> changed_notes(piece, piece)
    ([], [])
    """
    if before is after:
        return [], []
    pairs = match_voices(before, after)[0]
    called = {new: before.voices[old].name for old, new in pairs}
    one = _bars(before, [voice.name for voice in before.voices])
    other = _bars(after, [called.get(index, f"{_NEW}{voice.name}") for index, voice in enumerate(after.voices)])
    gone: list[int] = []
    new: list[int] = []
    for mine, theirs in _matched(one, other):
        left, right = Counter(row for row, _ in mine), Counter(row for row, _ in theirs)
        gone += _beyond(mine, right)
        new += _beyond(theirs, left)
    return sorted(gone), sorted(new)


def _bars(score: Score, names: Sequence[str]) -> Bars:
    bars: Bars = [[] for _ in range(score.bars)]
    table = score.table
    columns = (table[name].tolist() for name in ("bar", "voice", *_COLUMNS))
    for place, (bar, voice, *row) in enumerate(zip(*columns, strict=True)):
        bars[bar].append(((names[voice], *row), place))
    return bars


def _matched(one: Bars, other: Bars) -> Iterator[tuple[list[tuple[Row, int]], list[tuple[Row, int]]]]:
    """Bars of two pieces that stand for each other; what has no counterpart is matched with nothing."""
    if max(len(one), len(other)) > _MOST_TRACED or len(one) == len(other):
        for index in range(max(len(one), len(other))):
            yield (one[index] if index < len(one) else [], other[index] if index < len(other) else [])
        return
    mine, theirs = ([hash(tuple(sorted(row for row, _ in bar))) for bar in bars] for bars in (one, other))
    for kind, a, a_end, b, b_end in SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        for index in range(max(a_end - a, b_end - b)):
            yield (one[a + index] if a + index < a_end else [], other[b + index] if b + index < b_end else [])


def _beyond(notes: Sequence[tuple[Row, int]], known: Counter[Row]) -> list[int]:
    """The notes that are not among the known ones, each of which counts once."""
    left, beyond = Counter(known), []
    for row, place in notes:
        if left[row] > 0:
            left[row] -= 1
        else:
            beyond.append(place)
    return beyond


@dataclass(frozen=True)
class Stayed:
    """What stayed of a piece that was changed: notes of so many, and the voices and bars that differ.

    ``digest`` is of the notes that stayed: whoever holds both pieces can work it out again.
    """

    notes: int
    of: int
    voices: tuple[str, ...]
    bars: tuple[int, ...]
    digest: str

    @property
    def line(self) -> str:
        """The same in a line."""
        if not self.voices:
            return f"all {self.of:,} notes stayed (proof {self.digest})" if self.of else "there were no notes"
        where = ", ".join(self.voices[:_FEW]) + (" and others" if len(self.voices) > _FEW else "")
        told = f"{self.notes:,} of {self.of:,} notes stayed"
        return f"{told}; changes in {where}, {_stretches(self.bars)} (proof {self.digest})"


def stayed(before: Score, after: Score) -> Stayed:
    """What stayed of a piece in another version of it: the proof that nothing else was touched."""
    gone, new = changed_notes(before, after)
    kept = np.ones(len(before.table), dtype=np.bool_)
    kept[gone] = False
    rows = before.table[kept]
    names = np.array([voice.name for voice in before.voices], dtype=object)
    told = "\n".join(
        f"{names[voice]} {position} {duration} {pitch} {velocity}"
        for voice, position, duration, pitch, velocity in zip(
            *(rows[name].tolist() for name in ("voice", *_COLUMNS)), strict=True
        )
    )
    digest = hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:_DIGITS]
    sides = ((before, gone), (after, new))
    voices = {score.voices[voice].name for score, places in sides for voice in _of(score, places, "voice")}
    bars = {score.numbers[bar] for score, places in sides for bar in _of(score, places, "bar")}
    in_order = [voice.name for voice in (*before.voices, *after.voices) if voice.name in voices]
    return Stayed(int(kept.sum()), len(before.table), tuple(dict.fromkeys(in_order)), tuple(sorted(bars)), digest)


def _of(score: Score, places: Sequence[int], column: str) -> list[int]:
    chosen: Ints = np.unique(score.table[column][np.asarray(places, dtype=np.int64)])
    values: list[int] = chosen.tolist()
    return values


def _stretches(bars: Sequence[int]) -> str:
    """Bars in words: ``bars 3-5, 9``."""
    runs: list[list[int]] = []
    for bar in bars:
        if runs and bar == runs[-1][-1] + 1:
            runs[-1] = [runs[-1][0], bar]
        else:
            runs.append([bar])
    told = ", ".join("-".join(map(str, run)) for run in runs[:_FEW]) + (" and others" if len(runs) > _FEW else "")
    return f"bar {told}" if len(bars) == 1 else f"bars {told}"
