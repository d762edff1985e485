"""The ear for a single line: what begins at one moment is one tone, and what rings on does not count again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from statistics import median
from typing import NamedTuple

import numpy as np

from libretto.hearing.audio import Clip
from libretto.hearing.notes import OVERTONES, HeardNote, Onset, ended, onsets_of, strongest
from libretto.hearing.partials import LOWEST, explained, hearable, salience
from libretto.hearing.reading import Reading, clearness
from libretto.hearing.striking import Ringing, struck_again
from libretto.score.table import Singles

__all__ = [
    "Care",
    "first_line",
    "grouped",
    "hear_line",
    "hear_melody",
    "line_of",
    "notes_among",
    "read_melody",
    "tone_of",
]

_TOGETHER = 7  # frames: onsets within 70 ms are one attack
_TOGETHER_LOW, _LOW_ROWS = 12, 59 - LOWEST  # frames, for pitches below 250 Hz
_LEAST = 0.04  # of the strongest pitch of the clip: a rise that may be part of a tone
_HEARD = 0.15  # of the strongest pitch: what a tone's rises must come to
_SOFTER = 0.3  # of the usual note: softer ones (10 dB) are noises of the hand
_ECHO, _ECHO_WITHIN = 0.5, 75  # of the same pitch not longer ago than this (frames): a softer one is its echo
_FAR, _OCTAVE, _STRAY = 14, 12, 0.6  # semitones of a stray from its neighbours, and of the usual note: a soft one
_NEAR_BY = 9  # semitones from the note before within which a pitch is the likelier one
_SHARING = (12, 19, 24)  # semitones between pitches of which one has partials of the other
_CLOSE, _HERALD = 12, 0.4  # frames within which something so much weaker belongs to its stronger neighbour
_SWELL, _OWN = 40, 0.6  # frames after an attack in which an overtone must be so strong beside it to be a note
_ROOT = 0.3  # of the strongest rise of an attack: what the lowest partial must reach
_WEAK_ROOT, _PARTIAL, _RICH = 0.18, 0.15, 3  # or so much where the octave and two more partials rise with it
_STRUCK = 0.5  # how likely it must be that a pitch is struck again
_ATTACK = 30  # frames after its start in which a note is strongest
#: Semitones to the partials 1, 3, 5, 7 and 2, 4, and how strong the odd ones must be beside the even ones.
_ODD, _EVEN, _ODD_PART = (0, 19, 28, 34), (12, 24), 0.5


class Care(NamedTuple):
    """How careful the ear is: what must be reached to be a tone, a note, no echo, a root, a note struck again."""

    heard: float = _HEARD
    softer: float = _SOFTER
    echo: float = _ECHO
    root: float = _ROOT
    struck: float = _STRUCK


_USUAL = Care()
#: Other ears: each takes one threshold about a third lower or higher, which is as far as thresholds could well lie.
_OTHERS = (
    Care(heard=0.1), Care(heard=0.22), Care(softer=0.2), Care(softer=0.42), Care(echo=0.35), Care(echo=0.65),
    Care(root=0.2), Care(root=0.42), Care(struck=0.25), Care(struck=0.75),
)  # fmt: skip


def hear_melody(clip: Clip) -> list[int]:
    """The pitches of a single line in order; a note struck again counts again."""
    return [note.pitch for note in hear_line(clip)]


def read_melody(clip: Clip) -> Reading:
    """The pitches of a single line, and what other ears would have heard."""
    sound = hearable(clip)
    if not len(sound):
        return Reading(())
    heard = explained(sound)
    ringing = Ringing(sound, heard.amounts)
    groups = grouped(onsets_of(heard.amounts, _LEAST * strongest(heard.amounts)))
    lines = [line_of(groups, ringing, care) for care in (_USUAL, *_OTHERS)]
    first, *others = (tuple(onset.row + LOWEST for onset in line) for line in lines)
    return Reading(first, tuple(others), clearness(heard))


def hear_line(clip: Clip) -> list[HeardNote]:
    """The notes of a single line."""
    sound = hearable(clip)
    if not len(sound):
        return []
    amounts = salience(sound)
    scale = strongest(amounts)
    groups = grouped(onsets_of(amounts, _LEAST * scale))
    return ended(amounts, line_of(groups, Ringing(sound, amounts)), scale)


def line_of(groups: Sequence[dict[int, Onset]], ringing: Ringing, care: Care = _USUAL) -> list[Onset]:
    """The one line that attacks make: a tone an attack, without echoes, strays and what is too soft."""
    return struck_again(first_line(groups, ringing.amounts, care), ringing, care.struck)


def first_line(groups: Sequence[dict[int, Onset]], amounts: Singles, care: Care = _USUAL) -> list[Onset]:
    """The line of those tones that rise; what is struck again while it sounds may be missing."""
    scale = strongest(amounts)
    tones = [tone_of(group, care.root) for group in groups]
    rises = {tone[:2]: group for tone, group in zip(tones, groups, strict=True)}
    heard = _without_echoes([tone for tone in tones if tone.rise >= care.heard * scale], amounts, care.echo)
    soft = care.softer * _usual([tone.rise for tone in heard])
    notes = notes_among([tone for tone in heard if tone.rise >= soft], scale, care.softer, care.heard)
    return _gathered(notes, rises)


def _usual(rises: Sequence[float]) -> float:
    """The rise of the usual note: the middle, each counted by its rise, so that many ghosts do not outvote notes."""
    if not rises:
        return 0.0
    ordered = np.sort(rises)
    return float(ordered[int(np.searchsorted(np.cumsum(ordered), ordered.sum() / 2))])


def _without_echoes(tones: Sequence[Onset], amounts: Singles, echo: float) -> list[Onset]:
    """The tones without those that softly repeat a pitch just heard: a room, or a delay, says them again.

    What sounds afterwards is compared, not the rise: a string struck again while it rings rises little.
    """
    kept: list[Onset] = []
    latest: dict[int, tuple[int, float]] = {}
    for tone in tones:
        level = float(amounts[tone.frame : tone.frame + _ATTACK, tone.row].max(initial=0.0))
        frame, before = latest.get(tone.row, (tone.frame, 0.0))
        if tone.frame - frame > _ECHO_WITHIN or level >= echo * before:
            kept.append(tone)
            latest[tone.row] = tone.frame, level
    return kept


def _gathered(notes: Sequence[Onset], rises: Mapping[tuple[int, int], dict[int, Onset]]) -> list[Onset]:
    """The notes, strays brought back: one more than an octave from the note before it is taken for another pitch of the
    same attack that shares its partials and lies nearer, to that note and to the middle of all; a soft one far from
    both its neighbours is left out."""
    usual = _usual([note.rise for note in notes])
    middle = median(note.row for note in notes) if notes else 0.0
    line: list[Onset] = []
    for place, note in enumerate(notes):
        before = line[-1].row if line else notes[min(1, len(notes) - 1)].row
        after = notes[place + 1].row if place + 1 < len(notes) else before
        if abs(note.row - before) > _OCTAVE:
            nearer = _nearer(note, rises[note[:2]].values(), before, middle)
            alone = min(abs(note.row - before), abs(note.row - after)) > _FAR
            if nearer is None and alone and note.rise < _STRAY * usual:
                continue
            note = note if nearer is None else note._replace(row=nearer)
        line.append(note)
    return line


def _nearer(note: Onset, attack: Iterable[Onset], before: int, middle: float) -> int | None:
    """The strongest other row of an attack that shares partials with a note and lies nearer; None where none does."""
    near = [
        other
        for other in attack
        if abs(other.row - note.row) in _SHARING
        and abs(other.row - before) <= _NEAR_BY
        and abs(other.row - middle) < abs(note.row - middle)
    ]
    return max(near, key=lambda other: other.rise).row if near else None


def notes_among(tones: Sequence[Onset], scale: float, softer: float = _SOFTER, least: float = _HEARD) -> list[Onset]:
    """The tones that are notes: not far softer than the usual one, nor an overtone that swells after its tone began."""
    heard = [tone for tone in tones if tone.rise >= least * scale]
    usual = median(tone.rise for tone in heard) if heard else 0.0
    notes: list[Onset] = []
    for place, tone in enumerate(heard):
        beside = heard[max(0, place - 1) : place + 2]
        if tone.rise < softer * usual or any(_heralds(tone, other) for other in beside):
            continue
        if not (notes and _swells(tone, notes[-1])):
            notes.append(tone)
    return notes


def _heralds(tone: Onset, other: Onset) -> bool:
    """Whether a tone belongs to a neighbour that is much stronger."""
    return abs(other.frame - tone.frame) <= _CLOSE and tone.rise < _HERALD * other.rise


def _swells(tone: Onset, note: Onset) -> bool:
    """Whether a tone is an overtone of the note before it that grows late."""
    late = tone.row - note.row in OVERTONES and tone.frame - note.frame <= _SWELL
    return late and tone.rise < _OWN * note.rise


def grouped(onsets: Sequence[Onset]) -> list[dict[int, Onset]]:
    """Onsets by attack, in order of time: each group is gathered around its strongest rise; one onset a row."""
    left = sorted(onsets, key=lambda onset: -onset.rise)
    groups = []
    while left:
        middle = left[0].frame
        group: dict[int, Onset] = {}
        for onset in left:
            if _joins(onset, middle):
                group.setdefault(onset.row, onset)
        groups.append((middle, group))
        left = [onset for onset in left if not _joins(onset, middle)]
    return [group for _, group in sorted(groups, key=itemgetter(0))]


def _joins(onset: Onset, middle: int) -> bool:
    """Whether an onset belongs to an attack; low pitches are seen through longer spectra and may seem late."""
    return abs(onset.frame - middle) <= (_TOGETHER_LOW if onset.row < _LOW_ROWS else _TOGETHER)


def tone_of(group: dict[int, Onset], root: float = _ROOT) -> Onset:
    """The one tone that explains most of an attack: a pitch that rises itself, and the rises on its overtones.

    Its odd partials must be there beside the even ones, or the tone an octave higher explains as much.
    """
    rises = {row: onset.rise for row, onset in group.items()}
    most = max(rises.values())
    best, weight = max(group.values(), key=lambda onset: onset.rise), -1.0
    for row, onset in group.items():
        odd = sum(rises.get(row + step, 0.0) for step in _ODD)
        even = sum(rises.get(row + step, 0.0) for step in _EVEN)
        rich = sum(rises.get(row + step, 0.0) >= _PARTIAL * most for step in OVERTONES) >= _RICH
        strong = onset.rise >= (min(root, _WEAK_ROOT) if rich and row + 12 in rises else root) * most
        if strong and odd >= _ODD_PART * even:
            total = onset.rise + sum(rises.get(row + step, 0.0) for step in OVERTONES)
            if total > weight:
                best, weight = onset, total
    return best._replace(rise=max(weight, best.rise))
