"""Strokes that are counted: all who play strike one chord together, as often as the hour has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from libretto.contract.asks import Ask
from libretto.contract.checks.where import within
from libretto.edits.touch import louder
from libretto.house.asks.doing import Job, doers, place_of
from libretto.house.asks.notes import Row, beats_of, pitched_voices, put, range_of, rows_of
from libretto.house.asks.textures import bars_of
from libretto.house.asks.ticking import at_once
from libretto.score import QUARTER, Score, Voice
from libretto.score.pitch import letter_name
from libretto.score.time import bpm_of_micros

__all__: list[str] = []

_STRIKE, _HAMMER = 0.7, 96  # seconds that a stroke has at least, and its velocity
_MOST_ROOM = 1 / 3  # of a piece that strokes take up
_TAIL = 4  # bars that are left after strokes at the end, where there is room
_SOUNDS = 7 / 8  # of the time from stroke to stroke
_HAMMERS = 20  # velocities that strokes are louder than what they take the place of
_KICK, _BELL = 36, 53  # keys of a kit
_AT_ONCE = 4  # notes of one player at a stroke
_PHRASE = 4  # bars
_SPREAD = 7  # semitones


@doers.register("strokes")
def _strokes(ask: Ask, score: Score, job: Job) -> Score:
    """So many strokes of all who play, on the tonic, slow enough to be counted; what goes on after them does."""
    spans = place_of(ask, score)
    if not spans or not ask.what.isdigit():
        return score
    count = int(ask.what)
    bars = bars_of(score, spans)
    beats, size = _room(score, bars, count)
    after = _TAIL if score.bars >= _TAIL * _PHRASE else 1
    late = bars[-1] == score.bars - 1
    first = max(bars[0], score.bars - after - size) if late else bars[0]
    places = [beat for bar in range(first, min(score.bars, first + size)) for beat in beats_of(score, bar)][::beats]
    places, end = places[:count], score.bar_lines[min(score.bars, first + size)]
    if len(places) < count:
        return score
    made, stretch = score, (first + score.first_bar, first + size - 1 + score.first_bar)
    if not job.contract.chords:
        made = _at_home(score, range(first, first + size))
    for voice in score.voices:
        if len(voice.array):
            made = put(made, voice.name, (stretch,), _hour(made, voice, places, end))
    return louder(_breathless(made, first), _HAMMERS, (), (stretch,))


def _breathless(score: Score, bar: int) -> Score:
    """The piece with a beat of nothing before strokes begin."""
    if not bar:
        return score
    hush, number = beats_of(score, bar - 1)[-1], bar - 1 + score.first_bar
    made = score
    for voice in score.voices:
        rows = rows_of(within(voice.array, ((number, number),), score))
        kept = [row._replace(duration=max(1, min(row.duration, hush - row.onset))) for row in rows if row.onset < hush]
        made = put(made, voice.name, ((number, number),), kept) if rows else made
    return made


def _at_home(score: Score, bars: Sequence[int]) -> Score:
    """The piece with some bars on the chord of its tonic."""
    key = score.key_at(score.bar_lines[bars[0]])
    label = letter_name(key.tonic) + ("m" if key.is_minor else "")
    chords = [(label,) if bar in bars else tuple(labels) for bar, labels in enumerate(score.chords)]
    return replace(score, chords=tuple(chords))


def _room(score: Score, bars: Sequence[int], count: int) -> tuple[int, int]:
    """How many beats there are from one stroke to the next, and how many bars all of them take up."""
    start = score.bar_lines[bars[0]]
    meter = score.meter_at(start)
    seconds = 60 / bpm_of_micros(score.tempos[0][1]) * meter.beat / QUARTER
    in_bar = max(1, len(beats_of(score, bars[0])))
    slow = next((beats for beats in (1, 2, in_bar) if beats * seconds >= _STRIKE), in_bar)
    for beats in sorted({slow, 1}, reverse=True):
        size = -(-count * beats // in_bar)
        if size <= max(len(bars), 1) and size <= max(1, score.bars * _MOST_ROOM):
            return beats, size
    return 1, -(-count // in_bar)


def _hour(score: Score, voice: Voice, places: Sequence[int], end: int) -> list[Row]:
    """What a voice strikes: tones of one chord where it reaches them, the same every time; the last stroke rings on."""
    rows = []
    for tick, after in zip(places, [*places[1:], end], strict=True):
        keys = _struck_keys(score, voice, tick)
        ring = after - tick if after == end else int((after - tick) * _SOUNDS)
        rows += [Row(tick, ring if not voice.drums else min(ring, QUARTER), key, _HAMMER) for key in keys]
    return rows


def _struck_keys(score: Score, voice: Voice, tick: int) -> list[int]:
    """The keys of a stroke: root and fifth, the third for who plays many notes or between the others, the octave."""
    if voice.drums:
        own = {int(key) for key in voice.array["pitch"]}
        return [_KICK, _BELL] if _KICK in own else [max(own, key=lambda key: int((voice.array["pitch"] == key).sum()))]
    low, high = range_of(voice)
    triad = _triad(score, tick)
    most = min(_AT_ONCE, at_once(voice))
    place = [one.name for one in pitched_voices(score)].index(voice.name)
    middle = sorted(int(pitch) for pitch in voice.array["pitch"])[len(voice.array) // 2]
    classes = [triad[place % len(triad)]] if most == 1 else [triad[0], triad[1], triad[2], triad[0]][:most]
    keys: list[int] = []
    at = max(low, middle - 12 if most > 1 else middle - _SPREAD)
    for tone in classes:
        pitch = at + (tone - at) % 12
        if pitch <= high and pitch not in keys:
            keys.append(pitch)
            at = pitch + (0 if most == 1 else 1)
    return keys or [max(low, min(high, middle))]


def _triad(score: Score, tick: int) -> list[int]:
    """Root, fifth and third of the chord at a tick."""
    chord, key = score.chord_at(tick), score.key_at(tick)
    if chord is None:
        return [key.classes[degree] for degree in (0, 4, 2)]
    above = sorted((tone - chord.root_class) % 12 for tone in chord.classes)
    thirds, fifths = ([one for one in above if one in wanted] for wanted in ((3, 4), (6, 7, 8)))
    return [(chord.root_class + by) % 12 for by in (0, *(fifths[:1] or [7]), *(thirds[:1] or [12]))]
