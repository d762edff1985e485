"""A model piece set for a band that can play it as it stands: every part whole, bar by bar over the new chords.

Where a chord is the model's own, in the new key, its notes are played as they were written. Over another chord what
sings is moved in steps of the scale, as a tune is told over other chords, and what accompanies takes the same degrees
of the new chord.
"""

from __future__ import annotations

from collections.abc import Sequence

from libretto.house.arrange.backing import play_drums
from libretto.house.arrange.retelling import retold
from libretto.house.arrange.source import Told, tell_part
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import Sketch
from libretto.house.core.tones import fold, short_way
from libretto.house.repertoire.layout import Stretch
from libretto.house.repertoire.piece import DRUMMING

__all__ = ["set_parts"]

_SINGS = ("lead", "answer", "counter", "double")
_MUD, _OPEN = 48, 5  # below C3 nothing closer than a fourth
_OCTAVES = (0, 12, -12, 24, -24, 36, -36)
# A part may lie outside what is comfortable with so much of it before it goes into another octave; what is beyond the
# instrument counts so many times.
_REACH, _BEYOND = 0.12, 4


def set_parts(plan: Plan) -> dict[str, list[Sketch]]:
    """What every player plays, each its own part of the model pieces behind the plan."""
    return {player.name: _part(plan, player) for player in plan.players}


def _part(plan: Plan, player: Player) -> list[Sketch]:
    notes: list[Sketch] = []
    for number, stretch in enumerate(plan.stretches):
        for duty in plan.duties[player.name][number]:
            shown = duty.lent or stretch
            if duty.role in DRUMMING:
                notes += play_drums(plan, player, shown, duty.part)
            else:
                notes += _told(plan, shown, duty.part, duty.role)
    return sorted(notes) if player.drums else _in_reach(_clear(notes), player)


def _told(plan: Plan, stretch: Stretch, part: str, role: str) -> list[Sketch]:
    """A part in a stretch: what sings is told as a line, all else by degrees of the chords."""
    told = tell_part(plan, stretch, part)
    shift = short_way(plan.key.tonic_class - stretch.piece.key.tonic_class)
    lines = {note.onset: note.pitch for note in _line(plan, stretch, part, told)} if role in _SINGS else {}
    tops = _tops(told)
    made = []
    for place, note in enumerate(told):
        there = note.event.pitch + shift
        if _same_chord(plan, stretch, note, shift):
            pitch = there
        elif place in tops and note.onset in lines:
            pitch = lines[note.onset]
        else:
            pitch = note.pitch
        made.append(Sketch(note.onset, note.duration, pitch, note.accent))
    return made


def _same_chord(plan: Plan, stretch: Stretch, note: Told, shift: int) -> bool:
    """Whether a note stands over the same chord as in the model."""
    span = plan.chord_at(note.span)
    piece = stretch.piece
    old = piece.score.chord_at(note.event.bar * piece.meter.ticks + note.event.start)
    if old is None:
        return True
    moved = {(tone + shift) % 12 for tone in old.classes}
    return (old.root_class + shift) % 12 == span.chord.root_class and (
        moved <= set(span.chord.classes) or set(span.chord.classes) <= moved
    )


def _tops(told: Sequence[Told]) -> set[int]:
    """Which notes of a part are its line: the highest of those that start together, if nothing higher still sounds."""
    tops: set[int] = set()
    sounding = (0, 0)  # until when, and how high
    at: dict[int, int] = {}
    for place, note in enumerate(told):
        if note.onset not in at or told[at[note.onset]].event.pitch < note.event.pitch:
            at[note.onset] = place
    for onset in sorted(at):
        note = told[at[onset]]
        if onset >= sounding[0] or note.event.pitch >= sounding[1]:
            tops.add(at[onset])
            sounding = (onset + note.duration, note.event.pitch)
    return tops


def _line(plan: Plan, stretch: Stretch, part: str, told: Sequence[Told]) -> list[Sketch]:
    """The line of a part over the new chords, where it lies in the model."""
    shift = short_way(plan.key.tonic_class - stretch.piece.key.tonic_class)
    tops = [told[place].event.pitch + shift for place in sorted(_tops(told))]
    if not tops:
        return []
    middle = sum(tops) / len(tops)
    return retold(plan, stretch, part, 0, 127, middle)


def _clear(notes: list[Sketch]) -> list[Sketch]:
    """The same, nothing struck twice and nothing muddy that starts together below C3."""
    made: list[Sketch] = []
    seen: set[tuple[int, int]] = set()
    for note in sorted(notes):
        if made and made[-1].onset == note.onset and note.pitch < _MUD and 0 < note.pitch - made[-1].pitch < _OPEN - 1:
            note = note._replace(pitch=note.pitch + 12)
        if (note.onset, note.pitch) not in seen:
            seen.add((note.onset, note.pitch))
            made.append(note)
    return sorted(made)


def _in_reach(notes: list[Sketch], player: Player) -> list[Sketch]:
    """A part in the octave in which an instrument plays most of it; single notes beyond go into the next."""
    if not notes:
        return notes

    def outside(move: int) -> tuple[float, int]:
        away = sum(not player.low <= note.pitch + move <= player.high for note in notes) / len(notes)
        beyond = sum(not player.bottom <= note.pitch + move <= player.top for note in notes) / len(notes)
        return (away if away > _REACH else 0.0) + _BEYOND * beyond, abs(move)

    move = min(_OCTAVES, key=outside)
    lowest = player.low if player.role == "bass" else player.bottom  # what lies below a usual bass only rumbles
    return [note._replace(pitch=fold(note.pitch + move, lowest, player.top)) for note in notes]
