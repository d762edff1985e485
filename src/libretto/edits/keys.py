"""Keys: a piece, or some bars of it, in another key or another mode."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from libretto.contract.instruments import instrument_of_program
from libretto.edits.spans import Notes, Spans, bars_in, changed, rechanged, starts_in, stretches
from libretto.errors import LibrettoError
from libretto.score import Key, Score, Voice, hear_chords, parse_chord, spell, transpose
from libretto.score.keys import MODES
from libretto.score.marks import follow
from libretto.score.pitch import HIGHEST
from libretto.score.table import Bools, Ints

__all__ = ["rekeyed", "relabelled", "remoded", "steps_to", "transposed"]

_OCTAVES = (0, -12, 12, -24, 24)  # that bring a part back to where its instrument plays, the nearest first
_FURTHEST = 48  # semitones that a piece may move
_LEADING, _DOMINANT = 11, 7  # semitones above the tonic
_HALF_OCTAVE = 6  # semitones: a move that is further has a nearer way round
_MINOR_LIKE = ("minor", "aeolian")


def transposed(score: Score, semitones: int, spans: Spans = None) -> Score:
    """The bars that many semitones higher, with their keys, chord labels and spellings; percussion stays.

    A part that would leave the range of its instrument, and was in it, moves by an octave more or less there.
    """
    if abs(semitones) > _FURTHEST:
        raise LibrettoError(f"a piece can move by {_FURTHEST} semitones at most, not by {semitones:+d}")
    ticks = stretches(score, spans)
    if not semitones or not ticks:
        return score
    room = [_fitting(voice, semitones, np.ones(len(voice.array), dtype=np.bool_)) for voice in score.voices]
    whole = transpose(_by_octaves(score, room), semitones)
    voices = []
    for old, moved, by in zip(score.voices, whole.voices, room, strict=True):
        mine = starts_in(old.array, ticks)
        if old.drums or not mine.any():
            voices.append(old)
            continue
        notes = old.array.copy()
        notes["pitch"][mine] = moved.array["pitch"][mine] - by + _in_range(old, semitones, mine)
        notes["spelling"][mine] = moved.array["spelling"][mine]
        voices.append(replace(old, array=notes, marks=follow(old.marks, old.array, notes)))
    inside = bars_in(score, spans)
    chords = tuple(new if here else old for old, new, here in zip(score.chords, whole.chords, inside, strict=True))
    moved_keys = {key: new for (_, key), (_, new) in zip(score.keys, whole.keys, strict=True)}
    keys = rechanged(score.keys, ticks, score.ticks, lambda key: moved_keys[key])
    return replace(score, voices=tuple(voices), chords=chords, keys=keys)


def _fitting(voice: Voice, semitones: int, mine: Bools) -> int:
    """The octaves, in semitones, by which a move of those notes stays among the pitches that there are."""
    pitch = voice.array["pitch"].astype(np.int64)[mine] + semitones
    if voice.drums or not len(pitch):
        return 0
    fits = [by for by in _OCTAVES if pitch.min() + by >= 0 and pitch.max() + by <= HIGHEST]
    if not fits:
        raise LibrettoError(f"{voice.name} cannot move by {semitones:+d} semitones: pitches run from C-1 to G9")
    return fits[0]


def _by_octaves(score: Score, by: list[int]) -> Score:
    """The piece with whole voices some octaves away."""
    voices = []
    for voice, shift in zip(score.voices, by, strict=True):
        if shift:
            notes = voice.array.copy()
            notes["pitch"] += shift
            voice = voice.with_notes(notes)
        voices.append(voice)
    return replace(score, voices=tuple(voices))


def _in_range(voice: Voice, semitones: int, mine: Bools) -> int:
    """The octaves, in semitones, that a part moves besides so that its instrument still plays what it could play."""
    player = instrument_of_program(voice.program or 0)
    before = voice.array["pitch"].astype(np.int64)[mine]

    def outside(pitch: Ints) -> int:
        return int(((pitch < player.low) | (pitch > player.high)).sum())

    there = before + semitones
    least = _fitting(voice, semitones, mine)
    if not least and outside(there) <= outside(before):
        return 0
    fits = [by for by in _OCTAVES if there.min() + by >= 0 and there.max() + by <= HIGHEST]
    return min(fits, key=lambda by: (outside(there + by), abs(by)))


def remoded(score: Score, mode: str, spans: Spans = None) -> Score:
    """The bars in another mode on the same tonic: every degree of the scale takes its new place.

    Towards minor, dominants keep their leading note. Notes outside the scale stay; chord labels are heard anew.
    """
    if mode not in MODES:
        raise LibrettoError(f"there is no mode {mode[:40]!r}; there are {', '.join(MODES)}")
    ticks = stretches(score, spans)
    leads = _dominants(score) if mode in _MINOR_LIKE else np.zeros((score.bars, 2), dtype=np.bool_)
    lines = np.asarray(score.bar_lines)
    starts = np.array([tick for tick, _ in score.keys], dtype=np.int64)

    def coloured(voice: Voice, notes: Notes) -> Notes:
        bar = np.clip(np.searchsorted(lines, notes["onset"], side="right") - 1, 0, score.bars - 1)
        half = ((notes["onset"] - lines[bar]) * 2 >= lines[bar + 1] - lines[bar]).astype(np.int64)
        which = np.searchsorted(starts, notes["onset"], side="right") - 1
        for number, (_, key) in enumerate(score.keys):
            mine = which == number
            if mine.any():
                notes[mine] = _recoloured(notes[mine], key, Key(key.tonic, mode), leads[bar, half][mine])
        return notes

    made = changed(score, (), spans, coloured)
    keys = rechanged(score.keys, ticks, score.ticks, lambda key: Key(key.tonic, mode))
    return relabelled(replace(made, keys=keys), spans)


def _recoloured(notes: Notes, old: Key, new: Key, dominant: Bools) -> Notes:
    """Notes of one key with the degrees of its scale moved to those of another with the same tonic."""
    tonic = old.tonic_class
    degree = (notes["pitch"].astype(np.int64) - tonic) % 12
    shift = np.zeros(len(notes), dtype=np.int64)
    for was, now in zip(old.classes, new.classes, strict=True):
        was, now = (was - tonic) % 12, (now - tonic) % 12
        hit = degree == was
        if was == _LEADING and now < was:
            hit &= ~dominant
        shift[hit] = now - was
    pitch = notes["pitch"].astype(np.int64) + shift
    notes["pitch"] = np.where((pitch < 0) | (pitch > HIGHEST), notes["pitch"], pitch)
    notes["spelling"] = np.where(shift != 0, spell(notes["pitch"], new), notes["spelling"])
    return notes


def _dominants(score: Score) -> Bools:
    """Whether the chord of each half bar leads home: a major chord on the fifth degree, or one on the seventh."""
    leads = np.zeros((score.bars, 2), dtype=np.bool_)
    for bar, labels in enumerate(hear_chords(score)):
        tonic = score.key_at(score.bar_lines[bar]).tonic_class
        for half, label in enumerate((labels[0], labels[-1])):
            chord = parse_chord(label)
            if chord is not None:
                root = (chord.root_class - tonic) % 12
                major = (tonic + _LEADING) % 12 in chord.classes
                leads[bar, half] = (root == _DOMINANT and major) or root == _LEADING
    return leads


def rekeyed(score: Score, key: Key, spans: Spans = None) -> Score:
    """The bars in that key, by the nearer way up or down, in its mode."""
    ticks = stretches(score, spans)
    if not ticks:
        return score
    made = score
    if key.is_minor != score.key_at(ticks[0][0]).is_minor or (key.mode not in ("major", "minor")):
        made = remoded(score, key.mode, spans)
    made = transposed(made, steps_to(made, key, spans), spans)
    there = made.key_at(ticks[0][0])
    keys = rechanged(made.keys, ticks, made.ticks, lambda old: key if old == there else old)
    return replace(made, keys=keys)


def steps_to(score: Score, key: Key, spans: Spans = None) -> int:
    """How many semitones the bars have to move, by the nearer way, to have that tonic."""
    ticks = stretches(score, spans)
    here = score.key_at(ticks[0][0] if ticks else 0)
    return (key.tonic_class - here.tonic_class + _HALF_OCTAVE) % 12 - _HALF_OCTAVE


def relabelled(score: Score, spans: Spans = None) -> Score:
    """The chord labels of those bars as they are heard now."""
    inside = bars_in(score, spans)
    heard = hear_chords(score)
    chords = tuple(ear if here else page for page, ear, here in zip(score.chords, heard, inside, strict=True))
    return replace(score, chords=chords)
