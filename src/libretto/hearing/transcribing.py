"""From a recording to a Score: the notes that are heard, on a grid that is found, in a key that is heard.

A recording in which more sounds by strokes than by tones is taken for drums and becomes a drum voice on eighths;
anything else becomes one voice of notes on sixteenths. The first onset is the first beat of the first bar, in 4/4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from libretto.errors import LibrettoError
from libretto.hearing.audio import Clip
from libretto.hearing.notes import HeardNote, hear_notes
from libretto.hearing.rhythm import Loop, hear_loop
from libretto.hearing.spectrum import RATE, hearable, magnitudes
from libretto.score import Note, Score, Voice
from libretto.score.keys import infer_key, spell, spell_drums
from libretto.score.time import QUARTER, micros_of_bpm

__all__ = ["Transcription", "beat_of", "is_drums", "transcribe"]

SIXTEENTH, EIGHTH = QUARTER // 4, QUARTER // 2
_KICK, _SNARE, _HAT = 36, 38, 42
_LISTENED = 30 * RATE  # samples that decide whether it is drums
_STROKES = 0.47  # of the sound: where more of it is strokes than tones, it is drums
_LOOPS = (16, 24, 32, 48, 64)  # eighths that a loop may have
_BEATS = np.arange(0.3, 1.2, 0.002)  # seconds a quarter: 200 to 50 a minute
_USUAL_BEAT = 0.5
_LOUDEST = 100


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
    seen = magnitudes(sound, 1024, 160, 256)
    tones = _medians(seen, 25, 0)  # what lasts a quarter of a second
    strokes = _medians(seen, 17, 1)  # what is as strong 130 Hz away
    return float(strokes.sum()) > _STROKES * float((strokes + tones).sum())


def _medians(table: NDArray[np.float32], count: int, axis: int) -> NDArray[np.float32]:
    pad = [(0, 0), (0, 0)]
    pad[axis] = (count // 2, count // 2)
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(table, pad, mode="edge"), count, axis=axis)
    return np.concatenate([np.median(windows[first : first + 256], axis=-1) for first in range(0, len(table), 256)])


def _best_loop(clip: Clip) -> Loop | None:
    """The loop of the length that agrees best with the strokes."""
    sound = Clip(clip.samples[: 60 * clip.rate], clip.rate)
    loops = [loop for loop in (hear_loop(sound, count) for count in _LOOPS) if loop is not None]
    return max(loops, key=lambda loop: loop.pulse.agreement, default=None)


def _drums(loop: Loop) -> Transcription:
    notes = []
    for key, line, loud in ((_KICK, loop.kick, 100), (_SNARE, loop.snare, 100), (_HAT, loop.hat, 75)):
        fifths = int(spell_drums(np.array([key]))[0])
        notes += [Note(int(slot) * EIGHTH, EIGHTH, key, loud, fifths) for slot in np.flatnonzero(line)]
    neither = loop.struck & ~loop.kick & ~loop.snare
    fifths = int(spell_drums(np.array([_SNARE]))[0])
    notes += [Note(int(slot) * EIGHTH, EIGHTH, _SNARE, 90, fifths) for slot in np.flatnonzero(neither)]
    if not notes:
        raise LibrettoError("no drums were heard; the recording has no clear strokes")
    tempo = round(30 / loop.pulse.period, 1)
    score = Score.build([Voice.of("Drums", notes, drums=True)], tempos=((0, micros_of_bpm(tempo)),))
    return Transcription(score, "drums", tempo)


def beat_of(starts: Sequence[float]) -> float:
    """Seconds a quarter: the beat whose parts lie nearest to all onsets; of equals, the one nearest to half a second.

    >>> round(beat_of([0.0, 0.6, 1.2, 1.5, 1.8, 2.4, 3.0]), 2)
    0.6
    """
    places = np.asarray(starts) - min(starts)
    if len(places) < 3 or not places.max():
        return _USUAL_BEAT
    cost = np.zeros(len(_BEATS))
    for division, weight in ((1, 0.25), (2, 0.35), (4, 0.4)):
        slots = _BEATS / division
        off = np.abs((places[:, None] / slots + 0.5) % 1 - 0.5) * 2
        cost += weight * off.mean(axis=0)
    cost += 0.1 * np.abs(np.log2(_BEATS / _USUAL_BEAT))
    return float(_BEATS[int(np.argmin(cost))])


def _pitched(heard: Sequence[HeardNote]) -> Transcription:
    beat = beat_of([note.start for note in heard])
    tempo = round(60 / beat, 1)
    first = min(note.start for note in heard)
    loudest = max(note.strength for note in heard)
    pitches = np.array([note.pitch for note in heard])
    spans = np.array([max(1, round((note.stop - note.start) * 4 / beat)) for note in heard])
    key = infer_key(pitches, spans)
    taken: dict[tuple[int, int], Note] = {}
    for note, span, fifths in zip(heard, spans.tolist(), spell(pitches, key).tolist(), strict=True):
        slot = round((note.start - first) * 4 / beat)
        loud = max(20, min(_LOUDEST, round(_LOUDEST + 20 * np.log2(max(0.01, note.strength / loudest)) / 2)))
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
