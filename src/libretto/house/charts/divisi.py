"""Divisi: who has the same inner line as somebody else plays another tone of the chord, not the same note."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libretto.house.charts.skills import CHORDS
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.line import ladder
from libretto.house.core.patterns import Sketch

__all__ = ["is_chamber", "parted"]

_LINES = ("second", "third")
_CHAMBER = 5  # players, at most, who have a line each
_CLEAR, _FAR = 3, 12  # semitones between the two, at least and at most
_LEAP = 7  # semitones, more of which an inner voice does not leap
_ROOM = 2  # semitones above the bass that stay free


def is_chamber(players: Sequence[Player]) -> bool:
    """Whether a band is few players with a line each."""
    return len(players) <= _CHAMBER and all(player.polyphony < CHORDS for player in players)


def parted(
    plan: Plan, players: Sequence[Player], parts: Mapping[str, tuple[str, ...]], made: dict[str, list[Sketch]]
) -> None:
    """Of those who have one inner line in a small band all but the first leave its notes for others of the chord."""
    pitched = [player for player in players if not player.drums]
    if not is_chamber(pitched):
        return
    for line in _LINES:
        group = [player for player in pitched if parts.get(player.name) == (line,)]
        for place, player in enumerate(group[1:], 1):
            there = {(note.onset, note.pitch) for other in group[:place] for note in made[other.name]}
            others = [note for other in pitched if other is not player for note in made[other.name]]
            made[player.name] = _apart(plan, player, made[player.name], there, others)


def _apart(
    plan: Plan, player: Player, notes: Sequence[Sketch], there: set[tuple[int, int]], others: list[Sketch]
) -> list[Sketch]:
    """A line whose notes that are ``there`` already are moved to other tones."""
    own: list[Sketch] = []
    for note in notes:
        last = own[-1].pitch if own else note.pitch
        own.append(_moved(plan, player, note, others, last) if (note.onset, note.pitch) in there else note)
    return own


def _moved(plan: Plan, player: Player, note: Sketch, others: Sequence[Sketch], last: int) -> Sketch:
    """A note on a tone of the chord below it, or above, that lies clear of all that sounds: no leap from the one
    before, and first one that nobody has yet."""
    sounding = {other.pitch for other in others if other.onset <= note.onset < other.onset + other.duration}
    floor = max(player.bottom, min(sounding, default=0) + _ROOM)
    ceiling = min(player.high, max(sounding, default=127))
    tones = ladder(plan.chord_at(note.onset).chord.classes, note.pitch - _FAR, note.pitch + _FAR)
    free = [
        tone for tone in tones if floor <= tone <= ceiling and tone not in sounding and abs(tone - note.pitch) >= _CLEAR
    ]
    heard = {pitch % 12 for pitch in sounding}
    best = min(
        free,
        key=lambda tone: (abs(tone - last) > _LEAP, tone % 12 in heard, tone > note.pitch, abs(tone - note.pitch)),
        default=None,
    )
    return note if best is None else note._replace(pitch=best)
