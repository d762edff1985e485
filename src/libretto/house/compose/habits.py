"""Habits: what a player of this seed always does a little differently, so that no two pieces are played alike.

A hand that lies higher or lower, a note more or less in a chord, the halves of a figure the other way round, a weak
stroke left out, the notes of a broken chord in another order. The style's figure stays what it is.
"""

from __future__ import annotations

from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.dice import dice
from libretto.house.core.patterns import onsets

__all__ = ["bass_reach", "own_pattern", "own_register", "own_size", "own_voicing"]

_SHIFTS = (-5, -3, -2, 0, 0, 2, 4, 5)
_KEPT = "adnwxlLRb"  # signs of figures whose order is their point


def own_register(plan: Plan, player: Player, low: int, high: int) -> tuple[int, int]:
    """Where the hands of this player lie: the register of the chair, a little higher or lower."""
    shifts = (0, 0, 2) if player.seat.voicing in ("power", "rooted") else _SHIFTS
    shift = dice(plan.seed, "register", player.name).choice(shifts)
    return max(player.low, low + shift), min(player.high, high + shift)


def own_size(plan: Plan, player: Player, size: int) -> int:
    """How many notes this player puts into a chord: as the chair has it, or one more or less."""
    steps = (0, 0, -1) if size > 3 else (0, 0, 1) if size == 3 else (0,)
    return size + dice(plan.seed, "size", player.name).choice(steps)


def own_voicing(plan: Plan, player: Player, kind: str) -> str:
    """How this player lays chords out: as the chair has it, or closer or wider."""
    choices = {"guitar": ("guitar", "guitar", "close", "open"), "close": ("close", "close", "open")}.get(kind, (kind,))
    return dice(plan.seed, "voicing", player.name).choice(choices)


def bass_reach(plan: Plan, player: Player) -> int:
    """How much higher than usual the bass player's hand is at home."""
    return dice(plan.seed, "bass hand", player.name).choice((0, 0, 3, 6))


def own_pattern(plan: Plan, names: tuple[object, ...], pattern: str) -> str:
    """The pattern as this player plays it."""
    text = pattern.replace(" ", "").replace("|", "")
    source = dice(plan.seed, *names, "habit", text)
    free = float(plan.style.setting("shape", "habits", 1.0))
    if source.random() >= free:
        return text
    if any(sign.isdigit() for sign in text) and not set(text) & set("Rad"):
        return _reordered(text, source.choice(("1234", "1324", "1243", "1342", "1423", "1432")))
    half = len(text) // 2
    if len(text) in (8, 16) and not set(text) & set(_KEPT) and text[half] not in "-" and source.random() < 0.4:
        text = text[half:] + text[:half]
    if source.random() < 0.5:
        text = _pushed(text, source.choice((1, 2)))
    if onsets(text) >= 4 and source.random() < 0.6:
        text = _thinned(text, source.random())
    return text


def _reordered(text: str, order: str) -> str:
    """A broken chord with its inner notes in another order."""
    return text.translate(str.maketrans("1234", order))


def _pushed(text: str, early: int) -> str:
    """The pattern with its stroke in the middle of the bar a little early, as players do who lean forward."""
    middle = len(text) // 2
    if len(text) != 16 or text[middle] not in "Cc" or set(text[middle - early : middle]) - set(".-"):
        return text
    if all(at % 4 == 0 for at, sign in enumerate(text) if sign not in ".-"):
        return text  # a pulse on every beat stays one
    return text[: middle - early] + text[middle] + "-" * early + text[middle + 1 :]


def _thinned(text: str, chance: float) -> str:
    """The pattern without one of its weak strokes: what was before it rings on."""
    beat = len(text) // 4 if len(text) % 4 == 0 else 3
    weak = [at for at, sign in enumerate(text) if sign not in ".-" and at % max(1, beat) and sign not in _KEPT]
    if not weak:
        return text
    at = weak[int(chance * len(weak))]
    held = at > 0 and text[at - 1] != "."
    end = at + 1
    while end < len(text) and text[end] == "-":
        end += 1
    return text[:at] + ("-" if held else ".") * (end - at) + text[end:]
