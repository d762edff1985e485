"""Where bars were put into a piece, and what time is later for it."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from libretto.errors import FormatError
from libretto.formats.midi.bytes import MARKER
from libretto.formats.midi.events import META, SYSTEM, Event
from libretto.score.model import Score
from libretto.score.table import Bools, Ints
from libretto.score.time import QUARTER

__all__ = ["Clock", "clock_of"]

_LYRIC, _CUE, _END = 0x05, 0x07, 0x2F
_SOUNDING = (0x80, 0x90, 0xA0)  # starts and stops of notes, and pressure on one key
#: Meta events at the very beginning that belong to the music there, not to the whole piece.
_BOUND_METAS = (_LYRIC, MARKER, _CUE, _END)


class Clock(NamedTuple):
    """The clock of a file, the tick of the Score where bars were put in, and how many ticks; none where there are 0."""

    division: int
    cut: int = 0
    more: int = 0

    def file_tick(self, tick: int) -> int:
        """A tick of a Score on the clock of the file."""
        return (2 * tick * self.division + QUARTER) // (2 * QUARTER)

    @property
    def gap(self) -> tuple[int, int]:
        """Where new bars begin and end, on the clock of the file."""
        start = self.file_tick(self.cut)
        return start, start + self.file_tick(self.more)

    def later(self, onsets: Ints) -> Ints:
        """Starts of notes of the old Score as they are in the new one."""
        return np.asarray(onsets + self.more * (onsets >= self.cut), dtype=np.int64)

    def moved(self, event: Event) -> int:
        """The new tick of an event that is no part of a known note."""
        if not self.more:
            return event.tick
        start, end = self.gap
        if event.tick < start or (self.cut == 0 and event.tick == 0 and not _is_bound(event)):
            return event.tick
        return event.tick + end - start


def _is_bound(event: Event) -> bool:
    """Whether an event at the very beginning goes with the music that begins there: notes, words, marks."""
    if event.status == META:
        return event.meta in _BOUND_METAS
    return event.status < SYSTEM and event.kind in _SOUNDING


def clock_of(division: int, before: Score, after: Score, at: int | None = None) -> Clock:
    """The clock of a file whose Score has become another; ``at`` is the index of the bar before which bars were put."""
    if before.bar_lines == after.bar_lines:
        return Clock(division)
    more = after.ticks - before.ticks
    if after.bars <= before.bars or more <= 0:
        raise FormatError("bars were taken out or have other lengths; only new bars can be put into a MIDI file")
    if more * division % QUARTER:
        raise FormatError("the clock of the file cannot count the new bars")
    places = _places(before, after)
    if at is not None:
        places = [place for place in places if place == at]
    if not places:
        raise FormatError("the bars of the file have other lengths now; only new bars can be put into a MIDI file")
    stays, moves = _agreement(before, after, more)
    shared = [int(stays[:place].sum() + moves[place:].sum()) for place in places]
    best = [place for place, count in zip(places, shared, strict=True) if count == max(shared)]
    # Of equals the end, where music mostly goes on; else the start.
    place = best[0] if best[0] == 0 and best[-1] != before.bars else best[-1]
    return Clock(division, before.bar_lines[place], more)


def _places(before: Score, after: Score) -> list[int]:
    """The indices of bars before which the new bars can have been put, going by the bar lines."""
    old, new = np.array(before.bar_lines), np.array(after.bar_lines)
    bars, more = after.bars - before.bars, after.ticks - before.ticks
    same: Bools = old == new[: len(old)]
    late: Bools = old + more == new[bars:]
    return [place for place in range(len(old)) if same[: place + 1].all() and late[place:].all()]


def _agreement(before: Score, after: Score, more: int) -> tuple[Ints, Ints]:
    """How much of each old bar is found at the same time, and how much later by the new bars."""
    there = Counter(_facts(after, 0))
    stays, moves = np.zeros(before.bars, dtype=np.int64), np.zeros(before.bars, dtype=np.int64)
    for counts, shift in ((stays, 0), (moves, more)):
        for fact in _facts(before, shift):
            if there[fact]:
                counts[before.bar_at(fact[1] - shift)] += 1
    return stays, moves


def _facts(score: Score, shift: int) -> list[tuple[Any, ...]]:
    """Notes, controls and changes with their ticks in the second place; what holds from the beginning says nothing."""
    facts: list[tuple[Any, ...]] = []
    for voice in score.voices:
        array = voice.array
        onset = (array["onset"] + shift).tolist()
        rest = (array[name].tolist() for name in ("duration", "pitch", "velocity"))
        facts += zip([voice.name] * len(onset), onset, *rest, strict=True)
        facts += [(voice.name, tick + shift, kind, value) for tick, kind, value in voice.controls.tolist() if tick]
    for name in ("meters", "keys", "tempos", "sections"):
        facts += [(name, tick + shift, value) for tick, value in getattr(score, name) if tick]
    return facts
