"""Patches: some voices in some bars replaced, and everything else provably left alone.

Conventions: a patch names its bars by number, both ends included; the notes it brings are timed from the
start of its first bar. A note belongs to the bar in which it starts: notes of a patched voice that began
before the patch ring on into it, and notes of the patch may ring on after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from libretto.errors import ScoreError
from libretto.score.edit import place, regrid
from libretto.score.marks import Mark, shift_marks
from libretto.score.model import Score
from libretto.score.scope import Scope, digest_outside, same_outside
from libretto.score.table import NOTE
from libretto.score.time import QUARTER, Grid
from libretto.score.voice import Note, Voice

__all__ = ["Patch", "grid_holds", "make_patch", "outside_digest", "replace_bars", "untouched"]


@dataclass(frozen=True)
class Patch:
    """What some voices play instead in bars ``first`` to ``last`` of the piece whose digest is ``base``.

    ``notes`` and ``marks`` hold one tuple for each of ``voices``, timed from the start of bar ``first``. ``chords`` and
    ``grids`` hold one entry for each bar, or are None where the piece's own stay.
    """

    base: str
    voices: tuple[str, ...]
    first: int
    last: int
    notes: tuple[tuple[Note, ...], ...]
    chords: tuple[tuple[str, ...], ...] | None = None
    grids: tuple[Grid, ...] | None = None
    marks: tuple[tuple[Mark, ...], ...] = ()

    def __post_init__(self) -> None:
        if self.first > self.last:
            raise ScoreError(f"a patch of bars {self.first}-{self.last} runs backwards")
        if len(set(self.voices)) != len(self.voices):
            raise ScoreError("a patch names each of its voices once")
        if self.marks and len(self.marks) != len(self.voices):
            raise ScoreError(f"a patch of {len(self.voices)} voices brings marks for {len(self.marks)}")
        if len(self.notes) != len(self.voices):
            raise ScoreError(f"a patch of {len(self.voices)} voices brings notes for {len(self.notes)}")
        for kind, entries in (("chord labels", self.chords), ("grids", self.grids)):
            if entries is not None and len(entries) != self.bars:
                raise ScoreError(f"a patch of {self.bars} bars brings {kind} for {len(entries)}")

    @property
    def bars(self) -> int:
        """How many bars it covers."""
        return self.last - self.first + 1


def make_patch(
    score: Score, replacement: Score, voices: Sequence[str], first: int, last: int, *, chords: bool = False
) -> Patch:
    """The patch that gives those voices and bars of ``score`` what they have in ``replacement``.

    The replacement is either as many bars as the patch (a fragment written for the gap) or a version of the
    whole piece, from which the bars of the same numbers are taken. Its bars must be as long as the piece's.
    Chord labels come along only where ``chords`` says so; titles, tempi, meters, keys and sections never do.
    """
    low, high = _bar_range(score, first, last)
    if replacement.bars == high - low + 1:
        begin = 0
    else:
        begin, _ = _bar_range(replacement, first, last)
    stop = begin + high - low + 1
    _same_lengths(score, low, replacement, begin, high - low + 1)
    start, end = replacement.bar_lines[begin], replacement.bar_lines[stop]
    for name in voices:
        score.voice(name)
    return Patch(
        base=score.digest,
        voices=tuple(voices),
        first=first,
        last=last,
        notes=tuple(_relative(replacement.voice(name), start, end) for name in voices),
        chords=replacement.chords[begin:stop] if chords else None,
        grids=replacement.grids[begin:stop],
        marks=tuple(tuple(shift_marks(replacement.voice(name).marks, -start, start, end)) for name in voices),
    )


def _bar_range(score: Score, first: int, last: int) -> tuple[int, int]:
    low, high = score.index_of(first), score.index_of(last)
    if low > high:
        raise ScoreError(f"bars {first}-{last} run backwards")
    return low, high


def _same_lengths(score: Score, low: int, other: Score, begin: int, count: int) -> None:
    ours = [b - a for a, b in pairwise(score.bar_lines[low : low + count + 1])]
    theirs = [b - a for a, b in pairwise(other.bar_lines[begin : begin + count + 1])]
    for offset, (mine, its) in enumerate(zip(ours, theirs, strict=True)):
        if mine != its:
            raise ScoreError(
                f"bar {low + offset + score.first_bar} lasts {mine / QUARTER:g} quarter notes in the piece "
                f"and {its / QUARTER:g} in the replacement"
            )


def _relative(voice: Voice, start: int, end: int) -> tuple[Note, ...]:
    low, high = np.searchsorted(voice.array["onset"], [start, end])
    return tuple(note._replace(onset=note.onset - start) for note in voice.notes[low:high])


def replace_bars(score: Score, patch: Patch) -> Score:
    """The piece with the patch applied; nothing but the patch's voices and bars changes.

    Refuses a patch that was made for another piece, names a voice or bar that is not there, or brings a note
    that starts outside its bars. In the patch's bars, a grid of the patch is used where it holds every voice;
    otherwise a bar whose notes changed gets the coarsest exact grid. ``untouched`` proves the result.
    """
    if score.digest != patch.base:
        raise ScoreError(f"the patch was made for another piece ({patch.base[:12]}, this is {score.digest[:12]})")
    low, high = _bar_range(score, patch.first, patch.last)
    start, end = score.bar_lines[low], score.bar_lines[high + 1]
    changed = {}
    for index, (name, notes) in enumerate(zip(patch.voices, patch.notes, strict=True)):
        voice = _patched(score, score.voice(name), notes, start, end, patch)
        marks = shift_marks(patch.marks[index], start, 0, end - start) if patch.marks else []
        changed[name] = voice.with_marks(_merged(voice.marks, marks, start, end)) if marks else voice
    voices = tuple(changed.get(voice.name, voice) for voice in score.voices)
    chords = score.chords
    if patch.chords is not None:
        chords = chords[:low] + patch.chords + chords[high + 1 :]
    return replace(score, voices=voices, chords=chords, grids=_patched_grids(score, voices, patch, low, high))


def _patched(score: Score, voice: Voice, notes: Sequence[Note], start: int, end: int, patch: Patch) -> Voice:
    new = np.array(list(notes), dtype=NOTE)
    new["onset"] += start
    outside = (new["onset"] < start) | (new["onset"] >= end)
    if outside.any():
        late = Note._make(new[int(np.argmax(outside))].tolist())
        bar, beat = place(score, late.onset)
        where = f"bar {bar} beat {beat:g}" if 0 <= late.onset < score.ticks else "outside the piece"
        raise ScoreError(
            f"{late.name} of {voice.name} starts {where}; the patch covers bars {patch.first}-{patch.last}"
        )
    return _swapped(voice, start, end, new)


def _merged(old: Sequence[Mark], new: Sequence[Mark], start: int, end: int) -> Sequence[Mark]:
    """The marks of a voice with a patch's: on a note they replace their own kind, over the bars all there were."""
    over = any(not mark.on_note for mark in new)
    said = {(mark.tick, mark.pitch, mark.kind) for mark in new if mark.on_note}
    kept = [
        mark
        for mark in old
        if not start <= mark.tick < end
        or ((mark.tick, mark.pitch, mark.kind) not in said if mark.on_note else not over)
    ]
    return [*kept, *new]


