"""Studies on suspensions: a note prepared over one bass, held into the next bar where it clashes, resolved by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from libretto.contract.instruments import instrument_of_program
from libretto.house.drill.meters import beats_of
from libretto.house.drill.sheet import DrillSheet, Measure
from libretto.house.drill.studies.harmony_study import Triad, named_in, triads_of
from libretto.house.drill.studies.study import Played, StudyAsk, bar_of, studies

__all__ = ["suspension_study"]

_OCTAVE = 12
_VOICES = 3  # a bass, a note between, and the suspended one
_FIFTH = 7
_ABOVE_BASS = (_OCTAVE, 30)  # semitones: where the suspended note lies
#: Triads of two bars by degree from 0: a tone of the first is the fourth above the root of the second.
_PAIRS = ((0, 4), (5, 4), (3, 0), (1, 5), (4, 5))
_CLOSE = (3, 0)


@studies.register("suspensions")
def suspension_study(ask: StudyAsk, condition: Mapping[str, Any]) -> DrillSheet | None:
    """Two bars a suspension: a note of the first chord is held over the bar line into the second, a fourth above its
    bass, and falls to the third; a close on the tonic at the end."""
    plain = (
        condition.get("against") == "strand" and "4-3" in condition.get("figures", ()) and not condition.get("chain")
    )
    own = instrument_of_program(ask.model.program or 0)
    if not plain or own.polyphony < _VOICES or ask.bars % 2 or len(beats_of(ask.meter)) < 2:
        return None
    names, triads = named_in(ask), triads_of(ask, named_in(ask))
    pairs = [pair for pair in _PAIRS if _held(triads, pair) is not None]
    ask.rng.shuffle(pairs)
    row = [pairs[number % len(pairs)] for number in range(ask.bars // 2 - 1)] + [_CLOSE]
    bars: list[Measure] = []
    before = ask.middle
    for pair in row:
        made = _two_bars(ask, triads, pair, before, names)
        if made is None:
            return None
        bars += made[0]
        before = made[1]
    return ask.model._replace(bars=tuple(bars), first_bar=1)


def _held(triads: list[Triad | None], pair: tuple[int, int]) -> int | None:
    """The pitch class that is held: a tone of the first chord, a fourth above the root of the second one."""
    one, two = triads[pair[0]], triads[pair[1]]
    if one is None or two is None:
        return None
    fourth = (two.tones[0] + 5) % _OCTAVE
    return fourth if fourth in one.tones else None


def _two_bars(
    ask: StudyAsk, triads: list[Triad | None], pair: tuple[int, int], before: int, names: Mapping[int, int]
) -> tuple[list[Measure], int] | None:
    """The bar that prepares a note and the bar in which it is suspended and resolves, and where it has gone to."""
    one, two, held = triads[pair[0]], triads[pair[1]], _held(triads, pair)
    if one is None or two is None or held is None:
        return None
    floor = max(ask.low, ask.middle - 2 * _OCTAVE)
    basses = [_above(chord.tones[0], floor) for chord in (one, two)]
    top = _top(ask, held, basses, before)
    if top is None:
        return None
    third = next(pitch for pitch in (top - 1, top - 2) if pitch % _OCTAVE == two.tones[1])
    ticks, beats = ask.meter.ticks, beats_of(ask.meter)
    half = sum(beats[: (len(beats) + 1) // 2])
    between = basses[0] + _OCTAVE if held == one.tones[1] else _above(one.tones[1], basses[0])
    near = [pitch for pitch in range(top - 5, top + 6) if pitch % _OCTAVE in one.tones and between < pitch != top]
    first = [Played(0, ticks, pitch) for pitch in {basses[0], between} if pitch < top - 1]
    if near:
        first += [Played(0, half, ask.rng.choice(near)), Played(half, ticks, top)]
    else:
        first += [Played(0, ticks + half, top)]
    second = [Played(0, ticks, basses[1]), Played(0, ticks, basses[1] + _FIFTH), Played(half, ticks - half, third)]
    return [bar_of(first, one.label, ask, names), bar_of(second, two.label, ask, names)], third


def _top(ask: StudyAsk, held: int, basses: list[int], before: int) -> int | None:
    """Where the note that is held lies: well above both basses, near what was heard before."""
    lowest, highest = max(basses) + _ABOVE_BASS[0], min(ask.high, min(basses) + _ABOVE_BASS[1])
    tops = [pitch for pitch in range(lowest, highest + 1) if pitch % _OCTAVE == held]
    return min(tops, key=lambda pitch: (abs(pitch - before), pitch), default=None)


def _above(tone: int, floor: int) -> int:
    return floor + (tone - floor) % _OCTAVE
