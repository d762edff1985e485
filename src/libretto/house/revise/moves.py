"""How wishes are granted by moving notes: tempo, loudness, octaves, lengths, the mode, the key, the instrument.

And fewer or more notes without another idea: what is weakest goes, what is long or steady is divided.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.instruments import instrument_named, instrument_of_program
from libretto.errors import LibrettoError
from libretto.registry import Registry
from libretto.score import QUARTER, Key, Score, Voice, hear_chords, parse_chord, spell, transpose
from libretto.score.edit import regrid
from libretto.score.model import in_force
from libretto.score.table import Bools
from libretto.tasks.revise.wish import Wish, qualities

__all__ = ["divided", "moves", "span_of_wish", "thinned", "voices_of_wish"]

Notes = NDArray[Any]
Move = Callable[[Score, Wish], Score]
#: How wishes are granted by moving notes, by quality.
moves: Registry[Move] = Registry("move")
_LONG = 2.0  # times the longest note that a note may be held
_FASTER, _LOUDER = 0.12, 14  # of the tempo, and of loudness, for one wish
_SOFTEST, _LOUDEST, _HIGHEST = 12, 124, 127
_SHORTEST = QUARTER // 16  # notes are cut no shorter
_SLOWER_MOOD = 0.5  # how much a piece that changes its mood as a whole changes its pace
_MINOR = {4: 3, 9: 8, 11: 10}  # degrees of major, as semitones above the tonic, and what they are in minor
_LEADING, _DOMINANT = 11, 7  # semitones above the tonic
_OCTAVES = (0, 12, -12, 24, -24)
_HATS = (42, 44, 46, 51, 59)
_EVEN = QUARTER // 4
_MOST_GONE, _GENEROUS = 0.6, 1.5  # of the notes at most, and more than the wish needs
_ECHO, _FAINTEST = 12, 20  # what is struck again is so much softer
_FIRM = 4  # the weight from which on a start always stays


def span_of_wish(score: Score, wish: Wish) -> tuple[int, int]:
    """The first and the last bar of a wish, as indices."""
    return score.index_of(wish.first), score.index_of(wish.last)


def voices_of_wish(score: Score, wish: Wish) -> list[str]:
    """The names of the voices that a wish is about."""
    return [voice.name for voice in score.voices if not wish.voices or voice.name in wish.voices]


def _moved(score: Score, wish: Wish, change: Callable[[Voice, Notes], Notes], drums: bool = False) -> Score:
    """The piece with a wish's notes changed; the voices and bars of the wish alone."""
    low, high = span_of_wish(score, wish)
    start, end = score.bar_lines[low], score.bar_lines[high + 1]
    names, voices = voices_of_wish(score, wish), []
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
    low, high = span_of_wish(score, wish)
    key = score.key_at(score.bar_lines[low])
    heard = hear_chords(replace(score, keys=((score.keys[0][0], key),)))
    return replace(score, chords=score.chords[:low] + heard[low : high + 1] + score.chords[high + 1 :])


@moves.register("speed")
def _speed(score: Score, wish: Wish) -> Score:
    low, high = span_of_wish(score, wish)
    start, end = score.bar_lines[low], score.bar_lines[high + 1]
    factor = 1.0 + _FASTER * wish.way * wish.strength
    tempos = dict(score.tempos)
    here, after = in_force(score.tempos, start), in_force(score.tempos, end)
    made = {tick: round(micros / factor) if start <= tick < end else micros for tick, micros in tempos.items()}
    made[start] = round(here / factor)
    if end < score.ticks:
        made.setdefault(end, after)
    return replace(score, tempos=tuple(sorted(made.items())))


