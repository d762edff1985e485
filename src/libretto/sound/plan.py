"""Who plays when on which channel: notes as a keyboard can play them, in passes that the synthesiser can bear.

A synthesiser has fifteen pitched channels and plays a limited number of samples at once. A piece that needs more is
rendered in several passes whose sounds are added; every voice has a channel to itself, except that kits share theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.score.arrays import Ints
from libretto.sound.perform import Performance
from libretto.sound.synth import BLOCKS_A_SECOND, DRUM_CHANNEL, MAX_SAMPLES_AT_ONCE

__all__ = ["KEYED", "Strip", "keyed", "passes"]

KEYED = np.dtype([("start", "<i8"), ("stop", "<i8"), ("pitch", "<i2"), ("velocity", "<i2")])
_PITCHED = [channel for channel in range(16) if channel != DRUM_CHANNEL]
_AT_ONCE = 3 * MAX_SAMPLES_AT_ONCE // 4  # the rest is for notes that ring after their release
_BIN = BLOCKS_A_SECOND // 20  # blocks in which it is counted what sounds at once
_SHORTEST_STROKE_SECONDS = 0.25


class Strip(NamedTuple):
    """Some notes of one voice on one channel, as ``KEYED`` rows: starts and stops in blocks."""

    voice: int
    channel: int
    notes: NDArray[Any]


@dataclass
class _Pass:
    load: Ints
    strips: list[Strip] = field(default_factory=list)
    kit: int | None = None

    def take(self, voice: int, notes: NDArray[Any], load: Ints, kit: int | None) -> bool:
        """Play these notes of a voice too, if there is a channel and room for them."""
        channel = self._channel_for(kit)
        if channel is None or (self.strips and int((self.load + load).max()) > _AT_ONCE):
            return False
        self.load += load
        self.kit = kit if kit is not None else self.kit
        self.strips.append(Strip(voice, channel, notes))
        return True

    def _channel_for(self, kit: int | None) -> int | None:
        """A channel for one more voice, if there is one; a new pass has every channel free."""
        if kit is not None:
            return DRUM_CHANNEL if self.kit in (None, kit) else None
        taken = {strip.channel for strip in self.strips}
        return next((channel for channel in _PITCHED if channel not in taken), None)


def keyed(notes: NDArray[Any], drums: bool = False) -> NDArray[Any]:
    """The notes of a voice in blocks, such that no key is struck while it is held: what overlaps is cut.

    A key that is struck while it is held sounds anew and until the last of its notes ends. Notes of one key that start
    together become one, the loudest and longest. Strokes on drums are held for a while, because some kits stop their
    samples when a key is let go.
    """
    if not len(notes):
        return np.empty(0, KEYED)
    held = np.maximum(notes["stop"], notes["start"] + _SHORTEST_STROKE_SECONDS) if drums else notes["stop"]
    rows = np.empty(len(notes), KEYED)
    rows["start"] = np.rint(notes["start"] * BLOCKS_A_SECOND)
    rows["stop"] = np.maximum(np.rint(held * BLOCKS_A_SECOND), rows["start"] + 1)
    rows["pitch"], rows["velocity"] = notes["pitch"], notes["velocity"]
    rows = rows[np.lexsort((-rows["velocity"], rows["start"], rows["pitch"]))]
    # A key's notes stand together; shifting each key beyond the one before lets one running maximum serve all.
    shift = rows["pitch"].astype(np.int64) * (int(rows["stop"].max(initial=0)) + 1)
    stop = np.maximum.accumulate(rows["stop"] + shift) - shift
    leads = np.ones(len(rows), dtype=np.bool_)
    leads[1:] = (np.diff(rows["pitch"]) != 0) | (np.diff(rows["start"]) != 0)
    first = np.flatnonzero(leads)
    last = np.append(first[1:], len(rows)) - 1
    chosen, ends = rows[first], stop[last]
    again = chosen["pitch"][1:] == chosen["pitch"][:-1]
    ends[:-1] = np.where(again, np.minimum(ends[:-1], chosen["start"][1:]), ends[:-1])
    chosen["stop"] = ends
    return chosen


def passes(performance: Performance, layers: Sequence[Ints], kits: Sequence[int | None]) -> list[list[Strip]]:
    """The strips of each pass; for each voice ``layers`` says how many samples a key takes, ``kits`` its kit."""
    bins = int((performance.seconds + 1) * BLOCKS_A_SECOND) // _BIN + 2
    made: list[_Pass] = []
    for index, voice in enumerate(performance.voices):
        notes = keyed(performance.notes[performance.notes["voice"] == index], voice.drums)
        if not len(notes):
            continue
        parts = -(-int(_load(notes, layers[index], bins).max()) // _AT_ONCE)
        for part in range(max(1, parts)):
            some = notes[part :: max(1, parts)]
            _place(made, index, some, _load(some, layers[index], bins), kits[index])
    return [one.strips for one in made]


def _load(notes: NDArray[Any], layers: Ints, bins: int) -> Ints:
    """How many samples sound in each short stretch of time."""
    cost = np.maximum(1, layers[notes["pitch"]])
    change = np.zeros(bins + 1, dtype=np.int64)
    np.add.at(change, notes["start"] // _BIN, cost)
    np.add.at(change, np.minimum(notes["stop"] // _BIN + 1, bins), -cost)
    return np.cumsum(change[:-1])


def _place(made: list[_Pass], voice: int, notes: NDArray[Any], load: Ints, kit: int | None) -> None:
    """Put notes into the first pass that has a channel and room for them, or into a new one."""
    if not any(one.take(voice, notes, load, kit) for one in made):
        made.append(_Pass(np.zeros(len(load), dtype=np.int64)))
        made[-1].take(voice, notes, load, kit)
