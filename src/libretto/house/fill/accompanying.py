"""Write one part of a song from the rest: bass, drums, keys, guitar, strings or lead.

Each role has its player, a function from what is beside it to notes. Rhythms are taken from what the others do, chords
from what is heard; nothing of a part that was there before is known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from libretto.errors import LibrettoError
from libretto.house.core.controls import Controls
from libretto.house.core.dice import dice
from libretto.house.core.partwriting import bass_note, spaced, voiced
from libretto.house.core.patterns import Sketch, clipped
from libretto.house.drafting import writers
from libretto.house.fill.beside import Beside
from libretto.house.fill.reading import Harmony
from libretto.house.fill.retelling import retold
from libretto.registry import Registry
from libretto.score import QUARTER, Score, hear_chords, spell
from libretto.score.edit import regrid
from libretto.score.keys import spell_drums
from libretto.score.table import NOTE
from libretto.tasks import Task
from libretto.tasks.fill.accompany import AccompanyTask

__all__ = ["players", "write_part"]

Player = Callable[[Beside, int, Controls], list[Sketch]]
#: Who plays which role.
players: Registry[Player] = Registry("player")
_PHRASE = 4


@writers.register("accompany")
def write_part(task: Task, seed: int, controls: Controls) -> Score:
    """The song of an accompaniment with its part written."""
    if not isinstance(task, AccompanyTask):
        raise LibrettoError("this is not a task of accompanying a song")
    score = task.context
    index = next(number for number, voice in enumerate(score.voices) if voice.name == task.voice)
    beside = Beside(score, index)
    sketched = clipped(players[task.role](beside, seed, controls))
    voice = score.voices[index]
    loud = beside.loudness
    rng = dice(seed, "touch", task.voice)
    rows = [
        (note.onset, note.duration, note.pitch, min(127, max(1, loud + note.accent + rng.randint(-4, 4))), 0)
        for note in sketched
        if 0 <= note.onset < score.ticks
    ]
    notes = np.array(rows, dtype=NOTE)
    notes["spelling"] = spell_drums(notes["pitch"]) if voice.drums else spell(notes["pitch"], score.key)
    voices = tuple(voice.with_notes(notes) if each is voice else each for each in score.voices)
    touched = np.ones(score.bars, dtype=np.bool_)
    made = replace(score, voices=voices, grids=regrid(voices, score.bar_lines, score.grids, touched))
    return replace(made, chords=hear_chords(made))


@players.register("bass")
def _bass(beside: Beside, seed: int, controls: Controls) -> list[Sketch]:
    """With the bass drum where there is one: roots where chords begin, fifths between, steps into changes."""
    notes: list[Sketch] = []
    last = 38 + round(4 * controls.bass_register)
    most = max(2, round(6 * (1 + 0.6 * controls.density)))
    for bar in np.flatnonzero(beside.playing).tolist():
        end = int(beside.lines[bar + 1])
        places = spaced([*beside.changes(bar), *(beside.kicks(bar) or beside.usual(bar, 4))], QUARTER // 3, most)
        for index, tick in enumerate(places):
            chord = beside.chord(tick + QUARTER // 8)
            if chord is None:
                continue
            after = places[index + 1] if index + 1 < len(places) else end
            following = beside.chord(after + QUARTER // 8)
            strong = index == 0 or any(abs(tick - change) < QUARTER // 8 for change in beside.changes(bar))
            pitch = bass_note(chord, following, strong, last, beside, bar, dice(seed, "bass", bar % _PHRASE, index))
            last = pitch
            length = min(after - tick, 2 * QUARTER) if after > tick else QUARTER // 2
            notes.append(Sketch(tick, max(QUARTER // 8, int(0.92 * length)), pitch, 4 if strong else -2))
    return notes


@players.register("strings")
def _strings(beside: Beside, seed: int, controls: Controls) -> list[Sketch]:
    """Held chords, each voice going on by the smallest step; chords that stay are held on."""
    notes: list[Sketch] = []
    voices: list[int] = []
    held: tuple[int, Harmony] | None = None
    end = 0

    def close(until: int) -> None:
        if held is not None:
            notes.extend(
                Sketch(held[0], max(QUARTER // 4, until - held[0] - QUARTER // 16), pitch, -8) for pitch in voices
            )

    for bar in np.flatnonzero(beside.playing).tolist():
        for tick in beside.changes(bar):
            chord = beside.chord(tick + QUARTER // 8)
            if chord is None:
                continue
            long = held is not None and tick - held[0] >= 2 * (beside.lines[bar + 1] - beside.lines[bar])
            if held is not None and chord == held[1] and tick <= end and not long:
                end = int(beside.lines[bar + 1])
                continue
            close(min(tick, end))
            voices = voiced(chord, voices, 64, 3 if controls.size >= 0 else 2)
            held = (tick, chord)
            end = int(beside.lines[bar + 1])
    close(end)
    return notes


def _comped(beside: Beside, seed: int, controls: Controls, middle: int, count: int, size: int) -> list[Sketch]:
    notes: list[Sketch] = []
    voices: list[int] = []
    before: Harmony = None
    count = max(2, round(count * (1 + 0.5 * controls.density)))
    for bar in np.flatnonzero(beside.playing).tolist():
        places = spaced([*beside.changes(bar), *beside.usual(bar, count)], QUARTER // 3, count + 1)
        for index, tick in enumerate(places):
            chord = beside.chord(tick + QUARTER // 8)
            if chord is None:
                continue
            if chord != before or not voices:
                voices, before = voiced(chord, voices, middle, size), chord
            after = places[index + 1] if index + 1 < len(places) else int(beside.lines[bar + 1])
            share = 0.85 if dice(seed, "length", bar % _PHRASE, index).random() < 0.6 + 0.4 * controls.lengths else 0.45
            length = max(QUARTER // 6, int(share * (after - tick)))
            notes.extend(Sketch(tick, length, pitch, -4 if index else 0) for pitch in voices)
    return notes


@players.register("keys")
def _keys(beside: Beside, seed: int, controls: Controls) -> list[Sketch]:
    """Chords in the middle register on the places that the song likes."""
    return _comped(beside, seed, controls, 62, 4, 3 + (controls.size > 0.3))


@players.register("guitar")
def _guitar(beside: Beside, seed: int, controls: Controls) -> list[Sketch]:
    """The same, lower and busier, with the chord broken every other phrase."""
    notes: list[Sketch] = []
    for note in _comped(beside, seed, controls, 56, 5, 3):
        bar = int(np.searchsorted(beside.lines, note.onset, side="right")) - 1
        if bar // (2 * _PHRASE) % 2 and note.duration > QUARTER // 3:
            rank = sum(1 for other in notes if other.onset > note.onset - QUARTER // 2 and other.pitch < note.pitch)
            note = note._replace(onset=note.onset + min(rank, 2) * QUARTER // 32)
        notes.append(note)
    return notes


@players.register("drums")
def _drums(beside: Beside, seed: int, controls: Controls) -> list[Sketch]:
    """Hats on the half beats, snare on the backbeat, the bass drum with the bass; a fill where phrases end."""
    notes: list[Sketch] = []
    playing = beside.playing
    for bar in np.flatnonzero(playing).tolist():
        beats = beside.beats(bar)
        end = int(beside.lines[bar + 1])
        step = beats[1] - beats[0] if len(beats) > 1 else end - beats[0]
        fill = bar % 8 == 7 and len(beats) > 2
        fine = 4 if controls.drums > 0.3 else 1 if controls.drums < -0.3 else 2
        for index, beat in enumerate(beats):
            for part in range(fine):
                tick = beat + part * step // fine
                if tick < end and not (fill and index == len(beats) - 1):
                    notes.append(Sketch(beside.snapped(tick, bar), step // fine, 42, -6 if part else -2))
            if index % 2 == 1 and not (fill and index == len(beats) - 1):
                notes.append(Sketch(beside.snapped(beat, bar), step, 38, 8))
        kicks = [beats[0], *(tick for tick in beside.lows(bar) if tick not in beats[1::2])]
        if len(beats) > 2:
            kicks.append(beats[2])
        notes.extend(Sketch(tick, step // 2, 36, 6) for tick in spaced(kicks, step // 3, 4))
        if fill:
            keys = (38, 38, 45, 41)
            notes.extend(Sketch(beats[-1] + part * step // 4, step // 4, keys[part], part * 3) for part in range(4))
        if bar % 8 == 0 and (bar == 0 or playing[bar - 1]):
            notes.append(Sketch(beats[0], 2 * step, 49, 4))
    return notes


@players.register("lead")
def _lead(beside: Beside, seed: int, controls: Controls) -> list[Sketch]:
    """A second tune that answers the first: in its rhythms, a phrase later, where it leaves room."""
    reading = beside.reading
    lines = beside.lines
    bars = np.flatnonzero(beside.playing).tolist()
    others = [index for index in range(len(reading.score.voices)) if index != beside.voice]
    tune = reading.tune(bars, others)
    notes: list[tuple[int, int, int, int, int]] = []
    for bar in bars:
        if bar // _PHRASE % 4 == 3 and controls.layers <= 0:
            continue
        rows = reading.notes(tune, bar - 2) if tune is not None and bar >= 2 else np.empty(0, NOTE)
        same = bar >= 2 and lines[bar + 1] - lines[bar] == lines[bar - 1] - lines[bar - 2]
        if 1 <= len(rows) <= 12 and same:
            for row in rows:
                onset = int(row["onset"]) + int(lines[bar] - lines[bar - 2])
                notes.append(
                    (onset, int(row["duration"]), 71 + (int(row["pitch"]) - round(reading.heights[tune or 0])), 80, 0)
                )
            continue
        places = beside.usual(bar, 3 + dice(seed, "lead", bar % 8).randrange(3))
        for index, tick in enumerate(places):
            after = places[index + 1] if index + 1 < len(places) else int(lines[bar + 1])
            notes.append((tick, max(QUARTER // 4, after - tick), 71, 80, 0))
    if not notes:
        return []
    array = np.sort(np.array(notes, dtype=NOTE), order=["onset", "pitch"])
    array = array[np.append(True, np.diff(array["onset"]) > 0)]
    following = np.append(array["onset"][1:], lines[-1])
    array["duration"] = np.maximum(QUARTER // 8, np.minimum(array["duration"], following - array["onset"]))
    array["pitch"] = np.clip(array["pitch"], 58, 84)

    def start_of_bar(tick: int) -> int:
        return int(lines[max(0, int(np.searchsorted(lines, tick, side="right")) - 1)])

    home = reading.home(reading.score.bars // 2)
    drawn = retold(array, beside.chord, home, start_of_bar, (60, 82), controls, seed, freedom=0.8, before=None)
    return [Sketch(int(row["onset"]), int(row["duration"]), int(row["pitch"]), 4) for row in drawn]