def _swapped(voice: Voice, start: int, end: int, new: NDArray[np.void] | None = None) -> Voice:
    """The voice with other notes, or none, in place of those that start between two ticks."""
    low, high = np.searchsorted(voice.array["onset"], [start, end])
    between = voice.array[:0] if new is None else new
    swapped = voice.with_notes(np.concatenate((voice.array[:low], between, voice.array[high:])))
    if new is not None or not swapped.marks:
        return swapped
    return swapped.with_marks(mark for mark in swapped.marks if not start <= mark.tick < end)


def _patched_grids(score: Score, voices: Sequence[Voice], patch: Patch, low: int, high: int) -> tuple[Grid, ...]:
    wanted, touched = list(score.grids), np.zeros(score.bars, dtype=np.bool_)
    pairs = [(old, new) for old, new in zip(score.voices, voices, strict=True) if old is not new]
    for bar in range(low, high + 1):
        start, end = score.bar_lines[bar : bar + 2]
        if patch.grids is not None and grid_holds(patch.grids[bar - low], voices, start, end):
            wanted[bar] = patch.grids[bar - low]
        elif any(_rows(old, start, end).tobytes() != _rows(new, start, end).tobytes() for old, new in pairs):
            touched[bar] = True
    return regrid(voices, score.bar_lines, wanted, touched)


def _rows(voice: Voice, start: int, end: int) -> NDArray[np.void]:
    low, high = np.searchsorted(voice.array["onset"], [start, end])
    return voice.array[low:high]


def grid_holds(grid: Grid, voices: Sequence[Voice], start: int, end: int) -> bool:
    """Whether a bar fills whole slots of that grid, and so do all its notes."""
    if (end - start) % grid.slot:
        return False
    rows = [_rows(voice, start, end) for voice in voices]
    return not any(((row["onset"] - start) % grid.slot).any() or (row["duration"] % grid.slot).any() for row in rows)


def outside_digest(score: Score, voices: Sequence[str], first: int, last: int, *, chords: bool = False) -> str:
    """A fingerprint of all the music except what those voices start in those bars.

    ``chords`` leaves out the chord labels of those bars, too. Like ``Score.digest``, it does not see grids.
    """
    _bar_range(score, first, last)
    return digest_outside(score, Scope(tuple(sorted(voices)), ((first, last),), chords))


def untouched(before: Score, after: Score, patch: Patch) -> bool:
    """Whether everything outside the patch is the same music in both."""
    scope = Scope(patch.voices, ((patch.first, patch.last),), chords=patch.chords is not None)
    return same_outside(before, after, scope)
