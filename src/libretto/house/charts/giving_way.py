"""Giving way: what accompanies a tune leaves out, or moves, what lies half a tone beside it, and a bass keeps off the
half tones beside the chord where it is heard to stand."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from libretto.house.charts.dealing import Deal
from libretto.house.charts.habits import habits_of
from libretto.house.charts.skills import BEATEN
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.line import ladder
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

__all__ = ["given_way"]

_TUNES = ("lead", "second", "third")
_HABIT, _HEAVY = "rubs", "open_fifths"  # of styles in which half tones are meant, and whose basses play riffs
_BESIDE = (1, 13)  # semitones between two tones that rub
_FIGURED = "figured"  # the habit of basses that keep to the chord
_RIFFS = frozenset(("ostinato", "riff", "drone", "pedal", "creep", "tolls"))  # manners of basses that stay as they are
_STEP = 2  # semitones by which a passing tone leads on
_CHORD = 3  # notes at once of which one may be left out
_NEAR = 5  # semitones by which a single note is moved at most
_LONG, _STRUCK = QUARTER, QUARTER // 2  # ticks that a rub with what is held lasts at least: begun by the tune, or not

Parts = Mapping[str, Sequence[Sketch]]


class _Sung(NamedTuple):
    """A note of a tune: where it begins and ends, how high it is, and whose it is."""

    onset: int
    end: int
    pitch: int
    name: str


def given_way(plan: Plan, deal: Deal, made: Parts) -> dict[str, list[Sketch]]:
    """What everybody plays; who accompanies strikes nothing half a tone beside a note of the tune, in its octave or the
    next one, and holds nothing there for a beat: of chords that tone is left out, single notes go to another one."""
    parts = {name: list(notes) for name, notes in made.items()}
    habits = habits_of(plan)
    if _HABIT in habits:
        return parts
    tune = _tune(plan, deal, parts)
    for player in plan.players:
        if not player.drums and player.program not in BEATEN and parts[player.name]:
            parts[player.name] = _yielding(plan, player, parts[player.name], tune)
            riffs = _HEAVY in habits or _RIFFS.intersection(plan.manners.get(player.name, ()))
            if player.role == "bass" and not riffs:
                parts[player.name] = _firm(plan, player, parts[player.name])
    return parts


def _firm(plan: Plan, player: Player, notes: Sequence[Sketch]) -> list[Sketch]:
    """The notes of a bass; what lies half a tone above a tone of the chord goes to that on beats from which no step
    leads on, and in figured styles what lies half a tone beside one on strong beats. A pedal stays, and what belongs
    to the chord that comes."""
    figured = _FIGURED in habits_of(plan)
    line = sorted(notes)
    made: list[Sketch] = []
    for place, note in enumerate(line):
        around = [one.pitch for one in (*line[max(0, place - 1) : place], *line[place + 1 : place + 2])]
        leads = place + 1 < len(line) and 0 < abs(line[place + 1].pitch - note.pitch) <= _STEP
        strong = figured and note.onset % _strong(plan) == 0
        heard = strong or (note.onset % plan.meter.beat == 0 and not leads)
        moves = heard and note.duration >= _STRUCK and note.pitch not in around
        made.append(note._replace(pitch=_tone_beside(plan, player, note, both=strong)) if moves else note)
    return made


def _strong(plan: Plan) -> int:
    """The ticks from one strong beat to the next: half a bar where it has two halves."""
    half = plan.meter.ticks // 2
    return half if half % plan.meter.beat == 0 else plan.meter.ticks


def _tone_beside(plan: Plan, player: Player, note: Sketch, *, both: bool) -> int:
    """The tone of the chord half a tone below a note that is none of it, nor of the next one, or on either side of what
    is none of its own; else the note itself."""
    span = plan.chord_at(note.onset)
    after = frozenset[int]() if both else plan.chord_at(span.end).chord.classes
    if note.pitch % 12 in span.chord.classes | after:
        return note.pitch
    beside = (note.pitch - 1, note.pitch + 1) if both else (note.pitch - 1,)
    return next((one for one in beside if one % 12 in span.chord.classes and one >= player.bottom), note.pitch)


def _tune(plan: Plan, deal: Deal, parts: Parts) -> list[_Sung]:
    """The notes of whoever has the tune, in order; who plays something else besides has it on top."""
    ticks = plan.meter.ticks
    made = set()
    for passage in deal.passages:
        tune, here = passage.scene.tune, set(range(passage.first, passage.first + passage.bars))
        for name, mine in deal.bars.items():
            bars = here & mine.get(tune, frozenset()) if tune in _TUNES else set()
            notes = sorted(note for note in parts.get(name, ()) if note.onset // ticks in bars)
            for onset, group in groupby(notes, key=lambda note: note.onset):
                top = max(group, key=lambda note: note.pitch)
                made.add(_Sung(onset, onset + top.duration, top.pitch, name))
    return sorted(made)


def _yielding(plan: Plan, player: Player, notes: Sequence[Sketch], tune: Sequence[_Sung]) -> list[Sketch]:
    """The notes of somebody; those that rub with a tune are left out, let go or moved. Basses keep their roots."""
    own = {(one.onset, one.pitch) for one in tune if one.name == player.name}
    longest = max((one.end - one.onset for one in tune), default=0)
    made: list[Sketch] = []
    for onset, group in groupby(sorted(notes), key=lambda note: note.onset):
        struck = list(group)
        root = plan.chord_at(onset).bass if player.role == "bass" else None
        for note in [one for one in struck if (onset, one.pitch) not in own and one.pitch % 12 != root]:
            near = _around(note, tune, longest)
            rubbed = next((one for one in near if _rubs(note, note.pitch, one)), None)
            if rubbed is not None:
                struck.remove(note)
                struck += _instead(plan, player, note, rubbed, near, alone=len(struck) + 1 < _CHORD)
        made += struck
    return sorted(made)


def _around(note: Sketch, tune: Sequence[_Sung], longest: int) -> list[_Sung]:
    """The notes of a tune that sound together with a note."""
    first = bisect_left(tune, note.onset - longest, key=lambda one: one.onset)
    last = bisect_left(tune, note.onset + note.duration, key=lambda one: one.onset)
    return [one for one in tune[first:last] if one.end > note.onset]


def _rubs(note: Sketch, pitch: int, sung: _Sung) -> bool:
    """Whether a note, at some pitch, rubs with one of a tune: struck with it, or for long enough."""
    together = min(sung.end, note.onset + note.duration) - max(sung.onset, note.onset)
    least = 1 if sung.onset == note.onset else _LONG if sung.onset > note.onset else _STRUCK
    return abs(pitch - sung.pitch) in _BESIDE and together >= least


def _instead(
    plan: Plan, player: Player, note: Sketch, rubbed: _Sung, near: Sequence[_Sung], *, alone: bool
) -> list[Sketch]:
    """What is played for a note that rubs: the same until the tune comes where it was there before, nothing in a
    chord, another tone of the chord where it is alone."""
    before = rubbed.onset - note.onset
    if before >= QUARTER:
        return [note._replace(duration=before)]
    if not alone:
        return []
    classes = plan.chord_at(note.onset).chord.classes
    low, high = max(player.bottom, note.pitch - _NEAR), min(player.top, note.pitch + _NEAR)
    taken = {one.pitch for one in near}
    tones = [tone for tone in ladder(classes, low, high) if not any(_rubs(note, tone, one) for one in near)]
    tones = sorted((tone for tone in tones if tone not in taken), key=lambda tone: abs(tone - note.pitch))
    return [note._replace(pitch=tones[0])] if tones else [note]
