"""Crowning: the last return of a chorus or a drop is the fullest, with an octave above and a drummer who opens up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from libretto.house.charts.beneath import heights
from libretto.house.charts.dealing import Deal
from libretto.house.charts.form import Passage
from libretto.house.charts.habits import habits_of
from libretto.house.charts.skills import HANDS
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import Sketch, four_limbs

__all__ = ["crowned"]

_HEIGHTS = ("chorus", "drop", "hook")  # kinds of sections that are heights
_CALM = 70  # loudness below which a piece is calm: its last height is no louder, and nobody drums more
_LOUDER, _SOFTER = 4, -6  # accents: of all in the last height, and of what is added
_CHORD, _OCTAVE = 3, 12  # notes at once that are a chord; semitones
_HAT, _RIDE, _BEATEN = 42, 51, 8  # keys of a kit; strokes a bar of hats that may lie on the ride
_FLOOR = "floor"  # the habit of a kick on every beat, where a ride joins the hats

Parts = Mapping[str, Sequence[Sketch]]


def crowned(plan: Plan, deal: Deal, made: Parts) -> dict[str, list[Sketch]]:
    """What everybody plays; in the last chorus or drop of several the tune of two hands has its octave above it on
    beats, their chords have a note more on top, a drummer goes from the hats to the ride, or adds it, and all are a
    little louder: not where a piece is to go round, nor all of it in a calm one."""
    parts = {name: list(notes) for name, notes in made.items()}
    last = _last_height(deal.passages)
    if last is None or plan.goes_round or plan.extended:
        return parts
    bars = range(last.first, min(last.first + last.bars, plan.bars - 1))
    for player in plan.players:
        here, rest = _split(plan, parts[player.name], bars)
        if not here or player.name in plan.paired:
            continue
        ceilings = _ceilings(plan, deal, made, player, last)
        fuller = _opened_up(plan, player, here) if player.drums else _doubled(plan, deal, player, here, last, ceilings)
        louder = 0 if plan.loudness < _CALM else _LOUDER
        parts[player.name] = sorted([*rest, *(note._replace(accent=note.accent + louder) for note in fuller)])
    return parts


def _last_height(passages: Sequence[Passage]) -> Passage | None:
    """The last of several choruses, or drops, that is heard with others of its kind before it; none where a close as
    long as it goes higher still."""
    heights = [passage for passage in passages if passage.scene.kind in _HEIGHTS]
    before = [one for one in heights[:-1] if one.scene.kind == heights[-1].scene.kind]
    after = [one for one in passages if heights and one.first > heights[-1].first]
    higher = [one for one in after if one.scene.energy > heights[-1].scene.energy and one.bars >= heights[-1].bars]
    return heights[-1] if before and not higher else None


def _split(plan: Plan, notes: Sequence[Sketch], bars: range) -> tuple[list[Sketch], list[Sketch]]:
    """The notes of some bars, and all others."""
    here = [note for note in notes if note.onset // plan.meter.ticks in bars]
    return here, [note for note in notes if note.onset // plan.meter.ticks not in bars]


def _ceilings(plan: Plan, deal: Deal, parts: Parts, player: Player, last: Passage) -> dict[int, float]:
    """How high the tune of somebody else lies in the bars of a height."""
    tunes = [name for name, mine in deal.bars.items() if last.first in mine.get(last.scene.tune, frozenset())]
    others = [name for name in tunes if name != player.name]
    return heights(parts[others[0]], plan.meter.ticks) if others and player.name not in tunes else {}


def _doubled(
    plan: Plan, deal: Deal, player: Player, here: Sequence[Sketch], last: Passage, ceilings: Mapping[int, float]
) -> list[Sketch]:
    """The notes of two hands with an octave more: above the tune on beats, or on top of chords and below the tune of
    somebody else."""
    if player.program not in HANDS or player.strings:
        return list(here)
    sings = last.first in deal.bars[player.name].get(last.scene.tune, frozenset())
    made = list(here)
    for onset, group in groupby(sorted(here), key=lambda note: note.onset):
        struck = sorted(group, key=lambda note: note.pitch)
        high = min(player.high, ceilings.get(onset // plan.meter.ticks, player.high))
        models = struck[-1:] if sings and onset % plan.meter.beat == 0 else struck[-_CHORD:]
        if sings or len(struck) >= _CHORD:
            made += next(filter(None, (_octave(player, model, struck, high) for model in models)), [])
    return made


def _octave(player: Player, model: Sketch, struck: Sequence[Sketch], high: float) -> list[Sketch]:
    """A note an octave above another, up to some height, where its player has the fingers for it."""
    pitch = model.pitch + _OCTAVE
    free = struck[-1].pitch + 1 < pitch <= high and len(struck) < player.polyphony
    return [model._replace(pitch=pitch, accent=model.accent + _SOFTER)] if free else []


def _opened_up(plan: Plan, player: Player, here: Sequence[Sketch]) -> list[Sketch]:
    """The strokes of a kit on the ride in place of the hats; over a kick on every beat the ride joins on beats."""
    hats = [note for note in here if note.pitch == _HAT]
    ridden = any(note.pitch == _RIDE for note in here)
    if player.role != "drums" or plan.loudness < _CALM or ridden:
        return list(here)
    if _FLOOR in habits_of(plan):
        beats = [note._replace(pitch=_RIDE, accent=note.accent - _SOFTER) for note in hats]
        return four_limbs([*here, *_on_beats(plan, beats)])
    busy = len(hats) > _BEATEN * len({note.onset // plan.meter.ticks for note in hats})
    kept = [note for note in here if note.pitch != _HAT]
    return list(here) if busy else [*kept, *(note._replace(pitch=_RIDE) for note in hats)]


def _on_beats(plan: Plan, strokes: Sequence[Sketch]) -> list[Sketch]:
    """The strokes that fall on beats."""
    return [stroke for stroke in strokes if stroke.onset % plan.meter.beat == 0]
