"""Divisi: who has the same inner line as somebody else plays another tone of the chord, not the same note."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from libretto.house.charts.sections import HORNS, of_one_section
from libretto.house.charts.skills import CHORDS
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.line import ladder
from libretto.house.core.patterns import Sketch

__all__ = ["is_chamber", "parted"]

_LINES = ("second", "third")
_TRUMPETS, _SAXOPHONES = frozenset((56, 59)), frozenset(range(64, 68))  # who is on top, and who comes next
_SECTION = 3  # horns that play in parts
_CHAMBER = 5  # players, at most, who have a line each
_CLEAR, _FAR = 3, 12  # semitones between the two, at least and at most
_HIGHER = 5  # semitones by which an instrument that lies above another is higher
_STRINGS = frozenset((40, 41, 42, 44, 48, 49, 50, 51))  # programs of bowed strings above the bass
_LEAP = 7  # semitones, more of which an inner voice does not leap
_OCTAVES = 3  # between two horns, at most
_ROOM = 2  # semitones above the bass that stay free


def is_chamber(players: Sequence[Player]) -> bool:
    """Whether a band is few players with a line each."""
    return len(players) <= _CHAMBER and all(player.polyphony < CHORDS for player in players)


def parted(
    plan: Plan,
    players: Sequence[Player],
    parts: Mapping[str, tuple[str, ...]],
    spare: Mapping[str, Mapping[str, frozenset[int]]],
    made: dict[str, list[Sketch]],
) -> None:
    """Of those who have one inner line in a small band all but the first leave its notes for others of the chord; so do
    strings that double the line of others."""
    pitched = [player for player in players if not player.drums]
    _above_their_own(plan, [player for player in pitched if player.program in _STRINGS], parts, spare, made)
    if not is_chamber(pitched):
        _in_harmony(plan, _horns(pitched, parts), made, octaves=bool(of_one_section(pitched, parts)))
        return
    for line in _LINES:
        group = _lowest_first([player for player in pitched if parts.get(player.name) == (line,)])
        for place, player in enumerate(group[1:], 1):
            there = {(note.onset, note.pitch) for other in group[:place] for note in made[other.name]}
            others = [note for other in pitched if other is not player for note in made[other.name]]
            rises = _middle(player) - _middle(group[0]) >= _HIGHER
            made[player.name] = _apart(plan, player, made[player.name], there, others, rises=rises)


def _above_their_own(
    plan: Plan,
    strings: Sequence[Player],
    parts: Mapping[str, tuple[str, ...]],
    spare: Mapping[str, Mapping[str, frozenset[int]]],
    made: dict[str, list[Sketch]],
) -> None:
    """Strings that would double an inner line which others of them have for their own play the chord above it: violins
    are no second violas."""
    for player in strings:
        lent = set(spare[player.name]).intersection(_LINES).difference(parts.get(player.name, ()))
        owners = [one for one in strings if one is not player and lent.intersection(parts.get(one.name, ()))]
        bars = frozenset[int]().union(*(spare[player.name][line] for line in lent))  # in which it has no other line
        theirs = [note for one in owners for note in made[one.name] if note.onset // plan.meter.ticks in bars]
        there = {(note.onset, note.pitch + by) for note in theirs for by in (-12, 0, 12)}
        if there:
            others = _of_others(plan, player, made)
            made[player.name] = _apart(plan, player, made[player.name], there, others, rises=True)


def _of_others(plan: Plan, player: Player, made: Mapping[str, Sequence[Sketch]]) -> list[Sketch]:
    """The notes with pitches of everybody but one."""
    return [note for one in plan.players if one is not player and not one.drums for note in made[one.name]]


def _lowest_first(group: list[Player]) -> list[Player]:
    """Those who have one line, who has a much lower instrument than the first before it: the others lie above."""
    low = min(group, key=_middle, default=None)
    if low is None or _middle(group[0]) - _middle(low) < _HIGHER:
        return group
    return [low, *(player for player in group if player is not low)]


def _middle(player: Player) -> float:
    """The middle of what an instrument plays comfortably."""
    return (player.low + player.high) / 2


def _horns(players: Sequence[Player], parts: Mapping[str, tuple[str, ...]]) -> list[Player]:
    """Brass and saxophones with one note at a time, from the top: who leads, trumpets, saxophones, the others."""
    horns = [player for player in players if player.program in HORNS and player.polyphony == 1]
    return sorted(horns, key=lambda player: (parts[player.name] != ("lead",), _rank(player)))


def _rank(player: Player) -> int:
    """How far below the top of a section of horns somebody plays."""
    return 0 if player.program in _TRUMPETS else 1 if player.program in _SAXOPHONES else 2


def _in_harmony(plan: Plan, horns: Sequence[Player], made: dict[str, list[Sketch]], *, octaves: bool) -> None:
    """Of three and more brass and saxophones in a band nobody has the note of another, nor one of its ``octaves`` where
    they are a section: who does plays the chord below it, in as many parts as there are horns."""
    if len(horns) < _SECTION:
        return
    for place, player in enumerate(horns):
        blown = {horn.name: _blown(made[horn.name]) for horn in horns}  # of a chord that is written the upper note
        others = [note for other in horns if other is not player for note in blown[other.name]]
        there = {(note.onset, note.pitch) for other in horns[:place] for note in blown[other.name]}
        if octaves:
            there = {(at, pitch + 12 * by) for at, pitch in there for by in range(-_OCTAVES, _OCTAVES + 1)}
        made[player.name] = _apart(plan, replace(player, bottom=player.low), made[player.name], there, others, below=0)


def _blown(notes: Sequence[Sketch]) -> list[Sketch]:
    """What is heard of notes by who has one at a time: the highest of those that are struck together."""
    return list({note.onset: note for note in sorted(notes, key=lambda note: note.pitch)}.values())


def _apart(
    plan: Plan,
    player: Player,
    notes: Sequence[Sketch],
    there: set[tuple[int, int]],
    others: list[Sketch],
    *,
    below: int | None = None,
    rises: bool = False,
) -> list[Sketch]:
    """A line whose notes that are ``there`` already are moved to other tones, above a pitch (``below``) or clear of the
    lowest of the others; upwards first where it ``rises``."""
    own: list[Sketch] = []
    for note in notes:
        last = own[-1].pitch if own else note.pitch
        moved = (note.onset, note.pitch) in there
        own.append(_moved(plan, player, note, others, last, below, rises) if moved else note)
    return own


def _moved(
    plan: Plan, player: Player, note: Sketch, others: Sequence[Sketch], last: int, below: int | None, rises: bool
) -> Sketch:
    """A note on a tone of the chord below it, or above, that lies clear of all that sounds: no leap from the one
    before, and first one that nobody has yet."""
    sounding = {other.pitch for other in others if other.onset <= note.onset < other.onset + other.duration}
    floor = max(player.bottom, min(sounding, default=0) + _ROOM if below is None else below)
    ceiling = min(player.high, max(sounding, default=127))
    tones = ladder(plan.chord_at(note.onset).chord.classes, note.pitch - _FAR, note.pitch + _FAR)
    free = [
        tone for tone in tones if floor <= tone <= ceiling and tone not in sounding and abs(tone - note.pitch) >= _CLEAR
    ]
    heard = {pitch % 12 for pitch in sounding}
    best = min(
        free,
        key=lambda tone: (
            rises and tone < note.pitch,
            abs(tone - last) > _LEAP,
            tone % 12 in heard,
            tone > note.pitch,
            abs(tone - note.pitch),
        ),
        default=None,
    )
    return note if best is None else note._replace(pitch=best)
