"""The house revises: wishes that can be granted by moving notes are; the others by writing those bars anew.

Moving: tempo, loudness, octaves, lengths, the mode, the key, the instrument. Writing anew: the same plan with its knobs
turned where the piece is the house's own, and otherwise as a gap of the song is filled; of several versions the first
in which the wish can be heard, else the one that comes nearest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.instruments import instrument_named, instrument_of_program
from libretto.errors import LibrettoError
from libretto.house.compose.composer import compose_score
from libretto.house.core.controls import Controls
from libretto.house.drafting import writers
from libretto.house.fill.filling import fill_gap
from libretto.house.revise.moves import divided, thinned
from libretto.registry import Registry
from libretto.score import Key, Score, Voice, hear_chords, make_patch, parse_chord, replace_bars, spell, transpose
from libretto.score.edit import regrid
from libretto.score.pitch import pitch_class_of
from libretto.tasks import Task
from libretto.tasks.fill.gap import LEAST_BARS, MOST_BARS, emptied
from libretto.tasks.revise.qualities import amount, granted
from libretto.tasks.revise.task import RevisionTask
from libretto.tasks.revise.wish import Wish, qualities

__all__ = ["moves", "write_revision"]

Notes = NDArray[Any]
Move = Callable[[Score, Wish], Score]
#: How wishes are granted by moving notes, by quality.
moves: Registry[Move] = Registry("move")
_LONG = 2.0


@writers.register("revise")
def write_revision(task: Task, seed: int, controls: Controls) -> Score:
    """The piece with every wish granted as far as the house can, one after the other."""
    if not isinstance(task, RevisionTask):
        raise LibrettoError("this is not a task of revising a piece")
    score = task.base
    for number, wish in enumerate(task.wishes):
        score = moves[wish.quality](score, wish) if wish.quality in moves else _anew(task, score, wish, seed + number)
    return score


def _span(score: Score, wish: Wish) -> tuple[int, int]:
    return score.index_of(wish.first), score.index_of(wish.last)


def _chosen(score: Score, wish: Wish) -> list[str]:
    return [voice.name for voice in score.voices if not wish.voices or voice.name in wish.voices]


def _moved(score: Score, wish: Wish, change: Callable[[Voice, Notes], Notes], drums: bool = False) -> Score:
    """The piece with a wish's notes changed; the voices and bars of the wish alone."""
    low, high = _span(score, wish)
    start, end = score.bar_lines[low], score.bar_lines[high + 1]
    names, voices = _chosen(score, wish), []
    for voice in score.voices:
        notes = voice.array.copy()
        mine = (notes["onset"] >= start) & (notes["onset"] < end)
        if voice.name in names and mine.any() and (drums or not voice.drums):
            notes[mine] = change(voice, notes[mine])
            voice = voice.with_notes(notes)
        voices.append(voice)
    touched = np.zeros(score.bars, dtype=np.bool_)
    touched[low : high + 1] = True
    return replace(score, voices=tuple(voices), grids=regrid(voices, score.bar_lines, score.grids, touched))


def _relabelled(score: Score, wish: Wish) -> Score:
    """The chord labels of a wish's bars as they are heard now, spelled in the key that is in force where it begins."""
    low, high = _span(score, wish)
    key = [each for tick, each in score.keys if tick <= score.bar_lines[low]][-1]
    heard = hear_chords(replace(score, keys=((score.keys[0][0], key),)))
    return replace(score, chords=score.chords[:low] + heard[low : high + 1] + score.chords[high + 1 :])


@moves.register("speed")
def _speed(score: Score, wish: Wish) -> Score:
    low, high = _span(score, wish)
    start, end = score.bar_lines[low], score.bar_lines[high + 1]
    factor = 1.0 + 0.12 * wish.way * wish.strength
    tempos = dict(score.tempos)
    here = [micros for tick, micros in score.tempos if tick <= start][-1]
    after = [micros for tick, micros in score.tempos if tick <= end][-1]
    made = {tick: round(micros / factor) if start <= tick < end else micros for tick, micros in tempos.items()}
    made[start] = round(here / factor)
    if end < score.ticks:
        made.setdefault(end, after)
    return replace(score, tempos=tuple(sorted(made.items())))


@moves.register("loudness")
def _loudness(score: Score, wish: Wish) -> Score:
    def louder(voice: Voice, notes: Notes) -> Notes:
        notes["velocity"] = np.clip(notes["velocity"].astype(np.int64) + round(14 * wish.way * wish.strength), 12, 124)
        return notes

    return _moved(score, wish, louder, drums=True)


