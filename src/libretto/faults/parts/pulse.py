"""How a voice's time goes with that of the others: whether it strikes when they do, and what a shift would mend.

Every measure is worked out for the voice as it is and as it would come half a beat earlier or later: a voice that is in
time loses by every shift.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from libretto.faults.columns import CLASSES, TINY, added_up
from libretto.faults.parts.grid import Parts
from libretto.faults.parts.pitch import USUAL
from libretto.score.table import Bools, Floats, Ints, Singles

__all__ = ["PULSE_EVIDENCE", "pulse_rows"]

_SHIFTS = (0, 1, -1)  # half beats by which a voice comes earlier
_MOST_AT_ONCE = 3.0  # voices that strike together and count
_FAINT = 0.02  # of all strikes, added to every place of the bar
_LONG = 4  # sixteenths: a note that is held across a line
_LOG_USUAL = np.log2(np.array(USUAL))
# For each interval (rows) where it stands in a table of pitch classes by pitch classes, for every lower one (columns).
_DIAGONALS = np.arange(CLASSES) * CLASSES + (np.arange(CLASSES)[:, None] + np.arange(CLASSES)) % CLASSES
PULSE_EVIDENCE = (
    "strikes", "struck together", "together earlier", "together later",
    "struck with pitches", "with pitches earlier", "with pitches later",
    "struck with drums", "with drums earlier",
    "usual places", "usual earlier", "usual later",
    "on the beat", "on the half beat", "on the bar", "on the bar earlier",
    "long on the beat", "long on the half beat", "ends on the beat", "ends on the half beat",
    "held over bars", "held over bars earlier",
    "harmony", "harmony earlier", "harmony later", "rubs earlier",
    "others on the beat", "others on the half beat",
    "changes together", "changes earlier",
    "best partner", "best partner earlier", "best partner later", "with the bass", "with the bass earlier",
    "entries on the beat", "entries on the half beat", "entries together", "entries earlier",
    "last of a phrase on the beat", "last of a phrase on the half beat",
    "a quarter earlier", "a quarter later",
    "fit at first", "fit at the bar line", "rubs at first", "rubs at the bar line", "first fit if earlier",
    "louder on the beat", "louder on the half beat", "others louder on the half beat",
)  # fmt: skip


class _Strikes:
    """Where some voices strike: the sixteenths of all, one voice after another, with the row of the voice of each.

    ``rest`` and ``tones`` say how many others strike in each sixteenth, and how many that have pitches; ``sound`` is
    what the voices and what all others than each of them sound there.
    """

    def __init__(self, parts: Parts, voices: Sequence[int], sound: tuple[Singles, Singles]) -> None:
        self.parts, self.voices, self.sound = parts, np.array(voices), sound
        mine = parts.strikes[self.voices]
        self.row, self.at = np.nonzero(mine > 0)
        self.many = np.bincount(self.row, minlength=len(voices))
        total, tones, self.drums = parts.struck
        self.rest = np.minimum(total - mine, np.float32(_MOST_AT_ONCE))
        self.tones = np.minimum(tones - mine, np.float32(_MOST_AT_ONCE))

    def earlier(self, slots: int) -> Ints:
        """The sixteenths in which the voices would strike if they came so much earlier."""
        return self.parts.inside(self.at - slots)

    def mean(self, values: NDArray[np.generic], which: Bools | None = None) -> Floats:
        """For each voice the mean of a value a strike, of all or of some; they are added up without loss."""
        row = self.row if which is None else self.row[which]
        many = self.many if which is None else np.bincount(row, minlength=len(self.voices))
        chosen = values if which is None else values[which]
        return np.asarray(np.bincount(row, chosen, len(self.voices)) / np.maximum(many, 1))

    def together(self, slots: int) -> Floats:
        """The share of strikes with which another voice strikes if they came so much earlier."""
        return self.mean(self.rest[self.row, self.earlier(slots)] > 0)

    @cached_property
    def usual(self) -> tuple[Floats, ...]:
        """How usual the places of the bar are for the others, for each shift."""
        parts, voices = self.parts, len(self.voices)
        places = int(parts.place.max()) + 1
        code = (np.arange(voices)[:, None] * places + parts.place).ravel()
        many = np.bincount(code, self.rest.ravel(), voices * places).reshape(voices, places)
        log = np.log2(many / np.maximum(many.sum(axis=1, keepdims=True), TINY) + _FAINT)
        edges = [0, *np.cumsum(self.many).tolist()]
        usual = []
        for shift in _SHIFTS:
            worth = log[self.row, parts.place[self.earlier(shift * parts.half_beat)]]
            sums = [np.add.reduce(worth[first:last]) for first, last in pairwise(edges)]
            usual.append(np.array(sums) / np.maximum(self.many, 1))
        return tuple(usual)


def pulse_rows(parts: Parts, voices: Sequence[int], sound: tuple[Singles, Singles]) -> Floats:
    """The evidence of some voices' time, a row for each; ``sound`` is what ``Parts.sound`` says of them."""
    struck, half = _Strikes(parts, voices, sound), parts.half_beat
    beat, place = 2 * half, parts.place[struck.at]
    together = [struck.together(shift * half) for shift in _SHIFTS]
    with_tones = [
        struck.mean(struck.tones[struck.row, struck.earlier(shift * half)]) / _MOST_AT_ONCE for shift in _SHIFTS
    ]
    usual, drums, harmony = struck.usual, struck.mean(struck.drums[struck.at]), _harmony(struck)
    columns = [
        np.log2(1 + struck.many), together[0], together[1] - together[0], together[2] - together[0],
        with_tones[0], with_tones[1] - with_tones[0], with_tones[2] - with_tones[0],
        drums, struck.mean(struck.drums[struck.earlier(half)]) - drums,
        usual[0], usual[1] - usual[0], usual[2] - usual[0],
        struck.mean(place % beat == 0), struck.mean(place % beat == half),
        struck.mean(place == 0), struck.mean(place == half),
        *_notes(parts, struck.voices),
        *harmony[:4],
        *_others(struck),
        *_changes(struck),
        *_partners(struck), *_phrases(struck),
        *(struck.together(sign * (half // 2 or 1)) - together[0] for sign in (1, -1)),
        *harmony[4:], *_accents(parts, struck.voices),
    ]  # fmt: skip
    return np.stack(columns, axis=1)


def _notes(parts: Parts, voices: Ints) -> list[Floats]:
    """Where the long notes of voices begin and where all end, on the beat and on the half beat; and which share of them
    is held across a bar line, as it is and half a beat earlier."""
    half, voice, count = parts.half_beat, parts.facts.voice, parts.facts.voices
    start, end = (parts.place[at] % (2 * half) for at in (parts.start, np.minimum(parts.stop, parts.slots - 1)))
    long = parts.stop - parts.start >= _LONG

    def share(which: Bools, of: Bools | None = None) -> Floats:
        some = np.bincount(voice[which] if of is None else voice[which & of], minlength=count)[voices]
        many = np.bincount(voice if of is None else voice[of], minlength=count)[voices]
        return np.asarray(some / np.maximum(many, 1))

    held = []
    for earlier in (0, half):
        first, last = (parts.lines.searchsorted(at - earlier, "right") for at in (parts.start, parts.stop - 1))
        held.append(share(last > first))
    places = [share(start == 0, long), share(start == half, long), share(end == 0), share(end == half)]
    return [*places, held[0], held[1] - held[0]]


def _others(struck: _Strikes) -> list[Floats]:
    """The share of sixteenths in which others strike that stand on the beat, and on the half beat."""
    half, there = struck.parts.half_beat, struck.rest > 0
    place, many = struck.parts.place % (2 * half), np.maximum(np.count_nonzero(there, axis=1), 1)
    return [np.asarray(np.count_nonzero(there[:, place == at], axis=1) / many) for at in (0, half)]


def _partners(struck: _Strikes) -> list[Floats]:
    """How much each voice strikes together with the one other that goes with it most, as it is, earlier and later; and
    how much with the bass."""
    parts, shares = struck.parts, []
    shape = (len(struck.voices), parts.slots)
    for shift in _SHIFTS:
        code = struck.row * parts.slots + struck.earlier(shift * parts.half_beat)
        times = np.bincount(code, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float32)
        with_each = times @ parts.strikes.T / np.maximum(struck.many, 1).astype(np.float32)[:, None]
        with_each[np.arange(shape[0]), struck.voices] = 0.0
        shares.append(with_each.astype(np.float64))
    best = [share.max(axis=1, initial=0.0) for share in shares]
    bass = parts.facts.bass
    low = [np.zeros(shape[0]) if bass is None else share[:, bass] for share in shares]
    return [best[0], best[1] - best[0], best[2] - best[0], low[0], low[1] - low[0]]


def _harmony(struck: _Strikes) -> list[Floats]:
    """How usual the intervals are that voices make with the others as they are, earlier and later, how much more they
    rub if they come earlier; how much less usual the intervals are in the first half of beats and of the bar's first
    beat than after it, the same for rubs, and for the first half of beats if the voice came half a beat earlier."""
    tables = _crossed(struck.parts, *struck.sound)
    names = ("now", "first", "line", "earlier", "first ahead", "later")
    crossed = dict(zip(names, tables, strict=True))
    crossed["then"] = crossed["now"] - crossed["first"]
    shares = {name: _shares(table) for name, table in crossed.items()}
    fit = {name: np.array([row @ _LOG_USUAL for row in share]) for name, share in shares.items()}
    rubs = {name: share[:, 1] + share[:, -1] for name, share in shares.items()}
    return [
        fit["now"], fit["earlier"] - fit["now"], fit["later"] - fit["now"], rubs["earlier"] - rubs["now"],
        fit["first"] - fit["then"], fit["line"] - fit["then"], rubs["first"] - rubs["then"],
        rubs["line"] - rubs["then"], fit["first ahead"] - fit["first"],
    ]  # fmt: skip


def _crossed(parts: Parts, mine: Singles, rest: Singles) -> Floats:
    """For how long voices (rows) and the others (columns) sound each two pitch classes together, in several ways: as
    they are, in the first half of beats, in that of bars' first beats; half a beat earlier, the same in the first half
    of beats; and half a beat later. Parts of single precision are added up without loss, so that each sixteenth is
    looked at once a distance."""
    half, slot = parts.half_beat, np.arange(parts.slots)
    early, line = parts.place % (2 * half) < half, parts.place < half  # the first half of a bar is that of a beat, too
    ahead = early[parts.inside(slot - half)]
    groups = [(line, 0), (early & ~line, 0), (~early, 0)]
    groups += [(ahead & (slot >= half), -half), (~ahead & (slot >= half), -half), (slot < parts.slots - half, half)]
    tables, sounds = np.empty((len(groups), len(mine), CLASSES, CLASSES)), mine.max(axis=1) > 0
    for number in range(len(mine)):
        own, others = (np.ascontiguousarray(sound[number].T, dtype=np.float64) for sound in (mine, rest))
        for table, (which, moved) in zip(tables, groups, strict=True):
            at = np.flatnonzero(sounds[number] & which)
            np.matmul(own.take(at, axis=0).T, others.take(at + moved, axis=0), out=table[number])
    in_line, in_beats, then, ahead_first, ahead_then, behind = tables
    first = in_line + in_beats
    return np.stack((first + then, first, in_line, ahead_first + ahead_then, ahead_first, behind))


def _shares(crossed: Floats) -> Floats:
    """How much of their time together voices and the others are each number of semitones apart; pitch classes by pitch
    classes come in."""
    share = crossed.reshape(len(crossed), -1)[:, _DIAGONALS].sum(axis=2)
    return np.asarray(share / np.maximum(share.sum(axis=1, keepdims=True), TINY))


def _accents(parts: Parts, voices: Ints) -> list[Floats]:
    """How much louder than usual voices are on beats and on half beats, and how much the others are on half beats."""
    facts, half = parts.facts, parts.half_beat
    loud, place = facts.notes["velocity"].astype(np.float64), parts.place[parts.start] % (2 * half)

    def sums(which: Bools | None) -> tuple[Floats, Ints]:
        voice = facts.voice if which is None else facts.voice[which]
        total = np.bincount(voice, loud if which is None else loud[which], facts.voices)
        return np.asarray(total, dtype=np.float64), np.bincount(voice, minlength=facts.voices)

    def mean(some: tuple[Floats, Ints], others: bool = False) -> Floats:
        total, many = (column.sum() - column[voices] if others else column[voices] for column in some)
        return np.where(many > 0, total / np.maximum(many, 1), np.nan)

    every, on_beat, on_half = sums(None), sums(place == 0), sums(place == half)
    own, rest = np.fmax(mean(every), 1.0), np.fmax(mean(every, others=True), 1.0)
    ratios = (mean(on_beat) / own, mean(on_half) / own, mean(on_half, others=True) / rest)
    return [np.where(np.isnan(ratio), 1.0, ratio) for ratio in ratios]


def _phrases(struck: _Strikes) -> list[Floats]:
    """Where phrases begin and where their last notes stand: strikes after and before a gap of two beats or more."""
    parts, half, beat = struck.parts, struck.parts.half_beat, 2 * struck.parts.half_beat
    apart = (np.diff(struck.at) >= 2 * beat) | (np.diff(struck.row) > 0)
    entries, last = np.append(True, apart), np.append(apart, True)
    place = parts.place[struck.at] % beat
    together, earlier = (struck.rest[struck.row, struck.earlier(much)] > 0 for much in (0, half))
    return [
        struck.mean(place == 0, entries),
        struck.mean(place == half, entries),
        struck.mean(together, entries),
        struck.mean(earlier, entries) - struck.mean(together, entries),
        struck.mean(place == 0, last),
        struck.mean(place == half, last),
    ]


def _changes(struck: _Strikes) -> list[Floats]:
    """How much of what the others sound is new where voices strike, and how much more if they came half a beat
    earlier."""
    parts, new, rest = struck.parts, [], struck.sound[1]
    for there in (struck.at, struck.earlier(parts.half_beat)):
        gain = np.maximum(rest[struck.row, :, there] - rest[struck.row, :, np.maximum(there - 1, 0)], 0)
        new.append(struck.mean(np.where(there > 0, added_up(list(gain.T.copy())), 0)))
    return [new[0], new[1] - new[0]]
