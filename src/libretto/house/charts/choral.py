"""Choirs: a choir that answers or accompanies sings in parts, where its line is written for one voice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from libretto.house.charts.colours import four_parts
from libretto.house.charts.habits import habits_of
from libretto.house.charts.skills import CHORDS, SUNG
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.line import ladder
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

__all__ = ["in_parts", "in_reach", "is_choir"]

_OTHERS, _APART = 2, 3  # voices below the line, and semitones between voices at least
_SINGLE = 0.8  # of its strokes: a line with more single notes is written for one voice
_LIGHT = -6  # how much softer the voices below are
_SACRED, _HIGHEST = "sacred", "Soprano"  # a habit, and who sings highest in a choir of single voices
_SCREAM = 77  # F5, above which a choir does not sing
_SHORTEST = QUARTER // 2  # ticks of notes that are sung in parts


def is_choir(plan: Plan, player: Player) -> bool:
    """Whether somebody is a choir that has not the tune of the piece, or nobody beside it and a style for parts."""
    own = plan.chart is not None and plan.chart.styles[0] == plan.style.name
    alone = _alone(plan, player) and not (own and plan.style.data.get("unison"))
    able = player.program in SUNG and player.polyphony >= CHORDS
    return able and (alone or player.role in ("counter", "pad", "comping"))


def in_parts(plan: Plan, player: Player, notes: Sequence[Sketch]) -> list[Sketch]:
    """The notes of a choir with tones of the chord below every one of them that stands alone; in four parts, where
    nobody else has pitches."""
    if _alone(plan, player):
        return _in_four(plan, player, notes)
    notes = _broad(notes)
    strokes = Counter(note.onset for note in notes)
    if sum(count == 1 for count in strokes.values()) < _SINGLE * len(strokes):
        return list(notes)
    made = list(notes)
    for note in notes:
        if strokes[note.onset] > 1 or note.duration < _SHORTEST:
            continue
        rungs = ladder(plan.chord_at(note.onset).chord.classes, note.pitch - 12, note.pitch - _APART)
        below = [tone for tone in rungs if tone >= player.low][-_OTHERS:]
        made += [note._replace(pitch=tone, accent=note.accent + _LIGHT) for tone in below]
    return sorted(made)


def _broad(notes: Sequence[Sketch]) -> list[Sketch]:
    """Notes without what runs quicker than eighths between others: a choir behind others sings no runs of strings."""
    made: list[Sketch] = []
    for note in sorted(notes):
        last = made[-1] if made else None
        runs = last is not None and last.onset < note.onset == last.onset + last.duration
        if last is not None and runs and note.duration < _SHORTEST and note.onset % _SHORTEST:
            made[-1] = last._replace(duration=last.duration + note.duration)
        else:
            made.append(note)
    return made


def in_reach(plan: Plan, player: Player, notes: list[Sketch]) -> list[Sketch]:
    """The notes of a choir whose sopranos keep below where they would scream: the highest sing the next tone of the
    chord, and who has that already is one with them."""
    choir = player.polyphony >= CHORDS or (player.name.startswith(_HIGHEST) and not _alone(plan, player))
    if player.program not in SUNG or not choir or _SACRED not in habits_of(plan):
        return notes
    made: dict[tuple[int, int], Sketch] = {}
    for note in notes:
        rungs = ladder(plan.chord_at(note.onset).chord.classes, note.pitch - 12, _SCREAM)
        lower = note._replace(pitch=rungs[-1]) if note.pitch > _SCREAM and rungs else note
        made.setdefault((lower.onset, lower.pitch), lower)
    return sorted(made.values())


def _alone(plan: Plan, player: Player) -> bool:
    """Whether nobody else has pitches."""
    return [one for one in plan.players if not one.drums] == [player]


def _in_four(plan: Plan, player: Player, notes: Sequence[Sketch]) -> list[Sketch]:
    """The upper line of a choir with three voices below it, which move with it; short notes pass by themselves."""
    made: list[Sketch] = []
    for _, stroke in groupby(sorted(notes), key=lambda note: note.onset):
        top = max(stroke, key=lambda note: note.pitch)
        chord = plan.chord_at(top.onset)
        short = top.duration < _SHORTEST
        below = [] if short else four_parts(chord.chord.classes, chord.root, top.pitch, player.bottom)
        made += [top, *(top._replace(pitch=tone, accent=top.accent + _LIGHT) for tone in below)]
    return sorted(made)
