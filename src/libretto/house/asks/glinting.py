"""Notes that are scattered: short and high, at odd times, with silence between; two who scatter them reply by turns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.contract.asks import Ask
from libretto.house.asks.doing import Job, players_of
from libretto.house.asks.notes import Row, put, range_of, rows_of
from libretto.score import QUARTER, Score, Voice

__all__ = ["GLINTS", "glinting"]

GLINTS = "scattered"  #: what an ask says of such notes
_SIXTEENTH, _OCTAVE = QUARTER // 4, 12
_HIGH, _FEW = 74, 4  # from where who has nothing high plays so many tones of a chord
_LOW = 60  # the pitch below which what is there stays, as basses and held tones do
# Where they flash in two bars of four, in sixteenths: for the first who scatters them, and for who replies.
_FIRST = ((4, 7, 8, 24), (6, 12, 20, 22), (2, 8, 13, 28), (10, 12, 21, 24), (4, 9, 26, 28, 29), (12, 18, 24))
_REPLY = ((12, 13, 28), (4, 10, 24, 27), (8, 22, 23), (6, 12, 20, 29), (14, 15, 24), (8, 20, 31))
# And short figures that come and go, for the first and for who replies.
_THROWN = ((4, 5, 6, 26, 27), (10, 11, 12, 13), (7, 8, 9, 10, 28), (2, 3, 20, 21, 22), (13, 14, 15, 24, 25))
_THROWN_BACK = ((12, 13, 14), (2, 3, 4, 22, 23), (18, 19, 20, 21), (11, 12, 29, 30, 31), (5, 6, 7, 19))
_VANISH = "vanish"  # a word by which a chart is called that has such figures of its own
_FIGURES = re.compile(r"\b(?:motif|motive|figure|gesture|phrase|flurr|burst|fragment|run)", re.I)
_SHORT, _LAST = _SIXTEENTH, 2 * _SIXTEENTH  # how long they are, and the last of a flicker
_LIGHTER, _GLEAM = 8, 6  # velocities: of those after the first of a flicker, and of single ones
_PAIR, _MANY = 2, 5  # bars that a pattern has, and notes of a bar from which on there are as many glints again


def glinting(ask: Ask, score: Score, job: Job, spans: Sequence[tuple[int, int]]) -> Score:
    """The piece with the tones of a part in short notes at odd times, in the order in which its line has them; its low
    tones and the last bar stay. The second who is asked to flashes where the first is dark."""
    group = [one.who for one in job.contract.asks if (one.kind, one.what) == (ask.kind, ask.what)]
    reply = group.index(ask.who) % 2
    thrown = bool(_FIGURES.search(ask.words))
    if thrown and _VANISH in job.called:
        return score
    ways: Sequence[Sequence[Sequence[int]]] = (_THROWN, _THROWN_BACK) if thrown else (_FIRST, _REPLY)
    patterns = ways[reply]
    made = score
    for name in players_of(ask, score):
        voice = made.voice(name)
        rows: list[Row] = []
        for first, last in spans:
            bars = range(first - score.first_bar, last - score.first_bar + 1)
            for bar in [bar for bar in bars if bar < score.bars - 1]:
                rows += _bar(score, voice, bar, patterns)
        inside = [(first, min(last, score.numbers[-1] - 1)) for first, last in spans]
        made = put(made, name, inside, sorted(rows))
    return made


def _bar(score: Score, voice: Voice, bar: int, patterns: Sequence[Sequence[int]]) -> list[Row]:
    """One bar of a part: what is low, and glints of what is high."""
    start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
    notes = voice.array
    mine = sorted(rows_of(notes[(notes["onset"] >= start) & (notes["onset"] < end)]))
    low, high = [row for row in mine if row.pitch < _LOW], [row for row in mine if row.pitch >= _LOW]
    if not mine:
        return low
    pitches = [row.pitch for row in high] or _tones_above(score, voice, start)
    loud = sum(row.velocity for row in high or mine) // len(high or mine)
    pattern = patterns[(bar // _PAIR) % len(patterns)]
    if len(high) >= _MANY:
        pattern = sorted({*pattern, *patterns[(bar // _PAIR + 1) % len(patterns)]})
    half = (end - start) // _SIXTEENTH
    places = [place - half * (bar % _PAIR) for place in pattern]
    places = [place for place in places if 0 < place < half]
    return [*low, *_flashes(voice, start, places, pitches, loud)]


def _tones_above(score: Score, voice: Voice, tick: int) -> list[int]:
    """Tones of the chord high on an instrument, for who has low ones only."""
    chord = score.chord_at(tick) or score.chord_at(0)
    classes = chord.classes if chord is not None else score.key_at(tick).classes
    _, top = range_of(voice)
    return [pitch for pitch in range(min(_HIGH, top - _OCTAVE), top + 1) if pitch % _OCTAVE in classes][:_FEW]


def _flashes(voice: Voice, start: int, places: Sequence[int], pitches: Sequence[int], loud: int) -> list[Row]:
    """Short notes in some sixteenths of a bar: the first and the highest tones of its line, by turns, some that stand
    alone an octave higher where the instrument has it."""
    _, top = range_of(voice)
    tones = list(dict.fromkeys((pitches[0], max(pitches), pitches[-1], *pitches)))
    rows = []
    for turn, place in enumerate(places):
        beside = place - 1 in places
        alone = not beside and place + 1 not in places
        pitch = tones[turn % len(tones)]
        pitch = pitch + _OCTAVE if alone and place % _PAIR and pitch + _OCTAVE <= top else pitch
        length = _SHORT if place + 1 in places else _LAST
        velocity = max(1, loud - _LIGHTER * beside + _GLEAM * alone)
        rows.append(Row(start + place * _SIXTEENTH, length, pitch, velocity))
    return rows
