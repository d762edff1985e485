"""The bars that a gap is modelled on: one way through the song for all, and one for every voice near it.

What real songs teach (``passages``) says how good each bar is; what findings ask for, what still sounds in the gap, how
the seams join and a little chance weigh in. The bars just before the gap are not said again where others fit as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from libretto.house.core.controls import Controls
from libretto.house.core.dice import dice
from libretto.house.fill.alike import alike
from libretto.house.fill.passages import Likely, likely, way_through, ways_apart
from libretto.house.fill.reading import Reading
from libretto.score.table import Floats

__all__ = ["Choice", "chosen_bars"]

_JUMP, _JUMP_OF_VOICE = 0.1, 0.2  # what it costs not to go on with the next bar
_TOGETHER = 1.0  # how much a voice goes with the others
_OTHER_LENGTH = 1.0  # what a bar of another length costs
_REST = 0.5  # how much bars speak for themselves in which what still sounds in the gap sounds as well
_STEER = 0.08  # what findings ask for
_JOIN, _JOINED = 0.08, 6.0  # how hard the seams are, and how much more where they must join
_AGAIN = 0.01  # what it costs to say again what was just said
_CHANCE = 0.03
_PHRASE = 4  # bars that are taken up together
_WAYS = 3  # that seeds choose among, the likeliest first
_SOME = 0.2  # so much change, and every voice may go its own way
_MUCH = 0.75  # so much change, and no voice goes the likeliest way
_GONE = 2.0  # what it costs to model a bar on what another way was modelled on
_AVOID = 1.0  # what it costs to go the likeliest way where as much change as can be is asked for


class Choice(NamedTuple):
    """For every bar of a gap the bar it is modelled on (indices): on the whole, and by voice.

    ``sure`` is how alike those bars are expected to be to what belongs there, from 0 to 1.
    """

    whole: list[int]
    voices: dict[int, list[int]]
    sure: float


def chosen_bars(
    reading: Reading,
    voices: Sequence[int],
    rest: Floats | None,
    controls: Controls,
    seed: int,
    other: int = 0,
    *,
    apart: bool = False,
) -> Choice:
    """The bars that those voices are modelled on; ``rest`` is how unlike bars are in what still sounds in the gap.

    ``other`` is how many ways were gone already: the next best is chosen, which shares no bar with them if it can.
    Where nothing sounds in the gap and no change is asked for, all go one way, phrase by phrase, so that what was
    played together stays together: by seed the likeliest way, the next or the third; with ``apart`` no phrase goes on
    from the one before.
    """
    tables = alike(reading.score, reading.hidden)
    count = len(tables.whole)
    near = slice(tables.first, tables.first + count)
    first, last = (bar - tables.first for bar in reading.hidden)
    usable = (reading.known & (reading.counts.sum(axis=0) > 0))[near]
    if not usable.any():
        return _nearest(reading, voices)
    given = None if rest is None else _REST * (1.0 - rest[reading.hidden[0] : reading.hidden[1] + 1, near])
    playing = [voice for voice in voices if reading.counts[voice, near].any()]
    good = likely(tables, (first, last), usable, playing, given)
    wished = _wished(reading, near, controls, seed)
    if rest is None and controls.variation < _SOME:
        choice = _one_way(good, wished, voices, other + seed % _WAYS, apart=apart)
    else:
        choice = _own_ways(good, wished, voices, playing, controls, other)
    by_voice = {voice: [bar + tables.first for bar in way] for voice, way in choice.voices.items()}
    return Choice([bar + tables.first for bar in choice.whole], by_voice, choice.sure)


def _one_way(good: Likely, wished: Floats, voices: Sequence[int], other: int, *, apart: bool) -> Choice:
    """One way for all, of phrases that are taken up whole; so many others are passed over."""
    worth = good.whole + wished
    for number in range(other + 1):
        whole = ways_apart(worth, _PHRASE) if apart else way_through(worth, _JUMP, _PHRASE)
        if number < other:
            worth[np.arange(len(whole)), whole] -= _GONE
    sure = float(np.mean(good.whole[np.arange(len(whole)), whole]))
    return Choice(whole, {voice: list(whole) for voice in voices}, sure)


def _own_ways(
    good: Likely, wished: Floats, voices: Sequence[int], playing: Sequence[int], controls: Controls, other: int
) -> Choice:
    """A way for every voice, near that of all; so many others are passed over."""
    gone = np.zeros_like(wished)
    gone_by = {voice: np.zeros_like(wished) for voice in playing}
    for number in range(other + 1):
        choice = _choice(good, wished, (gone, gone_by), voices, playing, controls)
        if number < other:
            gone[np.arange(len(choice.whole)), choice.whole] += _GONE
            for voice in playing:
                gone_by[voice][np.arange(len(choice.whole)), choice.voices[voice]] += _GONE
    return choice


def _choice(
    good: Likely,
    wished: Floats,
    gone: tuple[Floats, Mapping[int, Floats]],
    voices: Sequence[int],
    playing: Sequence[int],
    controls: Controls,
) -> Choice:
    """The best way for all and for every voice, where it costs something to go where others have gone."""
    whole = way_through(good.whole + wished - gone[0], _JUMP)
    rows = np.arange(len(whole))
    sure = float(np.mean(good.whole[rows, whole]))
    likeliest = np.zeros_like(wished)
    likeliest[rows, whole] = _AVOID * max(0.0, controls.variation)
    ways = {voice: list(whole) for voice in voices}
    for number, (voice, table) in enumerate(zip(playing, good.voices, strict=True)):
        apart = likeliest * (number % 2 or controls.variation >= _MUCH)  # every other voice goes another way, or all do
        ways[voice] = way_through(table + _TOGETHER * (good.whole + wished) - apart - gone[1][voice], _JUMP_OF_VOICE)
    return Choice(list(whole), ways, sure)


def _nearest(reading: Reading, voices: Sequence[int]) -> Choice:
    """The bar that sounds nearest to the gap, throughout: where nothing near it sounds."""
    usable = np.flatnonzero(reading.known & (reading.counts.sum(axis=0) > 0))
    bar = int(usable[np.argmin(np.abs(usable - reading.hidden[0]))])
    way = [bar] * (reading.hidden[1] - reading.hidden[0] + 1)
    return Choice(way, {voice: list(way) for voice in voices}, 0.0)


def _wished(reading: Reading, near: slice, controls: Controls, seed: int) -> Floats:
    """What speaks for bars beside how likely they are: bars of the gap by bars of the song."""
    first, last = reading.hidden
    bars, lengths = np.arange(reading.score.bars)[near], np.diff(reading.lines)
    length = last - first + 1
    made = np.zeros((length, len(bars)))
    for knob, values in reading.measures.items():
        made += _STEER * getattr(controls, knob) * values[near]
    joins = _JOIN * (1.0 + _JOINED * max(0.0, controls.joining))
    if first > 0:
        made[0] -= joins * reading.change(first - 1)[near]
    if last + 1 < reading.score.bars:
        made[-1] -= joins * reading.change(last + 1)[near]
    rng = dice(seed, "models")
    shifts = rng.sample(range(2 * reading.score.bars), 2 * reading.score.bars)  # an order of distances by chance
    chance = np.array(shifts, dtype=np.float64) / max(1, len(shifts) - 1)
    for index in range(length):
        made[index] -= _OTHER_LENGTH * (lengths[near] != lengths[first + index])
        made[index] -= _AGAIN * (bars == first + index - length)
        made[index] += _CHANCE * chance[(bars - first - index + index // _PHRASE) % len(chance)]
    return made
