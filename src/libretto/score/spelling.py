"""Spell whole pieces: letter names for notes of which only the pitch is known, from line and harmony.

Every note begins as its key would write it. Then each is weighed against the same key of the piano written a letter
lower and a letter higher (twelve fifths either way), by the company that it keeps: the spelled notes of its own beat,
of the beats, bars and phrases before and after (the windows of Meredith's ps13), what its voice plays a step or less
away just before and after (a semitone up comes from a sharp or a leading note, a semitone down from a flat), and where
it lies to the signature. How much each of these says for a name so many fifths away was learned from scores whose
spelling is known (``spelling.json``: numbers only). What was weighed once is weighed again, in the company of the
better names.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pkgutil import get_data  # importlib.resources takes longer to import than to read
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.score.keys import Key, spell
from libretto.score.pitch import FLATTEST, SHARPEST
from libretto.score.table import Bools, Ints, frozen
from libretto.score.time import QUARTER

__all__ = ["spell_notes"]

_PLACES = SHARPEST - FLATTEST + 1  # on the line of fifths, from Fbb to B##
_FAR = 24  # fifths: beyond two enharmonic names every distance says the same
_TURN = 12  # fifths from a name to the next one for the same pitch
_HUNDREDTHS = 100  # what the shipped numbers are counted in
# What belongs to the scale in force gets so much more, as a logarithm of odds: real scores hardly ever leave the key
# unprepared, as a bare chromatic scale does, and there the notes of the scale have to stay.
_LOYALTY, _SCALE = 3.0, slice(_FAR - 1, _FAR + 6)
_STEPS = (-2, -1, 0, 1, 2)  # semitones: what is near in a line
_OTHER_NAMES = np.array((0, -_TURN, _TURN))  # as it is, a letter higher, a letter lower
_ROOM = 132  # pitches with two steps of margin on either side
_BESIDE = np.array([side + step for side in (-_ROOM, _ROOM) for step in _STEPS])  # the moments before and after
_ONSET_BITS = 43  # more than the last tick of the longest piece needs
_NOBODY = 127  # no such neighbour
_PORTION = 8192  # beats weighed at a time, to bound memory
_SPARSE = 16  # beats a note

_Singles = NDArray[np.float32]
_Names = NDArray[np.int8]


class _Weights(NamedTuple):
    """What one weighing goes by.

    ``company`` is a matrix a window (name of the other by name of the note), ``line`` a row for each neighbour in the
    voice by distance in fifths, ``place`` a row a mode by distance from the signature.
    """

    company: _Singles
    line: _Singles
    place: _Singles

    sway: float  #: the most that the strongest neighbour before and after can say for one name over another


@lru_cache(maxsize=1)
def _learned() -> tuple[tuple[int, ...], tuple[_Weights, ...]]:
    """Where windows begin and the last one stops, in beats from that of a note, and the weights of each weighing."""
    data = json.loads(get_data("libretto.score", "spelling.json") or b"")
    distance = np.clip(np.arange(_PLACES)[None, :] - np.arange(_PLACES)[:, None], -_FAR, _FAR) + _FAR
    weighings = []
    for rows in data["weighings"]:
        parts = (np.array(rows[name]) / _HUNDREDTHS for name in ("company", "line", "place"))
        company, line, place = (part.astype(np.float32) for part in parts)
        place[:, _SCALE] += _LOYALTY
        swing = np.ptp(line, axis=1).reshape(2, len(_STEPS))
        sway = float(swing.max(axis=1).sum())
        weighings.append(_Weights(company[:, distance], line, place, sway))
    return tuple(data["edges"]), tuple(weighings)


class _Beats(NamedTuple):
    """The beats in which notes start: which one each note starts in, and when they begin.

    ``edges`` are those of the windows around each beat, ``held`` is how many notes start in each window, 1 at least.
    """

    of_note: Ints
    starts: Ints
    edges: Ints
    held: _Singles

    @classmethod
    def of(cls, onset: Ints, edges: Sequence[int]) -> _Beats:
        """The beats of notes in any order."""
        beat = onset // QUARTER
        last = int(beat.max())
        if last < _SPARSE * len(beat) + _PORTION:
            is_struck = np.zeros(last + 1, dtype=np.bool_)
            is_struck[beat] = True
            struck, of_note = np.flatnonzero(is_struck), (np.cumsum(is_struck) - 1)[beat]
        else:  # notes lie far apart: do not count the beats between them
            struck, of_note = np.unique(beat, return_inverse=True)
        around = np.searchsorted(struck, struck[:, None] + np.array(edges))
        before = np.append(0, np.cumsum(np.bincount(of_note, minlength=len(struck)))).astype(np.float32)[around]
        return cls(of_note, struck * QUARTER, around, np.maximum(before[:, 1:] - before[:, :-1], 1))

    def company(self, place: Ints, weights: _Weights) -> _Singles:
        """What the notes around each beat say for every name: beats by places."""
        count, lowest = len(self.starts), int(place.min())
        used = int(place.max()) + 1 - lowest
        counts = np.bincount(self.of_note * used + (place - lowest), minlength=count * used)
        total = np.zeros((count + 1, used), dtype=np.float32)
        np.cumsum(counts.astype(np.float32).reshape(count, used), axis=0, out=total[1:])
        said = np.empty((count, _PLACES), dtype=np.float32)
        matrix = weights.company[:, lowest : lowest + used].reshape(-1, _PLACES)
        for start in range(0, count, _PORTION):
            edges = self.edges[start : start + _PORTION]
            before = total.take(edges, axis=0)
            around = before[:, 1:] - before[:, :-1]
            around /= self.held[start : start + _PORTION, :, None]
            np.matmul(around.reshape(len(edges), -1), matrix, out=said[start : start + _PORTION])
        return said


class _Lines(NamedTuple):
    """The moments of each voice in order, counted from 1: that of each note, and which go on from the one before."""

    moment: Ints
    goes_on: Bools
    room: int

    @classmethod
    def of(cls, onset: Ints, voice: Ints) -> _Lines:
        """The moments of notes in any order."""
        when = (voice << _ONSET_BITS) | onset
        order = np.argsort(when, kind="stable")  # quick where notes come voice by voice, nearly in order
        when = when[order]
        is_new = np.concatenate(([True], when[1:] != when[:-1]))
        moment = np.empty(len(order), dtype=np.int64)
        moment[order] = np.cumsum(is_new)
        whose = when[is_new] >> _ONSET_BITS
        same = np.concatenate(([False, False], whose[1:] == whose[:-1], [False]))
        return cls(moment, same, (len(whose) + 2) * _ROOM)

    def neighbours(self, pitch: Ints, names: _Names, chosen: Ints) -> _Names:
        """For chosen notes: the names of what their voices play before and after, a row for each step up or down."""
        played = np.full(self.room, _NOBODY, dtype=np.int8)
        played[self.moment * _ROOM + pitch - _STEPS[0]] = names
        moment = self.moment[chosen]
        at = moment * _ROOM + pitch[chosen] - _STEPS[0]
        others = played[at + _BESIDE[:, None]]
        half = len(_STEPS)
        others[:half, ~self.goes_on[moment]] = _NOBODY
        others[half:, ~self.goes_on[moment + 1]] = _NOBODY
        return np.asarray(others)


def spell_notes(
    onset: NDArray[np.integer],
    pitch: NDArray[np.integer],
    voice: NDArray[np.integer],
    keys: Sequence[tuple[int, Key]],
) -> NDArray[np.int8]:
    """Spellings for the pitched notes of a piece, from their keys and from each other.

    ``onset`` counts ticks, ``voice`` says which notes make a line, ``keys`` are the changes of key from tick 0 on.

    >>> up = np.array([60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72])
    >>> names = spell_notes(np.arange(13) * QUARTER, up, np.zeros(13, np.int64), [(0, Key(0))])
    >>> [int(name) for name in names[:4]]
    [0, 7, 2, 9]
    """
    onset, pitch, voice = (np.asarray(column, dtype=np.int64) for column in (onset, pitch, voice))
    if not len(onset):
        return np.empty(0, dtype=np.int8)
    edges, weighings = _learned()
    beats, lines = _Beats.of(onset, edges), _Lines.of(onset, voice)
    key_of = np.searchsorted([tick for tick, _ in keys], beats.starts + QUARTER - 1, side="right") - 1
    by_key = np.stack([_written(key) for _, key in keys])
    names = by_key[key_of[beats.of_note], pitch % _TURN] if len(keys) > 1 else by_key[0][pitch % _TURN]
    for number, weights in enumerate(weighings):
        place = names.astype(np.int64) - FLATTEST
        said = beats.company(place, weights)
        standing = np.stack([_standing(key, number) for _, key in keys])
        said += standing[key_of] if len(keys) > 1 else standing
        names = _weighed(pitch, names, beats.of_note * (_PLACES + 2 * _TURN) + place, said, lines, weights)
    return names


@lru_cache(maxsize=64)
def _written(key: Key) -> _Names:
    """How a key writes the twelve pitch classes, with no more than a double accidental."""
    names = spell(np.arange(_TURN), key)
    names += _TURN * ((names < FLATTEST).astype(np.int8) - (names > SHARPEST).astype(np.int8))
    return frozen(names)


@lru_cache(maxsize=128)
def _standing(key: Key, weighing: int) -> _Singles:
    """What a signature says for every name, in one of the weighings."""
    weights = _learned()[1][weighing]
    distance = np.clip(np.arange(FLATTEST, SHARPEST + 1) - key.signature, -_FAR, _FAR) + _FAR
    return frozen(np.asarray(weights.place[int(key.is_minor)][distance], dtype=np.float32))


def _weighed(pitch: Ints, names: _Names, at: Ints, said: _Singles, lines: _Lines, weights: _Weights) -> _Names:
    """The best of three names for every note; the line is asked where the rest leaves it open.

    ``said`` is beats by places; ``at`` is where each note stands in it, with room for a turn on either side.
    """
    wide = np.full((len(said), _PLACES + 2 * _TURN), -np.inf, dtype=np.float32)
    wide[:, _TURN:-_TURN] = said
    every = wide.ravel()
    as_is, lower, higher = every[at + _TURN], every[at], every[at + 2 * _TURN]
    chosen = np.flatnonzero(as_is - np.maximum(lower, higher) < weights.sway)
    if not len(chosen):
        return names
    score = np.stack((as_is[chosen], lower[chosen], higher[chosen]), axis=1)
    others = lines.neighbours(pitch, names, chosen)
    row, note = np.divmod(np.flatnonzero(others != _NOBODY), len(chosen))  # neighbour by neighbour, as they are added
    candidates = names[chosen, None].astype(np.int64) + _OTHER_NAMES
    away = np.minimum(np.maximum(candidates[note] - others[row, note][:, None], -_FAR), _FAR) + _FAR
    np.add.at(
        score.ravel(),
        note[:, None] * len(_OTHER_NAMES) + np.arange(len(_OTHER_NAMES)),
        weights.line[row[:, None], away],
    )
    names = names.copy()
    names[chosen] = candidates[np.arange(len(chosen)), np.argmax(np.round(score, 3), axis=1)]
    return names
