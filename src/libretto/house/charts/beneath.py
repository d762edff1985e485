"""Beneath: what would accompany somebody else's tune from above comes down below it, or is thinner and softer there.

Where a part lies is decided for the whole piece, from where its chart wants it and where its player has notes; what is
broken upwards, a small instrument or a tune that lies deeper than the chart thought may still put it on top.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from statistics import fmean

from libretto.house.charts.dealing import Deal
from libretto.house.charts.form import Passage
from libretto.house.charts.skills import BEATEN, CHORDS, SECTIONS
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.fretting import held
from libretto.house.core.patterns import Sketch

__all__ = ["beneath", "heights"]

_SUNG, _UNDER = ("lead", "second"), ("chords", "pad", "third")
_BOWED = frozenset((44, 48, 49, 50, 51))  # programs of strings together, which may hold chords above
_OFTEN = 0.5  # of the bars of a section in which both play
_DEEP = 61  # the height of a tune below which there is no room for chords
_CLEAREST = 48  # the lowest note of chords that come down, C3
_SPRINKLED = 3  # single notes a bar that are heard as drops above a tune
_THIN, _SOFTER = 2, 8  # notes of a chord that stays above, and how much softer it is
_OCTAVE = 12

Parts = Mapping[str, Sequence[Sketch]]


def beneath(plan: Plan, deal: Deal, made: Parts) -> dict[str, list[Sketch]]:
    """What everybody plays, with chords and inner lines below the tune in sections in which most of them lay above
    it."""
    tunes = {name: heights(made[name], plan.meter.ticks) for name in made}
    parts = {name: list(notes) for name, notes in made.items()}
    for player in plan.players:
        if not player.drums and player.program not in BEATEN and not _stabs(plan, player):
            for passage in deal.passages:
                parts[player.name] = _lowered(plan, deal, passage, player, parts[player.name], tunes)
    return parts


def _stabs(plan: Plan, player: Player) -> bool:
    """Whether somebody is a section of brass that only stabs: short chords cover no tune."""
    return player.program in SECTIONS and "stabs" in plan.manners.get(player.name, ())


def heights(notes: Sequence[Sketch], ticks: int) -> dict[int, float]:
    """How high the upper notes of a part lie, by bar: each counts until the next is struck."""
    made: dict[int, float] = {}
    for bar, group in groupby(sorted(notes), key=lambda note: note.onset // ticks):
        tops: dict[int, int] = {}
        for note in group:
            tops[note.onset] = max(note.pitch, tops.get(note.onset, 0))
        edges = [*tops, (bar + 1) * ticks]
        lasting = [after - before for before, after in pairwise(edges)]
        made[bar] = fmean(tops.values(), weights=lasting)
    return made


def _lowered(
    plan: Plan,
    deal: Deal,
    passage: Passage,
    player: Player,
    notes: list[Sketch],
    tunes: Mapping[str, Mapping[int, float]],
) -> list[Sketch]:
    """The notes of somebody, with the chords of a section below its tune if most were above it."""
    ticks, tune = plan.meter.ticks, passage.scene.tune
    mine = deal.bars[player.name]
    sung = {}
    for bar in range(passage.first, passage.first + passage.bars):
        singers = [name for name in deal.bars if bar in deal.bars[name].get(tune, ()) and bar in tunes[name]]
        if tune in _SUNG and singers and player.name not in singers:
            sung[bar] = tunes[singers[0]][bar]
    bars = _under(player, mine) & set(range(passage.first, passage.first + passage.bars))
    here = [note for note in notes if note.onset // ticks in bars]
    if not sung or not _is_above(here, sung, ticks):
        return notes
    there = [note for note in notes if note.onset // ticks not in bars]
    if fmean(sung.values()) <= _DEEP:
        return sorted([*there, *_softer(here)])
    return sorted([*there, *_come_down(player, here, sung, ticks, whole="bass" not in mine)])


def _under(player: Player, mine: Mapping[str, frozenset[int]]) -> set[int]:
    """The bars in which somebody accompanies and has no line of its own; not those in which strings hold chords."""
    parts = [part for part in _UNDER if part != "pad" or player.program not in _BOWED]
    under = {bar for part in parts for bar in mine.get(part, ())}
    return under.difference(*(mine.get(part, ()) for part in _SUNG))


def _is_above(notes: Sequence[Sketch], sung: Mapping[int, float], ticks: int) -> bool:
    """Whether most bars of a part lie above a tune; drops of single notes do not."""
    tops = heights(notes, ticks)
    both = [bar for bar in tops if bar in sung]
    busy = [len({note.onset for note in notes if note.onset // ticks == bar}) for bar in both]
    single = len(notes) == len({note.onset for note in notes})
    drops = single and sum(busy) <= _SPRINKLED * len(both)
    return not drops and sum(tops[bar] > sung[bar] for bar in both) >= max(1, _OFTEN * len(both))


def _come_down(
    player: Player, notes: Sequence[Sketch], sung: Mapping[int, float], ticks: int, *, whole: bool
) -> list[Sketch]:
    """Chords an octave lower as they stand; else those notes of them that are higher than the tune; else the lowest of
    each, softer. On frets nothing comes down below the lowest string."""
    lowest = max(player.bottom, _CLEAREST, *player.strings[:1])
    if whole and min(note.pitch for note in notes) - _OCTAVE >= lowest:
        return [note._replace(pitch=note.pitch - _OCTAVE) for note in notes]
    if player.polyphony < CHORDS:  # a line stays as it is
        return _softer(notes)
    ceiling = fmean(sung.values())
    folded = {(note.onset, _folded(note.pitch, lowest, ceiling)): note for note in notes}
    made = _on_frets(player, [note._replace(pitch=pitch) for (_, pitch), note in sorted(folded.items())])
    return _thinned(made) if _is_above(made, sung, ticks) else made


def _folded(pitch: int, lowest: int, ceiling: float) -> int:
    """A note an octave lower, where it lies above a tune and the instrument has that."""
    return pitch - _OCTAVE if pitch > ceiling and pitch - _OCTAVE >= lowest else pitch


def _on_frets(player: Player, notes: Sequence[Sketch]) -> list[Sketch]:
    """What a hand can hold of chords that have come down, on an instrument with frets."""
    if not player.strings:
        return list(notes)
    made: list[Sketch] = []
    for _, group in groupby(notes, key=lambda note: note.onset):
        struck = {note.pitch: note for note in group}
        ways = held(tuple(sorted(struck)), player.strings)
        made += [struck.get(pitch, struck[min(struck)])._replace(pitch=pitch) for pitch in ways]
    return made


def _thinned(notes: Sequence[Sketch]) -> list[Sketch]:
    """The lowest notes of every chord, softer."""
    made: list[Sketch] = []
    for _, group in groupby(sorted(notes), key=lambda note: note.onset):
        made += [*group][:_THIN]
    return _softer(made)


def _softer(notes: Sequence[Sketch]) -> list[Sketch]:
    """The same notes, softer."""
    return [note._replace(accent=note.accent - _SOFTER) for note in notes]
