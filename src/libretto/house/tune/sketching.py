"""Templates made from nothing, for meters and styles in which no piece has been written yet.

A sketch has a plan (a period, a sentence, a song's four phrases), rhythms from a small vocabulary of its meter, and a
contour with one wide leap in its idea and one high point; its notes matter less than how it is made.
"""

from __future__ import annotations

from collections.abc import Sequence

from libretto.house.core.dice import Dice, dice
from libretto.house.tune.themes import Theme, TuneNote
from libretto.score.keys import Key
from libretto.score.time import QUARTER, WHOLE, Meter

__all__ = ["sketch_theme"]

#: Rhythms by meter in eighths: numbers sound, those in brackets (here negative) are rests. Ideas, answers, and closes.
_IDEAS: dict[str, tuple[tuple[int, ...], ...]] = {
    "2/4": ((2, 1, 1), (1, 1, 2), (3, 1), (1, 2, 1), (1, 1, 1, 1)),
    "3/4": ((4, 2), (2, 1, 1, 2), (3, 1, 2), (2, 3, 1), (1, 1, 2, 2), (2, 2, 1, 1)),
    "4/4": ((3, 1, 2, 2), (2, 1, 1, 4), (1, 2, 1, 2, 2), (3, 3, 2), (4, 1, 1, 2), (-1, 1, 2, 1, 1, 2), (2, 2, 3, 1)),
    "6/8": ((2, 1, 2, 1), (3, 2, 1), (3, 1, 1, 1), (1, 1, 1, 3), (2, 1, 3)),
    "9/8": ((3, 2, 1, 3), (2, 1, 2, 1, 3), (3, 3, 2, 1), (1, 1, 1, 3, 3)),
    "12/8": ((3, 2, 1, 3, 2, 1), (2, 1, 2, 1, 3, 3), (3, 1, 1, 1, 6), (-3, 2, 1, 2, 1, 3)),
    "5/4": ((3, 3, 2, 2), (3, 1, 2, 4), (2, 2, 2, 1, 1, 2), (4, 2, 3, 1)),
    "7/8": ((2, 2, 3), (2, 2, 2, 1), (1, 1, 2, 3), (3, 1, 1, 2), (4, 1, 1, 1)),
}
_CLOSES: dict[str, tuple[tuple[int, ...], ...]] = {
    "2/4": ((3, -1), (2, -2)),
    "3/4": ((4, -2), (5, -1), (6,)),
    "4/4": ((6, -2), (4, -2, 1, 1), (5, -2, 1), (2, 4, -2)),
    "6/8": ((3, 2, -1), (5, -1), (3, -2, 1)),
    "9/8": ((6, 2, -1), (6, -2, 1)),
    "12/8": ((9, -3), (6, 3, -2, 1)),
    "5/4": ((8, -2), (6, 2, -2)),
    "7/8": ((6, -1), (4, 2, -1)),
}
#: Which bars of eight are which idea: a letter is a rhythm, a sign moves it along the scale, = is note for note.
_PLANS = (
    ("a", "b", "a+", "c", "a=", "b", "d", "e"),
    ("a", "b", "a-", "b-", "d", "d-", "f", "e"),
    ("a", "b", "f", "c", "a=", "b=", "d", "e"),
    ("a", "a+", "b", "c", "d", "d-", "a", "e"),
    ("a", "b", "d", "c", "d+", "d", "b", "e"),
)
_SHAPES = {
    "a": (0, 4, 3, 2, 1, 2), "b": (3, 2, 1, 0, 1, 2), "d": (2, 4, 5, 4, 3, 1), "f": (5, 3, 4, 2, 3, 1),
    "c": (1, 0, -2, 0, 1, 2), "e": (2, 1, 0, 0, 0, 0),
}  # fmt: skip
_CLOSING = ("c", "e")
_BASE = 67  # G4: where a sketch lies
_HEIGHTS = (0, 1, 1, 0, 1, 3, 2, 0)  # steps that the bars of a plan lie higher
_SCALE = (0, 2, 4, 5, 7, 9, 11)
_LEAPS = (3, 4, 5, 4, 7)  # steps of the one wide leap
_EIGHTH = QUARTER // 2


def sketch_theme(meter: Meter, bars: int, seed: int, kind: str = "") -> Theme:
    """A template made from nothing: the rhythms of its meter in a plan of periods or sentences."""
    source = dice(seed, "sketch", meter, kind)
    plan = source.choice(_PLANS)
    leap = source.choice(_LEAPS)
    ideas, closes = _vocabulary(meter)
    rhythms = {letter: source.choice(ideas) for letter in "abdf"}
    for letter in "bdf":
        if rhythms[letter] == rhythms["a"]:
            rhythms[letter] = source.choice(ideas)
    rhythms.update({letter: source.choice(closes) for letter in _CLOSING})
    notes: list[TuneNote] = []
    for bar in range(bars):
        entry = plan[bar % len(plan)]
        letter = "e" if bar == bars - 1 else entry[0]
        moved = {"+": 1, "-": -1}.get(entry[-1], 0) + (0 if "=" in entry else _HEIGHTS[bar % len(_HEIGHTS)])
        shape = _shape(letter, leap)
        notes += _bar(rhythms[letter], shape, moved, bar * meter.ticks)
    return Theme(f"sketch {seed}", meter, Key.parse("C"), max(1, bars), tuple(_pickup(notes, meter, source)), (), kind)


def _shape(letter: str, leap: int) -> tuple[int, ...]:
    """The contour of an idea in steps; the first has the leap."""
    shape = _SHAPES[letter]
    return (0, leap, leap - 1, leap - 2, *shape[4:]) if letter == "a" else shape


def _bar(rhythm: Sequence[int], shape: Sequence[int], moved: int, start: int) -> list[TuneNote]:
    """The notes of a bar."""
    notes, at, number = [], start, 0
    for length in rhythm:
        if length > 0:
            step = shape[number % len(shape)] + moved
            octave, degree = divmod(step, len(_SCALE))
            notes.append(TuneNote(at, length * _EIGHTH, _BASE + 12 * octave + _SCALE[degree]))
            number += 1
        at += abs(length) * _EIGHTH
    return notes


def _pickup(notes: list[TuneNote], meter: Meter, source: Dice) -> list[TuneNote]:
    """The tune, half the time with a pickup before it."""
    if source.random() < 0.5 or not notes:
        return notes
    count = source.choice((1, 2))
    first = notes[0].pitch
    lead = [TuneNote(-(place + 1) * _EIGHTH, _EIGHTH, first - 2 * (place + 1)) for place in reversed(range(count))]
    return [*lead, *notes]


def _vocabulary(meter: Meter) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    """The rhythms of a meter in eighths: its own, or beats in their order where it has none here."""
    name = str(meter)
    if name in _IDEAS:
        return _IDEAS[name], _CLOSES[name]
    eighths = max(1, meter.ticks // (WHOLE // 8))
    pairs = [2] * (eighths // 2) + [1] * (eighths % 2)
    return (tuple(pairs), tuple(reversed(pairs)), (*pairs[:-1], *[1] * pairs[-1])), ((eighths,),)
