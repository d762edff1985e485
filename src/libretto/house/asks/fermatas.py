"""Fermatas: everybody holds the last chord of a phrase, and the beat waits on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from libretto.contract.asks import Ask
from libretto.contract.checks.fermatas import FERMATAS
from libretto.contract.checks.where import tune_of, within
from libretto.house.asks.doing import Job
from libretto.house.asks.notes import Row, put, range_of, rows_of
from libretto.house.asks.textures import Spans, bars_of, textures
from libretto.score import QUARTER, Score, Voice
from libretto.score.marks import Mark
from libretto.score.model import in_force

__all__: list[str] = []

_LATEST = 5 / 8  # of a bar: the last place in which the chord that is held may begin
_WAITS = 0.5  # of the tempo on it
_BREATH = QUARTER // 2
_AROUND = 7  # semitones within which somebody finds a tone of the chord


@textures.register(FERMATAS)
def _fermatas(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """The last chord of every phrase is held by all, with a breath after it, and lasts twice as long as written; the
    last bar of the piece is as it was."""
    made = score
    tempos = dict(score.tempos)
    for bar in bars_of(score, spans):
        if bar == score.bars - 1:
            continue
        tick, end = _place(score, bar), score.bar_lines[bar + 1]
        for voice in score.voices:
            made = _held(made, voice, bar, tick)
        own = in_force(score.tempos, tick)
        tempos = {at: micros for at, micros in tempos.items() if not tick <= at < end}
        tempos[tick] = round(own / _WAITS)
        tempos.setdefault(end, in_force(score.tempos, end))
    return replace(made, tempos=tuple(sorted(tempos.items())))


def _place(score: Score, bar: int) -> int:
    """Where the chord begins on which a phrase ends in a bar: with the tune's last note that begins early enough, on
    a beat."""
    number = bar + score.first_bar
    start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
    index = tune_of(score, ((score.numbers[0], score.numbers[-1]),))
    rows = [] if index is None else rows_of(within(score.voices[index].array, ((number, number),), score))
    beat = score.meter_at(start).beat
    early = [row.onset for row in rows if row.onset - start <= _LATEST * (end - start)]
    on_beats = [tick for tick in early if (tick - start) % beat == 0]
    return max(on_beats or early or [start])


def _held(score: Score, voice: Voice, bar: int, tick: int) -> Score:
    """The piece with a voice that holds from a tick to the end of a bar what it has there; drums are silent then."""
    number, end = bar + score.first_bar, score.bar_lines[bar + 1]
    rows = rows_of(within(voice.array, ((number, number),), score))
    if not rows:
        return score
    before = [row._replace(duration=min(row.duration, tick - row.onset)) for row in rows if row.onset < tick]
    if voice.drums:
        struck = [row for row in rows if row.onset <= tick]
        return put(score, voice.name, ((number, number),), struck)
    held = [
        Row(tick, end - _BREATH - tick, _tone(score, voice, tick, row.pitch), row.velocity)
        for row in _there(rows, tick)
    ]
    return _signed(put(score, voice.name, ((number, number),), sorted([*before, *held])), voice.name, held)


def _there(rows: Sequence[Row], tick: int) -> list[Row]:
    """What sounds at a tick, or is struck next; what was struck last where nothing is."""
    sounding = [row for row in rows if row.onset <= tick < row.end]
    later = min((row.onset for row in rows if row.onset > tick), default=rows[-1].onset)
    return sounding or [row for row in rows if row.onset == later]


def _signed(score: Score, name: str, held: Sequence[Row]) -> Score:
    """The piece with fermatas on some notes of a voice."""
    voice = score.voice(name)
    known = {(int(note["onset"]), int(note["pitch"]), int(note["duration"])) for note in voice.array}
    signs = [Mark(row.onset, "fermata", "", row.duration, row.pitch) for row in held
             if (row.onset, row.pitch, row.duration) in known]  # fmt: skip
    marked = voice.with_marks({*voice.marks, *signs})
    return replace(score, voices=tuple(marked if one.name == name else one for one in score.voices))


def _root(score: Score, voice: Voice, tick: int, pitch: int) -> int:
    """The root of the chord at a tick that is nearest a pitch, of those that the instrument has."""
    chord = score.chord_at(tick)
    low, high = range_of(voice)
    roots = [tone for tone in range(low, high + 1) if chord is not None and tone % 12 == chord.root_class]
    return min(roots, key=lambda tone: (abs(tone - pitch), tone), default=pitch)


def _tone(score: Score, voice: Voice, tick: int, pitch: int) -> int:
    """A pitch, or the tone of the chord at a tick that is nearest it."""
    chord = score.chord_at(tick)
    low, high = range_of(voice)
    if chord is None or pitch % 12 in chord.classes:
        return pitch
    near = [pitch + by for step in range(1, _AROUND) for by in (-step, step) if low <= pitch + by <= high]
    return next((tone for tone in near if tone % 12 in chord.classes), pitch)
