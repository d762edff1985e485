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

from libretto.sound.perform import Performance
from libretto.sound.synth import BLOCK, DRUM_CHANNEL, MAX_SAMPLES_AT_ONCE, RATE

__all__ = ["KEYED", "Strip", "keyed", "passes"]

KEYED = np.dtype([("start", "<i8"), ("stop", "<i8"), ("pitch", "<i2"), ("velocity", "<i2")])
_PITCHED = [channel for channel in range(16) if channel != DRUM_CHANNEL]
_AT_ONCE = 3 * MAX_SAMPLES_AT_ONCE // 4  # the rest is for notes that ring after their release
_BLOCKS_A_SECOND = RATE // BLOCK
_BIN = _BLOCKS_A_SECOND // 20
_SHORTEST_STROKE_SECONDS = 0.25


class Strip(NamedTuple):
    """Some notes of one voice on one channel, as ``KEYED`` rows: starts and stops in blocks."""

    voice: int
    channel: int
    notes: NDArray[Any]


@dataclass
class _Pass:
    load: NDArray[np.int64]
    strips: list[Strip] = field(default_factory=list)
    kit: int | None = None

    def channel_for(self, kit: int | None) -> int | None:
        """A channel for one more voice, if there is one."""
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
    found = np.empty(len(notes), KEYED)
    found["start"] = np.rint(notes["start"] * _BLOCKS_A_SECOND)
    found["stop"] = np.maximum(np.rint(held * _BLOCKS_A_SECOND), found["start"] + 1)
    found["pitch"], found["velocity"] = notes["pitch"], notes["velocity"]
    found = found[np.lexsort((-found["velocity"], found["start"], found["pitch"]))]
    # A key's notes stand together; shifting each key beyond the one before lets one running maximum serve all.
    shift = found["pitch"].astype(np.int64) * (int(found["stop"].max(initial=0)) + 1)
    stop = np.maximum.accumulate(found["stop"] + shift) - shift
    leads = np.ones(len(found), dtype=np.bool_)
    leads[1:] = (np.diff(found["pitch"]) != 0) | (np.diff(found["start"]) != 0)
    first = np.flatnonzero(leads)
    last = np.append(first[1:], len(found)) - 1
    chosen, ends = found[first], stop[last]
    again = chosen["pitch"][1:] == chosen["pitch"][:-1]
    ends[:-1] = np.where(again, np.minimum(ends[:-1], chosen["start"][1:]), ends[:-1])
    chosen["stop"] = ends
    return chosen


def passes(
    performance: Performance, layers: Sequence[NDArray[np.int64]], kits: Sequence[int | None]
) -> list[list[Strip]]:
    """The strips of each pass; for each voice ``layers`` says how many samples a key takes, ``kits`` its kit."""
    bins = int((performance.seconds + 1) * _BLOCKS_A_SECOND) // _BIN + 2
    found: list[_Pass] = []
    for index, voice in enumerate(performance.voices):
        notes = keyed(performance.notes[performance.notes["voice"] == index], voice.drums)
        if not len(notes):
            continue
        parts = -(-int(_load(notes, layers[index], bins).max()) // _AT_ONCE)
        for part in range(max(1, parts)):
            some = notes[part :: max(1, parts)]
            _place(found, index, some, _load(some, layers[index], bins), kits[index])
    return [each.strips for each in found]


def _load(notes: NDArray[Any], layers: NDArray[np.int64], bins: int) -> NDArray[np.int64]:
    """How many samples sound in each short stretch of time."""
    cost = np.maximum(1, layers[notes["pitch"]])
    change = np.zeros(bins + 1, dtype=np.int64)
    np.add.at(change, notes["start"] // _BIN, cost)
    np.add.at(change, np.minimum(notes["stop"] // _BIN + 1, bins), -cost)
    return np.cumsum(change[:-1])


def _place(found: list[_Pass], voice: int, notes: NDArray[Any], load: NDArray[np.int64], kit: int | None) -> None:
    """Put notes into the first pass that has a channel and room for them, or into a new one."""
    for each in found:
        channel = each.channel_for(kit)
        if channel is not None and int((each.load + load).max()) <= _AT_ONCE:
            break
    else:
        each = _Pass(np.zeros(len(load), dtype=np.int64))
        found.append(each)
        channel = each.channel_for(kit)
    assert channel is not None  # a new pass has every channel free
    each.load += load
    each.kit = kit if kit is not None else each.kit
    each.strips.append(Strip(voice, channel, notes))
