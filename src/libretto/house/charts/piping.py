"""Who has a drone and a tune at once: pipes, whose bag never rests, and who sings overtones above a throat's tone."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise

from libretto.contract.instruments import instrument_named
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import Sketch

__all__ = ["PARTIALS", "PIPES", "overtoned", "piped"]

PIPES = 109  #: the program of bagpipes
_BREATH = 4  # bars that a drone is held before it is set in anew
_UNDER = -14  # how much softer it is than the tune


def piped(plan: Plan, player: Player, notes: Sequence[Sketch]) -> list[Sketch]:
    """What pipes play: a tune without rests inside a phrase of four bars, over a drone from where it begins to the
    end."""
    if not notes:
        return []
    bar, tune = plan.meter.ticks, sorted(notes)
    held = [
        one._replace(duration=after.onset - one.onset) if one.onset < after.onset <= one.onset + bar else one
        for one, after in pairwise(tune)
    ]
    low = player.bottom
    home = low + (plan.key.tonic_class - low) % 12
    first = tune[0].onset // bar
    drone = [
        Sketch(start * bar, (min(start + _BREATH, plan.bars) - start) * bar, home, _UNDER)
        for start in range(first, plan.bars, _BREATH)
    ]
    return [*held, tune[-1], *drone]


_THROAT = "throat singing"
#: What whistles in a bar, by turns: semitones above the drone (its fourth, sixth, eighth, ninth and twelfth partials),
#: and eighths of the bar that each is held.
PARTIALS = (
    ((24, 2), (31, 2), (36, 3), (31, 1)),
    ((31, 3), (36, 1), (31, 4)),
    ((36, 2), (43, 2), (36, 2), (31, 2)),
    ((31, 2), (36, 2), (38, 1), (36, 3)),
)
_EIGHTHS, _LIGHT = 8, -22  # of a bar; how much softer they are
_LOW, _DRONED, _TONES = 52, 3 / 4, 2  # up to where a drone lies, for how much of a bar, and its pitch classes
_TOP = 12  # semitones above it in which its octave and fifth lie
_FROM, _EVERY = 2, 2  # the bar of a drone in which they are heard, from 0, and every how many bars then


def overtoned(plan: Plan, player: Player, notes: Sequence[Sketch]) -> list[Sketch]:
    """What somebody sings; from the throat with overtones that whistle above a drone, in every other bar of it."""
    own, ticks = instrument_named(player.name), plan.meter.ticks
    if own is None or own.name != _THROAT:
        return list(notes)
    made = list(notes)
    for place, bar in enumerate(_whistled(plan, notes)):
        low = min(note.pitch for note in _sounding(notes, bar * ticks, ticks))
        at = bar * ticks
        for semitones, eighths in PARTIALS[place % len(PARTIALS)]:
            length = ticks * eighths // _EIGHTHS
            made.append(Sketch(at, length, low + semitones, _LIGHT))
            at += length
    return sorted(made)


def _whistled(plan: Plan, notes: Sequence[Sketch]) -> list[int]:
    """The bars in which overtones are heard: every other one of a drone of three and more, the second one of two."""
    droned = [bar for bar in range(plan.bars - 1) if _is_droned(notes, bar * plan.meter.ticks, plan.meter.ticks)]
    runs = [[bar for _, bar in run] for _, run in groupby(enumerate(droned), key=lambda place: place[1] - place[0])]
    return [bar for run in runs for bar in (run[_FROM::_EVERY] if len(run) > _FROM else run[1:])]


def _sounding(notes: Sequence[Sketch], start: int, ticks: int) -> list[Sketch]:
    """The notes that sound in a bar."""
    return [note for note in notes if note.onset < start + ticks and start < note.onset + note.duration]


def _is_droned(notes: Sequence[Sketch], start: int, ticks: int) -> bool:
    """Whether nothing but a low drone sounds in most of a bar."""
    here = _sounding(notes, start, ticks)
    held: dict[int, int] = {}
    for note in here:
        lasts = min(note.onset + note.duration, start + ticks) - max(note.onset, start)
        held[note.pitch] = held.get(note.pitch, 0) + lasts
    low = bool(here) and min(held) <= _LOW and max(held) <= min(held) + _TOP
    return low and len({pitch % 12 for pitch in held}) <= _TONES and held[min(held)] >= _DRONED * ticks
