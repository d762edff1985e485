"""The sheet: a Score as parts, staves, layers and written values, before a byte is printed.

``lay_out`` puts together what the other modules of this package decide. Played music goes through ``legible`` first
where it is meant for the eye; a file for other programs is laid out exactly.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import gcd
from typing import NamedTuple, TypeVar

import numpy as np

from libretto.errors import ScoreError
from libretto.notation.clefs import TREBLE, Clef
from libretto.notation.filling import asked_rests, layers_of, stem_of, written_bars
from libretto.notation.instruments import at_written_pitch, transposition
from libretto.notation.marked import (
    GraceGroup,
    graces_of,
    has_own_staves,
    is_on_rest,
    is_written,
    layered_as_marked,
    main_notes,
    staves_in,
)
from libretto.notation.rhythm import Piece
from libretto.notation.staves import staves_of
from libretto.notation.values import Span
from libretto.score import QUARTER, Grid, Key, Score, Voice
from libretto.score.chords import NO_CHORD
from libretto.score.validate import MAX_BARS

__all__ = [
    "A4",
    "LETTER",
    "PLAIN",
    "BarLayer",
    "Paper",
    "PartSheet",
    "Sheet",
    "SheetStyle",
    "change_at",
    "lay_out",
    "may_condense",
]


@dataclass(frozen=True)
class SheetStyle:
    """How a document is written; the plain style is what other programs get, and reads back to the same Score.

    ``engraved`` adds what only an engraver needs: bar ids such as ``bar12`` (after ``prefix``), short part names,
    family brackets, noteheads it can draw, chord symbols with real sharps and flats (none where ``chords`` is off).
    ``written`` puts transposing instruments at the pitch their players read. ``later`` is added to all bar numbers, for
    a piece that was cut out of a longer one.
    """

    engraved: bool = False
    written: bool = False
    chords: bool = True
    prefix: str = ""
    later: int = 0


PLAIN = SheetStyle()
T = TypeVar("T")
_MOST_RINGING = 64  # bars; what rings longer rings in one long bar
_LAYERS_A_STAFF = 4  # by custom: the second staff's layers are numbered from 5


class BarLayer(NamedTuple):
    """One layer of one bar: its staff (from 1), its number in the part, and its pieces (none: silent)."""

    staff: int
    number: int
    leads: bool  # the first of its staff: its rests are drawn
    stem: str  # up or down; empty where the engraver may choose
    pieces: list[Piece]


@dataclass
class PartSheet:
    """One part laid out: the clefs of every staff, bar by bar; the keys and chords its player reads."""

    identity: str
    voice: Voice
    clefs: list[list[Clef]]
    bars: list[list[BarLayer]]
    keys: tuple[tuple[int, Key], ...]
    chords: tuple[tuple[str, ...], ...]
    above: int = 0  # semitones by which it is written above its sound
    graces: list[GraceGroup] = field(default_factory=list)
    marked: bool = False  # marks say which clefs and staves it has

    @cached_property
    def kit(self) -> frozenset[int]:
        """The drum keys that the part uses."""
        return frozenset(self.voice.array["pitch"].tolist())


@dataclass
class Sheet:
    """A whole piece laid out; ``score`` has the bars that only ring, ``bars`` counts those of the piece."""

    score: Score
    bars: int
    parts: list[PartSheet]
    tick: int  # ticks in one division
    style: SheetStyle = PLAIN

    @property
    def divisions(self) -> int:
        """Divisions of a quarter note."""
        return QUARTER // self.tick


def change_at(changes: Sequence[tuple[int, T]], tick: int) -> T | None:
    """What changes exactly at a tick, if anything."""
    at = bisect_left(changes, tick, key=lambda change: change[0])
    return changes[at][1] if at < len(changes) and changes[at][0] == tick else None


def lay_out(score: Score, style: SheetStyle = PLAIN) -> Sheet:
    """Staves, layers and values for every voice, and the coarsest divisions that hold them all."""
    bars = score.bars
    score = _ringing(score)
    cuts = _key_cuts(score)
    parts = [_part_as_read(score, index, style, cuts) for index in range(len(score.voices))]
    if not parts:
        parts = [_part(score, Voice("Part"), "P1", cuts)]
    return Sheet(score, bars, parts, _division(score, parts), style)


def _own_times(part: PartSheet, end: int) -> Iterator[int]:
    """Times that marks of a part need a division for: of clefs, rests with signs, grace notes."""
    for mark in part.voice.marks:
        if is_on_rest(mark):
            yield from (mark.tick, mark.length)
        elif mark.kind == "clef" and mark.tick < end:
            yield mark.tick
    yield from (group.tick for group in part.graces)


def _division(score: Score, parts: Sequence[PartSheet]) -> int:
    """The coarsest division, in ticks, that holds everything."""
    tick = QUARTER
    for line in (*score.bar_lines, *(at for at, _ in score.tempos), *(at for at, _ in score.keys)):
        tick = gcd(tick, line)
    for part in parts:
        lengths = {length for bar in part.bars for layer in bar for p in layer.pieces for length in (p.start, p.length)}
        tick = gcd(tick, *lengths)
        tick = gcd(tick, *_own_times(part, score.ticks - 1))
    return tick


def _ringing(score: Score) -> Score:
    """The score with bars added for the notes that ring past its end."""
    end = max((int((v.array["onset"] + v.array["duration"]).max()) for v in score.voices if len(v.array)), default=0)
    lines = list(score.bar_lines)
    step = score.meters[-1][1].ticks
    while lines[-1] < end and len(lines) <= MAX_BARS:
        last = len(lines) - len(score.bar_lines) == _MOST_RINGING - 1 or len(lines) == MAX_BARS
        lines.append(max(end, lines[-1] + step) if last else lines[-1] + step)
    more = len(lines) - len(score.bar_lines)
    if not more:
        return score
    chords = score.chords + ((NO_CHORD,),) * more
    return replace(score, bar_lines=tuple(lines), chords=chords, grids=score.grids + (Grid(1),) * more)


def _key_cuts(score: Score) -> dict[int, list[int]]:
    """Key changes inside bars, by bar: a change of signature needs a place between notes."""
    cuts: dict[int, list[int]] = {}
    for tick, _ in score.keys:
        bar = bisect_right(score.bar_lines, tick) - 1
        if tick != score.bar_lines[bar]:
            cuts.setdefault(bar, []).append(tick - score.bar_lines[bar])
    return cuts


def _part_as_read(score: Score, index: int, style: SheetStyle, cuts: dict[int, list[int]]) -> PartSheet:
    """One voice laid out, at the pitch its player reads where the style says so."""
    identity = f"P{index + 1}"
    if not style.written:
        return _part(score, score.voices[index], identity, cuts)
    read = at_written_pitch(score, index)
    moved = read.voices[0] is not score.voices[index]
    part = _part(read, read.voices[0], identity, cuts, written=True)
    return replace(part, above=transposition(part.voice) if moved else 0)


def _staffed(
    score: Score, voice: Voice, marked: bool, standing: bool, written: bool
) -> tuple[list[list[Clef]], list[list[tuple[list[list[Span]], str]]]]:
    """The clefs of every staff, and its layers, each with the way its stems go."""
    if marked:
        plain = [TREBLE] * score.bars  # never looked at: the marks have the clefs
        layered = layered_as_marked(score, voice)
        return [plain for _ in range(staves_in(voice))], [[(layer, "") for layer in layers] for layers in layered]
    staves = staves_of(voice, score.bar_lines, written)
    return [staff.clefs for staff in staves], [
        [(layer, stem_of(stream)) for stream in staff.streams for layer in layers_of(score, stream, standing)]
        for staff in staves
    ]


def _part(score: Score, voice: Voice, identity: str, cuts: dict[int, list[int]], written: bool = False) -> PartSheet:
    """One voice laid out: its staves, the layers of each, and what every layer writes in every bar."""
    marked, standing = has_own_staves(voice), is_written(score)
    main = main_notes(voice)
    clefs, staffed = _staffed(score, main, marked, standing, written)
    rests = asked_rests(score, voice)
    bars: list[list[BarLayer]] = [[] for _ in range(score.bars)]
    number = 0
    for staff, layers in enumerate(staffed, 1):
        number = max(number, _LAYERS_A_STAFF * (staff - 1))
        for index, (layer, stem) in enumerate(layers):
            number += 1
            signs = cuts if index == 0 and staff == 1 else {}
            kept = rests.get(staff, {}) if index == 0 else {}
            for bar, pieces in written_bars(score, layer, signs, index == 0, kept if standing else None):
                bars[bar].append(BarLayer(staff, number, index == 0, stem, pieces))
    graces = graces_of(voice, len(clefs)) if main is not voice else []
    return PartSheet(identity, voice, clefs, bars, score.keys, score.chords, graces=graces, marked=marked)


_LARGEST_STAFF, _SMALLEST_STAFF = 6.6, 2.4  # millimetres from the bottom line to the top line
_ROOM = 2.6  # staff heights that a staff takes with the space around it
_SMALLEST, _LARGEST = 60.0, 2000.0  # millimetres of a page's sides
_LOWEST_STAFF, _HIGHEST_STAFF = 1, 20  # millimetres that may be asked for
_TITLE = 18.0  # millimetres above the first system
_LESS_FOR_EACH = 0.16  # millimetres that each staff after the second takes from the height of all
_MANY_VOICES, _LONG_REST = 5, 6  # voices, and bars of silence, from which on condensing pays


@dataclass(frozen=True)
class Paper:
    """A page in millimetres; ``staff`` is the height of a staff, chosen by how many there are where it is None."""

    width: float = 210.0
    height: float = 297.0
    margin: float = 13.0
    staff: float | None = None

    def __post_init__(self) -> None:
        if not (_SMALLEST <= self.width <= _LARGEST and _SMALLEST <= self.height <= _LARGEST):
            raise ScoreError(f"a page is from {_SMALLEST:g} to {_LARGEST:g} mm wide and high")
        if not 0 <= self.margin <= min(self.width, self.height) / 4:
            raise ScoreError("a margin is at most a quarter of the page")
        if self.staff is not None and not _LOWEST_STAFF <= self.staff <= _HIGHEST_STAFF:
            raise ScoreError(f"a staff is from {_LOWEST_STAFF} to {_HIGHEST_STAFF} mm high")

    @property
    def landscape(self) -> Paper:
        """The same page on its side."""
        return Paper(max(self.width, self.height), min(self.width, self.height), self.margin, self.staff)

    def staff_for(self, staves: int) -> float:
        """The height of a staff: as asked, else as large as lets a system of so many stand on the page."""
        if self.staff is not None:
            return self.staff
        room = (self.height - 2 * self.margin - _TITLE) / (_ROOM * max(staves, 1))
        comfortable = _LARGEST_STAFF - _LESS_FOR_EACH * max(0, staves - 2)
        return max(_SMALLEST_STAFF, min(comfortable, room))


A4 = Paper()
LETTER = Paper(215.9, 279.4)


def may_condense(score: Score) -> bool:
    """Whether staves are left out where they are silent: enough voices, and one below the first long silent."""
    if len(score.voices) < _MANY_VOICES:
        return False
    lines = np.asarray(score.bar_lines)
    for voice in score.voices[1:]:
        first = np.searchsorted(lines, voice.array["onset"], side="right") - 1
        last = np.searchsorted(lines, voice.array["onset"] + voice.array["duration"] - 1, side="right") - 1
        sounding = np.concatenate(([-1], np.sort(np.concatenate((first, last))), [score.bars]))
        if int(np.diff(sounding).max()) > _LONG_REST:
            return True
    return False
