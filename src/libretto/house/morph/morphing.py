"""The house's morphs: two songs' figures over new chords, handed over part by part, home in the target's key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from libretto.errors import LibrettoError
from libretto.house.compose.composer import compose_score
from libretto.house.core.controls import Controls
from libretto.house.drafting import knobs, writers
from libretto.house.morph.bank import PHRASE, Bank, SongLayer, read_bank
from libretto.house.morph.handover import Change, Ear, changes_of, ear_between, how_pure, order_changes
from libretto.house.morph.playing import close_layer, play_layer
from libretto.house.morph.trip import Leg, Trip, plan_trip
from libretto.score import Note, Score, Voice, legal_name, spell
from libretto.score.keys import spell_drums
from libretto.score.time import micros_of_bpm
from libretto.score.voice import unique_name
from libretto.tasks import Task, compose_task
from libretto.tasks.morph.task import MorphTask

__all__ = ["write_morph"]

_STAGES = ("Source", "Departure", "Crossing", "Arrival")
_CROSSINGS = (0.5, 0.35, 0.65)  # where on the way the chords may become the target's
_TRIED = 6  # phrases that may begin or end it
_FEWEST_NOTES = 4  # who has less to say stays at home
_MODEL_BARS = 64  # of a genre's own piece
_BROADER, _BROADEST = 0.97, 0.88  # of the target's speed, in the last bar but one and in the last
_SEATS = {"line": 0, "chords": 1, "bass": 2}  # from the top of the score; drums below


knobs.register("morph")(("departure", "arrival"))


@writers.register("morph")
def write_morph(task: Task, seed: int, controls: Controls) -> Score:
    """A morph from one song or genre to another; the same bytes for the same task, seed and controls."""
    if not isinstance(task, MorphTask):
        raise LibrettoError("a morph needs a task with a source and a target")
    banks = (_bank(task.source, seed), _bank(task.target, seed))
    changes = changes_of(banks)
    if not changes:
        raise LibrettoError("neither source nor target has parts that can be played")
    ear = ear_between(banks)
    firsts = _firsts(banks, changes, ear, task.bars, seed, controls)
    ways = []
    for crossing in _CROSSINGS:
        trip = plan_trip(banks, task.bars, seed, controls, firsts, crossing)
        ways.append((*order_changes(trip, changes, ear, seed), trip))
    _, timed, trip = min(ways, key=lambda way: way[0])
    return _score(trip, timed, task.contract.title)


def _firsts(
    banks: tuple[Bank, Bank], changes: Sequence[Change], ear: Ear, bars: int, seed: int, controls: Controls
) -> tuple[int, int]:
    """Which phrases begin and end the way: those in which, on new chords, their song is heard most clearly."""
    firsts = []
    for side in (0, 1):
        tried = []
        for number in range(min(_TRIED, len(banks[side].phrases))):
            trip = plan_trip(banks, bars, seed, controls, (number, 0) if side == 0 else (0, number))
            far = how_pure(trip, changes, ear, side)
            tried.append((far if side == 0 else -far, number))
        firsts.append(min(tried)[1])
    return firsts[0], firsts[1]


@lru_cache(maxsize=16)
def _bank(given: Score | str, seed: int) -> Bank:
    """The bank of a song, or of a piece of our own in a genre."""
    if isinstance(given, str):
        contract = replace(compose_task(genre=given, bars=_MODEL_BARS).contract, style=given)  # typical of the genre
        return read_bank(compose_score(contract, seed))
    return read_bank(given)


class _Written(NamedTuple):
    """A part as it is written: the layer whose instrument it has, and its notes."""

    layer: SongLayer
    notes: list[Note]


class _Home(NamedTuple):
    """Which part a layer plays in, and of which song it is: 0 the source, 1 the target."""

    part: str
    layer: SongLayer
    side: int


def _score(trip: Trip, timed: Sequence[tuple[int, Change]], title: str) -> Score:
    """The piece: every layer in the bars that are its own."""
    parts: dict[str, _Written] = {}
    homes: list[_Home] = []
    for bar, change in timed:
        _hand_over(trip, bar, change, parts, homes)
    parts = {name: part for name, part in parts.items() if len(part.notes) >= _FEWEST_NOTES} or parts
    _fill_silence(trip, parts, [home for home in homes if home.part in parts])
    voices = [_voice(trip, name, part.layer, part.notes) for name, part in _seated(parts) if part.notes]
    ends = (*(leg.start for leg in trip.legs), trip.legs[-1].start + trip.legs[-1].ticks)
    return Score.build(
        voices,
        bar_lines=ends,
        meters=trip.meters,
        keys=trip.keys,
        tempos=_tempos(trip),
        sections=_sections(trip),
        chords=[leg.labels for leg in trip.legs],
        title=title,
    )


def _hand_over(trip: Trip, bar: int, change: Change, parts: dict[str, _Written], homes: list[_Home]) -> None:
    """Write what leaves until a bar and what enters there into the parts; one instrument goes on in one part."""
    last = len(trip.legs) - 1
    shared = change.leaves is not None and change.enters is not None and change.leaves.program == change.enters.program
    name = ""
    for side, layer in enumerate((change.leaves, change.enters)):
        if layer is None:
            continue
        legs = trip.legs[: _released(trip, bar, change)] if side == 0 else trip.legs[bar:last]
        notes = play_layer(trip, layer, side, legs, fading=not shared)
        if side == 1:
            notes += close_layer(trip, layer, notes)
        if not (side == 1 and shared and name):
            name = "Drums" if layer.drums else unique_name(legal_name(layer.name), parts)
        parts.setdefault(name, _Written(layer, [])).notes.extend(notes)
        homes.append(_Home(name, layer, side))


def _sections(trip: Trip) -> list[tuple[int, str]]:
    """The stages of the way with the ticks at which they begin, at the nearest phrase, none before the last one."""
    places = (0, trip.depart, (trip.depart + trip.arrive) // 2, trip.arrive)
    bars = [max(number * PHRASE, PHRASE * round(bar / PHRASE)) for number, bar in enumerate(places)]
    return [(trip.legs[bar].start, name) for bar, name in zip(bars, _STAGES, strict=True)]


def _released(trip: Trip, bar: int, change: Change) -> int:
    """Until where who leaves plays: until who enters is heard, two phrases at most."""
    if change.leaves is None or change.enters is None or change.enters.program == change.leaves.program:
        return bar
    for later in range(bar, min(bar + 2 * PHRASE, trip.arrive)):
        if change.enters.bars[trip.legs[later].figures[1]]:
            return later
    return bar


def _fill_silence(trip: Trip, parts: dict[str, _Written], homes: Sequence[_Home]) -> None:
    """Something sounds in every bar: whoever has something to play there does, else the last chord rings on."""
    for leg in trip.legs:
        end = leg.start + leg.ticks
        every = [note for part in parts.values() for note in part.notes]
        if any(note.onset < end and note.onset + note.duration > leg.start for note in every):
            continue
        order = sorted(homes, key=lambda home: (home.layer.drums, home.side != int(leg.share >= 0.5)))
        able = next((home for home in order if home.layer.bars[leg.figures[home.side]]), None)
        if able is not None:
            parts[able.part].notes.extend(play_layer(trip, able.layer, able.side, [leg], fading=False))
            continue
        for part in parts.values():
            if not part.layer.drums:
                _ring_on(part.notes, leg)


def _ring_on(notes: list[Note], leg: Leg) -> None:
    """Hold what was struck last until the end of a silent bar, if it was not long ago."""
    recent = max((note.onset for note in notes if note.onset < leg.start), default=-1)
    if recent < leg.start - 2 * leg.ticks:
        return
    for place, note in enumerate(notes):
        if note.onset == recent:
            notes[place] = note._replace(duration=leg.start + leg.ticks - note.onset)


def _seated(parts: dict[str, _Written]) -> list[tuple[str, _Written]]:
    """The parts as a score has them: lines on top, then chords, bass and drums."""
    return sorted(parts.items(), key=lambda part: _SEATS.get(part[1].layer.role, len(_SEATS)))


def _voice(trip: Trip, name: str, layer: SongLayer, notes: Sequence[Note]) -> Voice:
    made: list[Note] = []
    pitches = np.array([note.pitch for note in notes])
    if layer.drums:
        spelled = spell_drums(pitches).tolist()
    else:
        starts = [tick for tick, _ in trip.keys]
        keys = [key for _, key in trip.keys]
        place = (np.searchsorted(starts, [note.onset for note in notes], side="right") - 1).tolist()
        by_key = [spell(pitches, key).tolist() for key in keys]
        spelled = [by_key[at][number] for number, at in enumerate(place)]
    seen: dict[tuple[int, int], int] = {}
    for note, spelling in sorted(zip(notes, spelled, strict=True)):
        known = seen.get((note.onset, note.pitch))
        if known is None:
            seen[note.onset, note.pitch] = len(made)
            made.append(note._replace(spelling=spelling))
    return Voice.of(name, _clipped(made), layer.program, layer.drums)


def _clipped(notes: Sequence[Note]) -> list[Note]:
    """Every note ends where its pitch is struck again."""
    following: dict[int, int] = {}
    made = []
    for note in sorted(notes, reverse=True):
        until = following.get(note.pitch, note.onset + note.duration)
        following[note.pitch] = note.onset
        made.append(note._replace(duration=max(1, min(note.duration, until - note.onset))))
    return made[::-1]


def _tempos(trip: Trip) -> list[tuple[int, int]]:
    """The speed every two bars, and a little broader into the last."""
    tempos: list[tuple[int, int]] = []
    for leg in trip.legs[::2]:
        micros = micros_of_bpm(round(trip.tempo_at(leg.share), 1))
        if not tempos or tempos[-1][1] != micros:
            tempos.append((leg.start, micros))
    final = trip.banks[1].tempo
    before, last = trip.legs[-2], trip.legs[-1]
    return [
        *((tick, micros) for tick, micros in tempos if tick < before.start),
        (before.start, micros_of_bpm(round(final * _BROADER, 1))),
        (last.start, micros_of_bpm(round(final * _BROADEST, 1))),
    ]
