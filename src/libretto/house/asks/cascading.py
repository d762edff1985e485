"""Cascades: broken chords that fall from the top of an instrument, with its tune in their highest tones.

Conventions: four bars are a phrase. Two phrases fall, each in another way, and in every third the player has a melody
of its own, as it stands. What is low stays, and the last bar.
"""

from __future__ import annotations

from collections.abc import Sequence

from libretto.house.asks.notes import Row, put, range_of, rows_of, tune
from libretto.score import QUARTER, Score, Voice

__all__ = ["cascades"]

_SIXTEENTH, _EIGHTH, _OCTAVE = QUARTER // 4, QUARTER // 2, 12
_FAST = 112  # quarters a minute from which on what falls does so in eighths
_MICROS = 60_000_000  # of a minute
_PHRASE, _PHRASES = 4, 3  # bars, and phrases of which the last has a melody of its own
_TOP, _CEILING = 83, 98  # pitches from which on a cascade begins, as high as that may be
_LOW = 52  # the pitch below which what is there stays
_LONG = 11  # tones of the longest fall: more than three octaves of a triad
_CLIMB = 5  # tones by which one is reached from below
_ROOMY = 16  # notes of a bar in which there is room for two falls
_TIER = 4  # tones of a step of those that fall in steps
_ACCENT, _FADES = 8, 10  # velocities: more for the tone that begins it, less for that which ends it
_WAYS = (("long", "two", "tiers", "tune"), ("climb", "tiers", "two", "tune"))  # bar by bar, phrase by phrase


def cascades(score: Score, name: str, spans: Sequence[tuple[int, int]]) -> Score:
    """The piece with broken chords of a player that fall over two octaves and more from tones of its tune."""
    voice = score.voice(name)
    made = score
    for first, last in spans:
        for number in range(first, last + 1):
            bar = number - score.first_bar
            way = _way(bar)
            rows = _bar(score, voice, bar, way) if way != "tune" and bar < score.bars - 1 else []
            made = put(made, name, [(number, number)], rows) if rows else made
    return made


def _way(bar: int) -> str:
    """How the broken chords of a bar fall, by its place in the piece."""
    phrase = bar // _PHRASE % _PHRASES
    return _WAYS[phrase][bar % _PHRASE] if phrase < len(_WAYS) else "tune"


def _bar(score: Score, voice: Voice, bar: int, way: str) -> list[Row]:
    """One bar that falls, over what is low; nothing where there is no chord or no tune."""
    start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
    notes = voice.array
    mine = sorted(rows_of(notes[(notes["onset"] >= start) & (notes["onset"] < end)]))
    line = [row for row in tune(score, voice, [(bar + score.first_bar,) * 2]) if row.pitch >= _LOW]
    if not line or score.chord_at(start) is None:
        return []
    unit = _unit(score, start)
    count = (end - start) // unit
    low = [row for row in mine if row.pitch < _LOW and row.duration >= QUARTER]
    floor = max((row.pitch for row in low), default=range_of(voice)[0])
    way = _as_room(way, len(list(score.chord_spans(bar))), count)
    made: list[Row] = []
    for place, size in _parts(way, count):
        tick = start + place * unit
        tones = _below(score, tick, _top(voice, line, tick), floor)
        tones = tones[1:] if made and tones[0] == made[0].pitch else tones  # the second is another
        falls = _in_tiers(tones, size) if way == "tiers" else tones[:size]
        made += _played(falls, tick, unit, end, line[0].velocity)
        made += _beside(voice, line, tones, way, (start, tick, tick + (size + 1) * unit, unit))
    return [*low, *made]


def _as_room(way: str, chords: int, count: int) -> str:
    """How a bar falls, by its chords and how many notes it has room for."""
    if chords > 1:
        return "two"
    return "long" if way == "two" and count < _ROOMY else way


def _beside(
    voice: Voice, line: Sequence[Row], tones: Sequence[int], way: str, ticks: tuple[int, int, int, int]
) -> list[Row]:
    """What comes before or after a fall: a climb to it, or the tune, which goes on high above what rings."""
    start, tick, after, unit = ticks
    if way == "climb":
        return _played(tones[_CLIMB:0:-1], start, unit, tick, line[0].velocity - _FADES)
    rest = [row for row in line if way == "long" and row.onset >= after]
    return [row._replace(pitch=_top(voice, line, row.onset)) for row in rest]


def _parts(way: str, count: int) -> list[tuple[int, int]]:
    """Where the falls of a bar begin, and how many notes each has."""
    half = count // 2
    return {
        "long": [(0, min(_LONG, count - 2))],
        "two": [(0, half - 1), (half, count - half - 1)],
        "climb": [(_CLIMB, count - _CLIMB)],
    }.get(way, [(0, count)])


def _unit(score: Score, tick: int) -> int:
    """The length of a note that falls: a sixteenth, an eighth in a fast piece."""
    micros = [micros for at, micros in score.tempos if at <= tick][-1]
    return _EIGHTH if _MICROS / micros >= _FAST else _SIXTEENTH


def _top(voice: Voice, line: Sequence[Row], tick: int) -> int:
    """The tone of a tune at some time, in the octave from which it may fall, as far as the instrument goes."""
    there = [row for row in line if row.onset <= tick] or line[:1]
    pitch, highest = there[-1].pitch, min(range_of(voice)[1], _CEILING)
    while pitch < _TOP and pitch + _OCTAVE <= highest:
        pitch += _OCTAVE
    return pitch


def _below(score: Score, tick: int, top: int, floor: int) -> list[int]:
    """A tone and those of the chord below it, the highest first."""
    chord = score.chord_at(tick)
    classes = chord.classes if chord is not None else ()
    return [top, *(pitch for pitch in range(top - 2, floor + 2, -1) if pitch % _OCTAVE in classes)]


def _in_tiers(tones: Sequence[int], size: int) -> list[int]:
    """So many of some tones that fall step by step: four down, and again from the second, or in
    little room from the third."""
    on = 1 if size >= _ROOMY else _TIER // 2
    steps = [tones[first : first + _TIER] for first in range(0, max(1, len(tones) - _TIER + 1), on)]
    return [tone for step in steps for tone in step][:size]


def _played(tones: Sequence[int], start: int, unit: int, end: int, loud: int) -> list[Row]:
    """Tones one after the other, softer as they go; the last rings, if there is room."""
    made = []
    for place, pitch in enumerate(tones):
        onset = start + place * unit
        last = place == len(tones) - 1
        length = min(end - onset, QUARTER) if last else unit
        velocity = loud + (_ACCENT if place == 0 else -_FADES * place // len(tones))
        made.append(Row(onset, max(length, unit), pitch, max(1, velocity)))
    return made
