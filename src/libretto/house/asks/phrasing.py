"""Phrases as they are asked for: ends that are stretched, and somebody who plays only while a tune waits."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.contract.asks import Ask
from libretto.contract.checks.phrases import led_by, phrase_ends, singer_of, waits
from libretto.contract.checks.where import voices_of, within
from libretto.house.asks.doing import Job
from libretto.house.asks.notes import Row, put, range_of, rows_of
from libretto.house.asks.textures import Spans, textures
from libretto.score import QUARTER, Score, Voice

__all__: list[str] = []

_FROM = 3 / 8  # of a bar, from which on the end of a phrase is held
_BREATH = QUARTER // 2
_SIXTEENTH = QUARTER // 4
_RUN = (0, 1, 2, 3, 2, 1)  # tones of the chord, upwards, that a run goes through
_MOST = 6  # notes of a run
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
    """Somebody plays while the tune rests or holds a note, and not under its lines; what is not filled is filled with
    a run through the chord."""
    named = [index for index in voices_of(ask.who, score, tuple(spans)) if not score.voices[index].drums]
    others = [index for index, voice in enumerate(score.voices) if index not in named and not voice.drums]
    tune = led_by(score, others, tuple(spans))
    if not named or tune is None:
        return score
    voice = score.voices[named[0]]
    free = waits(score, tune, tuple(spans))
    rows = rows_of(within(voice.array, tuple(spans), score))
    made: list[Row] = []
    for start, end in free:
        mine = [row for row in rows if start <= row.onset < end]
        made += [row._replace(duration=min(row.duration, end - row.onset)) for row in mine]
        made += [] if mine else _run(score, voice, rows, start, end)
    return put(score, voice.name, spans, sorted(made)) if made else score


def _run(score: Score, voice: Voice, rows: Sequence[Row], start: int, end: int) -> list[Row]:
    """A run through the chord after the first half beat of a gap, whose last note rings."""
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
    count = min(_MOST, (end - begin) // _SIXTEENTH)
    ticks = [begin + number * _SIXTEENTH for number in range(count)]
    lengths = [*[_SIXTEENTH] * (count - 1), min(QUARTER, end - ticks[-1])]
    return [
        Row(tick, length, tones[min(place, len(tones) - 1)], loud)
        for tick, length, place in zip(ticks, lengths, _RUN, strict=False)
        if tones
    ]
