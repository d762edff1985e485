"""Keys by place, and scales."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.asks import Ask
from libretto.contract.checks.fields import tunes_only
from libretto.contract.checks.where import Spans, tune_of
from libretto.contract.scales import scale_named
from libretto.edits.keys import rekeyed, relabelled, remoded, transposed
from libretto.edits.parts import top_line
from libretto.edits.spans import changed, starts_in, stretches
from libretto.errors import LibrettoError
from libretto.house.asks.doing import Job, doers, place_of
from libretto.score import Key, Score, Voice, parse_chord, spell
from libretto.score.keys import MODES
from libretto.score.pitch import letter_name

__all__ = ["bent_to", "once", "onto"]

_CLEARLY = 0.05  # of what sounds: how much better a new key has to fit than the old one
_FAR = 11  # semitones that a change of key may go at most
_TRITONE, _HIGHEST = 6, 127  # semitones to the farthest pitch class; pitch
_FIFTH = 1  # on the line of fifths


@doers.register("key_change")
def _key_change(ask: Ask, score: Score, job: Job) -> Score:
    spans = place_of(ask, score)
    if not spans:
        return score
    made = _clearly(_in_new_key(ask.what.strip(), score, spans), score, spans, job)
    if made is score or job.contract.chords or job.contract.scale:
        return made
    for first, _ in spans:
        if first > score.numbers[0] + 1 and not any(a <= first - 1 <= b for a, b in spans):
            made = _led_into(made, first)
    return made


def _clearly(made: Score, score: Score, spans: Spans, job: Job) -> Score:
    """A piece whose new key is heard: where the bars fit the old key as well, their strange notes go into the new."""
    start = stretches(score, spans)[0][0]
    key, home = made.key_at(start), job.contract.key or score.key
    if made is score or job.contract.chords or job.contract.scale or set(key.classes) == set(home.classes):
        return made
    notes = np.concatenate([voice.array[starts_in(voice.array, stretches(made, spans))]
                            for voice in made.voices if not voice.drums])  # fmt: skip
    tones, weights = notes["pitch"] % 12, notes["duration"].astype(np.float64)
    new, old = (float(weights[np.isin(tones, one.classes)].sum()) for one in (key, home))
    if not len(notes) or new >= old + _CLEARLY * float(weights.sum()):
        return made
    bent = changed(made, (), spans, lambda _, mine: bent_to(mine, key.classes, key))
    return relabelled(replace(bent, voices=tuple(once(voice) for voice in bent.voices)), spans)


def _in_new_key(what: str, score: Score, spans: Spans) -> Score:
    if re.fullmatch(r"[+-]?\d{1,2}", what):
        by = int(what)
        return transposed(score, by, spans) if 0 < abs(by) <= _FAR else score
    if what.lower() in MODES:
        return remoded(score, what.lower(), spans)
    try:
        return rekeyed(score, Key.parse(what), spans)
    except LibrettoError:
        return score


def _led_into(score: Score, bar: int) -> Score:
    """The piece with the dominant of a new key in the second half of the bar before it."""
    place = bar - score.first_bar
    key = score.key_at(score.bar_lines[place])
    label = f"{letter_name(key.tonic + _FIFTH)}7"
    before = score.chords[place - 1]
    chords = list(score.chords)
    chords[place - 1] = (before[0], label) if before[0] != label else (label,)
    start, end = score.bar_lines[place - 1], score.bar_lines[place]
    made = onto(score, label, (start + end) // 2, end)
    return replace(made, chords=tuple(chords))


def onto(score: Score, label: str, start: int, end: int) -> Score:
    """The piece with every pitch that begins between two ticks moved to the nearest tone of a chord."""
    chord = parse_chord(label)
    if chord is None:
        return score
    bars = [(bar, bar) for bar in score.numbers if start < score.bar_lines[bar - score.first_bar + 1] and
            score.bar_lines[bar - score.first_bar] < end]  # fmt: skip
    tones = sorted(set(chord.classes))

    def moved(voice: Voice, notes: NDArray[Any]) -> NDArray[Any]:
        here = (notes["onset"] >= start) & (notes["onset"] < end)
        notes[here] = bent_to(notes[here], tones, score.key_at(end - 1))
        return notes

    made = changed(score, (), bars, moved)
    return replace(made, voices=tuple(once(voice) for voice in made.voices))


def once(voice: Voice) -> Voice:
    """A voice in which no pitch is struck twice at once."""
    rows = np.stack([voice.array["onset"], voice.array["pitch"]]) if len(voice.array) else np.zeros((2, 0))
    _, first = np.unique(rows, axis=1, return_index=True)
    return voice if len(first) == len(voice.array) else voice.with_notes(voice.array[np.sort(first)])


def bent_to(notes: NDArray[Any], classes: Sequence[int], key: Key) -> NDArray[Any]:
    """Notes whose pitches lie on the nearest of some pitch classes, the lower of two."""
    if not len(notes) or not classes:
        return notes
    shift = np.zeros(12, dtype=np.int64)
    for tone in range(12):
        shift[tone] = min(range(-_TRITONE, _TRITONE + 1), key=lambda by: ((tone + by) % 12 not in classes, abs(by), by))
    by = shift[notes["pitch"] % 12]
    notes["pitch"] = np.clip(notes["pitch"].astype(np.int64) + by, 0, _HIGHEST)
    notes["spelling"] = np.where(by != 0, spell(notes["pitch"], key), notes["spelling"])
    return notes


@doers.register("scale")
def _scale(ask: Ask, score: Score, job: Job) -> Score:
    """The piece with its notes in the scale: all of them but those of chords that were told, or the tune where the
    scale has few."""
    scale = scale_named(job.contract.scale)
    if scale is None:
        return score
    tonic = score.key.tonic_class
    classes = sorted((tonic + step) % 12 for step in scale.semitones)
    tunes = tunes_only(scale.name, bool(job.contract.chords))
    leader = tune_of(score, ((score.numbers[0], score.numbers[-1]),)) if tunes else None
    names = [score.voices[leader].name] if leader is not None else []

    def bent(voice: Voice, notes: NDArray[Any]) -> NDArray[Any]:
        if not tunes:
            told = _of_chords(score, notes) if job.contract.chords else np.zeros(len(notes), dtype=np.bool_)
            notes[~told] = bent_to(notes[~told], classes, score.key)
            return notes
        highest = {(int(note["onset"]), int(note["pitch"])) for note in top_line(notes)}
        mine = np.array([(int(note["onset"]), int(note["pitch"])) in highest for note in notes], dtype=np.bool_)
        notes[mine] = bent_to(notes[mine], classes, score.key)
        return notes

    made = changed(score, names, None, bent)
    return replace(made, voices=tuple(once(voice) for voice in made.voices))


def _of_chords(score: Score, notes: NDArray[Any]) -> NDArray[np.bool_]:
    """Which notes are tones of the chord in which they begin."""
    chords = [score.chord_at(tick) for tick in notes["onset"].tolist()]
    rows = zip(notes["pitch"].tolist(), chords, strict=True)
    return np.array([chord is not None and pitch % 12 in chord.classes for pitch, chord in rows], dtype=np.bool_)
