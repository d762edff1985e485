"""One instrument to be heard: a piano, a guitar, a bass or drums, each with what such an instrument plays.

Pianos and guitars share what they play and where it lies, and basses reach up to where guitars begin, so that neither
the music nor its height alone says who plays.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from libretto.listen.families import DRUM_KIT
from libretto.listen.patterns import chord_row, make_pattern, make_row, pattern_strokes
from libretto.listen.stimuli import (
    CONTOURS,
    EIGHTH,
    KITS,
    Stimulus,
    StruckTone,
    contour_line,
    make_loop,
    make_tune,
    one_voice,
    tune_pitches,
)
from libretto.score import Score, Voice

__all__ = ["make_playing"]


class _Player(NamedTuple):
    """The programs of an instrument, what it plays, and between which pitches it plays lines."""

    programs: tuple[int, ...]
    plays: tuple[str, ...]
    low: int
    high: int


_PLAYERS = {
    "piano": _Player((0, 1, 2, 3, 4, 5), ("tune", "line", "row", "broken"), 41, 84),
    "guitar": _Player((24, 25, 26, 27, 28, 29, 30), ("tune", "line", "row", "broken"), 41, 77),
    "bass": _Player((32, 33, 34, 35, 36), ("tune", "line", "roots"), 28, 55),
}
_TEMPOS, _LINE_LENGTHS = (76, 160), (1, 1, 2)
_LOUD = (74, 104)
_BEATS, _PATTERN_TEMPOS = (4, 4, 3), (84, 160)
_SHAPES = ((0, 7, 12, 7), (0, 4, 7, 12), (0, 7, 4, 7), (0, 12, 7, 12))  # of a broken chord, major; a minor third is 3
_GROUNDS = ((0, 0, 7, 0), (0, 7, 12, 7), (0, 0, 0, 7), (0, 12, 7, 10))  # of a bass over a chord
_MINOR = 12


def make_playing(rng: Random, name: str) -> Stimulus:
    """A clip of an instrument alone; what is heard is its General MIDI program, 128 for drums."""
    if name == "drums":
        return _drums(rng)
    player = _PLAYERS[name]
    program, bpm = rng.choice(player.programs), rng.randint(*_TEMPOS)
    played = _played(rng, player, name, program, bpm)
    return Stimulus(played.score, name, (program,))


def _drums(rng: Random) -> Stimulus:
    """A loop or a pattern on one of the kits."""
    if rng.random() < 1 / 2:
        made = make_loop(rng, rng.choice((0, 2, 4, 6, 8)))
    else:
        beats = rng.choice(_BEATS)
        strokes = pattern_strokes(rng, beats)
        made = make_pattern(rng, strokes, beats, rng.choice(KITS), rng.randint(*_PATTERN_TEMPOS))
    return Stimulus(made.score, "drums", (DRUM_KIT,))


def _played(rng: Random, player: _Player, name: str, program: int, bpm: int) -> Stimulus:
    """What the instrument plays: a tune, a scale or broken chord, a row of chords, chords broken, or their roots."""
    what = rng.choice(player.plays)
    if what == "row":
        made = make_row(rng, chord_row(rng), "piano")
        voice = Voice.of(made.score.voices[0].name, made.score.voices[0].notes, program)
        return made._replace(score=Score.build([voice], tempos=made.score.tempos))
    if what in ("broken", "roots"):
        return _broken(rng, player, _GROUNDS if what == "roots" else _SHAPES, program, bpm)
    if what == "line":
        pitches = contour_line(rng, rng.choice(CONTOURS), player.low, player.high)
        lengths = [rng.choice(_LINE_LENGTHS)] * len(pitches)
    else:
        pitches, lengths = tune_pitches(rng)
        move = rng.randint(player.low - min(pitches), max(player.low - min(pitches), player.high - max(pitches)))
        pitches = [pitch + move for pitch in pitches]
    return make_tune(rng, pitches, lengths, name, program, bpm, hard=rng.random() < 1 / 3)


def _broken(rng: Random, player: _Player, shapes: tuple[tuple[int, ...], ...], program: int, bpm: int) -> Stimulus:
    """Chords broken in eighths, each of them from its root."""
    shape = rng.choice(shapes)
    roots = [player.low + (chord + rng.choice((0, 0, _MINOR))) % (player.high - player.low - _MINOR)
             for chord in chord_row(rng)]  # fmt: skip
    notes = []
    for place, root in enumerate(roots):
        for step, above in enumerate(shape):
            at = (place * len(shape) + step) * EIGHTH
            notes.append(StruckTone(at, EIGHTH, root + above, rng.randint(*_LOUD)))
    return Stimulus(one_voice(notes, program, bpm), "", tuple(note.pitch for note in notes))
