"""Write one part of a song from the rest: bass, drums, keys, guitar, strings or lead.

Each role has its player, a function from what is beside it to notes. Rhythms are taken from what the others do, chords
from what is heard; nothing of a part that was there before is known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.errors import LibrettoError
from libretto.house.core.controls import Controls
from libretto.house.core.dice import Dice, dice
from libretto.house.core.patterns import Sketch, clipped, hits
from libretto.house.core.tones import BassHand, Heard
from libretto.house.core.voicing import close_voicing
from libretto.house.drafting import writers
from libretto.house.fill.beside import Beside, answer_tune, with_ends
from libretto.house.fill.last_chord import closed
from libretto.house.fill.playable import playable
from libretto.notation.marked import is_written
from libretto.registry import Registry
from libretto.score import QUARTER, Meter, Score, hear_chords
from libretto.score.edit import regrid
from libretto.score.keys import spell_drums
from libretto.score.spelling import spell_notes
from libretto.score.table import NOTE
from libretto.tasks import Task
from libretto.tasks.fill.accompany import AccompanyTask

__all__ = ["players", "write_part"]

Player = Callable[[Beside, int, Controls], list[Sketch]]
#: Who plays which role.
players: Registry[Player] = Registry("player")
_PHRASE, _PERIOD = 4, 8  # bars
_SIXTEENTH = QUARTER // 4  # the finest place of a page, but for triplets
_SLACK = QUARTER // 8  # played music is never quite on its place
_LOUDEST, _TOUCH = 127, 4  # how unevenly loud notes are

_BASS = 28, 50  # the lowest and the highest note of the bass
_BASS_HOME, _BASS_START, _DEEPER = 37, 38, 4  # where its hand is at home and begins, and how far the knob moves it
_BASS_NOTES, _BASS_BUSIER = 6, 0.6  # notes a bar at most, and what the knob adds
_BASS_HELD = 0.92  # of the time to the next note
_LEADS_ON, _ROOT, _OR_FIFTH = (
    0.4,
    0.6,
    0.85,
)  # how likely a weak note leads on; else it is one of the chord
_BESIDE = (-1, -2, 1, 2)  # semitones: what leads into a root
_STRONG_ACCENT, _WEAK_ACCENT = 4, -2

_STRINGS, _KEYS, _GUITAR = 64, 62, 56  # around which pitch they play chords
_STRINGS_ACCENT, _COMPED_ACCENT = -8, -4
_KEYS_CHORDS, _GUITAR_CHORDS, _CHORDS_BUSIER = 4, 5, 0.5  # chords a bar, and what the knob adds
_LONG, _SHORT, _LEGATO, _LEGATO_KNOB = 0.85, 0.45, 0.6, 0.4  # how long chords are held, and how often the long way
_APART = QUARTER // 3  # starts of one part are no nearer to each other
_STRUM = QUARTER // 32

_FINE = 0.3  # so far the knob is turned and hats are played finer or coarser
_HAT_ACCENTS = {"x": -2, "o": -6}
_SNARE_ACCENT, _KICK_ACCENT, _CRASH_ACCENT, _SWELL = 8, 6, 4, 3
_ROLL = ("snare", "snare", "mid_tom", "floor")


@writers.register("accompany")
def write_part(task: Task, seed: int, controls: Controls) -> Score:
    """The song of an accompaniment with its part written."""
    if not isinstance(task, AccompanyTask):
        raise LibrettoError("this is not a task of accompanying a song")
    score = task.context
    index = next(number for number, voice in enumerate(score.voices) if voice.name == task.voice)
    beside = Beside(score, index)
    written = score.voices[index]
    sketched = closed(beside, playable(players[task.role](beside, seed, controls), written), drums=written.drums)
    sketched = clipped(_legible(sketched, score) if is_written(score) else sketched)
    rng = dice(seed, "touch", task.voice)
    rows = [
        (note.onset, note.duration, note.pitch, _velocity(beside.loudness + note.accent, rng), 0)
        for note in sketched
        if 0 <= note.onset < score.ticks
    ]
    notes = np.array(rows, dtype=NOTE)
    notes["spelling"] = spell_drums(notes["pitch"]) if written.drums else _named(notes, score)
    voices = tuple(written.with_notes(notes) if voice is written else voice for voice in score.voices)
    touched = np.ones(score.bars, dtype=np.bool_)
    made = replace(score, voices=voices, grids=regrid(voices, score.bar_lines, score.grids, touched))
    return replace(made, chords=hear_chords(made))


def _legible(notes: list[Sketch], score: Score) -> list[Sketch]:
    """Notes for a page: they begin and end where its bars have places, not where a player would let go."""
    placed = []
    for note in notes:
        bar = score.bar_at(note.onset)
        start, step = score.bar_lines[bar], math.gcd(score.grids[bar].slot, QUARTER // 2)
        step = _SIXTEENTH if _SIXTEENTH % step == 0 else step
        onset = start + step * ((note.onset - start) // step)
        length = max(step, step * round(note.duration / step))
        placed.append(note._replace(onset=onset, duration=length))
    return placed


def _named(notes: NDArray[Any], score: Score) -> NDArray[np.int8]:
    """Spellings of a part by its line and the keys of the song."""
    return spell_notes(notes["onset"], notes["pitch"], np.zeros(len(notes), dtype=np.int64), score.keys)


def _velocity(loud: int, rng: Dice) -> int:
    """A loudness as it is played."""
    return min(_LOUDEST, max(1, loud + rng.randint(-_TOUCH, _TOUCH)))


def _spaced(places: Iterable[int], least: int, most: int) -> list[int]:
    """So many places at most, in order, none nearer to the one before than ``least``; those named first come first."""
    kept: list[int] = []
    for place in places:
        if len(kept) < most and all(abs(place - other) >= least for other in kept):
            kept.append(place)
    return sorted(kept)


@players.register("bass")
def _bass(beside: Beside, seed: int, controls: Controls) -> list[Sketch]:
    """With the bass drum where there is one: roots where chords begin, fifths between, steps into changes."""
    notes: list[Sketch] = []
    low, high = _BASS
    start = _BASS_START + round(_DEEPER * controls.bass_register)
    hand = BassHand(low, high, _BASS_HOME, start, high, lean=0.5)
    most = max(2, round(_BASS_NOTES * (1 + _BASS_BUSIER * controls.density)))
    for bar in np.flatnonzero(beside.playing).tolist():
        places = _spaced([*beside.changes(bar), *(beside.kicks(bar) or beside.usual(bar, 4))], _APART, most)
        for index, tick, after in with_ends(places, int(beside.lines[bar + 1])):
            chord = beside.chord(tick + _SLACK)
            if chord is None:
                continue
            strong = index == 0 or any(abs(tick - change) < _SLACK for change in beside.changes(bar))
            root = hand.tone("R", chord)
            pitch = root
            if not strong:
                rng = dice(seed, "bass", beside.counted(bar) % _PHRASE, index)
                pitch = _weak(hand, root, chord, beside.chord(after + _SLACK), beside.reading.home(bar), rng)
            hand.last = pitch
            length = min(after - tick, 2 * QUARTER) if after > tick else QUARTER // 2
            accent = _STRONG_ACCENT if strong else _WEAK_ACCENT
            notes.append(Sketch(tick, max(QUARTER // 8, int(_BASS_HELD * length)), pitch, accent))
    return notes


def _weak(hand: BassHand, root: int, chord: Heard, following: Heard | None, home: frozenset[int], rng: Dice) -> int:
    """A bass note between the strong ones: a step into the next root before it changes, else root, fifth or octave."""
    if following is not None and following.root != chord.root and rng.random() < _LEADS_ON:
        target = hand.near(following.root, root)
        third = {3: 4, 4: 3}.get(next((tone for tone in chord.tones if tone in (3, 4)), 0), 0)
        scale = home - {(chord.root + third) % 12} if third else home  # never minor against major
        step = hand.step_into(target, sorted(_BESIDE, key=lambda by: abs(target + by - hand.last)), scale)
        if step is not None:
            return max(hand.low, step)
    choice = rng.random()
    if choice < _ROOT:
        return root
    if choice < _OR_FIFTH:
        return hand.tone("5", chord, root)
    return root + 12 if root + 12 <= hand.high else root


@players.register("strings")
def _strings(beside: Beside, seed: int, controls: Controls) -> list[Sketch]:
    """Held chords, each voice going on by the smallest step; chords that stay are held on."""
    notes: list[Sketch] = []
    voices: list[int] = []
    held: tuple[int, Heard] | None = None
    end = 0

    def close(until: int) -> None:
        if held is not None:
            length = max(QUARTER // 4, until - held[0] - QUARTER // 16)
            notes.extend(Sketch(held[0], length, pitch, _STRINGS_ACCENT) for pitch in voices)

    for bar in np.flatnonzero(beside.playing).tolist():
        for tick in beside.changes(bar):
            chord = beside.chord(tick + _SLACK)
            if chord is None:
                end = min(end, tick)
                continue
            long = held is not None and tick - held[0] >= 2 * (beside.lines[bar + 1] - beside.lines[bar])
            if held is None or chord != held[1] or tick > end or long:
                close(min(tick, end))
                voices = close_voicing(chord, voices, _STRINGS, 3 if controls.size >= 0 else 2)
                held = (tick, chord)
            end = int(beside.lines[bar + 1])
    close(end)
    return notes


def _comped(beside: Beside, seed: int, controls: Controls, middle: int, count: int, size: int) -> list[Sketch]:
    """Chords around a pitch, about so many a bar, of so many notes, on the places that the song likes."""
    notes: list[Sketch] = []
    voices: list[int] = []
    before: Heard | None = None
    count = max(2, round(count * (1 + _CHORDS_BUSIER * controls.density)))
    often = _LEGATO + _LEGATO_KNOB * controls.lengths
    for bar in np.flatnonzero(beside.playing).tolist():
        places = _spaced([*beside.changes(bar), *beside.usual(bar, count)], _APART, count + 1)
        for index, tick, after in with_ends(places, int(beside.lines[bar + 1])):
            chord = beside.chord(tick + _SLACK)
            if chord is None:
                continue
            if chord != before or not voices:
                voices, before = close_voicing(chord, voices, middle, size), chord
            rng = dice(seed, "length", beside.counted(bar) % _PHRASE, index)
            share = _LONG if rng.random() < often else _SHORT
            length = max(QUARTER // 6, int(share * (after - tick)))
            notes.extend(Sketch(tick, length, pitch, _COMPED_ACCENT if index else 0) for pitch in voices)
    return notes


@players.register("keys")
def _keys(beside: Beside, seed: int, controls: Controls) -> list[Sketch]:
    """Chords in the middle register on the places that the song likes."""
    return _comped(beside, seed, controls, _KEYS, _KEYS_CHORDS, 3 + (controls.size > _FINE))


@players.register("guitar")
def _guitar(beside: Beside, seed: int, controls: Controls) -> list[Sketch]:
    """The same, lower and busier, with the chord broken every other phrase."""
    notes: list[Sketch] = []
    for note in _comped(beside, seed, controls, _GUITAR, _GUITAR_CHORDS, 3):
        if beside.counted(beside.score.bar_at(note.onset)) // _PERIOD % 2 and note.duration > QUARTER // 3:
            rank = sum(1 for other in notes if other.onset > note.onset - QUARTER // 2 and other.pitch < note.pitch)
            note = note._replace(onset=note.onset + min(rank, 2) * _STRUM)
        notes.append(note)
    return notes


@players.register("drums")
def _drums(beside: Beside, seed: int, controls: Controls) -> list[Sketch]:
    """Hats on halves of beats (thirds in 6/8), snare on the backbeat, bass drum with the bass; fills end phrases."""
    notes: list[Sketch] = []
    for bar in np.flatnonzero(beside.playing).tolist():
        beats = beside.taps(bar)
        fine = _fineness(beside.score.meter_at(beats[0]), controls)
        step = beats[1] - beats[0] if len(beats) > 1 else int(beside.lines[bar + 1]) - beats[0]
        place = beside.counted(bar)
        fill = place % _PERIOD == _PERIOD - 1 and len(beats) > 2
        notes += _hands(beside, bar, beats[:-1] if fill else beats, step, fine)
        kicks = [beats[0], *(tick for tick in beside.lows(bar) if tick not in beats[1::2]), *beats[2:3]]
        struck = [(tick, "x") for tick in _spaced(kicks, step // 3, 4)]
        notes += hits("kick", struck, length=step // 2, louder=_KICK_ACCENT)
        for part, drum in enumerate(_ROLL if fill else ()):
            tick = beats[-1] + part * step // len(_ROLL)
            notes += hits(drum, [(tick, "x")], length=step // len(_ROLL), louder=_SWELL * part)
        if place % _PERIOD == 0 and (place == 0 or beside.playing[bar - 1]):
            notes += hits("crash", [(beats[0], "x")], length=2 * step, louder=_CRASH_ACCENT)
    return notes


def _fineness(meter: Meter, controls: Controls) -> int:
    """Into how many parts the hats divide a beat."""
    parts = 3 if meter.is_compound else 2
    return 2 * parts if controls.drums > _FINE else 1 if controls.drums < -_FINE else parts


def _hands(beside: Beside, bar: int, beats: list[int], step: int, fine: int) -> list[Sketch]:
    """Hats and snare on some beats of a bar, a beat divided into so many parts."""
    end = int(beside.lines[bar + 1])
    grid = [(beat + part * step // fine, "o" if part else "x") for beat in beats for part in range(fine)]
    hats = [(beside.snapped(tick, bar), sign) for tick, sign in grid if tick < end]
    backbeat = [(beside.snapped(beat, bar), "x") for beat in beats[1::2]]
    snare = hits("snare", backbeat, length=step, louder=_SNARE_ACCENT)
    return hits("hat", hats, _HAT_ACCENTS, step // fine) + snare


players.register("lead")(answer_tune)
