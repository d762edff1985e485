"""Chords on their roots, where nobody plays a bass below them: a band's lowest notes are the roots of its chords."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from libretto.house.charts.skills import CHORDS, SUNG, THUMBS, deepest
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.fretting import playable
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

__all__ = ["on_roots"]

_PARTS = ("chords", "pad")
_OPEN = 3  # semitones above its lowest note from which on the thumb of a plucked string plays roots
_UP = 5  # semitones by which a lone note is moved up at most to be a root
_WIDE = 19  # semitones of the widest chord with its root below


def on_roots(plan: Plan, player: Player, mine: Mapping[str, list[Sketch]]) -> dict[str, list[Sketch]]:
    """The parts of a player, whose chords begin on their roots where the player is the lowest of a band without a
    bass."""
    if mine.get("bass") or _lowest(plan.players) != player:
        return dict(mine)
    return {part: _rooted(plan, player, notes) if part in _PARTS else notes for part, notes in mine.items()}


def _lowest(players: Sequence[Player]) -> Player | None:
    """Who of a band without a bass lies lowest of those that play chords."""
    if any(player.role == "bass" for player in players if not player.drums):
        return None
    able = [player for player in players if not player.drums and player.polyphony >= CHORDS - 1]
    able = [player for player in able if player.role != "lead" and player.program not in SUNG]
    return min(able, key=deepest, default=None)


def _rooted(plan: Plan, player: Player, notes: Sequence[Sketch]) -> list[Sketch]:
    """Notes of which the first of every chord, within its first beat, has the root lowest."""
    made: list[Sketch] = []
    done: set[int] = set()
    for onset, together in groupby(sorted(notes), key=lambda note: note.onset):
        group = sorted(together, key=lambda note: note.pitch)
        span = plan.chord_at(onset)
        first = span.start not in done and onset < span.start + QUARTER
        done.add(span.start)
        made += _on_root(player, group, span.chord.bass_class) if first else group
    return sorted(made)


def _on_root(player: Player, group: Sequence[Sketch], root: int) -> list[Sketch]:
    """Notes struck together, the root lowest: put below them where the player has it, or what lies below it left out;
    as they are where neither can be done."""
    low = group[0]
    if low.pitch % 12 == root:
        return list(group)
    below = low.pitch - (low.pitch - root) % 12
    for kept in (group, group[1:]):
        chord = [low._replace(pitch=below), *kept]
        if _can(player, chord) and (len(kept) == len(group) > 1 or len(kept) < len(group)):
            return chord
    at = next((place for place, note in enumerate(group) if note.pitch % 12 == root), None)
    if at is not None and len(group) - at > 1:
        return list(group[at:])
    above = low.pitch + (root - low.pitch) % 12
    return [low._replace(pitch=above)] if len(group) == 1 and above <= low.pitch + _UP else list(group)


def _can(player: Player, chord: Sequence[Sketch]) -> bool:
    """Whether a player can strike notes together, the first of them lowest."""
    pitches = tuple(note.pitch for note in chord)
    lowest = player.bottom + _OPEN if player.program in THUMBS and not player.strings else deepest(player)
    wide = pitches[-1] - pitches[0] <= _WIDE and len(pitches) <= player.polyphony
    return pitches[0] >= lowest and wide and (not player.strings or playable(pitches, player.strings))
