"""Lightness: light percussion is softer than a kit, and has a triangle for crashes."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.house.compose.band import Player
from libretto.house.core.patterns import Sketch

__all__ = ["lightened"]

_LIGHT = "light "  # how a name begins that asks for it
_SOFTER = 16  # by how much its strokes are softer
_CRASHES, _TRIANGLE = frozenset((49, 52, 55, 57)), 81  # keys


def lightened(player: Player, notes: Sequence[Sketch]) -> list[Sketch]:
    """What a drummer plays, softer and with a triangle for crashes where light percussion was asked for."""
    if not player.name.lower().startswith(_LIGHT):
        return list(notes)
    return [
        note._replace(pitch=_TRIANGLE if note.pitch in _CRASHES else note.pitch, accent=note.accent - _SOFTER)
        for note in notes
    ]
