"""What goes wrong little by little: a tune that comes back with one more wrong note, and works that run down."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from libretto.contract.asks import Ask
from libretto.contract.checks.faltering import WRONG_NOTES
from libretto.contract.checks.where import Spans, tune_of, within
from libretto.edits.tempo import paced, ramped
from libretto.house.asks.doing import Job
from libretto.house.asks.notes import Row, put, range_of, rows_of
from libretto.house.asks.textures import Spans as Stretches
from libretto.house.asks.textures import textures
from libretto.score import QUARTER, Score, Voice
from libretto.score.chords import Chord
from libretto.score.time import bpm_of_micros, micros_of_bpm

__all__ = ["in_waves", "run_down"]

_PHRASE = 4  # bars of a tune
_APART = 8  # bars from one time to the next
_FEWEST_TIMES = 4  # that a tune comes, where there is room
_FEWEST_NOTES = 5  # of a tune of which some can be wrong
_ALIKE = 0.6  # of the notes of a phrase that is the tune again
_SHORT = QUARTER // 2  # of a note that nobody would miss
_LONG = 12  # bars from which on it hesitates every four, and every other one in fewer
_SLOWEST, _BENT = 0.5, 1.6  # of the tempo that is left at the end, and how late most of it is lost
_TIDE, _EBB, _FLOOD = 8, 0.9, 1.18  # bars in which a tempo rises and falls, and how slow and fast it is then
_UNEXPECTED = re.compile(
    r"\b(?:unexpected|unpredictabl|sudden|without warning|random|erratic|odd moments|waver|wobbl|unstable|drunk|"
    r"seasick|fail(?:s|ing)|broken|faulty|defective|machine)",
    re.I,
)
# Bars of a round in which it lurches: from one to another, from which share of the tempo to which.
_ROUND, _LURCHES = 11, ((2, 3, 1.0, 0.7), (3, 5, 1.0, 1.25), (5, 6, 0.85, 1.0), (7, 8, 1.25, 1.25), (8, 10, 1.1, 0.72))
_HALT, _CATCH = 0.78, 1.05  # of the tempo where it hesitates, and where it catches itself
_LAST = (0.92, 0.82, 0.7, 0.58)  # of what is left, by halves of the last two bars


@textures.register(WRONG_NOTES)
def _wrong_notes(ask: Ask, score: Score, job: Job, spans: Stretches) -> Score:
    """The first phrase of the tune again and again, nothing changed but one more of its notes, a semitone off; what
    lies between is something else, and others play what they had on the chords of the tune."""
    index = _singer(score, job)
    first = _theme(score, index) if index is not None else None
    if index is None or first is None:
        return score
    name = score.voices[index].name
    theme = _phrase(score, score.voices[index], first)
    places = _places(score, job, first)
    faults = _faults(score, theme, first, len(places) - 1)
    made = score
    for time, bar in enumerate(places):
        made = _on_chords(made, name, first, bar) if not job.contract.chords else made
        bars = ((bar + score.first_bar, bar + score.first_bar + _PHRASE - 1),)
        made = put(made, name, bars, _moved(score, _spoilt(theme, faults[:time]), first, bar))
    return _between(made, name, theme, first, places)


def _singer(score: Score, job: Job) -> int | None:
    """Who has the tune: who leads, else who is followed."""
    leads = [part.name for part in job.contract.parts if part.role == "lead"]
    named = [index for index, voice in enumerate(score.voices) if voice.name in leads and len(voice.array)]
    return named[0] if named else tune_of(score, ((score.numbers[0], score.numbers[-1]),))


def _phrase(score: Score, voice: Voice, bar: int) -> list[Row]:
    """What a voice plays in a phrase from a bar, from 0, on."""
    return rows_of(within(voice.array, ((bar + score.first_bar, bar + score.first_bar + _PHRASE - 1),), score))


def _theme(score: Score, index: int) -> int | None:
    """The bar in which the first phrase begins that a voice sings in all of its bars."""
    starts = sorted({0, *(score.bar_at(tick) for tick, _ in score.sections)})
    starts = [bar for start in starts for bar in (start, start + _PHRASE)]
    for bar in sorted({bar for bar in starts if bar + _PHRASE <= score.bars}):
        rows = _phrase(score, score.voices[index], bar)
        if len({score.bar_at(row.onset) for row in rows}) == _PHRASE and len(rows) >= _FEWEST_NOTES:
            return bar
    return None


def _places(score: Score, job: Job, first: int) -> list[int]:
    """The bars in which the tune begins: every eight, or every four where that is too seldom; in the same meter, and
    where chords are told over the same ones."""
    for apart in (_APART, _PHRASE):
        bars = [bar for bar in range(first, score.bars - _PHRASE + 1, apart) if _fits(score, job, first, bar)]
        if len(bars) >= _FEWEST_TIMES:
            break
    return bars


def _fits(score: Score, job: Job, first: int, bar: int) -> bool:
    """Whether a phrase can stand from a bar on."""
    lengths = [[two - one for one, two in pairwise(score.bar_lines[at : at + _PHRASE + 1])] for at in (first, bar)]
    told = job.contract.chords
    same = [tuple(score.chords[at : at + _PHRASE]) for at in (first, bar)]
    return lengths[0] == lengths[1] and (not told or same[0] == same[1])


def _faults(score: Score, theme: Sequence[Row], first: int, count: int) -> list[tuple[int, int]]:
    """Which notes of a tune go wrong, one after the other, and by how much: long ones on the beat, not the first and
    not the last, no two beside each other while there are others."""
    beat = score.meter_at(score.bar_lines[first]).beat
    upper = _upper(theme)[1:-1]
    inner = [place for place in upper if theme[place].duration >= _SHORT] or upper or [0]
    inner.sort(key=lambda place: ((theme[place].onset % beat) > 0, -theme[place].duration, place))
    chosen: list[int] = []
    for near in (1, 0):
        chosen += [one for one in inner if one not in chosen and not any(abs(one - other) <= near for other in chosen)]
    return [(place, _off(score, theme[place])) for place in chosen[:count]]


def _upper(rows: Sequence[Row]) -> list[int]:
    """Which of some notes are the highest of those that begin with them."""
    heights: dict[int, int] = {}
    for row in rows:
        heights[row.onset] = max(row.pitch, heights.get(row.onset, 0))
    return [place for place, row in enumerate(rows) if row.pitch == heights[row.onset]]


def _off(score: Score, row: Row) -> int:
    """A semitone away from a note, to where neither its key nor its chord has one."""
    chord = score.chord_at(row.onset)
    own = set(score.key_at(row.onset).classes) | (set(chord.classes) if chord is not None else set())
    return next((by for by in (1, -1, 6) if (row.pitch + by) % 12 not in own), 1)


def _spoilt(theme: Sequence[Row], faults: Sequence[tuple[int, int]]) -> list[Row]:
    """A tune with some of its notes wrong."""
    by = dict(faults)
    return [row._replace(pitch=row.pitch + by.get(place, 0)) for place, row in enumerate(theme)]


def _moved(score: Score, rows: Sequence[Row], first: int, bar: int) -> list[Row]:
    """Rows of a phrase from one bar on, from another on."""
    away = score.bar_lines[bar] - score.bar_lines[first]
    return [row._replace(onset=row.onset + away) for row in rows]


def _between(score: Score, name: str, theme: Sequence[Row], first: int, places: Sequence[int]) -> Score:
    """The piece with no tune where a phrase between two times of a tune is that tune again: who sings it waits."""
    made = score
    own = {bar for place in places for bar in range(place, place + _PHRASE)}
    heard = {(row.onset - score.bar_lines[first], row.pitch) for row in theme}
    for bar in range(first % _PHRASE, score.bars - _PHRASE + 1, _PHRASE):
        if bar in own:
            continue
        rows = _phrase(score, made.voice(name), bar)
        again = {(row.onset - score.bar_lines[bar], row.pitch) for row in rows}
        if rows and len(again & heard) >= _ALIKE * len(heard):
            made = put(made, name, ((bar + score.first_bar, bar + score.first_bar + _PHRASE - 1),), ())
    return made


def _on_chords(score: Score, name: str, first: int, bar: int) -> Score:
    """The piece with the chords of a tune where it comes again, and what others play there moved on to them."""
    made = score
    for more in range(_PHRASE):
        here = bar + more
        if score.chords[here] == score.chords[first + more]:
            continue
        chords = [score.chords[first + more] if place == here else labels for place, labels in enumerate(made.chords)]
        new = replace(made, chords=tuple(chords))
        for voice in made.voices:
            if not voice.drums and voice.name != name and len(voice.array):
                new = _retold(made, new, voice, here + score.first_bar)
        made = new
    return made


def _retold(old: Score, new: Score, voice: Voice, number: int) -> Score:
    """The piece with a bar of a voice on other chords: each tone of the old chord is the same tone of the new one."""
    low, high = range_of(voice)
    rows = []
    for row in rows_of(within(voice.array, ((number, number),), new)):
        one, two = old.chord_at(row.onset), new.chord_at(row.onset)
        pitch = row.pitch if one is None or two is None else _as_tone(row.pitch, one, two)
        while pitch > high and pitch - 12 >= low:
            pitch -= 12
        while pitch < low and pitch + 12 <= high:
            pitch += 12
        rows.append(row._replace(pitch=pitch))
    return put(new, voice.name, ((number, number),), rows)


def _as_tone(pitch: int, old: Chord, new: Chord) -> int:
    """The tone of a chord that stands for a tone of another; for what is none the nearest."""
    tones = [sorted((tone - chord.root_class) % 12 for tone in chord.classes) for chord in (old, new)]
    above = (pitch - old.root_class) % 12
    if above in tones[0]:
        wanted = (new.root_class + tones[1][min(tones[0].index(above), len(tones[1]) - 1)]) % 12
        return pitch + (wanted - pitch + 6) % 12 - 6
    return min((pitch + by for by in (0, -1, 1, -2, 2) if (pitch + by) % 12 in new.classes), default=pitch,
               key=lambda near: abs(near - pitch))  # fmt: skip


def run_down(score: Score, spans: Spans) -> Score:
    """The piece slower and slower in some bars, as a spring runs down: it hesitates at the end of every few bars,
    catches itself, and is slower than before; the last steps are the longest."""
    made = score
    for first, last in spans:
        start, end = (score.bar_lines[bar - score.first_bar] for bar in (first, last + 1))
        opening = bpm_of_micros(next(micros for tick, micros in reversed(made.tempos) if tick <= start))
        made = paced(made, opening, ((first, last),))
        steps = {tick: share for bar in range(first, last + 1) for tick, share in _halves(score, bar, first, last)}
        inside = {tick: micros_of_bpm(round(opening * share, 1)) for tick, share in steps.items()}
        outside = {tick: micros for tick, micros in made.tempos if not start <= tick < end}
        made = replace(made, tempos=tuple(sorted({**outside, **inside}.items())))
    return made


def in_waves(score: Score, spans: Spans, words: str = "") -> Score:
    """The piece whose tempo rises and falls again, once in eight bars, as a beam sweeps or a tide comes and goes; by
    lurches where the words of the ask say that nobody expects it."""
    made = score
    if _UNEXPECTED.search(words):
        return _lurching(score, spans)
    for first, last in spans:
        for start in range(first, last + 1, _TIDE):
            top, end = min(start + _TIDE // 2 - 1, last), min(start + _TIDE - 1, last)
            made = ramped(made, _EBB, _FLOOD, ((start, top),))
            made = ramped(made, _FLOOD, _EBB, ((top + 1, end),)) if top < end else made
    return made


def _lurching(score: Score, spans: Spans) -> Score:
    """The piece whose tempo sags, rushes and catches itself, never at the same place of a phrase."""
    made = score
    for first, last in spans:
        for start in range(first, last + 1, _ROUND):
            for bar, until, slow, fast in _LURCHES:
                if start + bar <= last:
                    made = ramped(made, slow, fast, ((start + bar, min(start + until - 1, last)),))
    return made


def _halves(score: Score, number: int, first: int, last: int) -> list[tuple[int, float]]:
    """The halves of a bar, each with the share of its tempo that is left."""
    bar, bars = number - score.first_bar, last - first + 1
    line, after = score.bar_lines[bar], score.bar_lines[bar + 1]
    phrase = _PHRASE if bars >= _LONG else 2
    made = []
    for half in (0, 1):
        way = (number - first + half / 2) / bars
        share = 1 - (1 - _SLOWEST) * way**_BENT
        left = 2 * (last - number) + 1 - half  # halves that come after this
        if left < len(_LAST):
            share *= _LAST[len(_LAST) - 1 - left]
        elif (number - first) % phrase == phrase - 1 and half:
            share *= _HALT
        elif (number - first) % phrase == 0 and number > first and not half:
            share *= _CATCH
        made.append((line + (after - line) * half // 2, share))
    return made
