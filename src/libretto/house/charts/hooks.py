"""Hooks: where nobody at all has the tune, who has the chords on keys plays it above them in the full sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libretto.house.charts.form import Passage
from libretto.house.charts.signs import sounds
from libretto.house.charts.skills import HANDS
from libretto.house.compose.band import Player

__all__ = ["with_hooks"]

_FULL = 0.6  # energy from which on sections have the hook
_LED = "@"  # what chords have a line of their own on top with

Bars = Mapping[str, Mapping[str, frozenset[int]]]


def with_hooks(
    players: Sequence[Player], parts: Mapping[str, tuple[str, ...]], bars: Bars, passages: Sequence[Passage]
) -> dict[str, dict[str, frozenset[int]]]:
    """The bars of everybody's parts; where nobody has the tune in any, that of full sections is with the one who has
    the chords on a keyboard, unless these have a line on top."""
    if any(mine.get("lead") or mine.get("second") for mine in bars.values()):
        return {name: dict(mine) for name, mine in bars.items()}
    keys = [one.name for one in players if parts.get(one.name) == ("chords",) and one.program in HANDS]
    hook = frozenset(bar for passage in passages for bar in _hook(passage))
    if len(keys) != 1 or not hook:
        return {name: dict(mine) for name, mine in bars.items()}
    return {name: {**mine, "lead": hook} if name == keys[0] else dict(mine) for name, mine in bars.items()}


def _hook(passage: Passage) -> frozenset[int]:
    """The bars of a section that have a tune which may be put above its chords."""
    if passage.scene.energy < _FULL or _has_line(passage):
        return frozenset()
    return frozenset(passage.first + bar for bar in range(passage.bars) if sounds(passage.bar("lead", bar)))


def _has_line(passage: Passage) -> bool:
    """Whether the chords of a section have a line of their own on top."""
    return any(_LED in passage.bar("chords", bar) for bar in range(passage.bars))
