"""Citing: whether a piece takes the tune or the bass of something that its composer was shown.

Conventions: of an excerpt two lines can be cited, its tune (the top notes of its highest line) and its bass (the lowest
notes of its lowest voice); of the piece every voice is looked at, its top notes and its lowest. A line is a row of
steps: by how much the pitch moves, and how long after the note before. So a passage is the same in any key and any
octave. Percussion, chords and rhythms alone are never cited.

A passage weighs as much as it tells, in bits: a step that is rare in music tells much, one that only goes on (the next
note of a scale run, a repeated note) less, and what the excerpt has played before (an ostinato, an Alberti bass)
nothing. A passage may go on over a changed note, which costs what a few notes tell. How much is too much is twice a
high quantile of what real songs of different artists have in common, for tunes and for basses; ``citing.json`` holds
it, with how rare steps are.

Left out: tunes in other note values (twice as slow), and tunes that are hidden in ornaments.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pkgutil import get_data
from typing import Any, NamedTuple

import numpy as np

from libretto.score import QUARTER, Score, Voice
from libretto.score.table import Floats, Ints, distinct

__all__ = ["STEPS", "Cited", "Line", "Rarity", "all_cited", "lines_of", "load_rarity", "most_cited", "step_kinds"]

#: The kinds of steps, by semitones up or down, that are counted apart; the last is any wider one.
STEPS = (0, 1, 2, 3, 4, 5, 7, 12)
_GRID = QUARTER // 12  # steps in time are compared on twelfths of a quarter
_CHANGED = 6.0  # bits that a changed step costs: a changed note changes two, and is made up for in a few notes
_LONGEST = 20_000  # notes of a line that are looked at
_CONTEXT = 2  # steps before one that make it the same as an earlier one
_OF_CHORDS = (0, 5, 7, 12)  # semitones from root to root, and from root to fifth
_SLOW = 24  # twelfths of a quarter: half a bar, mostly, and as fast as chords change
_LINEAR = 1.2  # notes an onset, at most, in a voice that may have the tune
_LEAST = 4  # notes of a line


class Line(NamedTuple):
    """A row of notes, one at a time: the voice, where it lies, when and how high each note is, in which bar."""

    voice: str
    onset: Ints
    pitch: Ints
    bar: Ints

    @property
    def steps(self) -> tuple[Ints, Ints]:
        """By how much the pitch moves from note to note, and after how many twelfths of a quarter."""
        return np.diff(self.pitch), np.rint(np.diff(self.onset) / _GRID).astype(np.int64)


@dataclass(frozen=True)
class Rarity:
    """How rare steps are in music: how many bits each kind tells, and from how many on a passage is cited.

    ``going_on`` are the bits of a step that is the same as the one before; ``moving`` those of each kind of other steps
    in pitch, in the order of ``STEPS`` and then the wider ones; ``keeping`` and ``turning`` those of a step in time
    that is the same as the one before, and of another. ``tune`` and ``bass`` are the least bits that are too much of
    each, ``pairs`` on how many pairs of real songs that rests.
    """

    going_on: float
    moving: tuple[float, ...]
    keeping: float
    turning: float
    tune: float = 0.0
    bass: float = 0.0
    pairs: int = 0

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Rarity:
        """The rarity from plain data."""
        return cls(**{**data, "moving": tuple(data["moving"])})

    def bits(self, line: Line, bass: bool = False) -> Floats:
        """How much each step of a line tells: nothing where it repeats what the line has played.

        The steps of a bass by fourths, fifths and octaves, its repeated notes, and those that wait for half a bar are
        those of the chords: they tell no more than a change of their rhythm.
        """
        pitch, time = line.steps
        same = np.zeros(len(pitch), dtype=np.bool_)
        same[1:] = (np.diff(pitch) == 0) & (np.diff(time) == 0)
        kept = np.zeros(len(pitch), dtype=np.bool_)
        kept[1:] = np.diff(time) == 0
        other = np.array(self.moving)[step_kinds(pitch)] + np.where(kept, self.keeping, self.turning)
        bits = np.where(same, self.going_on, other)
        if bass:
            chords = np.isin(np.abs(pitch), _OF_CHORDS) | (time >= _SLOW)
            bits = np.where(chords, np.where(kept, 0.0, self.turning), bits)
        known: set[tuple[int, ...]] = set()
        for at in range(len(bits)):
            start = max(0, at - _CONTEXT)
            what = (*pitch[start : at + 1].tolist(), *time[start : at + 1].tolist())
            if what in known:
                bits[at] = 0.0
            known.add(what)
        return np.asarray(bits)


def step_kinds(pitch: Ints) -> Ints:
    """The kind of each step in pitch."""
    return np.asarray(np.searchsorted(np.array(STEPS), np.abs(pitch)))


@cache
def load_rarity() -> Rarity:
    """How rare steps are, as it was measured on real songs."""
    text = (get_data("libretto.gates", "citing.json") or b"").decode()
    return Rarity.from_dict(json.loads(text))


@dataclass(frozen=True)
class Cited:
    """The passage of something shown that is found in a piece: its name, what it is, and both places.

    ``what`` is "tune" or "bass". ``notes`` of the passage are the same, moved by ``transposition`` semitones. ``bits``
    is how much it tells, ``ceiling`` from where on that is citing.
    """

    name: str
    what: str
    voice: str
    bars: tuple[tuple[int, int], ...]
    shown_voice: str
    shown_bars: tuple[tuple[int, int], ...]
    notes: int
    transposition: int
    bits: float
    ceiling: float


def lines_of(score: Score) -> list[Line]:
    """The top notes of every pitched voice, and the lowest of those that play chords."""
    lines = []
    for voice in score.voices:
        if voice.drums or not len(voice.sounds):
            continue
        lines.append(_line(score, voice, top=True))
        if len(lines[-1].onset) < len(voice.sounds):
            lines.append(_line(score, voice, top=False))
    return [line for line in lines if len(line.onset) >= _LEAST]


def _line(score: Score, voice: Voice, top: bool) -> Line:
    onset, pitch = (voice.sounds[name].astype(np.int64)[:_LONGEST] for name in ("onset", "pitch"))
    order = np.lexsort((-pitch if top else pitch, onset))
    onset, pitch = onset[order], pitch[order]
    first = np.concatenate(([True], np.diff(onset) > 0))
    bar = np.searchsorted(np.asarray(score.bar_lines), onset[first], side="right") - 1
    return Line(voice.name, onset[first], pitch[first], bar + score.first_bar)


def _tune_and_bass(score: Score) -> list[tuple[str, Line]]:
    """The two lines of an excerpt that can be cited."""
    voices = [voice for voice in score.voices if not voice.drums and len(voice.sounds) >= _LEAST]
    if not voices:
        return []
    height = {id(voice): float(voice.sounds["pitch"].mean()) for voice in voices}
    linear = [v for v in voices if len(v.sounds) <= _LINEAR * len(distinct(v.sounds["onset"]))]
    low = min(voices, key=lambda voice: height[id(voice)])
    high = max([voice for voice in linear if voice is not low] or voices, key=lambda voice: height[id(voice)])
    lines = [("tune", _line(score, high, top=True))]
    if low is not high or len(lines[0][1].onset) < len(low.sounds):
        lines.append(("bass", _line(score, low, top=False)))
    return [(what, line) for what, line in lines if len(line.onset) >= _LEAST]


def most_cited(score: Score, shown: Sequence[tuple[str, Score]]) -> Cited | None:
    """Of all that was shown to a composer the passage of which most is found in the piece."""
    return max(all_cited(score, shown, load_rarity()), key=lambda cited: cited.bits / cited.ceiling, default=None)


def all_cited(score: Score, shown: Sequence[tuple[str, Score]], rarity: Rarity) -> list[Cited]:
    """Of every tune and every bass that was shown the passage of which most is found in the piece."""
    lines = lines_of(score) if shown else []
    return [
        max((_shared(name, what, theirs, ours, rarity) for ours in lines), key=lambda cited: cited.bits)
        for name, excerpt in shown
        for what, theirs in _tune_and_bass(excerpt)
        if lines
    ]


def _shared(name: str, what: str, theirs: Line, ours: Line, rarity: Rarity) -> Cited:
    """The passage of a shown line that tells most of those found in a line of the piece."""
    bits, (rise, wait), (pitch, time) = rarity.bits(theirs, what == "bass"), theirs.steps, ours.steps
    row, began = np.zeros(len(pitch)), np.zeros(len(pitch), dtype=np.int64)
    best = (0.0, 0, 0, 0)
    for at in range(len(rise)):
        before = np.concatenate(([0.0], row[:-1]))
        same = (pitch == rise[at]) & (time == wait[at])
        row = np.maximum(before + np.where(same, bits[at], -_CHANGED), 0.0)
        began = np.where(before > 0, np.concatenate(([0], began[:-1])), at)
        top = int(row.argmax())
        if row[top] > best[0]:
            best = (float(row[top]), int(began[top]), at, top)
    weight, first, last, end = best
    start = end - (last - first)
    mine, shown = slice(start, end + 2), slice(first, last + 2)
    moves = ours.pitch[mine] - theirs.pitch[shown]
    usual = int(np.bincount(moves - moves.min()).argmax() + moves.min())
    return Cited(
        name,
        what,
        ours.voice,
        ((int(ours.bar[mine][0]), int(ours.bar[mine][-1])),),
        theirs.voice,
        ((int(theirs.bar[shown][0]), int(theirs.bar[shown][-1])),),
        int(np.count_nonzero(moves == usual)),
        usual,
        weight,
        rarity.tune if what == "tune" else rarity.bass,
    )
