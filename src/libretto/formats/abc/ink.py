"""What a voice's marks look like in ABC: decorations, slurs, grace notes and syllables around its notes.

A mark that ABC has no sign for is not written. A grace note is one where it ends with its main note's beginning, a
32nd long, as ABC's are read; else it is written as any note.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from libretto.formats.abc.bars import ChordRest, Ink
from libretto.formats.abc.decorations import decoration_of
from libretto.score import Note, Score, Voice
from libretto.score.marks import Mark
from libretto.score.time import WHOLE

__all__ = ["ink_layers"]

_GRACE = WHOLE // 32
_GRACE_LENGTHS = {"4": "2", "16": "/2", "32": "/4"}
_VERSE = re.compile(r"([1-9]\d?):(.*)\Z", re.DOTALL)
Anchor = tuple[int, int, int]  # start, pitch and length of a note


class _Signs(NamedTuple):
    """The marks of one note."""

    before: str = ""
    after: str = ""
    grace: str | None = None
    rings: bool = False
    splits: tuple[int, ...] = ()
    syllables: tuple[tuple[int, str], ...] = ()


_PLAIN = _Signs()


class _Chord(NamedTuple):
    """Notes that are written as one, the marks of each, and the grace notes before them with theirs."""

    notes: tuple[Note, ...]
    own: list[_Signs]
    graces: list[tuple[Note, _Signs]]

    @property
    def start(self) -> int:
        """Where the chord begins."""
        return self.notes[0].onset

    def ink(self, begins: bool, ends: bool) -> Ink | None:
        """What is written around a piece of the chord that is its beginning, its end or both; None where nothing is."""
        if not any(self.own) and not self.graces:
            return None
        nothing = ("",) * len(self.notes)
        after = tuple(sign.after for sign in self.own) if ends else nothing
        stroke = "/" if self.graces and (self.graces[0][1].grace or "").endswith("/") else ""
        if not begins:
            return Ink(nothing, after, (), stroke)
        before = tuple(_before(index, sign) for index, sign in enumerate(self.own))
        graces = tuple(_small(note, sign) for note, sign in self.graces)
        return Ink(before, after, graces, stroke, self.own[0].syllables)


def ink_layers(score: Score, voice: Voice) -> list[list[list[ChordRest]]]:
    """For each layer, for each bar, its chords in order of time with what is written around them."""
    signs = _signs(voice.marks)
    notes = list(voice.notes)
    runs = _grace_runs(notes, signs)
    small = {_anchor(note) for run in runs.values() for note in run}
    lines = score.bar_lines
    layers: list[list[list[ChordRest]]] = []
    free: list[int] = []
    for chord in _chords([note for note in notes if _anchor(note) not in small], signs):
        start, stop = chord[0].onset, min(chord[0].onset + chord[0].duration, lines[-1])
        which = next((index for index, until in enumerate(free) if until <= start), len(free))
        if which == len(free):
            free.append(0)
            layers.append([[] for _ in range(score.bars)])
        free[which] = stop
        graces = [(note, signs[_anchor(note)]) for note in runs.pop(start, ())]
        _write(layers[which], lines, _Chord(chord, [signs.get(_anchor(note), _PLAIN) for note in chord], graces))
    return layers or [[[] for _ in range(score.bars)]]


def _anchor(note: Note) -> Anchor:
    return note.onset, note.pitch, note.duration


def _signs(marks: Iterable[Mark]) -> dict[Anchor, _Signs]:
    """The marks of each note that has any."""
    own: dict[Anchor, list[Mark]] = {}
    for mark in marks:
        if mark.on_note:
            own.setdefault((mark.tick, mark.pitch, mark.length), []).append(mark)
    return {anchor: _of_note(group) for anchor, group in own.items()}


def _of_note(marks: list[Mark]) -> _Signs:
    decorations = [decoration_of(mark.kind, mark.value) for mark in marks]
    kinds = [mark.kind for mark in marks]
    splits = {int(mark.value) for mark in marks if mark.kind == "split" and mark.value.isdecimal()}
    return _Signs(
        # Slurs come first: a dot before one would draw it dotted.
        before="(" * kinds.count("slur-start") + "".join(decorations),
        after=")" * kinds.count("slur-stop"),
        grace=next((mark.value for mark in marks if mark.kind == "grace"), None),
        rings="let-ring" in kinds,
        splits=tuple(sorted(splits)),
        syllables=tuple(sorted(map(_syllable, (mark.value for mark in marks if mark.kind == "lyric")))),
    )


def _syllable(value: str) -> tuple[int, str]:
    match = _VERSE.match(value)
    return (int(match[1]), match[2]) if match else (1, value)


def _grace_runs(notes: Sequence[Note], signs: Mapping[Anchor, _Signs]) -> dict[int, tuple[Note, ...]]:
    """Grace notes in order of time by the start of their main note; each ends where the next of them begins."""
    small = [n for n in notes if signs.get(_anchor(n), _PLAIN).grace is not None and n.duration == _GRACE]
    anchors = set(map(_anchor, small))
    mains = {note.onset for note in notes if _anchor(note) not in anchors}
    runs: dict[int, tuple[Note, ...]] = {}
    for note in reversed(small):
        end = note.onset + note.duration
        main = end if end in mains else next((at for at, run in runs.items() if run[0].onset == end), None)
        if main is not None and (main not in runs or runs[main][0].onset == end):
            runs[main] = (note, *runs.get(main, ()))
    return runs


def _chords(notes: Iterable[Note], signs: Mapping[Anchor, _Signs]) -> list[tuple[Note, ...]]:
    """Notes that are written as one, in order of time: they begin, end, are cut and ring together."""
    together: dict[tuple[int, int, tuple[int, ...], bool], list[Note]] = {}
    for note in notes:
        own = signs.get(_anchor(note), _PLAIN)
        together.setdefault((note.onset, note.duration, own.splits, own.rings), []).append(note)
    chords = [tuple(_sung_first(chord, signs)) for chord in together.values()]
    chords.sort(key=lambda chord: (chord[0].onset, -max(note.pitch for note in chord), -chord[0].duration))
    return chords


def _sung_first(chord: list[Note], signs: Mapping[Anchor, _Signs]) -> Iterator[Note]:
    """The notes of a chord, the one that bears the words first."""
    sung = next((note for note in chord if signs.get(_anchor(note), _PLAIN).syllables), chord[0])
    yield sung
    left = list(chord)
    left.remove(sung)
    yield from left


def _write(layer: list[list[ChordRest]], lines: tuple[int, ...], chord: _Chord) -> None:
    """Put a chord into its bars, cut at bar lines and where its marks say so."""
    start, splits = chord.start, chord.own[0].splits
    stop = min(start + chord.notes[0].duration, lines[-1])
    first, last = bisect_right(lines, start) - 1, bisect_right(lines, stop - 1) - 1
    cuts = {start + split for split in splits if start + split < stop}
    edges = sorted({start, stop, *cuts, *lines[first + 1 : last + 1]})
    for at, end in pairwise(edges):
        bar = bisect_right(lines, at) - 1
        tied = end < stop or chord.own[0].rings
        ink = chord.ink(at == start, end == stop)
        layer[bar].append(ChordRest(at - lines[bar], end - at, chord.notes, tied, "", ink))


def _before(index: int, sign: _Signs) -> str:
    """What is written before a note of a chord; what all share is said by the first."""
    return sign.before.replace(decoration_of("arpeggiate", ""), "") if index else sign.before


def _small(note: Note, sign: _Signs) -> tuple[str, Note, str]:
    """A grace note with what stands before and after it."""
    return sign.before, note, _GRACE_LENGTHS.get((sign.grace or "").rstrip("/"), "") + sign.after
