"""From a recording to a Score: the notes that are heard, on a grid that is found, in a key that is heard.

A recording in which more sounds by strokes than by tones is taken for drums and becomes a drum voice on eighths;
anything else becomes one voice of notes on sixteenths. The first onset is the first beat of the first bar, in 4/4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from libretto.errors import LibrettoError
from libretto.hearing.audio import Clip
from libretto.hearing.notes import HeardNote, hear_notes
from libretto.hearing.partials import RATE, hearable, magnitudes
from libretto.hearing.rhythm import Loop, hear_loop
from libretto.score import Note, Score, Voice
from libretto.score.keys import infer_key, spell_drums
from libretto.score.spelling import spell_notes
from libretto.score.table import Singles
from libretto.score.time import QUARTER, micros_of_bpm

__all__ = ["Transcription", "beat_of", "is_drums", "transcribe"]

SIXTEENTH, EIGHTH = QUARTER // 4, QUARTER // 2
_KICK, _SNARE, _HAT = 36, 38, 42
_LISTENED = 30 * RATE  # samples that decide whether it is drums
_STROKES = 0.47  # of the sound: where more of it is strokes than tones, it is drums
_LOOPS = (16, 24, 32, 48, 64)  # eighths that a loop may have
_BEATS = np.arange(0.3, 1.2, 0.002)  # seconds a quarter: 200 to 50 a minute
_USUAL_BEAT = 0.5
_SHORTEST_PIECE = 3  # onsets: fewer say nothing of a beat
#: How much it counts that onsets lie on quarters, eighths and sixteenths, by parts of a quarter.
_DIVISIONS = ((1, 0.25), (2, 0.35), (4, 0.4))
_UNUSUAL = 0.1  # what a beat costs for every octave that it is from the usual one
_SIXTEENTHS = 4  # in a quarter
_STROKE_LOUD, _HAT_LOUD, _UNSURE_LOUD = 100, 75, 90  # velocities: clear strokes, hats, what is neither kick nor snare
_LOUDEST, _SOFTEST, _HALF_AS_STRONG = 100, 20, 10  # velocities, and how much softer a note half as strong is
_FAINTEST = 0.01  # of the strongest note
_LONGEST_LOOP_SECONDS = 60
_EYE, _EYE_HOP, _EYE_BINS = 1024, 160, 256  # spectra of 64 ms every 10 ms, up to 4 kHz
_TONE_FRAMES = 25  # a tone lasts a quarter of a second
_STROKE_BINS = 17  # a stroke is as strong 130 Hz away
_ROWS_AT_ONCE = 256


@dataclass(frozen=True)
class Transcription:
    """A Score, what it was taken for (``drums`` or ``notes``), and its tempo in quarters a minute."""

    score: Score
    kind: str
    tempo: float


def transcribe(clip: Clip, done: Callable[[float], None] | None = None) -> Transcription:
    """What is played in a recording, as a Score; ``done`` hears which part of the work is done."""
    if clip.silent:
        raise LibrettoError("the recording is silent; there is nothing to write down")
    if is_drums(clip):
        loop = _best_loop(clip)
        if loop is not None:
            return _drums(loop)
    notes = hear_notes(clip, done)
    if not notes:
        raise LibrettoError("no notes were heard; is it music with pitches, or a drum loop?")
    return _pitched(notes)


def is_drums(clip: Clip) -> bool:
    """Whether more of a recording is strokes (short, of all frequencies) than tones (long, of few)."""
    sound = hearable(clip)[:_LISTENED]
    if not len(sound):
        return False
    seen = magnitudes(sound, _EYE, _EYE_HOP, _EYE_BINS)
    tones = _medians(seen, _TONE_FRAMES, 0)
    strokes = _medians(seen, _STROKE_BINS, 1)
    return float(strokes.sum()) > _STROKES * float((strokes + tones).sum())


def _medians(table: Singles, count: int, axis: int) -> Singles:
    pad = [(0, 0), (0, 0)]
    pad[axis] = (count // 2, count // 2)
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(table, pad, mode="edge"), count, axis=axis)
    rows = range(0, len(table), _ROWS_AT_ONCE)
    return np.concatenate([np.median(windows[first : first + _ROWS_AT_ONCE], axis=-1) for first in rows])


def _best_loop(clip: Clip) -> Loop | None:
    """The loop of the length that agrees best with the strokes."""
    sound = Clip(clip.samples[: _LONGEST_LOOP_SECONDS * clip.rate], clip.rate)
    loops = [loop for loop in (hear_loop(sound, count) for count in _LOOPS) if loop is not None]
    return max(loops, key=lambda loop: loop.pulse.agreement, default=None)


def _drums(loop: Loop) -> Transcription:
    """A loop as a drum voice; a stroke that is neither kick nor snare is a softer snare."""
    notes = []
    neither = loop.struck & ~loop.kick & ~loop.snare
    for key, line, loud in (
        (_KICK, loop.kick, _STROKE_LOUD),
        (_SNARE, loop.snare, _STROKE_LOUD),
        (_HAT, loop.hat, _HAT_LOUD),
        (_SNARE, neither, _UNSURE_LOUD),
    ):
        fifths = int(spell_drums(np.array([key]))[0])
        notes += [Note(int(slot) * EIGHTH, EIGHTH, key, loud, fifths) for slot in np.flatnonzero(line)]
    if not notes:
        raise LibrettoError("no drums were heard; the recording has no clear strokes")
    tempo = round(60 / (2 * loop.pulse.period), 1)
    score = Score.build([Voice.of("Drums", notes, drums=True)], tempos=((0, micros_of_bpm(tempo)),))
    return Transcription(score, "drums", tempo)


def beat_of(starts: Sequence[float]) -> float:
    """Seconds a quarter: the beat whose parts lie nearest to all onsets; of equals, the one nearest to half a second.

    >>> round(beat_of([0.0, 0.6, 1.2, 1.5, 1.8, 2.4, 3.0]), 2)
    0.6
    """
    places = np.asarray(starts) - min(starts)
    if len(places) < _SHORTEST_PIECE or not places.max():
        return _USUAL_BEAT
    cost = np.zeros(len(_BEATS))
    for division, weight in _DIVISIONS:
        slots = _BEATS / division
        off = np.abs((places[:, None] / slots + 0.5) % 1 - 0.5) * 2
        cost += weight * off.mean(axis=0)
    cost += _UNUSUAL * np.abs(np.log2(_BEATS / _USUAL_BEAT))
    return float(_BEATS[int(np.argmin(cost))])


def _pitched(heard: Sequence[HeardNote]) -> Transcription:
    beat = beat_of([note.start for note in heard])
    tempo = round(60 / beat, 1)
    first = min(note.start for note in heard)
    loudest = max(note.strength for note in heard)
    pitches = np.array([note.pitch for note in heard])
    spans = np.array([max(1, round((note.stop - note.start) * _SIXTEENTHS / beat)) for note in heard])
    key = infer_key(pitches, spans)
    slots = [round((note.start - first) * _SIXTEENTHS / beat) for note in heard]
    names = spell_notes(np.array(slots) * SIXTEENTH, pitches, np.zeros(len(pitches), np.int64), [(0, key)])
    taken: dict[tuple[int, int], Note] = {}
    for note, slot, span, fifths in zip(heard, slots, spans.tolist(), names.tolist(), strict=True):
        strength = max(_FAINTEST, note.strength / loudest)
        loud = max(_SOFTEST, min(_LOUDEST, round(_LOUDEST + _HALF_AS_STRONG * np.log2(strength))))
        taken.setdefault((slot, note.pitch), Note(slot * SIXTEENTH, span * SIXTEENTH, note.pitch, loud, fifths))
    score = Score.build([Voice.of("Heard", _parted(taken))], keys=((0, key),), tempos=((0, micros_of_bpm(tempo)),))
    return Transcription(score, "notes", tempo)


def _parted(taken: dict[tuple[int, int], Note]) -> list[Note]:
    """The notes, none sounding on where its own pitch begins again."""
    notes: list[Note] = []
    following: dict[int, int] = {}
    for (_, pitch), note in sorted(taken.items(), reverse=True):
        end = min(note.onset + note.duration, following.get(pitch, note.onset + note.duration))
        notes.append(note._replace(duration=end - note.onset))
        following[pitch] = note.onset
    return notes
