"""Phrases as they are asked for: ends that are stretched, and somebody who plays only while a tune waits."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.contract.asks import Ask
from libretto.contract.checks.phrases import led_by, phrase_ends, singer_of, waits
from libretto.contract.checks.where import voices_of, within
from libretto.contract.instruments import instrument_of_program
from libretto.house.asks.doing import Job
from libretto.house.asks.notes import Row, put, range_of, rows_of
from libretto.house.asks.textures import Spans, textures, voicing
from libretto.score import QUARTER, Score, Voice
from libretto.score.time import bpm_of_micros

__all__: list[str] = []

_FROM = 3 / 8  # of a bar, from which on the end of a phrase is held
_BREATH = QUARTER // 2
_SIXTEENTH = QUARTER // 4
_RUNS = ((0, 1, 2, 3, 2, 1), (3, 2, 1, 2, 1, 0), (1, 0, 1, 2, 3, 2), (2, 3, 2, 1, 0, 1))  # tones that runs go through
_QUICK = 126  # quarters a minute from which on fills run in eighths
_STROKES = ((_BREATH,), (0, QUARTER + _BREATH), (_BREATH, QUARTER), (0, _BREATH))  # ticks of chords in a gap
_AROUND, _TONES, _BY_TURNS = 5, 4, 3  # semitones; tones of a chord; of so many gaps one has chords beside fills
_FILLS = re.compile(r"\b(?:fill|lick|run|flourish|ornament|trill|phrase|repl|respon|answer)\w*\b", re.I)
_CHORDS = re.compile(r"\b(?:chord|stab|accent|hit|jab|punch)(?:s|es)?\b", re.I)
_MOST = 6  # notes of a run
_ALL = 6  # answers for each note that somebody plays with all others at the end
_ANSWER = 3  # notes from which on something is an answer, however short they are
_LIGHT = -6  # velocities by which it is softer than what its player has otherwise
_ROOM = 12  # semitones above the middle of what somebody plays in which runs lie


@textures.register("long ends")
def _long_ends(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """Every phrase of two bars comes to rest on its last note, which is held to the end of the bar but for a breath."""
    index = singer_of(ask, score, tuple(spans))
    if index is None:
        return score
    made, name = score, score.voices[index].name
    for bar in phrase_ends(score, index, tuple(spans)):
        start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
        notes = score.voices[index].array
        mine = sorted(rows_of(notes[(notes["onset"] >= start) & (notes["onset"] < end)]))
        number = bar + score.first_bar
        made = put(made, name, [(number, number)], _held(score, mine, start, end))
    return made


def _held(score: Score, rows: Sequence[Row], start: int, end: int) -> list[Row]:
    """The notes of a bar of which the last is reached early and held."""
    until = end - _BREATH if end < score.ticks else end
    at = start + int((end - start) * _FROM) // _BREATH * _BREATH
    late = [row for row in rows if row.onset >= at] or list(rows[-1:])
    tick = late[0].onset if until - late[0].onset > (end - start) * _FROM else at
    aim = max(late, key=lambda row: (row.duration, row.onset))
    kept = [row for row in rows if row.onset < tick]
    chord = score.chord_at(tick)
    pitch = aim.pitch
    if chord is not None and pitch % 12 not in chord.classes:
        pitch = min((pitch + by for by in range(-4, 5) if (pitch + by) % 12 in chord.classes),
                    key=lambda near: abs(near - aim.pitch), default=pitch)  # fmt: skip
    kept = [row._replace(duration=min(row.duration, tick - row.onset)) for row in kept]
    return [*kept, aim._replace(onset=tick, duration=until - tick, pitch=pitch)]


@textures.register("between lines")
def _between_lines(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """Somebody plays while the tune rests or holds a note, and not under its lines: a tune that leaves no room comes to
    rest at the ends of its phrases, for a beat at least. What is not filled is filled, with runs through the chord or
    with chords."""
    named = [index for index in voices_of(ask.who, score, tuple(spans)) if not score.voices[index].drums]
    others = [index for index, voice in enumerate(score.voices) if index not in named and not voice.drums]
    tune = led_by(score, others, tuple(spans))
    if not named or tune is None:
        return score
    score = _with_room(score, tune, job, spans)
    voice = score.voices[named[0]]
    made = _in_the_waits(ask, score, voice, tune, tuple(spans))
    made += _at_the_height(score, voice, made)
    return put(score, voice.name, spans, sorted(made)) if made else score


def _in_the_waits(ask: Ask, score: Score, voice: Voice, tune: int, spans: tuple[tuple[int, int], ...]) -> list[Row]:
    """What somebody plays while a tune waits: what it has there, unless fills are asked for and it has chords, or the
    other way round; else a run, or chords."""
    rows = rows_of(within(voice.array, spans, score))
    fills, struck = bool(_FILLS.search(ask.words)), bool(_CHORDS.search(ask.words))
    made: list[Row] = []
    for number, (start, end) in enumerate(waits(score, tune, spans)):
        mine = [row for row in rows if start <= row.onset < end]
        if (fills if _in_chords(mine) else struck and not fills) or _is_crumb(mine, end - start):
            mine = []
        made += [row._replace(duration=min(row.duration, end - row.onset)) for row in mine]
        hit = struck and (not fills or number % _BY_TURNS == _BY_TURNS - 1)
        made += [] if mine else (_hits if hit else _run)(score, voice, rows, (start, end), number)
    return made


def _at_the_height(score: Score, voice: Voice, answers: Sequence[Row]) -> list[Row]:
    """What somebody has in bars of the last section in which it has no answer, from the end: all play there. A
    few notes beside all the answers."""
    last = max((score.bar_at(tick) for tick, _ in score.sections), default=0)
    taken = {score.bar_at(row.onset) for row in answers}
    made: list[Row] = []
    for bar in range(score.bars - 2, last - 1, -1):
        notes = voice.array[(voice.array["onset"] >= score.bar_lines[bar])]
        mine = rows_of(notes[notes["onset"] < score.bar_lines[bar + 1]])
        if bar not in taken and len(made) + len(mine) <= len(answers) // _ALL:
            made += mine
    return made


def _with_room(score: Score, tune: int, job: Job, spans: Spans) -> Score:
    """The piece with a tune that rests at the ends of its phrases, where it does so at fewer than half of them."""
    ends = phrase_ends(score, tune, tuple(spans))
    lines, free = score.bar_lines, waits(score, tune, tuple(spans))
    roomy = [
        bar for bar in ends if any(min(end, lines[bar + 1]) - max(start, lines[bar]) >= QUARTER for start, end in free)
    ]
    told = Ask("texture", "long ends", score.voices[tune].name)
    return score if 2 * len(roomy) >= len(ends) else _long_ends(told, score, job, spans)


def _is_crumb(rows: Sequence[Row], room: int) -> bool:
    """Whether what somebody has in a gap is no answer: a note or two that are soon over where there is more room."""
    return room >= QUARTER and len(rows) < _ANSWER and sum(row.duration for row in rows) < room // 2


def _in_chords(rows: Sequence[Row]) -> bool:
    """Whether notes are struck together."""
    return len({row.onset for row in rows}) < len(rows)


def _hits(score: Score, voice: Voice, rows: Sequence[Row], gap: tuple[int, int], number: int) -> list[Row]:
    """Short chords in a gap, off the beat and on it, by turns one and two of them."""
    start, end = gap
    most = instrument_of_program(voice.program or 0).polyphony
    begin = -(-start // _BREATH) * _BREATH
    if not rows or end - begin < _BREATH:
        return []
    middle = sorted(row.pitch for row in rows)[len(rows) // 2]
    low, _ = range_of(voice)
    tones = voicing(score, begin, max(low, middle - _AROUND), min(most, _TONES))
    loud = max(1, sum(row.velocity for row in rows) // len(rows))
    ticks = [begin + after for after in _STROKES[number % len(_STROKES)] if begin + after + _SIXTEENTH < end]
    return [Row(tick, _BREATH * 3 // 4, pitch, loud) for tick in ticks for pitch in tones]


def _run(score: Score, voice: Voice, rows: Sequence[Row], gap: tuple[int, int], number: int) -> list[Row]:
    """A run through the chord after the first half beat of a gap, whose last note rings; in eighths where these are
    quick enough, and each time in another shape."""
    start, end = gap
    chord = score.chord_at(start)
    begin = start + _BREATH - start % _BREATH if start % _BREATH else start
    if chord is None or end - begin < QUARTER or not rows:
        return []
    low, high = range_of(voice)
    middle = sorted(row.pitch for row in rows)[len(rows) // 2]
    tones = [
        pitch for pitch in range(max(low, middle), min(high, middle + 2 * _ROOM) + 1) if pitch % 12 in chord.classes
    ]
    loud = max(1, sum(row.velocity for row in rows) // len(rows) + _LIGHT)
    step = _BREATH if bpm_of_micros(score.tempos[0][1]) >= _QUICK else _SIXTEENTH
    ticks = list(range(begin, end, step))[:_MOST]
    ticks = ticks[:-1] if end - ticks[-1] < QUARTER and len(ticks) > _ANSWER - 1 else ticks  # its last note rings
    lengths = [*[step] * (len(ticks) - 1), min(QUARTER, end - ticks[-1])]
    return [
        Row(tick, length, tones[min(place, len(tones) - 1)], loud)
        for tick, length, place in zip(ticks, lengths, _RUNS[number % len(_RUNS)], strict=False)
        if tones
    ]
