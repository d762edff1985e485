"""Model pieces in other meters: every group of a bar takes what is played in the group that stands for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from libretto.house.core.patterns import fit, groups_of
from libretto.house.repertoire.piece import Piece
from libretto.score import Meter, Note, Score, Voice
from libretto.score.time import QUARTER

__all__ = ["bar_in_meter", "in_meter"]

_EIGHTH = QUARTER // 2
_FELT = 4  # eighths of a group in simple time
_SHORTEST = QUARTER // 8
_SWUNG = 2 / 3  # where the second half of a beat falls when it becomes three eighths


class _Segment(NamedTuple):
    """A stretch of a bar in the new meter and the stretch of the old bar that it takes."""

    start: int
    length: int
    old_start: int
    old_length: int


@lru_cache(maxsize=64)
def in_meter(piece: Piece, meter: Meter) -> Piece:
    """The piece in another meter: itself where that is its own."""
    if meter == piece.meter:
        return piece
    segments = _segments(piece.meter, meter)
    voices = [_moved(voice, piece.meter, meter, segments, piece.bars) for voice in piece.score.voices]
    patterns = {
        name: {drum: fit(pattern, piece.meter, meter) for drum, pattern in groove.items()}
        for name, groove in piece.patterns.items()
    }
    old = piece.score
    score = Score.build(
        voices, bars=piece.bars, meters=[(0, meter)], keys=[(0, old.key)], tempos=[(0, old.tempos[0][1])],
        chords=old.chords, title=old.title,
    )  # fmt: skip
    return replace(piece, score=score, patterns=patterns, swing=piece.swing if not meter.is_compound else 0.5)


def bar_in_meter(notes: Sequence[Note], old: Meter, new: Meter) -> list[Note]:
    """The notes of one bar, their onsets counted from its line, in another meter."""
    made: dict[tuple[int, int], Note] = {}
    for segment in _segments(old, new):
        for note in notes:
            within = (note.onset - segment.old_start) % old.ticks
            if within < segment.old_length:
                onset = segment.start + _warped(within, segment)
                length = max(_SHORTEST, note.duration * segment.length // segment.old_length)
                made.setdefault((onset, note.pitch), note._replace(onset=onset, duration=length))
    return _apart(list(made.values()))


def _segments(old: Meter, new: Meter) -> tuple[_Segment, ...]:
    """How the bars of two meters correspond, group by group."""
    segments = []
    start = 0
    if old.is_compound == new.is_compound and not new.is_compound:
        for number, eighths in enumerate(groups_of(new)):
            length = eighths * _EIGHTH
            taken = number * _FELT * _EIGHTH % old.ticks
            segments.append(_Segment(start, length, taken, length))
            start += length
        return tuple(segments)
    size, taken_size = (3 * _EIGHTH if meter.is_compound else QUARTER for meter in (new, old))
    number = 0
    while start < new.ticks:
        length = min(size, new.ticks - start)
        taken = number * taken_size % old.ticks
        segments.append(_Segment(start, length, taken, taken_size * length // size))
        start += length
        number += 1
    return tuple(segments)


def _moved(voice: Voice, old: Meter, new: Meter, segments: tuple[_Segment, ...], bars: int) -> Voice:
    notes: dict[tuple[int, int], Note] = {}
    for note in voice.notes:
        bar, place = divmod(note.onset, old.ticks)
        for segment in segments:
            within = (place - segment.old_start) % old.ticks
            if within >= segment.old_length:
                continue
            onset = bar * new.ticks + segment.start + _warped(within, segment)
            length = max(_SHORTEST, note.duration * segment.length // segment.old_length)
            length = min(length, bars * new.ticks - onset)
            notes.setdefault((onset, note.pitch), note._replace(onset=onset, duration=length))
    return Voice.of(voice.name, _apart(list(notes.values())), voice.program, voice.drums)


def _warped(within: int, segment: _Segment) -> int:
    """Where in a group a tick falls: even halves of a beat that becomes three eighths are swung."""
    share = within / segment.old_length
    if segment.length * 2 == segment.old_length * 3:  # a quarter becomes a dotted one
        share = share * _SWUNG * 2 if share <= 1 / 2 else _SWUNG + (share - 1 / 2) * (1 - _SWUNG) * 2
    return round(share * segment.length)


def _apart(notes: list[Note]) -> list[Note]:
    """The same notes, none of which lasts into the next of its pitch."""
    following: dict[int, int] = {}
    made = []
    for note in sorted(notes, key=lambda note: (-note.onset, note.pitch)):
        until = following.get(note.pitch)
        length = note.duration if until is None else min(note.duration, until - note.onset)
        following[note.pitch] = note.onset
        made.append(note._replace(duration=max(1, length)))
    return made[::-1]
