"""Notes drawn as text: a staff of five lines for pitches, a strip of cells for rhythms.

Conventions: accidentals are written before every note that has one, whatever the signature; ``o`` is a half note or
longer, ``*`` a shorter one, ``|`` a bar line. A rhythm is a strip: ``*`` a note starts, ``-`` it sounds on, ``.``
silence; the row above counts the beats.
"""

from __future__ import annotations

from math import gcd

from libretto.score import QUARTER, Note, Score
from libretto.score.pitch import letter_name, pitch_name

__all__ = ["drawn", "names_in_order", "strip"]

_STEPS = {letter: place for place, letter in enumerate("CDEFGAB")}
_OCTAVE_STEPS = 7
_TREBLE, _BASS = 30, 18  # the lowest line: E4 and G2, in steps of the white keys above C0
_LINES = 5
_MIDDLE, _LOW = 57, 53  # pitches from which on notes stand in the upper staff, and below which a second one is drawn
_WIDTH = 5  # characters of a note's column
_HALF = 2 * QUARTER
_FINEST = QUARTER // 4  # ticks of a cell of a strip, where the rhythm allows it


def _step(note: Note) -> int:
    """How many white keys a written note lies above C0."""
    name = pitch_name(note.pitch, note.spelling)
    return _STEPS[name[0]] + _OCTAVE_STEPS * int(name.lstrip("ABCDEFG#b"))


def names_in_order(score: Score) -> str:
    """The notes by name in order of time; what is struck together is joined by ``+``."""
    return " ".join("+".join(pitch_name(note.pitch, note.spelling) for note in group) for group in _groups(score))


def _groups(score: Score) -> list[list[Note]]:
    """Notes struck together, in order of time, the lowest first."""
    struck: dict[int, list[Note]] = {}
    for voice in score.voices:
        for note in voice.notes:
            if not voice.drums:
                struck.setdefault(note.onset, []).append(note)
    return [sorted(struck[onset], key=lambda note: note.pitch) for onset in sorted(struck)]


def drawn(score: Score, *, rhythm: bool = False, names: bool = False) -> list[str]:
    """A short piece as lines of text: its rhythm alone as a strip, else a staff; with ``names`` under the notes."""
    if rhythm:
        return strip(score)
    groups = _groups(score)
    if not groups:
        return []
    rows = _staves(score, groups)
    chords = any(len(group) > 1 for group in groups)
    return [*rows, "    " + (names_in_order(score) if chords else _aligned(score, groups))] if names else rows


def _staves(score: Score, groups: list[list[Note]]) -> list[str]:
    """One staff, or two as for a piano where the notes lie far apart."""
    pitches = [note.pitch for group in groups for note in group]
    if min(pitches) >= _LOW or max(pitches) <= _MIDDLE:
        return _staff(score, groups, groups, sum(pitches) < _MIDDLE * len(pitches))
    upper, lower = (
        [[note for note in group if (note.pitch < _MIDDLE) is below] for group in groups] for below in (False, True)
    )
    return [*_staff(score, groups, upper, False), "", *_staff(score, groups, lower, True)]


def _aligned(score: Score, groups: list[list[Note]]) -> str:
    """The names of single notes, each under its head."""
    text, bar = "", 0
    for group in groups:
        while bar + 1 < score.bars and group[0].onset >= score.bar_lines[bar + 1]:
            bar, text = bar + 1, text + " "
        text += f"{pitch_name(group[0].pitch, group[0].spelling):^{_WIDTH}} "
    return text.rstrip()


def _staff(score: Score, groups: list[list[Note]], shown: list[list[Note]], bass: bool) -> list[str]:
    """One staff with some of the notes of each group."""
    lowest = _BASS if bass else _TREBLE
    steps = [_step(note) for group in shown for note in group]
    top, bottom = max([*steps, lowest + 2 * _LINES - 2]), min([*steps, lowest])
    columns = _columns(score, groups, shown, lowest, top, bottom)
    clef = "F" if bass else "G"
    rows = []
    for row in range(top, bottom - 1, -1):
        on_line = lowest <= row < lowest + 2 * _LINES and (row - lowest) % 2 == 0
        sign = clef if row == lowest + (6 if bass else 2) else "-"
        rows.append(((f"-{sign}--" if on_line else "    ") + "".join(column[row] for column in columns)).rstrip())
    return rows


def _columns(
    score: Score, groups: list[list[Note]], shown: list[list[Note]], lowest: int, top: int, bottom: int
) -> list[dict[int, str]]:
    """What stands in every row of every column; bar lines are columns of their own."""
    columns: list[dict[int, str]] = []
    bar = 0
    for group, some in zip(groups, shown, strict=True):
        while bar + 1 < score.bars and group[0].onset >= score.bar_lines[bar + 1]:
            bar += 1
            inside = {row: lowest <= row <= lowest + 2 * _LINES - 2 for row in range(bottom, top + 1)}
            columns.append({row: "|" if held else " " for row, held in inside.items()})
        columns.append(_column(some, lowest, top, bottom))
    return columns


def _column(group: list[Note], lowest: int, top: int, bottom: int) -> dict[int, str]:
    column = {}
    heads = {_step(note): note for note in group}
    high = lowest + 2 * _LINES - 2
    for row in range(bottom, top + 1):
        even = (row - lowest) % 2 == 0
        ledger = even and (min(heads, default=lowest) <= row < lowest or high < row <= max(heads, default=high))
        fill = "-" if even and lowest <= row <= high else " "
        if row in heads:
            note = heads[row]
            sign = letter_name(note.spelling)[1:]
            head = "o" if note.duration >= _HALF else "*"
            side = "-" if ledger else fill
            column[row] = fill + (sign or side).rjust(2, fill) + head + side + fill
        else:
            column[row] = f"{fill}{fill}---{fill}" if ledger else fill * (_WIDTH + 1)
    return column


def strip(score: Score) -> list[str]:
    """The rhythm of a piece: the beats counted, and under them where notes begin and how long they sound."""
    notes = [note for voice in score.voices if not voice.drums for note in voice.notes]
    cell = _FINEST
    for note in notes:
        cell = gcd(cell, gcd(note.onset, note.duration))
    above, below = "", ""
    for bar in range(score.bars):
        start, stop = score.bar_lines[bar], score.bar_lines[bar + 1]
        marks = ["."] * ((stop - start) // cell)
        for note in notes:
            for tick in range(max(start, note.onset), min(stop, note.onset + note.duration), cell):
                marks[(tick - start) // cell] = "*" if tick == note.onset else "-"
        meter = score.meter_at(start)
        beat = max(1, meter.pulse // cell)
        count = [str(place // beat + 1) if place % beat == 0 else " " for place in range(len(marks))]
        above += "|" + "".join(count)
        below += "|" + "".join(marks)
    return [f"{above}|", f"{below}|"]
