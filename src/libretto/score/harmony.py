"""Hear chords: label bars from the notes that sound in them.

Each half of a bar (the whole bar in odd meters) is matched against chord templates by how long every pitch
class sounds; the bass and the key break ties. A bar gets two labels where two describe it clearly better than one.
A root is spelled as the notes under its label are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from libretto.score.chords import NO_CHORD, QUALITIES
from libretto.score.keys import Key, spell
from libretto.score.pitch import FLATTEST, SHARPEST, letter_name, pitch_class_of
from libretto.score.table import Bools, Floats, Ints
from libretto.score.time import Meter
from libretto.score.voice import Voice

__all__ = ["Heard", "Piece", "chords_of", "hear_chords"]

_HEARD = ("", "m", "7", "maj7", "m7", "m7b5", "dim", "dim7", "aug", "sus4", "sus2", "6", "m6", "mMaj7", "5")
# What it costs that a chord tone is hardly heard: the root and the third tell chords apart, the fifth does not.
_MISSING = {0: 0.18, 3: 0.12, 4: 0.12, 7: 0.05}
_MISSING_OTHER, _LARGER, _DIATONIC, _SPLIT = 0.14, 0.03, 0.05, 0.08
_BARE = ("5", "sus2", "sus4")  # without a third, the fifth has to be there
_NONE = 1000  # above every pitch: nothing sounds
_BASS, _HIGH_BASS, _BASS_BELOW = 0.16, 0.04, 55  # a tune's lowest note is no bass
_COLOUR = {"sus4": 0.10, "sus2": 0.16, "6": 0.05, "m6": 0.06, "aug": 0.08, "dim": 0.04, "mMaj7": 0.08, "5": 0.12}
_DEGREE = {0: 0.04, 7: 0.03, 5: 0.02}  # tonic, dominant and subdominant are likelier than the rest
_PRESENT = 0.06
_TURNS = -(-(SHARPEST - FLATTEST + 1) // 12)  # names that a pitch class may have
_PLACES = 12 * _TURNS
_CLASS_PLACE = (np.arange(12) * 7 - FLATTEST) % 12  # the flattest name of each pitch class, counted from the flattest
_DIGITS, _NEARLY = 9, 1e-8  # to which fits are rounded, and further than rounding moves one


def _templates() -> tuple[NDArray[np.bool_], Floats, NDArray[np.int64], Floats]:
    """Membership and cost of absence (template x pitch class), root class and standing penalty of each template."""
    rows = [(root, quality) for quality in _HEARD for root in range(12)]
    member, absent = np.zeros((len(rows), 12), dtype=np.bool_), np.zeros((len(rows), 12))
    for index, (root, quality) in enumerate(rows):
        for tone in QUALITIES[quality]:
            member[index, (root + tone) % 12] = True
            bare = tone == 7 and quality in _BARE
            absent[index, (root + tone) % 12] = _MISSING_OTHER if bare else _MISSING.get(tone, _MISSING_OTHER)
    penalty = np.array([_LARGER * (len(QUALITIES[q]) - 3) + _COLOUR.get(q, 0.0) for _, q in rows])
    return member, absent, np.array([root for root, _ in rows]), penalty


_MEMBER, _ABSENT, _ROOT, _PENALTY = _templates()
_WEIGHTS: Floats = np.concatenate((_MEMBER.T.astype(np.float64), -_ABSENT.T))  # of what sounds, and of what hardly does


class Piece(Protocol):
    """What is asked of a Score."""

    @property
    def table(self) -> NDArray[Any]:
        """Its notes."""

    @property
    def voices(self) -> Sequence[Voice]:
        """Its voices."""

    @property
    def bar_lines(self) -> tuple[int, ...]:
        """Where its bars begin and the last one ends."""

    @property
    def meters(self) -> tuple[tuple[int, Meter], ...]:
        """Its meters."""

    @property
    def keys(self) -> tuple[tuple[int, Key], ...]:
        """Its keys."""


def hear_chords(score: Piece) -> tuple[tuple[str, ...], ...]:
    """Labels for every bar, from the pitched notes alone; a silent bar is ``-``."""
    table = score.table
    rows = np.flatnonzero(np.array([not voice.drums for voice in score.voices], np.bool_)[table["voice"]])
    onset, duration, pitch, spelling, bar = (
        table[name][rows].astype(np.int64, copy=False) for name in ("onset", "duration", "pitch", "spelling", "bar")
    )
    heard = Heard.of(onset, duration, pitch, spelling, bar)
    return chords_of(heard, np.asarray(score.bar_lines, dtype=np.int64), score.meters, score.keys)


def chords_of(
    notes: Heard, lines: Ints, meters: Sequence[tuple[int, Meter]], changes: Sequence[tuple[int, Key]]
) -> tuple[tuple[str, ...], ...]:
    """Labels for every bar, from pitched notes; ``changes`` are those of key."""
    bars = len(lines) - 1
    if not len(notes.onset):
        return ((NO_CHORD,),) * bars
    halves = np.empty(2 * bars + 1, dtype=np.int64)
    halves[0::2], halves[1::2] = lines, (lines[:-1] + lines[1:]) // 2
    which = 2 * notes.bar + (notes.onset >= halves[2 * notes.bar + 1])
    by_name = _mass(notes, which, halves)
    bass = _bass(notes, which, halves)
    # Bars first, then first halves, then second ones.
    by_name = np.concatenate((by_name[0::2] + by_name[1::2], by_name[0::2], by_name[1::2]))
    lowest = np.concatenate((np.where(bass[0::2] < _NONE, bass[0::2], bass[1::2]), bass[0::2], bass[1::2]))
    mass = by_name.reshape(-1, _TURNS, 12).sum(axis=1)[:, _CLASS_PLACE]
    keys, key_of = [key for _, key in changes], np.tile(_which(changes, lines), 3)
    best, fit = _match(mass, lowest, keys, key_of)
    full = mass.sum(axis=1).reshape(3, -1)
    split = _split(best.reshape(3, -1), fit.reshape(3, -1), full, _even(meters, lines))
    return _labels(best, _roots(by_name, _ROOT[best], keys, key_of), split, full[0] > 0)


def _split(best: Ints, fit: Floats, full: Floats, even: Bools) -> Bools:
    """Which bars two labels fit clearly better than one; what is known comes as rows: bar, first half, second half."""
    _, first, second = full
    total = first + second
    share = np.divide(first, total, out=np.full(len(first), 0.5), where=total > 0)
    gain = share * fit[1] + (1 - share) * fit[2] - fit[0]
    return np.asarray((gain > _SPLIT) & (best[1] != best[2]) & (first > 0) & (second > 0) & even)


class Heard(NamedTuple):
    """The pitched notes of a piece, column by column."""

    onset: Ints
    end: Ints
    pitch: Ints
    name: Ints  #: the spelling, counted from the flattest
    bar: Ints

    @classmethod
    def of(cls, onset: Ints, duration: Ints, pitch: Ints, spelling: NDArray[np.integer], bar: Ints) -> Heard:
        """The notes of all voices that are not drums."""
        return cls(onset, onset + duration, pitch, spelling.astype(np.int64) - FLATTEST, bar)


def _even(meters: Sequence[tuple[int, Meter]], lines: Ints) -> Bools:
    """Bars whose meter has a half: an even number of beats and at least two quarters long."""
    even = np.array([meter.beats % 2 == 0 for _, meter in meters], dtype=np.bool_)
    return np.asarray(even[_which(meters, lines)])


def _which(changes: Sequence[tuple[int, object]], lines: Ints) -> Ints:
    """Which of the changes holds in each bar."""
    return np.array([tick for tick, _ in changes]).searchsorted(lines[:-1], side="right") - 1


def _mass(notes: Heard, which: Ints, edges: Ints) -> Floats:
    """How long the notes of each spelling sound between consecutive edges: segments by names.

    ``which`` is the segment in which each note starts. What has begun is counted with what has ended taken off, up to
    every edge: so many notes times the edge, less their moments, is how long they have sounded by then.
    """
    segments = len(edges) - 1
    stop = edges.searchsorted(notes.end, side="right") - 1
    begin, finish = which * _PLACES + notes.name, stop * _PLACES + notes.name
    room = (segments + 1) * _PLACES
    begun = np.bincount(begin, minlength=room) - np.bincount(finish, minlength=room)
    moments = np.bincount(begin, notes.onset, room) - np.bincount(finish, notes.end, room)
    begun, moments = (
        changes[:-_PLACES].reshape(segments, _PLACES).cumsum(axis=0) for changes in (begun, moments)
    )  # whole numbers all, so that the order does not matter
    sounded = begun * edges[1:, None].astype(np.float64)
    sounded -= moments
    sounded[1:] -= sounded[:-1].copy()
    return np.asarray(sounded, dtype=np.float64)


def _roots(mass: Floats, root: Ints, keys: list[Key], key_of: Ints) -> Ints:
    """How the root of each segment is spelled: as the notes there mostly are, or as the key has it without any."""
    names = np.stack([_written(key) for key in keys])[key_of, root]
    places = _CLASS_PLACE[root][:, None] + 12 * np.arange(_TURNS)
    rows = np.arange(len(root))
    held = mass[rows[:, None], places]
    most = held.argmax(axis=1)
    return np.where(held[rows, most] > 0, places[rows, most] + FLATTEST, names)


@lru_cache(maxsize=64)
def _written(key: Key) -> Ints:
    """How a key writes the twelve pitch classes."""
    return spell(np.arange(12), key).astype(np.int64)


def _bass(notes: Heard, which: Ints, edges: Ints) -> Ints:
    """The lowest pitch that starts early between consecutive edges, else the lowest at all; 1000 where none starts."""
    early = np.flatnonzero(notes.onset < ((3 * edges[:-1] + edges[1:] + 3) // 4)[which])
    lowest, late = np.full((2, len(edges) - 1), _NONE, dtype=np.int64)
    np.minimum.at(lowest, which[early], notes.pitch[early])
    np.minimum.at(late, which, notes.pitch)
    return np.where(lowest < _NONE, lowest, late)


@lru_cache(maxsize=64)
def _standing(key: Key) -> Floats:
    """What speaks for templates beforehand: a small bonus for those that stay in the key, more on its main degrees."""
    inside = np.zeros(12, dtype=np.bool_)
    inside[[pitch_class_of(step) for step in key.scale]] = True
    if key.is_minor:
        inside[(pitch_class_of(key.tonic) + 11) % 12] = True
    degree = np.array([_DEGREE.get(int(root - pitch_class_of(key.tonic)) % 12, 0.0) for root in _ROOT])
    return np.asarray(np.where((_MEMBER & ~inside).any(axis=1), 0.0, _DIATONIC + degree) - _PENALTY)


def _match(mass: Floats, bass: Ints, keys: list[Key], key_of: Ints) -> tuple[Ints, Floats]:
    """The best template for each segment and how well it fits."""
    total = mass.sum(axis=1, keepdims=True)
    known = np.zeros((len(mass), 25))  # what sounds, what hardly does, and 1
    share = np.divide(mass, total, out=known[:, :12], where=total > 0)
    known[:, 12:24] = share < _PRESENT
    standing = [_standing(key) for key in keys]
    if len(keys) > 1:
        fits = known[:, :24] @ _WEIGHTS
        fits += np.stack(standing)[key_of]
    else:
        known[:, 24] = 1.0
        fits = known @ np.concatenate((_WEIGHTS, np.stack(standing)))
    weight = np.where(bass < _BASS_BELOW, _BASS, np.where(bass < _NONE, _HIGH_BASS, 0.0))
    fits.reshape(len(fits), -1, 12)[np.arange(len(fits)), :, bass % 12] += weight[:, None]  # those on that root
    # Rounded, so that equal ones compare equal: of those that are nearly the best, the first that rounds to the best.
    most = fits.max(axis=1)
    row, column = np.divmod(np.flatnonzero(fits >= (most - _NEARLY)[:, None]), fits.shape[1])
    told = np.round(most, _DIGITS)
    best = np.empty(len(fits), dtype=np.int64)
    equal = np.flatnonzero(np.round(fits[row, column], _DIGITS) == told[row])[::-1]
    best[row[equal]] = column[equal]  # from the last to the first, so that the first stays
    return best, told


def _labels(best: Ints, roots: Ints, split: Bools, sounds: Bools) -> tuple[tuple[str, ...], ...]:
    """The labels of each bar by the templates and the names of the roots of bars, of first and of second halves."""
    kinds, names, bars = best.tolist(), roots.tolist(), len(split)

    def label(segment: int) -> str:
        return _label(kinds[segment], names[segment])

    return tuple(
        (label(bars + bar), label(2 * bars + bar)) if two else (label(bar) if any_note else NO_CHORD,)
        for bar, (two, any_note) in enumerate(zip(split.tolist(), sounds.tolist(), strict=True))
    )


@lru_cache(maxsize=8192)
def _label(template: int, root: int) -> str:
    return letter_name(root) + _HEARD[template // 12]
