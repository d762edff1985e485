"""Music that goes as one speaks: a line in short and long syllables over chords that are held, out of time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from libretto.contract.asks import Ask
from libretto.contract.checks.speaking import SPOKEN
from libretto.contract.checks.where import tune_of, within
from libretto.contract.instruments import instrument_of_program
from libretto.edits.parts import silenced
from libretto.house.asks.doing import Job
from libretto.house.asks.notes import MIDDLE, Row, pitched_voices, put, range_of, rows_of
from libretto.house.asks.textures import BASS, Spans, bars_of, textures, voicing
from libretto.score import QUARTER, Score, Voice
from libretto.score.model import in_force
from libretto.score.time import bpm_of_micros

__all__: list[str] = []

# Where syllables fall in a bar, in sixteenths of it, four kinds of bars in turn; the last is held.
_SYLLABLES = ((2, 3, 4, 6, 7, 8), (0, 6, 7, 8), (1, 2, 3, 4, 5, 8), (0, 4, 5, 6, 9))
_PARTS = 16
_BREATH = QUARTER // 4
_LINGERS, _HURRIES = 0.78, 1.03  # of the tempo: in the second half of a bar, and in the first
_PACE = 72.0  # quarters a minute, about, at which it is spoken where the music is quicker
_SOFT = 54  # velocity of chords that are held
_AT_FIRST = ("", "start", "intro", "first quarter", "first third")  # places that begin the piece
_FEW = 3  # notes at once of who holds chords
_TWO = 2
_ACCENTS = (0, -2)  # velocities of syllables by turns
_SMALL = QUARTER // 4  # of an ornament, which is no syllable


@textures.register(SPOKEN)
def _spoken(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """Who has the tune speaks it: its notes in groups of short ones that come to rest on a long one; others hold the
    chords, the bass its roots, nobody drums, and the tempo is given and taken."""
    index = _speaker(score, job)
    if index is None:
        return score
    name = score.voices[index].name
    made = silenced(score, [voice.name for voice in score.voices if voice.name != name], spans)
    made = put(made, name, spans, _speech(score, score.voices[index], spans))
    alone = len(pitched_voices(score)) == 1
    for voice in score.voices:
        if not voice.drums and len(voice.array) and (voice.name != name or alone):
            made = _holding(made, voice, spans, besides=alone)
    changes = any(one.kind == "tempo_change" and one.where in _AT_FIRST for one in job.contract.asks)
    return _out_of_time(made, spans, 1.0 if changes else min(1.0, _PACE / bpm_of_micros(score.tempos[0][1])))


def _speaker(score: Score, job: Job) -> int | None:
    """Who has the tune: who leads, else who is followed."""
    leads = [part.name for part in job.contract.parts if part.role == "lead"]
    named = [place for place, voice in enumerate(score.voices) if voice.name in leads and len(voice.array)]
    return named[0] if named else tune_of(score, ((score.numbers[0], score.numbers[-1]),))


def _speech(score: Score, voice: Voice, spans: Spans) -> list[Row]:
    """The tune of some bars as it is spoken; where it rests, the bar that it has next."""
    rows = rows_of(voice.array)
    tops: dict[int, Row] = {}
    for row in rows:
        tops[row.onset] = max(tops.get(row.onset, row), row, key=lambda one: one.pitch)
    line = [tops[onset] for onset in sorted(tops)]
    made: list[Row] = []
    for count, bar in enumerate(bars_of(score, spans)):
        start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
        mine = [row for row in line if start <= row.onset < end and row.duration >= _SMALL]
        mine = mine or [row for row in line if row.onset >= end and row.duration >= _SMALL][:3]
        if mine:
            made += _syllables(score, mine, start, end, _SYLLABLES[count % len(_SYLLABLES)])
    return made


def _syllables(score: Score, rows: Sequence[Row], start: int, end: int, places: Sequence[int]) -> list[Row]:
    """The notes of a bar as syllables: the first is said more than once where there are more syllables than notes,
    the last is a tone of the chord and held."""
    unit = (end - start) // _PARTS
    pitches = [row.pitch for row in rows][-len(places) :]
    pitches = [pitches[0]] * (len(places) - len(pitches)) + pitches
    ticks = [start + place * unit for place in places]
    pitches[-1] = _at_rest(score, ticks[-1], pitches[-1])
    loud = sum(row.velocity for row in rows) // len(rows)
    lengths = [after - tick for tick, after in zip(ticks, [*ticks[1:], end - _BREATH], strict=True)]
    return [
        Row(tick, max(1, length), pitch, loud + _ACCENTS[place % 2])
        for place, (tick, length, pitch) in enumerate(zip(ticks, lengths, pitches, strict=True))
    ]


def _at_rest(score: Score, tick: int, pitch: int) -> int:
    """The tone of the chord at a tick that is nearest a pitch."""
    chord = score.chord_at(tick)
    if chord is None:
        return pitch
    return next((pitch + by for by in (0, -1, 1, -2, 2, -3, 3) if (pitch + by) % 12 in chord.classes), pitch)


def _holding(score: Score, voice: Voice, spans: Spans, *, besides: bool) -> Score:
    """The piece with a voice that holds the chords of some bars, or their roots where it is deep; who has neither
    rests."""
    most = instrument_of_program(voice.program or 0).polyphony
    deep = sorted(int(pitch) for pitch in voice.array["pitch"])[len(voice.array) // 2] < BASS[1]
    if not deep and most <= _TWO:
        return score
    rows = [row for bar in bars_of(score, spans) for row in _chord_of(score, voice, bar, roots=deep and not besides)]
    if not besides:
        return put(score, voice.name, spans, rows)
    said = rows_of(within(score.voice(voice.name).array, tuple(spans), score))
    return put(score, voice.name, spans, sorted([*said, *(row for row in rows if row.pitch < MIDDLE)]))


def _chord_of(score: Score, voice: Voice, bar: int, *, roots: bool) -> list[Row]:
    """The chords of a bar as somebody holds them, or their roots only."""
    low, high = range_of(voice)
    most, bottom = min(instrument_of_program(voice.program or 0).polyphony, _FEW), max(low, BASS[0])
    rows = []
    for start, end, _ in score.chord_spans(bar):
        chord = score.chord_at(start)
        root = chord.root_class if chord is not None else score.key_at(start).tonic_class
        tones = [bottom + (root - bottom) % 12] if roots else voicing(score, start, max(low, MIDDLE - 14), most)
        rows += [Row(start, end - start, pitch, _SOFT) for pitch in tones if pitch <= high]
    return rows


def _out_of_time(score: Score, spans: Spans, pace: float) -> Score:
    """The piece with a tempo that hurries over the short syllables of some bars and lingers on the long ones, at a
    share of what it is otherwise."""
    tempos = dict(score.tempos)
    for bar in bars_of(score, spans):
        line, end = score.bar_lines[bar], score.bar_lines[bar + 1]
        for tick, share in ((line, _HURRIES), ((line + end) // 2, _LINGERS)):
            tempos[tick] = round(in_force(score.tempos, tick) / (share * pace))
        if end < score.ticks:
            tempos[end] = in_force(score.tempos, end)
    return replace(score, tempos=tuple(sorted(tempos.items())))
