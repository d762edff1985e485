"""Colour: the same chords richer or plainer, and other chords under the same tune."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from libretto.edits.retuning import Region, retuned
from libretto.edits.spans import Notes, Spans, bars_in, chord_line
from libretto.score import QUARTER, Key, Score, parse_chord
from libretto.score.chords import Chord
from libretto.score.pitch import letter_name

__all__ = ["fits_tune", "plainer", "reharmonised", "with_sevenths"]

_SEVENTH, _LEADING, _FIFTH = 10, 11, 7  # semitones above a root
_FLAT_FIFTH, _SHARP_FIFTH = 6, 8  # of diminished and augmented triads
_TRIAD_BASSES = (3, 4, _FLAT_FIFTH, _FIFTH, _SHARP_FIFTH)  # thirds and fifths: a plain triad may stand on them
_FROM_ABOVE = -5  # places of the line of fifths to the root a semitone higher: the dominant a tritone away has it
_MAJOR, _MINOR, _DIM, _AUG = frozenset({0, 4, 7}), frozenset({0, 3, 7}), frozenset({0, 3, 6}), frozenset({0, 4, 8})
_TRIADS = {_MAJOR: "", _MINOR: "m", _DIM: "dim", _AUG: "aug"}
_TENSIONS = (2, 9)  # a ninth and a thirteenth rub nobody
_MINOR_TENSIONS = (2, 5, 9)  # over a minor chord the eleventh neither
_THREE = 3  # beats that are one in compound meter
_HEARD = QUARTER // 2  # a note of the tune that is shorter passes
_TO_FIFTHS = 12  # places of the line of fifths after which the same pitch comes again
_FLATTEST_NAME, _SHARPEST_NAME = -5, 6  # Db to F#: names of roots that read well


def with_sevenths(score: Score, names: Sequence[str] = (), spans: Spans = None, tune: str = "") -> Score:
    """The chords of those voices with their sevenths: those of the scale. The tune stays."""
    return _recoloured(score, names, spans, tune, _seventh)


def plainer(score: Score, names: Sequence[str] = (), spans: Spans = None, tune: str = "") -> Score:
    """The chords of those voices as plain triads. The tune stays."""
    return _recoloured(score, names, spans, tune, lambda chord, _: _triad(chord))


def _recoloured(
    score: Score, names: Sequence[str], spans: Spans, tune: str, turn: Callable[[Chord, Key], str]
) -> Score:
    """The piece with every chord of those bars turned into another on the same place."""
    inside, line = bars_in(score, spans), chord_line(score)
    regions = [
        Region(start, end, chord, turn(chord, score.key_at(start)))
        for bar, chords in enumerate(line)
        if inside[bar]
        for start, end, chord in chords
    ]
    return retuned(score, _others(score, names, tune), regions)


def _others(score: Score, names: Sequence[str], tune: str) -> list[str]:
    """The pitched voices of those named, but for the tune."""
    return [v.name for v in score.voices if not v.drums and v.name != tune and (not names or v.name in names)]


def _tune_notes(score: Score, tune: str) -> Notes:
    return next((voice.array for voice in score.voices if voice.name == tune), score.table[:0])


def _over(notes: Notes, start: int, end: int) -> Notes:
    """The notes that sound between two ticks for long enough to be heard against a chord."""
    stop = np.minimum(notes["onset"] + notes["duration"], end)
    return np.asarray(notes[stop - np.maximum(notes["onset"], start) >= _HEARD])


def _seventh(chord: Chord, key: Key) -> str:
    """The label with the seventh of the scale; as it is where it has one or is no triad."""
    root, plain = chord.root_class, _TRIADS.get(chord.intervals - _only_bass(chord))
    if plain is None:
        return _label(chord.root, chord.quality, chord.bass)
    in_scale = (root + _SEVENTH) % 12 in key.classes or (root + _LEADING) % 12 not in key.classes
    dominant = (root - key.tonic_class) % 12 == _FIFTH
    quality = {
        "": "7" if dominant or in_scale else "maj7",
        "m": "m7",
        "dim": "m7b5",
        "aug": "aug7",
    }[plain]
    return _label(chord.root, quality, chord.bass)


def _only_bass(chord: Chord) -> frozenset[int]:
    """The bass of a chord, above its root, where it is no tone of the chord itself."""
    alone = parse_chord(letter_name(chord.root) + chord.quality)
    bass = (chord.bass_class - chord.root_class) % 12
    return frozenset({bass}) - (alone.intervals if alone else frozenset())


def _triad(chord: Chord) -> str:
    """The label of the triad that a chord is built on."""
    tones = chord.intervals
    if 4 in tones:
        quality = "aug" if _SHARP_FIFTH in tones and _FIFTH not in tones else ""
    elif 3 in tones:
        quality = "dim" if _FLAT_FIFTH in tones and _FIFTH not in tones else "m"
    else:
        quality = ""
    bass = chord.bass if (chord.bass_class - chord.root_class) % 12 in _TRIAD_BASSES else chord.root
    return _label(chord.root, quality, bass)


def _label(root: int, quality: str, bass: int | None = None) -> str:
    slash = "" if bass is None or bass == root else "/" + letter_name(bass)
    return letter_name(_readable(root)) + quality + slash


def _readable(root: int) -> int:
    while root > _SHARPEST_NAME + _TO_FIFTHS // 2:
        root -= _TO_FIFTHS
    while root < _FLATTEST_NAME - _TO_FIFTHS // 2:
        root += _TO_FIFTHS
    return root


def fits_tune(label: str, tune: Notes, before: Chord | None = None) -> bool:
    """Whether no note of a tune rubs against a chord: each is one of its tones or a tension that nobody minds.

    Notes that rub against the chord that stood there ``before`` may go on doing so.
    """
    chord = parse_chord(label)
    pitches = tune["pitch"].astype(np.int64).tolist()
    if before is not None:
        pitches = [pitch for pitch in pitches if _agrees(before, pitch)]
    return chord is not None and all(_agrees(chord, pitch) for pitch in pitches)


def _agrees(chord: Chord, pitch: int) -> bool:
    tensions = _MINOR_TENSIONS if chord.is_minor else _TENSIONS
    above = (pitch - chord.root_class) % 12
    return above in chord.intervals or (above in tensions and above - 1 not in chord.intervals)


def reharmonised(score: Score, tune: str, names: Sequence[str] = (), spans: Spans = None) -> Score:
    """The bars with the chords of a jazz musician under the same tune.

    Chords get sevenths and ninths; before a chord on another root comes the dominant that leads to it, or the one a
    tritone away. Every new chord is one against which no heard note of the tune rubs; where none is, the chord stays.
    """
    inside, line, melody = bars_in(score, spans), chord_line(score), _tune_notes(score, tune)
    regions: list[Region] = []
    for bar, (chords, following) in enumerate(pairwise([*line, []])):
        if not inside[bar]:
            continue
        for place, (start, end, chord) in enumerate(chords):
            after = chords[place + 1][2] if place + 1 < len(chords) else following[0][2] if following else None
            half = _turn(score, start, end)
            alone = len(chords) == 1 and half < end
            leading = _leading_to(after, chord, _over(melody, half, end)) if alone else ""
            key = score.key_at(start)
            if leading:
                regions.append(Region(start, half, chord, _richer(chord, key, _over(melody, start, half))))
                regions.append(Region(half, end, chord, leading))
            else:
                regions.append(Region(start, end, chord, _richer(chord, key, _over(melody, start, end))))
    return retuned(score, _others(score, names, tune), regions)


def _turn(score: Score, start: int, end: int) -> int:
    """The beat at the middle of a stretch, or the first one after it; the end where there is none."""
    meter = score.meter_at(start)
    beat = meter.ticks // meter.beats * (_THREE if meter.is_compound else 1)
    beats = -(-(end - start) // (2 * beat))  # rounded up
    return min(end, start + beats * beat)


def _leading_to(after: Chord | None, before: Chord, tune: Notes) -> str:
    """The dominant that leads into a chord, or the one a tritone away; empty where the tune rubs or it stands there."""
    if after is None or after.root_class == before.root_class:
        return ""
    fifth = after.root + 1
    if (before.root_class - after.root_class) % 12 == _FIFTH:
        ways = [_label(after.root + _FROM_ABOVE, "7")]
    else:
        ways = [_label(fifth, "7"), _label(after.root + _FROM_ABOVE, "7"), _label(fifth, "m7")]
    return next((label for label in ways if fits_tune(label, tune, before)), "")


def _richer(chord: Chord, key: Key, tune: Notes) -> str:
    """The chord with as much above it as the tune allows."""
    plain = _TRIADS.get(frozenset(tone for tone in chord.intervals if tone in _plain_tones(chord)))
    as_it_is = _label(chord.root, chord.quality, chord.bass)
    if plain is None:
        return as_it_is
    base = parse_chord(_triad(chord))
    if base is None:
        return as_it_is
    seventh = _seventh(base._replace(bass=base.root), key)
    ninth = {"maj7": "maj9", "m7": "m9", "7": "9"}
    quality = (parse_chord(seventh) or chord).quality
    ways = [_label(chord.root, ninth.get(quality, quality)), seventh, _label(chord.root, "6") if plain == "" else ""]
    return next((label for label in ways if label and fits_tune(label, tune, chord)), as_it_is)


def _plain_tones(chord: Chord) -> frozenset[int]:
    base = parse_chord(_triad(chord))
    return base.intervals if base else frozenset()
