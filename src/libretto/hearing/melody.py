"""The ear for a single line: what begins at one moment is one tone, and what rings on does not count again."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import numpy as np
from numpy.typing import NDArray

from libretto.hearing.audio import Clip
from libretto.hearing.notes import OVERTONES, HeardNote, Onset, ended, onsets_of, strongest
from libretto.hearing.partials import HOP, LOWEST, salience
from libretto.hearing.rhythm import HOP as PULSE_HOP
from libretto.hearing.rhythm import onset_strength
from libretto.hearing.spectrum import hearable

__all__ = ["grouped", "hear_line", "hear_melody", "notes_among", "tone_of"]

Floats = NDArray[np.float32]

_TOGETHER = 7  # frames: onsets within 70 ms are one attack
_TOGETHER_LOW, _LOW_ROWS = 12, 59 - LOWEST  # frames, for pitches below 250 Hz
_LEAST = 0.04  # of the strongest pitch of the clip: a rise that may be part of a tone
_HEARD = 0.15  # of the strongest pitch: what a tone's rises must come to
_SOFTER = 0.3  # of the usual note: softer ones (10 dB) are noises of the hand
_CLOSE, _HERALD = 12, 0.4  # frames within which something so much weaker belongs to its stronger neighbour
_SWELL, _OWN = 40, 0.6  # frames after an attack in which an overtone must be so strong beside it to be a note
_ROOT = 0.3  # of the strongest rise of an attack: what the lowest partial must reach
_WEAK_ROOT, _PARTIAL, _RICH = 0.18, 0.15, 3  # or so much where the octave and two more partials rise with it
_REST = 9  # frames: a note is not struck twice within 90 ms
_STRUCK = 0.5  # of the usual attack
_FLICKER = 6.0  # upper quarters above the middle of all frames: less than this may be the flicker of noise
_HELD, _SOUNDING = 1.05, 0.2  # what a pitch struck again has, of what it had before, and at its strongest
_ODD, _EVEN, _ODD_PART = (0, 19, 28, 34), (12, 24), 0.5


def hear_melody(clip: Clip) -> list[int]:
    """The pitches of a single line in order; a note struck again counts again."""
    return [note.pitch for note in hear_line(clip)]


def hear_line(clip: Clip) -> list[HeardNote]:
    """The notes of a single line."""
    sound = hearable(clip)
    if not len(sound):
        return []
    amounts = salience(sound)
    scale = strongest(amounts)
    tones = [tone_of(group) for group in grouped(onsets_of(amounts, _LEAST * scale))]
    notes = notes_among(tones, scale)
    return ended(amounts, _struck_again(notes, amounts, onset_strength(sound)), scale)


def _struck_again(notes: Sequence[Onset], amounts: Floats, attacks: NDArray[np.float64]) -> list[Onset]:
    """The notes, and where one that still sounds is struck again: an attack like others, and its pitch does not fall.

    Short spectra show an attack that the long ones of the pitches blur.
    """
    step = HOP // PULSE_HOP
    near = [attacks[max(0, step * note.frame - 10) : step * note.frame + 11].max(initial=0.0) for note in notes]
    middle, upper = np.quantile(attacks, (0.5, 0.75)) if len(attacks) else (0.0, 0.0)
    least = max(_STRUCK * float(np.median(near)) if near else 0.0, float(middle + _FLICKER * (upper - middle)))
    found = list(notes)
    for place, note in enumerate(notes):
        end = notes[place + 1].frame if place + 1 < len(notes) else len(amounts)
        last = note.frame
        for frame in range(note.frame + _REST, end - _REST // 2):
            peak = attacks[step * frame : step * (frame + 1)].max(initial=0.0)
            around = attacks[step * (frame - 6) : step * (frame + 7)].max(initial=0.0)
            if peak < max(least, around) or frame - last < _REST:
                continue
            before = float(np.median(amounts[frame - 9 : frame - 3, note.row]))
            after = float(np.median(amounts[frame + 3 : frame + 9, note.row]))
            if after >= max(_HELD * before, _SOUNDING * amounts[note.frame : note.frame + 30, note.row].max()):
                found.append(note._replace(frame=frame))
                last = frame
    return sorted(found)


def notes_among(tones: Sequence[Onset], scale: float, softer: float = _SOFTER) -> list[Onset]:
    """The tones that are notes: not far softer than the usual one, nor an overtone that swells after its tone began."""
    heard = [tone for tone in tones if tone.rise >= _HEARD * scale]
    usual = median(tone.rise for tone in heard) if heard else 0.0
    notes: list[Onset] = []
    for place, tone in enumerate(heard):
        near = [other for other in heard[max(0, place - 1) : place + 2] if abs(other.frame - tone.frame) <= _CLOSE]
        if any(tone.rise < _HERALD * other.rise for other in near):
            continue
        late = notes and tone.row - notes[-1].row in OVERTONES and tone.frame - notes[-1].frame <= _SWELL
        if tone.rise >= softer * usual and not (late and tone.rise < _OWN * notes[-1].rise):
            notes.append(tone)
    return notes


def grouped(onsets: Sequence[Onset]) -> list[dict[int, Onset]]:
    """Onsets by attack, in order of time: each group is gathered around its strongest rise; one onset a row."""
    left = sorted(onsets, key=lambda each: -each.rise)
    groups = []
    while left:
        middle = left[0].frame
        group: dict[int, Onset] = {}
        for each in left:
            if _joins(each, middle):
                group.setdefault(each.row, each)
        groups.append((middle, group))
        left = [each for each in left if not _joins(each, middle)]
    return [group for _, group in sorted(groups, key=lambda each: each[0])]


def _joins(onset: Onset, middle: int) -> bool:
    """Whether an onset belongs to an attack; low pitches are seen through longer spectra and may seem late."""
    return abs(onset.frame - middle) <= (_TOGETHER_LOW if onset.row < _LOW_ROWS else _TOGETHER)


def tone_of(group: dict[int, Onset]) -> Onset:
    """The one tone that explains most of an attack: a pitch that rises itself, and the rises on its overtones.

    Its odd partials must be there beside the even ones, or the tone an octave higher explains as much.
    """
    rises = {row: onset.rise for row, onset in group.items()}
    most = max(rises.values())
    best, weight = max(group.values(), key=lambda each: each.rise), -1.0
    for row, onset in group.items():
        odd = sum(rises.get(row + step, 0.0) for step in _ODD)
        even = sum(rises.get(row + step, 0.0) for step in _EVEN)
        rich = sum(rises.get(row + step, 0.0) >= _PARTIAL * most for step in OVERTONES) >= _RICH
        strong = onset.rise >= (_WEAK_ROOT if rich and row + 12 in rises else _ROOT) * most
        if strong and odd >= _ODD_PART * even:
            total = onset.rise + sum(rises.get(row + step, 0.0) for step in OVERTONES)
            if total > weight:
                best, weight = onset, total
    return best._replace(rise=max(weight, best.rise))
