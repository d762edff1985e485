"""Where a voice's marks put its notes: on which staff, cut where, small before which note; its clefs.

A note belongs to the first staff of several from middle C up, else to the second, unless its ``staff`` mark says
otherwise; the mark may hold from a tied part on (``2@40320``).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from libretto.notation.values import Span
from libretto.score import Mark, Note, Score, Voice
from libretto.score.marks import NOTE_MARKS, VOICE_MARKS

__all__ = [
    "OVER_VOICE",
    "Grace",
    "GraceGroup",
    "graces_of",
    "has_own_staves",
    "is_on_rest",
    "is_written",
    "layered_as_marked",
    "main_notes",
    "staves_in",
]

#: Marks over a voice; others that belong to no note and last stand over a rest of that length.
OVER_VOICE = VOICE_MARKS - NOTE_MARKS
_MIDDLE_C = 60
_MOST_STAVES = 9
_Anchor = tuple[int, int, int]


class Grace(NamedTuple):
    """A small note and how its mark draws it."""

    note: Note
    look: str


class GraceGroup(NamedTuple):
    """Small notes in the order in which they are played (chords together), before or after a moment of a staff."""

    tick: int  # of the note before which they stand; where they stand after one, where that ends
    staff: int
    after: bool
    chords: tuple[tuple[Grace, ...], ...]


def is_written(score: Score) -> bool:
    """Whether lengths inside bars are written as they stand."""
    return any(mark.kind == "written" for mark in score.marks)


def has_own_staves(voice: Voice) -> bool:
    """Whether marks say on which staves and under which clefs a voice stands."""
    return any(mark.kind in ("clef", "staves") for mark in voice.marks)


def is_on_rest(mark: Mark) -> bool:
    """Whether a mark stands over a rest."""
    return not mark.on_note and mark.length > 0 and mark.kind not in OVER_VOICE


def staves_in(voice: Voice) -> int:
    """How many staves the marks of a voice ask for."""
    said = [mark.value for mark in voice.marks if mark.kind == "staves"]
    return max(1, min(int(said[0]), _MOST_STAVES)) if said and said[0].isdecimal() and len(said[0]) == 1 else 1


def _anchor(note: Note) -> _Anchor:
    return note.onset, note.pitch, note.duration


def _values(voice: Voice, kind: str) -> dict[_Anchor, list[str]]:
    values: dict[_Anchor, list[str]] = defaultdict(list)
    for mark in voice.marks:
        if mark.kind == kind and mark.on_note:
            values[mark.tick, mark.pitch, mark.length].append(mark.value)
    return values


def main_notes(voice: Voice) -> Voice:
    """The voice without its grace notes."""
    graces = _values(voice, "grace")
    if not graces:
        return voice
    left = {anchor: len(values) for anchor, values in graces.items()}
    kept = []
    for note in voice.notes:
        if left.get(_anchor(note), 0):
            left[_anchor(note)] -= 1
        else:
            kept.append(note)
    return voice.with_notes(kept)


def graces_of(voice: Voice, staves: int) -> list[GraceGroup]:
    """The grace notes of a voice, gathered before or after the notes that they belong to."""
    looks, staff_marks = _values(voice, "grace"), _values(voice, "staff")
    chords: dict[tuple[int, bool], dict[int, list[Grace]]] = defaultdict(lambda: defaultdict(list))
    for note in voice.notes:
        if looks.get(_anchor(note)):
            look = looks[_anchor(note)].pop(0)
            staff = [staff for tick, staff in _staff(note, staves, staff_marks) if tick <= note.onset][-1]
            chords[staff, "after" in look][note.onset].append(Grace(note, look))
    groups = []
    for (staff, after), by_tick in sorted(chords.items()):
        run: list[int] = []
        for tick in [*sorted(by_tick), None]:
            if run and (tick is None or tick != by_tick[run[-1]][0].note.duration + run[-1]):
                last = by_tick[run[-1]][0].note
                main = 0 if run[0] == 0 and not after else last.onset + last.duration
                groups.append(GraceGroup(main, staff, after, tuple(tuple(by_tick[at]) for at in run)))
                run = []
            if tick is not None:
                run.append(tick)
    return groups


def _staff(note: Note, staves: int, marks: dict[_Anchor, list[str]]) -> list[tuple[int, int]]:
    """On which staff a note stands, from which tick on; the marks are used up."""
    if staves == 1:
        return [(note.onset, 1)]
    places = [(note.onset, 1 if note.pitch >= _MIDDLE_C else 2)]
    said = marks.get(_anchor(note), [])
    used = set()
    for value in list(said):
        number, _, offset = value.partition("@")
        if number.isdecimal() and (not offset or offset.isdecimal()) and offset not in used:
            used.add(offset)
            said.remove(value)
            places.append((note.onset + int(offset or 0), max(1, min(int(number), staves))))
    return sorted(places, key=lambda place: place[0])


class _Part(NamedTuple):
    """A written note of one staff: from when to when, and the note that it is, or is part of."""

    staff: int
    start: int
    stop: int
    note: Note
    identity: int


def _parts(voice: Voice, lines: Sequence[int], staves: int) -> Iterator[_Part]:
    """Every note, cut at bar lines and where marks split it."""
    splits, staff_marks = _values(voice, "split"), _values(voice, "staff")
    for identity, note in enumerate(voice.notes):
        start, stop = note.onset, min(note.onset + note.duration, lines[-1])
        offsets = _splits(note, splits.get(_anchor(note), []))
        inner = lines[bisect_right(lines, start) : bisect_left(lines, stop)]
        edges = sorted({start, stop, *inner, *(start + offset for offset in offsets if start + offset < stop)})
        places = _staff(note, staves, staff_marks)
        for begin, end in pairwise(edges):
            staff = [staff for tick, staff in places if tick <= begin][-1]
            yield _Part(staff, begin, end, note, identity)


def _splits(note: Note, values: list[str]) -> list[int]:
    """Where a note is split, in ticks from its start; of two like notes each takes every place once."""
    offsets: list[int] = []
    for value in list(values):
        if value.isdecimal() and 0 < int(value) < note.duration and int(value) not in offsets:
            offsets.append(int(value))
            values.remove(value)
    return offsets


def layered_as_marked(score: Score, voice: Voice) -> list[list[list[list[Span]]]]:
    """For each staff, its layers: for each bar the spans in order of time; at least one layer a staff."""
    lines, staves = score.bar_lines, staves_in(voice)
    chords: dict[tuple[int, int, int], list[list[_Part]]] = defaultdict(list)
    like: dict[tuple[int, int, int, int], int] = defaultdict(int)  # notes of one pitch at once are in chords apart
    for part in _parts(voice, lines, staves):
        key = part.staff, part.start, part.stop
        place = like[*key, part.note.pitch]
        like[*key, part.note.pitch] += 1
        if place == len(chords[key]):
            chords[key].append([])
        chords[key][place].append(part)
    made = []
    for staff in range(1, staves + 1):
        mine = [group for key, groups in chords.items() if key[0] == staff for group in groups]
        made.append(_layers(mine, lines))
    return made


def _layers(chords: Iterable[list[_Part]], lines: Sequence[int]) -> list[list[list[Span]]]:
    """Chords of one staff put into as few layers as hold them; what is tied on stays in its layer where it can."""
    layers: list[list[list[Span]]] = []
    free: list[int] = []
    home: dict[int, int] = {}  # the layer in which a note last stood
    ordered = sorted(chords, key=lambda chord: (chord[0].start, -max(p.note.pitch for p in chord), -chord[0].stop))
    for chord in ordered:
        start, stop = chord[0].start, chord[0].stop
        before = [home[p.identity] for p in chord if p.identity in home and free[home[p.identity]] <= start]
        which = min(before) if before else next((i for i, until in enumerate(free) if until <= start), len(free))
        if which == len(free):
            free.append(0)
            layers.append([[] for _ in lines[1:]])
        free[which] = stop
        bar = bisect_right(lines, start) - 1
        layers[which][bar].append(_span(chord, lines[bar]))
        home.update((part.identity, which) for part in chord)
    return layers or [[[] for _ in lines[1:]]]


def _span(chord: list[_Part], line: int) -> Span:
    """A chord inside a bar that begins at ``line``."""
    start, stop = chord[0].start, chord[0].stop
    notes = tuple(sorted((part.note for part in chord), key=lambda note: note.pitch))
    tied_from = any(note.onset < start for note in notes)
    tied_to = any(note.onset + note.duration > stop for note in notes)
    return Span(start - line, stop - start, notes, tied_from, tied_to)
