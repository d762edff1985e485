"""Horns that stab: a section strikes short chords together, with a line of its own only at the end of phrases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice, pairwise

from libretto.contract.checks.where import Spans
from libretto.house.asks.notes import Row, put, range_of
from libretto.house.charts.manners import Figure, figure_for
from libretto.house.charts.signs import read_bar
from libretto.house.charts.skills import SECTIONS
from libretto.score import QUARTER, Score, Voice
from libretto.score.time import bpm_of_micros

__all__ = ["stabbed"]

_WHOLE = 3  # tones of a chord that one of these strikes
_MANNER, _PART = ("stabs",), "horns"
_OWN = ("solo", "break")  # sections in which everybody plays what is written
_PHRASE = 4  # bars, of which the last has the section's own line
_LOUDER, _SOFTER = 3.0, -3.0  # velocities beside the whole from which on a section is full, or quiet
_AIM = 0.7  # where of its range the first horn stabs
_FIRM, _LIGHT = 104, 92  # velocities
_HIGHER = {2: 3}  # semitones by which the third bar of a phrase lies higher
_LAST = QUARTER // 2  # ticks before a bar line from which on the next chord is struck


def stabbed(score: Score, names: Sequence[str], spans: Spans) -> Score:
    """The piece with some who play a note at a time, or a section of brass, striking chords together where any of them
    plays, but for solos, lines in the last bar of phrases, and the last bar of the piece."""
    bpm = bpm_of_micros(score.tempos[0][1])
    figure = figure_for(_MANNER, _PART, score.meter_at(0), bpm)
    section = sorted((voice for voice in score.voices if voice.name in names), key=lambda voice: -sum(range_of(voice)))
    bars = _bars(score, section, spans) if figure is not None else []
    if figure is None or not bars:
        return score
    rows: list[list[Row]] = [[] for _ in section]
    top = _aim(section[0])
    for number, bar in bars:
        for tick, length, strong in _strokes(score, figure, number, bar):
            tones = iter(_tones(score, tick, top + _HIGHER.get(number % _PHRASE, 0), sum(map(_size, section))))
            for row, voice in zip(rows, section, strict=True):
                struck = {_fitted(tone, voice) for tone in islice(tones, _size(voice))}
                row += [Row(tick, length, tone, _FIRM if strong else _LIGHT) for tone in sorted(struck)]
    made = score
    for voice, mine in zip(section, rows, strict=True):
        made = put(made, voice.name, [(bar + score.first_bar,) * 2 for _, bar in bars], mine)
    return made


def _size(voice: Voice) -> int:
    """How many tones of a chord somebody strikes."""
    return _WHOLE if voice.program in SECTIONS else 1


def _aim(voice: Voice) -> int:
    """Around which pitch the first of a section stabs."""
    low, high = range_of(voice)
    return round(low + _AIM * (high - low))


def _bars(score: Score, section: Sequence[Voice], spans: Spans) -> list[tuple[int, int]]:
    """The bars in which a section stabs, from 0, each with its number in its own section."""
    played = {score.bar_at(int(tick)) for voice in section for tick in voice.array["onset"]}
    inside = {bar - score.first_bar for first, last in spans for bar in range(first, last + 1)}
    chordal, made = _chordal(score, section), []
    starts = [score.bar_at(tick) for tick, _ in score.sections] or [0]
    for first, after in pairwise([*starts, score.bars]):
        name = score.section_at(score.bar_lines[first]).lower()
        own = name.startswith(_OWN)
        made += [(bar - first, bar) for bar in range(first, min(after, score.bars - 1)) if not own]
    return [
        (number, bar)
        for number, bar in made
        if bar in played & inside and (bar in chordal or number % _PHRASE != _PHRASE - 1)
    ]


def _chordal(score: Score, section: Sequence[Voice]) -> set[int]:
    """The bars in which one of a section strikes chords, and has no line of its own."""
    struck = Counter(int(tick) for voice in section if voice.program in SECTIONS for tick in voice.array["onset"])
    return {score.bar_at(tick) for tick, count in struck.items() if count >= _WHOLE}


def _strokes(score: Score, figure: Figure, number: int, bar: int) -> list[tuple[int, int, bool]]:
    """When a section strikes in a bar, for how long, and whether hard."""
    start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
    table = score.table
    here = table["velocity"][table["bar"] == bar]
    beside = float(here.mean() - table["velocity"].mean()) if len(here) else 0.0
    rows = figure.bars["high" if beside > _LOUDER else "low" if beside < _SOFTER else "mid"]
    unit = (end - start) / figure.units
    return [
        (start + int(sign.start * unit), int(sign.length * unit / 2), "!" in sign.marks)
        for sign in read_bar(rows[number % len(rows)], figure.units)
        if sign.head == "C"
    ]


def _tones(score: Score, tick: int, top: int, size: int) -> list[int]:
    """So many tones of the chord that is struck at a tick, from the one nearest a pitch downwards."""
    bar = score.bar_at(tick)
    after = score.bar_lines[bar + 1] if bar + 1 < len(score.bar_lines) else score.ticks
    chord = score.chord_at(after if 0 < after - tick <= _LAST and after < score.ticks else tick)
    classes = set(chord.classes if chord is not None else score.key_at(tick).classes[::2][:3])
    first = min((tone for tone in range(top - 6, top + 7) if tone % 12 in classes), key=lambda tone: abs(tone - top))
    below = [tone for tone in range(first, 0, -1) if tone % 12 in classes]
    return below[:size]


def _fitted(tone: int, voice: Voice) -> int:
    """A tone in the octave that an instrument has."""
    low, high = range_of(voice)
    while tone < low:
        tone += 12
    while tone > high and tone - 12 >= low:
        tone -= 12
    return tone
