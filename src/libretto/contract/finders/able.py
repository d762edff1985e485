"""Whom a row of the table of cues needs hands of: a tune and the chords below it at once."""

from __future__ import annotations

from libretto.contract.finders.cues import Row
from libretto.contract.finders.scene import Player, Scene
from libretto.contract.instruments import instrument_named

__all__ = ["unable"]

_OWN_CHORDS, _LINES = "own chords", 2  # what takes hands for both, and notes at once of who has none for it


def unable(scene: Scene, row: Row, player: Player) -> bool:
    """Whether somebody does not lead, or has too few notes at once, who is to hold chords under a tune."""
    if row.what != _OWN_CHORDS:
        return False
    own = instrument_named(player.name)
    return scene.roles.get(player.name) != "lead" or own is None or own.polyphony <= _LINES
