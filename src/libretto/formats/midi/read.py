"""Read MIDI: bytes -> Score.

Played timing is moved onto grids bar by bar (``libretto.score.grid``); notes identical in part, start, length and
pitch are merged; a note of no length gets one slot. A meter change inside a bar cuts that bar short; a short first bar
is a pickup, bar 0. The piece ends with the bar of its last note, or where a meter is stated after that. Names of notes
and chord labels are heard (``libretto.score.spelling``, ``libretto.score.harmony``), and a key is taken from the file
where its notes bear it out, else heard (``libretto.score.key_choice``): all that when it is first asked for.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.errors import TooLarge
from libretto.formats.midi.source import MidiPart, MidiSource, effective_changes, source_of
from libretto.formats.midi.sung import sung_marks
from libretto.score.general_midi import voice_name
from libretto.score.grid import TOLERANCE_SECONDS, fit, quantize
from libretto.score.marks import Mark
from libretto.score.model import Score
from libretto.score.table import SOUND, Bools, Ints, distinct, note_order
from libretto.score.time import QUARTER, WHOLE, Meter
from libretto.score.validate import MAX_BARS, bar_lines_of
from libretto.score.voice import Part, legal_name, unique_name

__all__ = ["decode", "merged_on_grids", "score_of"]

_PITCHES = 128
_ROUNDING = WHOLE // 64  # how far rounding to a grid may move the last note
_MANY_TIMES = 64  # as many bars as a piece may have: what would have more is not even counted
_MICROS_A_SECOND = 1e6
_ONSET_BITS = 44  # of a start, so that part and pitch stand beside it in 64


class _Notes(NamedTuple):
    """The notes of all parts, column by column; ``voice`` is the index of the part."""

    voice: Ints
    onset: Ints
    duration: Ints
    pitch: Ints
    velocity: Ints

    @classmethod
    def of(cls, parts: tuple[MidiPart, ...]) -> _Notes:
        """The notes of the parts, one part after the other."""
        return cls(
            np.repeat(np.arange(len(parts), dtype=np.int64), [len(part.onset) for part in parts]),
            _joined([part.onset for part in parts]),
            _joined([part.duration for part in parts]),
            _joined([part.pitch for part in parts]),
            _joined([part.velocity for part in parts]),
        )

    def merged(self) -> tuple[_Notes, Ints]:
        """The same without identical doubles, of which the loudest stays; and for every note its row among these."""
        leader = np.arange(len(self.onset))  # of each note the one that stays for it
        alike = self._alike()
        if not len(alike):
            return self, leader
        mine = self.where(alike)
        order = np.lexsort((-mine.velocity, mine.duration, mine.onset, mine.pitch, mine.voice))
        same = np.ones(len(order), dtype=np.bool_)
        for column in (mine.voice, mine.onset, mine.duration, mine.pitch):
            same[1:] &= column[order[1:]] == column[order[:-1]]
        same[:1] = False
        leader[alike[order]] = alike[order[~same][np.cumsum(~same) - 1]]
        kept = leader == np.arange(len(leader))
        return self.where(kept), (np.cumsum(kept) - 1)[leader]

    def _alike(self) -> Ints:
        """The notes that share part, pitch and start with another: only they can be doubles."""
        bits = int(self.onset.max(initial=1)).bit_length()
        if bits > _ONSET_BITS:
            return np.arange(len(self.onset))
        key = ((self.voice << bits) + self.onset) * _PITCHES + self.pitch
        order = np.argsort(key, kind="stable")  # quick, since notes come voice by voice and nearly in order
        key = key[order]
        again = np.flatnonzero(key[1:] == key[:-1])
        return distinct(np.concatenate((order[again + 1], order[again])))

    def in_order(self) -> _Notes:
        """The same as they stand in a Score: by voice, then by time, pitch, length and velocity.

        Notes that are equal in all that are spelled alike, too.
        """
        return self.where(note_order(self.voice, self.onset, self.pitch, self.duration, self.velocity))

    def table(self, bar: Ints, position: Ints) -> NDArray[Any]:
        """The notes of a Score but for their names; they stand in order and in their bars."""
        table = np.empty(len(bar), SOUND)
        for name, column in self._asdict().items():
            table[name] = column
        table["bar"], table["position"] = bar, position
        return table

    def where(self, chosen: Ints | Bools) -> _Notes:
        """The chosen notes."""
        rows = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen
        return _Notes(*(column[rows] for column in self))


def _joined(arrays: list[Ints]) -> Ints:
    return np.concatenate([np.empty(0, dtype=np.int64), *arrays])


def decode(data: bytes) -> Score:
    """Read a MIDI file into a Score."""
    return score_of(source_of(data))


def score_of(source: MidiSource) -> Score:
    """Move a source onto grids and make it a Score."""
    notes, became = merged_on_grids(source)
    sung = _sung(source, notes, became)
    notes = notes.in_order()
    lines = _bar_lines(source.meters, int(notes.onset.max(initial=0)) + 1)
    end = int(lines[-1])
    stated = tuple(change for change in source.meters if change[0] < end)
    bar = lines.searchsorted(notes.onset, side="right") - 1
    position = notes.onset - lines[bar]
    return Score.of_sounds(
        notes.table(bar, position),
        _parts(source.parts, sung),
        tuple(change for change in source.keys if change[0] < end),
        bar_lines=tuple(lines.tolist()),
        meters=effective_changes(stated),
        tempos=tuple(change for change in source.tempos if change[0] < end),
        sections=tuple(_sections(source.markers, lines)),
        grids=fit(np.diff(lines), bar, position, notes.duration),
        title=source.title,
        first_bar=0 if _is_pickup(lines, stated) else 1,
        marks=(),
    )


def merged_on_grids(source: MidiSource) -> tuple[_Notes, Ints]:
    """The notes of all parts without doubles, on the grids of their bars; and which of them each played note became."""
    notes = _Notes.of(source.parts)
    end = int(notes.onset.max()) + 1 if len(notes.onset) else 1
    meters = tuple(change for change in source.meters if change[0] < end)
    _bounded(meters, end)
    lines = np.array(bar_lines_of(meters, end + _ROUNDING), dtype=np.int64)
    notes, became = notes.merged()
    same_key = notes.voice * _PITCHES + notes.pitch
    tolerance = _tolerance(source.tempos, lines)
    onset, duration = quantize(lines, notes.onset, notes.duration, same_key, tolerance, source.resolution)
    return notes._replace(onset=onset, duration=duration), became


def _sung(source: MidiSource, notes: _Notes, became: Ints) -> dict[int, list[Mark]]:
    """The syllables of the file on the notes that are sung, by the index of their part."""
    if not source.lyrics:
        return {}
    played = np.empty(len(notes.onset), dtype=np.int64)
    played[became] = _joined([part.onset for part in source.parts])
    columns = (notes.voice, played, notes.onset, notes.duration, notes.pitch)
    return sung_marks(source.lyrics, *columns, told=source.sung_by)


def _parts(parts: tuple[MidiPart, ...], sung: dict[int, list[Mark]]) -> list[Part]:
    """What the voices are besides their notes, a voice for every part."""
    return [
        (
            name,
            None if part.drums and part.program == 0 else part.program,
            part.drums,
            tuple(sung.get(index, ())),
            part.controls,
        )
        for index, (name, part) in enumerate(zip(_names(parts), parts, strict=True))
    ]


def _bounded(meters: tuple[tuple[int, Meter], ...], end: int) -> None:
    shortest = min(meter.ticks for _, meter in meters)
    if end // max(shortest, 1) > _MANY_TIMES * MAX_BARS:
        raise TooLarge(f"the piece would last {end // WHOLE:,} whole notes; the limit is {MAX_BARS:,} bars")


def _bar_lines(meters: tuple[tuple[int, Meter], ...], end: int) -> Ints:
    """Bar lines up to the last note or, if there is one after that, to the last statement of a meter."""
    lines = bar_lines_of([change for change in meters if change[0] < end], end)
    if meters[-1][0] >= end:
        try:
            stated = bar_lines_of(meters, 0)[:-1]
        except TooLarge:  # something stands very far behind the music
            stated = lines
        if len(stated) <= MAX_BARS + 1:
            lines = stated
    return np.array(lines, dtype=np.int64)


def _tolerance(tempos: tuple[tuple[int, int], ...], lines: Ints) -> Ints:
    """How many ticks the tolerance is, bar by bar."""
    starts = np.array([tick for tick, _ in tempos])
    micros = np.array([value for _, value in tempos], dtype=np.float64)
    at = micros[np.searchsorted(starts, lines[:-1], side="right") - 1]
    return np.asarray(TOLERANCE_SECONDS * _MICROS_A_SECOND / at * QUARTER, dtype=np.int64)


def _names(parts: tuple[MidiPart, ...]) -> list[str]:
    """Legal names, each once."""
    names: list[str] = []
    taken: set[str] = set()
    for part in parts:
        name = unique_name(legal_name(part.name, fallback=voice_name(part.program, part.drums)), taken)
        taken.add(name)
        names.append(name)
    return names


def _sections(markers: tuple[tuple[int, str], ...], lines: Ints) -> list[tuple[int, str]]:
    """Markers as section names on the nearest bar line."""
    if not markers:
        return []
    sections: dict[int, str] = {}
    middles = (lines[:-2] + lines[1:-1]) / 2
    nearest = np.searchsorted(middles, [tick for tick, _ in markers]).tolist()
    for bar, (tick, text) in zip(nearest, markers, strict=True):
        name = legal_name(text, fallback="", label=True)
        if name and tick < lines[-1]:
            sections[int(lines[bar])] = name
    return sorted(sections.items())


def _is_pickup(lines: Ints, meters: tuple[tuple[int, Meter], ...]) -> bool:
    """Whether the first bar is short: cut by a meter change, or a shorter meter that lasts one bar."""
    if len(lines) < 3:
        return False
    first = int(lines[1])
    return first < meters[0][1].ticks or (len(meters) > 1 and meters[1][0] == first < meters[1][1].ticks)
