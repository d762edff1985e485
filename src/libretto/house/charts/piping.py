"""Who has a drone and a tune at once: pipes, whose bag never rests, and who sings overtones above a throat's tone."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from libretto.contract.instruments import instrument_named
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import Sketch

__all__ = ["PIPES", "overtoned", "piped"]

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
_PARTIALS = ((24, 2), (31, 2), (36, 3), (31, 1))  # semitones above the drone, and eighths of a bar that each is held
_WHISTLED, _EIGHTHS, _LIGHT = 2, 8, -22  # the bar of a long tone in which they are heard; how much softer they are


def overtoned(plan: Plan, player: Player, notes: Sequence[Sketch]) -> list[Sketch]:
    """What somebody sings; from the throat with overtones that whistle above every low tone that is held alone for more
    than two bars, in its third bar."""
    own, bar = instrument_named(player.name), plan.meter.ticks
    if own is None or own.name != _THROAT:
        return list(notes)
    made = list(notes)
    for note in notes:
        alone = sum(other.onset == note.onset for other in notes) == 1
        at = note.onset + _WHISTLED * bar
        if not alone or note.duration <= (_WHISTLED + 1 / 2) * bar:
            continue
        for semitones, eighths in _PARTIALS:
            length = bar * eighths // _EIGHTHS
            if at + length <= note.onset + note.duration:
                made.append(Sketch(at, length, note.pitch + semitones, _LIGHT))
            at += length
    return sorted(made)