@moves.register("loudness")
def _loudness(score: Score, wish: Wish) -> Score:
    def louder(voice: Voice, notes: Notes) -> Notes:
        louder_by = round(_LOUDER * wish.way * wish.strength)
        notes["velocity"] = np.clip(notes["velocity"].astype(np.int64) + louder_by, _SOFTEST, _LOUDEST)
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
            notes["duration"] = np.maximum(duration // 2, np.minimum(duration, _SHORTEST))
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
    tonic = score.key.tonic_class
    table = _MINOR if wish.way < 0 else {new: old for old, new in _MINOR.items()}
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
            if _LEADING in (old, new):
                hit &= ~dominant
            shift[hit] = new - old
        notes["pitch"] = notes["pitch"] + shift
        key = Key(score.key.tonic, "minor" if wish.way < 0 else "major")
        notes["spelling"] = np.where(shift != 0, spell(notes["pitch"], key), notes["spelling"])
        return notes

    made = _relabelled(replace(_moved(score, wish, coloured), keys=_recoloured(score, wish)), wish)
    if wish.first == score.numbers[0] and wish.last == score.numbers[-1]:
        made = _speed(made, replace(wish, quality="speed", strength=_SLOWER_MOOD))
    return made


def _recoloured(score: Score, wish: Wish) -> tuple[tuple[int, Key], ...]:
    """The keys with the other mode in a wish's bars, and as they were after them."""
    low, high = span_of_wish(score, wish)
    start, end = score.bar_lines[low], score.bar_lines[high + 1]
    mode = "minor" if wish.way < 0 else "major"

    def turned(key: Key) -> Key:
        return key if key.is_minor == (wish.way < 0) else Key(key.tonic, mode)

    keys = {tick: turned(key) if start <= tick < end else key for tick, key in score.keys}
    keys[start] = turned(score.key_at(start))
    if end < score.ticks:
        keys.setdefault(end, score.key_at(end))
    kept: list[tuple[int, Key]] = []
    for tick, key in sorted(keys.items()):
        if not kept or kept[-1][1] != key:
            kept.append((tick, key))
    return tuple(kept)


def _dominants(score: Score, tonic: int) -> Bools:
    """Whether the chord of each half bar leads home: a major chord on the fifth degree, or one on the seventh."""
    leads = np.zeros((score.bars, 2), dtype=np.bool_)
    for bar, labels in enumerate(hear_chords(score)):
        for half, label in enumerate((labels[0], labels[-1])):
            chord = parse_chord(label)
            if chord is not None:
                root = (chord.root_class - tonic) % 12
                major = (tonic + _LEADING) % 12 in chord.classes
                leads[bar, half] = (root == _DOMINANT and major) or root == _LEADING
    return leads


@moves.register("key")
def _key(score: Score, wish: Wish) -> Score:
    if wish.target[:1] in "+-":
        return transpose(score, int(wish.target))
    wanted = Key.parse(wish.target)
    made = score
    if wanted.is_minor != score.key.is_minor:
        whole = Wish("mood", -1 if wanted.is_minor else 1, (), score.numbers[0], score.numbers[-1])
        made = replace(_mood(score, whole), tempos=score.tempos)
    steps = (wanted.tonic_class - made.key.tonic_class + 6) % 12 - 6
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
            outside = [(int(((pitch + s < wanted.low) | (pitch + s > wanted.high)).sum()), abs(s), s) for s in _OCTAVES]
            shift = min(outside)[2]
            notes["pitch"] = np.clip(pitch + shift, 0, _HIGHEST)
            voice = replace(voice, program=wanted.program).with_notes(notes)
        voices.append(voice)
    return replace(score, voices=tuple(voices))


def thinned(score: Score, wish: Wish) -> Score:
    """The piece with the weakest starts of a wish's voices left out: off the beat first, short ones first."""
    share = min(_MOST_GONE, qualities()["busy"].least * wish.strength * _GENEROUS)

    def fewer(voice: Voice, notes: Notes, line: NDArray[np.int64]) -> Notes:
        place = notes["onset"] - line
        on_beat = np.where(place % (2 * QUARTER) == 0, 3, np.where(place % QUARTER == 0, 2, 0))
        weight = np.where(place == 0, _FIRM, on_beat)
        weight = weight + np.where(place % (QUARTER // 2) == 0, 1, 0)
        starts, which = np.unique(notes["onset"], return_inverse=True)
        best = np.zeros(len(starts))
        np.maximum.at(best, which, weight + np.minimum(notes["duration"] / (4 * QUARTER), 0.9))
        gone = np.argsort(best, kind="stable")[: int(np.ceil(share * len(starts)))]
        gone = gone[best[gone] < _FIRM]
        return notes[~np.isin(which, gone)]

    return _changed(score, wish, fewer)


def divided(score: Score, wish: Wish) -> Score:
    """The piece with long notes of a wish's voices struck again, and steady cymbals twice as fast."""

    def more(voice: Voice, notes: Notes, line: NDArray[np.int64]) -> Notes:
        if voice.drums:
            hats = notes[np.isin(notes["pitch"], _HATS)]
            gaps = np.diff(hats["onset"], append=hats["onset"][-1:])
            extra = hats[(gaps >= 2 * _EVEN) & (gaps <= 2 * QUARTER)].copy()
            extra["onset"] += gaps[(gaps >= 2 * _EVEN) & (gaps <= 2 * QUARTER)] // 2
        else:
            extra = notes[notes["duration"] >= QUARTER].copy()
            half = extra["duration"] // 2 // _EVEN * _EVEN
            cut = notes["duration"] >= QUARTER
            notes = notes.copy()
            notes["duration"][cut] = half
            extra["onset"] += half
            extra["duration"] -= half
        extra["velocity"] = np.maximum(extra["velocity"].astype(np.int64) - _ECHO, _FAINTEST)
        return np.concatenate([notes, extra])

    return _changed(score, wish, more)


def _changed(score: Score, wish: Wish, change: Any) -> Score:
    low, high = score.index_of(wish.first), score.index_of(wish.last)
    start, end = score.bar_lines[low], score.bar_lines[high + 1]
    lines, voices = np.asarray(score.bar_lines), []
    for voice in score.voices:
        notes = voice.array
        mine = (notes["onset"] >= start) & (notes["onset"] < end)
        if (not wish.voices or voice.name in wish.voices) and mine.any():
            bars = np.searchsorted(lines, notes["onset"][mine], side="right") - 1
            made = change(voice, notes[mine], lines[bars])
            made = made[(made["onset"] >= start) & (made["onset"] < end)]
            every = np.concatenate([notes[~mine], made])
            every = every[np.lexsort((every["pitch"], every["onset"]))]
            again = (np.diff(every["onset"]) == 0) & (np.diff(every["pitch"]) == 0)
            voice = voice.with_notes(every[np.concatenate([[True], ~again])])
        voices.append(voice)
    touched = np.zeros(score.bars, dtype=np.bool_)
    touched[low : high + 1] = True
    return replace(score, voices=tuple(voices), grids=regrid(voices, score.bar_lines, score.grids, touched))
