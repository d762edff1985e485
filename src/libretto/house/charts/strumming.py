"""Strumming: what a hand can hold on frets, and how chords are strummed on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from libretto.house.charts.hands import TUNES
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.fretting import playable, strummed
from libretto.house.core.voicing import Pitches
from libretto.score import Meter

__all__ = ["fits_hand", "strum_of"]

_STRUMMED, _ABOVE_A_BASS = frozenset((24, 25)), 45  # guitars without wires, and A2, above which they leave a bass room


def fits_hand(player: Player) -> Callable[[Pitches], bool] | None:
    """What tells whether a hand can hold a chord on somebody's frets; none where there are none."""
    return partial(playable, strings=player.strings, bottom=player.bottom) if player.strings else None


def strum_of(
    plan: Plan, player: Player, part: str, mine: Sequence[str], rooted: bool
) -> Callable[[Pitches, int, int], Pitches] | None:
    """How somebody strums who has a guitar without wires and nothing but chords; above the bass, where one plays."""
    if part != "chords" or player.program not in _STRUMMED or not player.strings or set(TUNES) & set(mine):
        return None
    return partial(_stroke, plan.meter, _ABOVE_A_BASS if rooted else player.low, player.strings)


def _stroke(meter: Meter, low: int, strings: Pitches, chord: Pitches, root: int, tick: int) -> Pitches:
    """A chord as it is strummed at a time: over all strings on the beats, and over the upper ones between them."""
    return chord if tick % meter.beat else strummed(chord, root, low, strings)
