"""Echoes: who is told to echo repeats the end of a phrase, softer, once or twice, in the gap behind it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from libretto.contract.checks.echoes import stays_on_one
from libretto.edits.spans import remade
from libretto.house.asks.notes import Row, tune
from libretto.score import QUARTER, Score, Voice, spell
from libretto.score.voice import Note

__all__ = ["echoed"]

_EIGHTH = QUARTER // 2
_MOST = 3  # notes that are echoed
_REACH = 2 * QUARTER  # from the first to the last of them
_LONG = 3 * QUARTER // 2  # how long a last note is at least that gives way to its echo
_APART = 1.25  # bars at least from one echo to the end of the phrase that has the next
_ROOM = 5 * QUARTER // 2  # from the beginning of such a note to the next
_FADES = (0.68, 0.46)  # how loud the first and the second echo are beside the phrase
_GROUP, _PLACES = 8, (3, 7, 1, 5, 2, 6, 0, 4)  # bars that have an echo, and where in them room is made, by turns
_SOFTEST = 18  # velocity


def echoed(score: Score, name: str, spans: Sequence[tuple[int, int]]) -> Score:
    """The piece with echoes of a voice behind its phrases, as far as there is room; the last bar stays."""
    voice = score.voice(name)
    line, last = sorted(tune(score, voice, spans)), score.bar_lines[score.bars - 1]
    cut: dict[tuple[int, int], int] = {}
    rows: list[Row] = []
    for place, (end, after) in enumerate(pairwise(line)):
        ends = _until(end, after)
        made = _echoes(_end_of(line[: place + 1]), ends, min(after.onset, last) - ends)
        crowded = rows and end.onset - rows[-1].onset < _APART * (score.bar_lines[1] - score.bar_lines[0])
        if made and not crowded and not _rubs(score, made):
            cut[end.onset, end.pitch] = ends - end.onset
            rows += made
    gone, more = _with_room_made(score, line, rows, spans)
    return _written(score, voice, cut, [*rows, *more], gone)


def _with_room_made(
    score: Score, line: Sequence[Row], echoes: Sequence[Row], spans: Sequence[tuple[int, int]]
) -> tuple[list[tuple[int, int]], list[Row]]:
    """Where a line that leaves no room falls silent for its echo, once in every eight bars without one, and the echoes:
    in the second half of a bar, the last of a phrase first."""
    gone, rows = list[tuple[int, int]](), list[Row]()
    heard = {score.bar_at(row.onset) // _GROUP for row in echoes}
    bars = {bar - score.first_bar for first, last in spans for bar in range(first, last + 1)} - {score.bars - 1}
    for group in sorted({bar // _GROUP for bar in bars} - heard):
        here = [bar for place in _PLACES if (bar := group * _GROUP + place) in bars]
        bar, made = next(((bar, made) for bar in here if (made := _in_half(score, line, bar))), (0, []))
        if made:
            gone.append((_half(score, bar), score.bar_lines[bar + 1]))
            rows += made
    return gone, rows


def _half(score: Score, bar: int) -> int:
    """The middle of a bar."""
    return (score.bar_lines[bar] + score.bar_lines[bar + 1]) // 2


def _in_half(score: Score, line: Sequence[Row], bar: int) -> list[Row]:
    """The echoes, in the second half of a bar, of what a line has in the first; none where that is a single tone, but
    of a line that hardly has another."""
    half = _half(score, bar)
    first = [row for row in line if score.bar_lines[bar] <= row.onset < half]
    phrase = _end_of(first) if first else []
    told = len(phrase) > 1 and (len({row.pitch for row in phrase}) > 1 or stays_on_one(row.pitch for row in line))
    made = _echoes(phrase, half, score.bar_lines[bar + 1] - half) if told else []
    return made if made and not _rubs(score, made) else []


def _echoes(phrase: Sequence[Row], start: int, room: int) -> list[Row]:
    """The echoes of the end of a phrase that have room behind it: of as many notes as may be, at least two."""
    for held in (QUARTER, _EIGHTH):
        for few in range(len(phrase), 1, -1):
            end = phrase[-few:]
            length = end[-1].onset - end[0].onset + min(end[-1].duration, held)
            if 0 < length <= room:
                times = range(min(len(_FADES), room // length))
                return [row for turn in times for row in _again(end, start + turn * length, held, _FADES[turn])]
    return []


def _until(end: Row, after: Row) -> int:
    """When the last note of a phrase is over, where its echo may begin: on an eighth, after a beat of what is held."""
    held = QUARTER if end.duration >= _LONG and after.onset - end.onset >= _ROOM else end.duration
    return -(-(end.onset + held) // _EIGHTH) * _EIGHTH


def _end_of(line: Sequence[Row]) -> list[Row]:
    """The last notes of a phrase, without a rest between them."""
    made = [line[-1]]
    for before in reversed(line[:-1]):
        far = line[-1].onset - before.onset > _REACH or made[0].onset - before.end > _EIGHTH
        if far or len(made) == _MOST or before.onset == made[0].onset:
            break
        made.insert(0, before)
    return made


def _again(phrase: Sequence[Row], start: int, held: int, fades: float) -> list[Row]:
    """The end of a phrase from another time on, softer, and its last note no longer than it may be held."""
    by = start - phrase[0].onset
    return [
        Row(row.onset + by, min(row.duration, held), row.pitch, max(_SOFTEST, round(row.velocity * fades)))
        for row in phrase
    ]


def _rubs(score: Score, rows: Sequence[Row]) -> bool:
    """Whether the last note of an echo lies half a tone beside the chord that has come meanwhile."""
    chord = score.chord_at(rows[-1].onset)
    if chord is None or rows[-1].pitch % 12 in chord.classes:
        return False
    return any((rows[-1].pitch + step) % 12 in chord.classes for step in (1, -1))


def _written(
    score: Score,
    voice: Voice,
    cut: dict[tuple[int, int], int],
    rows: Sequence[Row],
    gone: Sequence[tuple[int, int]] = (),
) -> Score:
    """The piece with echoes beside what a voice plays, notes that give way to them as long as they are, and silence
    where room was made."""
    notes = [Note._make(one) for one in voice.array.tolist()]
    for start, end in gone:
        notes = [
            note._replace(duration=min(note.duration, start - note.onset)) if note.onset < start else note
            for note in notes
            if not start <= note.onset < end
        ]
    kept = [
        note._replace(duration=min(note.duration, cut.get((note.onset, note.pitch), note.duration))) for note in notes
    ]
    echoes = [
        Note(
            row.onset,
            row.duration,
            row.pitch,
            row.velocity,
            int(spell(np.array([row.pitch]), score.key_at(row.onset))[0]),
        )
        for row in rows
    ]
    made = voice.with_notes(sorted((*kept, *echoes)))
    return remade(score, [made if one is voice else one for one in score.voices], None) if rows else score
