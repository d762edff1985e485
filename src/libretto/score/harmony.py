"""Hear chords: label bars from the notes that sound in them.

Each half of a bar (the whole bar in odd meters) is matched against chord templates by how long every pitch
class sounds; the bass and the key break ties. A bar gets two labels where two describe it clearly better than one.
A root is spelled as the notes under its label are.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.score.chords import NO_CHORD, QUALITIES
from libretto.score.keys import Key, spell
from libretto.score.model import Score
from libretto.score.pitch import FLATTEST, letter_name, pitch_class_of
from libretto.score.table import Floats

__all__ = ["hear_chords"]


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
_MEMBERS = _MEMBER.T.astype(np.float64)


def hear_chords(score: Score) -> tuple[tuple[str, ...], ...]:
    """Labels for every bar, from the pitched notes alone; a silent bar is ``-``."""
    pitched = np.array([not voice.drums for voice in score.voices], dtype=np.bool_)
    notes = score.table[pitched[score.table["voice"]]] if len(score.voices) else score.table
    if not len(notes):
        return ((NO_CHORD,),) * score.bars
    lines = np.asarray(score.bar_lines, dtype=np.int64)
    halves = np.empty(2 * score.bars + 1, dtype=np.int64)
    halves[0::2], halves[1::2] = lines, (lines[:-1] + lines[1:]) // 2
    by_name = _mass(notes, halves)
    mass = _by_class(by_name)
    bass = _bass(notes, halves)
    whole, first, second = mass[0::2] + mass[1::2], mass[0::2], mass[1::2]
    low = np.where(bass[0::2] < _NONE, bass[0::2], bass[1::2])
    keys = _keys_by_bar(score)
    best, score_whole = _match(whole, low, keys)
    best1, score1 = _match(first, bass[0::2], keys)
    best2, score2 = _match(second, bass[1::2], keys)
    full1, full2 = first.sum(axis=1), second.sum(axis=1)
    share = np.divide(full1, full1 + full2, out=np.full(len(full1), 0.5), where=(full1 + full2) > 0)
    gain = share * score1 + (1 - share) * score2 - score_whole
    split = (gain > _SPLIT) & (best1 != best2) & (full1 > 0) & (full2 > 0) & _even(score)
    labels_whole = _labels(best, _names({name: held[0::2] + held[1::2] for name, held in by_name.items()}, keys))
    labels1 = _labels(best1, _names({name: held[0::2] for name, held in by_name.items()}, keys))
    labels2 = _labels(best2, _names({name: held[1::2] for name, held in by_name.items()}, keys))
    labels: list[tuple[str, ...]] = []
    for bar in range(score.bars):
        if split[bar]:
            labels.append((labels1[bar], labels2[bar]))
        else:
            labels.append((labels_whole[bar] if whole[bar].any() else NO_CHORD,))
    return tuple(labels)


def _even(score: Score) -> NDArray[np.bool_]:
    """Bars whose meter has a half: an even number of beats and at least two quarters long."""
    starts = np.array([tick for tick, _ in score.meters])
    even = np.array([meter.beats % 2 == 0 for _, meter in score.meters], dtype=np.bool_)
    return even[np.searchsorted(starts, np.asarray(score.bar_lines[:-1]), side="right") - 1]


def _keys_by_bar(score: Score) -> list[Key]:
    starts = np.array([tick for tick, _ in score.keys])
    which = np.searchsorted(starts, np.asarray(score.bar_lines[:-1]), side="right") - 1
    return [score.keys[index][1] for index in which.tolist()]


def _mass(notes: NDArray[Any], edges: NDArray[np.int64]) -> dict[int, Floats]:
    """How long the notes of each spelling sound between consecutive edges."""
    names, onset = np.ascontiguousarray(notes["spelling"]), np.ascontiguousarray(notes["onset"])
    end = onset + notes["duration"]
    mass = {}
    for name in np.flatnonzero(np.bincount(names - FLATTEST)) + FLATTEST:
        mine = names == name
        starts, ends = np.sort(onset[mine]), np.sort(end[mine])
        mass[int(name)] = np.diff(_area(starts, edges) - _area(ends, edges))
    return mass


def _by_class(mass: dict[int, Floats]) -> Floats:
    """The same by pitch class: segments by classes."""
    total = np.zeros((len(next(iter(mass.values()))), 12))
    for name, held in mass.items():
        total[:, pitch_class_of(name)] += held
    return total


def _names(mass: dict[int, Floats], keys: list[Key]) -> NDArray[np.int64]:
    """How each pitch class is spelled in each segment: as the notes there are, or as the key has it without any."""
    tables = {key: spell(np.arange(12), key) for key in set(keys)}
    names = np.array([tables[key] for key in keys], dtype=np.int64)
    most = np.zeros(names.shape)
    for name, held in mass.items():
        pitch_class = pitch_class_of(name)
        longer = held > most[:, pitch_class]
        names[longer, pitch_class] = name
        most[longer, pitch_class] = held[longer]
    return names


def _area(events: NDArray[np.int64], edges: NDArray[np.int64]) -> Floats:
    """The time passed since each event, summed, at every edge."""
    before = np.searchsorted(events, edges, side="left")
    total = np.concatenate(([0.0], np.cumsum(events, dtype=np.float64)))
    return np.asarray(before * edges.astype(np.float64) - total[before], dtype=np.float64)


def _bass(notes: NDArray[Any], edges: NDArray[np.int64]) -> NDArray[np.int64]:
    """The lowest pitch that starts early between consecutive edges, else the lowest at all; 1000 where none starts."""
    lowest = np.full(len(edges) - 1, _NONE, dtype=np.int64)
    which = np.searchsorted(edges, notes["onset"], side="right") - 1
    early = (notes["onset"] - edges[which]) * 4 < np.diff(edges)[which]
    pitch = notes["pitch"].astype(np.int64)
    np.minimum.at(lowest, which[early], pitch[early])
    late = np.full(len(edges) - 1, _NONE, dtype=np.int64)
    np.minimum.at(late, which, pitch)
    return np.where(lowest < _NONE, lowest, late)


@lru_cache(maxsize=64)
def _diatonic(key: Key) -> Floats:
    """A small bonus for templates that stay in the key, a little more on its main degrees."""
    inside = np.zeros(12, dtype=np.bool_)
    inside[[pitch_class_of(step) for step in key.scale]] = True
    if key.is_minor:
        inside[(pitch_class_of(key.tonic) + 11) % 12] = True
    degree = np.array([_DEGREE.get(int(root - pitch_class_of(key.tonic)) % 12, 0.0) for root in _ROOT])
    return np.asarray(np.where((_MEMBER & ~inside).any(axis=1), 0.0, _DIATONIC + degree))


def _match(mass: Floats, bass: NDArray[np.int64], keys: list[Key]) -> tuple[NDArray[np.int64], Floats]:
    """The best template for each segment and how well it fits."""
    total = mass.sum(axis=1, keepdims=True)
    share = np.divide(mass, total, out=np.zeros_like(mass), where=total > 0)
    present = share >= _PRESENT
    fits = share @ _MEMBERS
    fits -= (~present).astype(np.float64) @ _ABSENT.T + _PENALTY
    weight = np.where(bass < _BASS_BELOW, _BASS, np.where(bass < _NONE, _HIGH_BASS, 0.0))
    fits += weight[:, None] * (bass[:, None] % 12 == _ROOT)
    unique = sorted(set(keys))
    which = np.array([unique.index(key) for key in keys])
    fits += np.stack([_diatonic(key) for key in unique])[which]
    # Rounded, so that equal ones compare equal: of those that are nearly the best, the first that rounds to the best.
    most = fits.max(axis=1)
    row, column = np.nonzero(fits >= (most - _NEARLY)[:, None])
    told = np.round(most, _DIGITS)
    best = np.empty(len(fits), dtype=np.int64)
    equal = np.flatnonzero(np.round(fits[row, column], _DIGITS) == told[row])[::-1]
    best[row[equal]] = column[equal]  # from the last to the first, so that the first stays
    return best, told


def _labels(best: NDArray[np.int64], names: NDArray[np.int64]) -> list[str]:
    """The label of each segment by its template, the root named as there."""
    roots = names[np.arange(len(best)), _ROOT[best]]
    return [_label(template, root) for template, root in zip(best.tolist(), roots.tolist(), strict=True)]


@lru_cache(maxsize=8192)
def _label(template: int, root: int) -> str:
    return letter_name(root) + _HEARD[template // 12]
