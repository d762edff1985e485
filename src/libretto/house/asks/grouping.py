"""Uneven bars in another grouping than they were written in: group by group, longer or shorter by a beat."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.contract.asks import Ask
from libretto.contract.checks.grouping import grouping_of, groups_of, starts_of, unmarked
from libretto.contract.checks.where import Spans
from libretto.edits.spans import remade
from libretto.house.asks.notes import Row, put, rows_of
from libretto.score import Note, Score

__all__ = ["regrouped"]

_MOST_BEATS = 15
_HEAVIER = 10  # velocities of the first strokes of groups
_SHORTEST = 64  # of a bar: what becomes shorter is left out


def regrouped(ask: Ask, score: Score, spans: Spans) -> Score:
    """The piece with the bars of some stretches in the grouping that is asked for."""
    groups = groups_of(ask.what)
    return _marked(_in_order(score, spans, groups), spans, groups)


def _marked(score: Score, spans: Spans, groups: Sequence[int]) -> Score:
    """The piece with the chords or the bass that is its ground struck on the first beat of every group as well, in
    bars in which it leaves them all out."""
    name, bars, _ = unmarked(score, spans, groups)
    made = score
    for bar in bars:
        start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
        beat = (end - start) // sum(groups)
        own = rows_of(made.voice(name).array)
        mine = [row for row in own if start <= row.onset < end]
        new = [
            row._replace(onset=tick, duration=min(row.duration, beat), velocity=row.velocity + _HEAVIER)
            for tick in (start + place * beat for place in starts_of(groups))
            for row in _next_stroke(mine, tick)
        ]
        number = bar + score.first_bar
        made = put(made, name, [(number, number)], sorted([*mine, *new]))
    return made


def _next_stroke(rows: Sequence[Row], tick: int) -> list[Row]:
    """What is struck next after a time, the last where nothing is."""
    onsets = sorted({row.onset for row in rows})
    at = next((onset for onset in onsets if onset >= tick), onsets[-1])
    return [] if at == tick else [row for row in rows if row.onset == at]


def _in_order(score: Score, spans: Spans, groups: tuple[int, ...]) -> Score:
    """The piece with its groups in the order that is asked for."""
    own = grouping_of(score, spans, groups) if len(groups) > 1 and sum(groups) <= _MOST_BEATS else groups
    if own == groups:
        return score
    inside = {bar - score.first_bar for first, last in spans for bar in range(first, last + 1)}

    def there(tick: int) -> int:
        """Where a time of the piece lies in the other grouping."""
        bar = min(score.bar_at(min(tick, score.ticks - 1)), score.bars - 1)
        start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
        if bar not in inside or not start < tick < end:
            return tick
        return start + _moved(tick - start, end - start, own, groups)

    voices = []
    for voice in score.voices:
        notes = []
        for note in map(Note._make, voice.array.tolist()):
            onset, end = there(note.onset), there(note.onset + note.duration)
            bar = score.bar_lines[1] - score.bar_lines[0]
            if end - onset >= min(note.duration, bar // _SHORTEST):
                notes.append(note._replace(onset=onset, duration=end - onset))
        voices.append(voice.with_notes(notes))
    return remade(score, voices, None)


def _moved(place: int, length: int, own: Sequence[int], groups: Sequence[int]) -> int:
    """A place in a bar in another grouping: the first beat of every group stays one beat, the rest of it is pressed
    together or drawn out."""
    beat = length // sum(own)
    number = max(index for index, start in enumerate(starts_of(own)) if start * beat <= place)
    before, after = starts_of(own)[number] * beat, starts_of(groups)[number] * beat
    inner, was, becomes = place - before, own[number], groups[number]
    if inner > beat and was != becomes:
        inner = beat + (inner - beat) * (becomes - 1) // (was - 1)
    return after + inner
