"""Notes as they sound, with their marks: ties joined, and ties that lead nowhere kept as marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from libretto.errors import TooLarge
from libretto.formats.abc.measure import FINE, AbcNote, Measure, ticks_of
from libretto.score.marks import Mark
from libretto.score.validate import MAX_NOTES
from libretto.score.voice import Note

__all__ = ["joined_notes", "mark_jumps", "unmark_jumps"]

_MOST_JOINED = 2_000  # notes with marks that are tied into one: their marks are put together one by one
_MOST_TIED = 64  # notes on one staff line that wait for their continuation


@dataclass(slots=True)
class _Sounding:
    """A note as it sounds, ties joined; times are in ``FINE`` parts of a tick from the beginning."""

    begin: int
    end: int
    pitch: int
    velocity: int
    spelling: int
    measure: int
    marks: list[tuple[str, str]] | None
    open: bool = False  # a tie that leads to no note yet
    splits: list[int] | None = None
    joined: int = 0  # notes with marks that it goes on with


def joined_notes(
    measures: Iterable[Measure], starts: Sequence[int], breaks: Sequence[bool], most: int
) -> tuple[list[Note], list[Mark]]:
    """The notes of a voice and their marks: a tied note goes on in the next on its staff line, if that follows.

    ``breaks`` says before which measures no tie leads.
    """
    done: list[_Sounding] = []
    waiting: dict[tuple[int, int], list[_Sounding]] = {}
    for at, (start, measure) in enumerate(zip(starts, measures, strict=False)):
        if len(done) + len(measure.notes) > most:
            raise TooLarge(f"with its repeats the ABC tune has more than {MAX_NOTES:,} notes")
        if waiting and breaks[at]:
            waiting = {}
        for written in measure.notes:
            begin = start * FINE + written.start
            row = _continued(waiting, written, begin) if waiting else None
            if row is None:
                row = _Sounding(
                    begin, begin + written.length, written.pitch, written.velocity, written.spelling, at, written.marks
                )
                done.append(row)
            else:
                _go_on(row, written, begin, at)
            if written.tied:
                row.open = True
                if len(rows := waiting.setdefault((written.layer, written.step), [])) < _MOST_TIED:
                    rows.append(row)
    return _finished(done, starts[-1])


def _go_on(row: _Sounding, written: AbcNote, begin: int, measure: int) -> None:
    row.end, row.open = begin + written.length, False
    if row.measure == measure:
        if row.splits is None:
            row.splits = []
        row.splits.append(begin)
    row.measure = measure
    if written.marks:
        row.joined += 1
        if row.joined > _MOST_JOINED:
            raise TooLarge(f"a note of the ABC tune is tied to more than {_MOST_JOINED:,} others that bear marks")
        row.marks = _together(row.marks or [], written.marks)


def _together(marks: list[tuple[str, str]], more: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The marks of two notes that are tied; syllables of one verse are sung as one."""
    marks = list(marks)
    for kind, value in more:
        verse, colon, said = value.partition(":") if value[:1].isdigit() else ("", "", value)
        same = [at for at, (of, text) in enumerate(marks) if of == kind == "lyric" and _verse(text) == verse]
        if same:
            marks[same[0]] = (kind, f"{marks[same[0]][1].rstrip('-_')} {said.lstrip('-')}")
        else:
            marks.append((kind, verse + colon + said))
    return marks


def _verse(lyric: str) -> str:
    return lyric.partition(":")[0] if lyric[:1].isdigit() else ""


def _continued(waiting: dict[tuple[int, int], list[_Sounding]], written: AbcNote, begin: int) -> _Sounding | None:
    """The tied note that this one goes on with; without an accidental of its own it keeps the other's."""
    rows = waiting.get((written.layer, written.step))
    if not rows:
        return None
    rows[:] = [row for row in rows if row.end >= begin]
    for index, row in enumerate(rows):
        if row.end == begin and (row.pitch == written.pitch or not written.marked):
            return rows.pop(index)
    return None


def _finished(rows: Iterable[_Sounding], last: int) -> tuple[list[Note], list[Mark]]:
    """The notes of a piece whose last bar ends at tick ``last``."""
    notes, marks = [], []
    for row in rows:
        if row.end <= 0:
            continue
        # Graces before the first note are clipped at the beginning; what is shorter than a tick stays in the piece.
        onset = min(max(0, ticks_of(row.begin)), last - 1)
        length = max(1, ticks_of(row.end) - onset)
        notes.append(Note(onset, length, row.pitch, row.velocity, row.spelling))
        if row.marks:
            marks += [Mark(onset, kind, value, length, row.pitch) for kind, value in row.marks]
        if row.splits:
            cuts = [ticks_of(split) - onset for split in row.splits]
            marks += [Mark(onset, "split", str(cut), length, row.pitch) for cut in cuts if 0 < cut < length]
        if row.open:
            marks.append(Mark(onset, "let-ring", "", length, row.pitch))
    return notes, marks


def _rings(measure: Measure) -> list[AbcNote]:
    """The notes that are tied over the end of a measure."""
    return [note for note in measure.notes if note.tied and note.start + note.length == measure.length]


def mark_jumps(measures: Sequence[Measure], jumps: Iterable[tuple[int, int]]) -> bool:
    """Mark the notes that a tie enters where the play jumps; whether any tie meets a jump at all."""
    met = False
    entered: set[int] = set()
    for left, reached in jumps:
        tied = _rings(measures[left])
        met = met or bool(tied) or (reached > 0 and bool(_rings(measures[reached - 1])))
        for note in measures[reached].notes if tied else ():
            fits = any((one.layer, one.step) == (note.layer, note.step) for one in tied)
            if fits and not note.start and id(note) not in entered:
                entered.add(id(note))
                note.add("tied-in")
    return met


def unmark_jumps(measures: Iterable[Measure]) -> None:
    """Take away the marks where ties enter: the measures are written out as played."""
    for measure in measures:
        for note in measure.notes:
            if note.marks:
                note.marks = [mark for mark in note.marks if mark[0] != "tied-in"]