@moves.register("height")
def _height(score: Score, wish: Wish) -> Score:
    """An octave, for every voice whose instrument can; else as far as it goes by octaves of single notes."""

    def shifted(voice: Voice, notes: Notes) -> Notes:
        player = instrument_of_program(voice.program or 0)
        pitch = notes["pitch"].astype(np.int64)
        there = pitch + 12 * wish.way
        fits = (there >= player.low) & (there <= player.high)
        notes["pitch"] = np.where(fits, there, pitch)
        return notes

    return _relabelled(_moved(score, wish, shifted), wish)


@moves.register("length")
def _length(score: Score, wish: Wish) -> Score:
    """Held until the next start, or cut to half."""

    def held(voice: Voice, notes: Notes) -> Notes:
        duration = notes["duration"].astype(np.int64)
        if wish.way < 0:
            notes["duration"] = np.maximum(duration // 2, np.minimum(duration, 2520))
            return notes
        starts = np.unique(notes["onset"])
        following = np.searchsorted(starts, notes["onset"], side="right")
        ends = np.append(starts, score.bar_lines[score.index_of(wish.last) + 1])[following]
        notes["duration"] = np.maximum(duration, np.minimum(ends - notes["onset"], round(duration.max() * _LONG)))
        return notes

    return _moved(score, wish, held)


@moves.register("mood")
def _mood(score: Score, wish: Wish) -> Score:
    """To the other mode on the same tonic; dominants keep their leading note. A whole piece also changes its pace."""
    tonic = pitch_class_of(score.key.tonic)
    down = {4: 3, 9: 8, 11: 10}
    table = down if wish.way < 0 else {new: old for old, new in down.items()}
    labels = _dominants(score, tonic)
    lines = np.asarray(score.bar_lines)

    def coloured(voice: Voice, notes: Notes) -> Notes:
        degree = (notes["pitch"].astype(np.int64) - tonic) % 12
        bar = np.clip(np.searchsorted(lines, notes["onset"], side="right") - 1, 0, score.bars - 1)
        half = (notes["onset"] - lines[bar]) * 2 >= lines[bar + 1] - lines[bar]
        dominant = labels[bar, half.astype(np.int64)]
        shift = np.zeros(len(notes), dtype=np.int64)
        for old, new in table.items():
            hit = degree == old
            if {old, new} == {10, 11}:
                hit &= ~dominant
            shift[hit] = new - old
        notes["pitch"] = notes["pitch"] + shift
        key = Key(score.key.tonic, "minor" if wish.way < 0 else "major")
        notes["spelling"] = np.where(shift != 0, spell(notes["pitch"], key), notes["spelling"])
        return notes

    made = _relabelled(replace(_moved(score, wish, coloured), keys=_recoloured(score, wish)), wish)
    if wish.first == score.numbers[0] and wish.last == score.numbers[-1]:
        made = _speed(made, replace(wish, quality="speed", strength=0.5))
    return made


def _recoloured(score: Score, wish: Wish) -> tuple[tuple[int, Key], ...]:
    """The keys with the other mode in a wish's bars, and as they were after them."""
    low, high = _span(score, wish)
    start, end = score.bar_lines[low], score.bar_lines[high + 1]
    mode = "minor" if wish.way < 0 else "major"

    def turned(key: Key) -> Key:
        return key if key.is_minor == (wish.way < 0) else Key(key.tonic, mode)

    found = {tick: turned(key) if start <= tick < end else key for tick, key in score.keys}
    found[start] = turned([key for tick, key in score.keys if tick <= start][-1])
    if end < score.ticks:
        found.setdefault(end, [key for tick, key in score.keys if tick <= end][-1])
    kept: list[tuple[int, Key]] = []
    for tick, key in sorted(found.items()):
        if not kept or kept[-1][1] != key:
            kept.append((tick, key))
    return tuple(kept)


def _dominants(score: Score, tonic: int) -> NDArray[np.bool_]:
    """Whether the chord of each half bar leads home: a major chord on the fifth degree, or one on the seventh."""
    found = np.zeros((score.bars, 2), dtype=np.bool_)
    for bar, labels in enumerate(score.chords):
        for half, label in enumerate((labels[0], labels[-1])):
            chord = parse_chord(label)
            if chord is not None:
                root = (pitch_class_of(chord.root) - tonic) % 12
                found[bar, half] = (root == 7 and (tonic + 11) % 12 in chord.classes) or root == 11
    return found


@moves.register("key")
def _key(score: Score, wish: Wish) -> Score:
    if wish.target[:1] in "+-":
        return transpose(score, int(wish.target))
    wanted = Key.parse(wish.target)
    made = score
    if wanted.is_minor != score.key.is_minor:
        whole = Wish("mood", -1 if wanted.is_minor else 1, (), score.numbers[0], score.numbers[-1])
        made = replace(_mood(score, whole), tempos=score.tempos)
    steps = (pitch_class_of(wanted.tonic) - pitch_class_of(made.key.tonic) + 6) % 12 - 6
    made = transpose(made, steps) if steps else made
    first = made.keys[0][0]
    return replace(made, keys=((first, wanted), *made.keys[1:]))


@moves.register("instrument")
def _instrument(score: Score, wish: Wish) -> Score:
    """Another program, and whole octaves up or down where its range asks for that."""
    wanted = instrument_named(wish.target)
    if wanted is None or wanted.program is None:
        raise LibrettoError(f"there is no instrument {wish.target!r} with a program")
    voices = []
    for voice in score.voices:
        if voice.name in wish.voices and not voice.drums:
            notes = voice.array.copy()
            pitch = notes["pitch"].astype(np.int64)
            outside = [
                (int(((pitch + s < wanted.low) | (pitch + s > wanted.high)).sum()), abs(s), s)
                for s in (0, 12, -12, 24, -24)
            ]
            shift = min(outside)[2]
            notes["pitch"] = np.clip(pitch + shift, 0, 127)
            voice = replace(voice, program=wanted.program).with_notes(notes)
        voices.append(voice)
    return replace(score, voices=tuple(voices))


def _anew(task: RevisionTask, score: Score, wish: Wish, seed: int) -> Score:
    """The wish's bars written anew with its knobs turned: the first version in which it is heard, else the nearest."""
    tried: list[tuple[float, Score]] = []
    for version in _versions(task, score, wish, seed):
        if granted(score, version, wish)[0]:
            return version
        tried.append(((amount(version, wish) or 0.0) * wish.way, version))
    return max(tried, key=lambda each: each[0])[1] if tried else score


def _versions(task: RevisionTask, score: Score, wish: Wish, seed: int) -> Iterator[Score]:
    names, (low, high) = _chosen(score, wish), _span(score, wish)
    knobs = qualities()[wish.quality].knobs
    before = Controls(**task.controls)
    for far in (0.5, 1.0):
        turned = before
        for name, strength in knobs.items():
            turned = turned.turned(name, far * strength * wish.way * max(1.0, wish.strength))
        own = _own(task, turned)
        if own is not None and own.bar_lines == score.bar_lines and _same_band(own, score):
            patch = make_patch(score, own, names, wish.first, wish.last, chords=len(names) == len(score.voices))
            yield replace_bars(score, patch)
        for take in range(3):
            yield from _filled(score, names, (low, high), seed + take * 7919, turned)
    if wish.quality == "busy":
        yield divided(score, wish) if wish.way > 0 else thinned(score, wish)


def _own(task: RevisionTask, controls: Controls) -> Score | None:
    if task.came_from is None or task.came_from.kind != "compose" or not task.house:
        return None
    return compose_score(task.came_from.contract, task.first_seed, controls)


def _same_band(one: Score, other: Score) -> bool:
    return [voice.name for voice in one.voices] == [voice.name for voice in other.voices]


def _filled(score: Score, names: list[str], span: tuple[int, int], seed: int, controls: Controls) -> Iterator[Score]:
    """The bars as a gap of the piece is filled, eight at a time, where enough of it stays around."""
    if score.bars < LEAST_BARS + 4:
        return
    made = score
    for first in range(span[0], span[1] + 1, 8):
        last = min(first + 7, span[1])
        if made.bars - (last - first + 1) < LEAST_BARS or last - first + 1 > MOST_BARS:
            return
        rest = emptied(made, names, (first, last))
        if not len(rest.table):
            return
        try:
            filled = fill_gap(
                rest, [i for i, v in enumerate(made.voices) if v.name in names], (first, last), seed, controls
            )
        except LibrettoError:
            return
        number = first + made.first_bar
        patch = make_patch(made, filled, names, number, last + made.first_bar, chords=len(names) == len(made.voices))
        made = replace_bars(made, patch)
    yield made
