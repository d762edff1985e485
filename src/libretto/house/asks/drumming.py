"""How drums are played: with brushes, four on the floor, a backbeat, in half or double time, layer by layer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from libretto.contract.asks import Ask
from libretto.contract.checks.kitwork import KITWORK
from libretto.contract.checks.layers import LAYERS, WITHOUT, kit_of
from libretto.contract.checks.rolls import STRUCK
from libretto.contract.checks.strokes import by_bars
from libretto.contract.checks.where import Spans, voices_of
from libretto.contract.checks.whispering import WHISPER
from libretto.edits.spans import starts_in, stretches
from libretto.house.asks.doing import Job, doers, place_of
from libretto.house.asks.kits import in_told_layers
from libretto.house.asks.kitwork import touched
from libretto.house.asks.layering import in_layers, without_layer
from libretto.house.asks.notes import Row, beats_of, put, rows_of
from libretto.house.asks.rolling import struck
from libretto.house.asks.whispering import whispered
from libretto.score import QUARTER, Score, Voice
from libretto.score.edit import add_voice
from libretto.score.voice import unique_name

__all__: list[str] = []

_KICK, _SNARE, _CLAP, _RIDE, _FOOT_HAT, _HAT = 36, 38, 39, 51, 44, 42  # keys of the General MIDI kit
_KICKS, _SNARES, _HATS = (35, 36), (37, 38, 39, 40), (42, 46)
_SWISH, _TAP, _RIDES = 38, 50, 52  # velocities of a brush drawn, tapped, and on a cymbal
_BY_BRUSH, _CRASHES = (39, 40, 41, 43, 45, 47, 48, 50, 54, 69, 70, 82), (49, 55, 57)  # what becomes a brush's
_SOFTER, _FAINT, _ACCENTED = 0.62, 26, 66  # how much softer brushes are, and the softest and loudest of their strokes
_FIRM, _SNAP, _LIGHT = 96, 94, 70
# Sixteenths of a train beat, beat by beat in the four bars of a phrase: taps, pushes, and the weight of the wheels.
_WHEELS = (
    ("otot", "Xoto", "otot", "Xoto"),
    ("otot", "Xoto", "otxt", "Xoto"),
    ("otxt", "Xoto", "otot", "Xotx"),
    ("otot", "Xotx", "oxtx", "Xxxx"),
)
_RAILS = {"t": 38, "o": 48, "x": 66, "X": 88}  # their velocities
_STROKE = QUARTER // 4
_PHRASE = 4  # bars
_EIGHTH = QUARTER // 2


@doers.register("drums")
def _drums(ask: Ask, score: Score, job: Job) -> Score:
    spans = place_of(ask, score)
    if spans and ask.what in STRUCK:
        return struck(ask, score, spans)
    if spans and ask.what in KITWORK:
        return _touched(ask, score, spans)
    kit = _kit(ask.what, score)
    if spans and kit is not None and (ask.what == WHISPER or ask.what.startswith((LAYERS, WITHOUT))):
        return _thinned(ask, score, job, kit, spans)
    if not spans or ask.what not in _MANNERS:
        return score
    if kit is None:
        kit = Voice.of(unique_name("Drums", {voice.name for voice in score.voices}), (), None, True)
        score = add_voice(score, kit)
    if ask.what == "brushes" and len(kit.array):
        return _brushed_as_it_is(score, kit, spans)
    return _anew(ask, score, kit, spans)


def _thinned(ask: Ask, score: Score, job: Job, kit: Voice, spans: Spans) -> Score:
    """The piece with a kit that comes in layer by layer, lacks a layer, or hardly is there."""
    if ask.what == WHISPER:
        return whispered(score, kit, spans)
    return _layered(ask, score, job) if ask.what.startswith(LAYERS) else without_layer(ask, score, spans)


def _layered(ask: Ask, score: Score, job: Job) -> Score:
    """The piece with a kit that comes in layer by layer, in the bars that are told or in its own."""
    told = by_bars(ask.what)
    return in_told_layers(score, told, kit_of(ask, score), job.contract.style) if told else in_layers(ask, score)


def _touched(ask: Ask, score: Score, spans: Spans) -> Score:
    """The piece with a kit touched as it is asked: that of who is named, else the first."""
    named = [score.voices[index] for index in voices_of(ask.who, score)]
    kit = next((voice for voice in named if voice.drums and len(voice.array)), None) or _kit(ask.what, score)
    return touched(ask.what, score, kit, spans) if kit is not None else score


def _brushed_as_it_is(score: Score, kit: Voice, spans: Spans) -> Score:
    """What a kit plays in some bars, with brushes."""
    inside = kit.array[starts_in(kit.array, stretches(score, spans))]
    return put(score, kit.name, spans, _as_brushed(rows_of(inside)))


def _anew(ask: Ask, score: Score, kit: Voice, spans: Spans) -> Score:
    """Some bars with what a manner plays in place of the keys that it has."""
    gone = None if ask.what == "claps" and _claps_only(kit) else _MANNERS[ask.what]
    spans = tuple(_without_backbeat(score, kit, spans)) if ask.what == "backbeat" else spans
    spans = tuple(_without_train(score, kit, spans)) if ask.what == "train" else spans
    rows = []
    for first, last in spans:
        for bar in range(first - score.first_bar, last - score.first_bar + 1):
            runs = ask.what == "train" and bar < score.bars - 1
            rows += _train(score, bar) if runs else _bar(ask.what, score, bar)
    if gone is None:
        return put(score, kit.name, spans, rows)
    return put(score, kit.name, spans, rows, lambda notes: ~np.isin(notes["pitch"], gone))


def _without_backbeat(score: Score, kit: Voice, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The bars of some stretches in which a weak beat has neither snare nor clap; the others keep their fills, and the
    few in which the kit hardly plays their silence."""
    struck = set(kit.array["onset"][np.isin(kit.array["pitch"], _SNARES)].tolist())
    bars = [bar for first, last in spans for bar in range(first, last + 1)]
    counts = Counter(score.bar_at(int(tick)) + score.first_bar for tick in kit.array["onset"])
    silent = [bar for bar in bars if counts[bar] < _STROKES]
    silent = silent if len(silent) * _SELDOM <= len(bars) else []
    return [
        (bar, bar)
        for bar in bars
        if bar not in silent and not struck.issuperset(beats_of(score, bar - score.first_bar)[1::2])
    ]


def _without_train(score: Score, kit: Voice, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The bars of some stretches in which a snare does not run in sixteenths yet, three of four."""
    snares = kit.array["onset"][np.isin(kit.array["pitch"], _SNARES[1:])].tolist()
    counts = Counter(score.bar_at(int(tick)) + score.first_bar for tick in snares)
    bars = [bar for first, last in spans for bar in range(first, last + 1)]
    lines, first = score.bar_lines, score.first_bar
    full = {bar for bar in bars if 4 * counts[bar] * _STROKE >= 3 * (lines[bar - first + 1] - lines[bar - first])}
    return [(bar, bar) for bar in bars if bar not in full]


def _kit(what: str, score: Score) -> Voice | None:
    """Who drums: for claps who has nothing else, if anybody."""
    drummers = [voice for voice in score.voices if voice.drums and len(voice.array)]
    clapping = [voice for voice in drummers if what == "claps" and _claps_only(voice)]
    return next(iter(clapping or drummers), None)


def _claps_only(voice: Voice) -> bool:
    """Whether somebody has hands, or a rim, and nothing else."""
    return len(voice.array) > 0 and bool(np.isin(voice.array["pitch"], (37, _CLAP)).all())


_STROKES, _SELDOM = 3, 5  # of a bar that a kit plays in; of as many bars one may be silent
_MANNERS: dict[str, tuple[int, ...] | None] = {  # the keys that a manner plays anew; None for all
    "brushes": None,
    "train": (*_SNARES, *_HATS, 51, 53),
    "four on the floor": _KICKS,
    "backbeat": tuple(key for key in _SNARES if key != _CLAP),
    "claps": (_CLAP,),
    "half time": _KICKS + _SNARES,
    "double time": _KICKS + _SNARES + _HATS,
    "double kick": _KICKS,
}


def _bar(manner: str, score: Score, bar: int) -> list[Row]:
    """What one bar has of a manner."""
    beats = beats_of(score, bar)
    if bar == score.bars - 1:
        return _last_stroke(manner, beats[0])
    if manner == "brushes":
        return _brushed(beats, score.meter_at(beats[0]).beat, fill=bar % _PHRASE == _PHRASE - 1)
    back = beats[1::2]
    if manner == "four on the floor":
        return [Row(beat, _STROKE, _KICK, _FIRM) for beat in beats]
    if manner == "backbeat":
        return [Row(beat, _STROKE, _SNARE, _SNAP) for beat in back]
    if manner == "claps":
        return [Row(beat, _STROKE, _CLAP, _SNAP) for beat in back]
    if manner == "double kick":
        return _two_feet(beats, straight=bar % _PHRASE == _PHRASE - 1)
    if manner == "half time":
        middle = beats[len(beats) // 2]
        return [Row(beats[0], _STROKE, _KICK, _FIRM), Row(middle, _STROKE, _SNARE, _SNAP)]
    rows = [Row(beat, _STROKE, _KICK, _FIRM) for beat in beats]
    rows += [Row(beat + _EIGHTH, _STROKE, _SNARE, _SNAP) for beat in beats]
    return rows + [Row(beat + part, _STROKE, _HAT, _LIGHT) for beat in beats for part in (0, _EIGHTH)]


def _train(score: Score, bar: int) -> list[Row]:
    """Wheels over rails on a snare: taps in sixteenths, an accent on every weak beat; every bar of a phrase has another
    push into it, and the last a rattle over the points."""
    rows, beats = [], beats_of(score, bar)
    for place, (beat, following) in enumerate(zip(beats, [*beats[1:], score.bar_lines[bar + 1]], strict=True)):
        cell = _WHEELS[bar % _PHRASE][min(place % 4, 3)]
        for turn, tick in enumerate(range(beat, following, _STROKE)):
            sign = cell[turn % len(cell)]
            rows.append(Row(tick, _STROKE, _SNARE, _RAILS[sign]))
    return rows


def _two_feet(beats: Sequence[int], *, straight: bool) -> list[Row]:
    """Kicks of two feet: a long one and two short in every beat, and at the end of a phrase four."""
    parts = (0, 1, 2, 3) if straight else (0, 2, 3)
    return [Row(beat + part * _STROKE, _STROKE, _KICK, _FIRM + 6 * (part == 0)) for beat in beats for part in parts]


def _last_stroke(manner: str, tick: int) -> list[Row]:
    """What a manner closes with."""
    if manner in ("brushes", "train"):
        return [Row(tick, _STROKE, _SNARE, _TAP + 16 * (manner == "train"))]
    if manner == "claps":
        return [Row(tick, _STROKE, _CLAP, _SNAP)]
    keys = (_KICK, _SNARE) if manner == "backbeat" else (_KICK,)
    return [Row(tick, _STROKE, key, _FIRM) for key in keys]


def _as_brushed(rows: Iterable[Row]) -> list[Row]:
    """What a kit plays already, with brushes: claps and toms become strokes on the snare, hats and crashes a quiet ride
    without its sixteenths; all of it soft, and one stroke where two would fall together."""
    made: dict[tuple[int, int], Row] = {}
    for row in rows:
        if row.pitch in _HATS and row.onset % _EIGHTH == _STROKE:
            continue
        key = _SNARE if row.pitch in _BY_BRUSH else _RIDE if row.pitch in (*_HATS, *_CRASHES) else row.pitch
        loud = min(_TAP if row.pitch in _HATS else _ACCENTED, max(_FAINT, round(row.velocity * _SOFTER)))
        last = made.get((row.onset, key))
        made[row.onset, key] = row._replace(pitch=key, velocity=max(loud, last.velocity if last else 0))
    return list(made.values())


def _brushed(beats: Sequence[int], beat_ticks: int, *, fill: bool) -> list[Row]:
    """A brush drawn round the snare, taps on the weak beats, a quiet cymbal and the foot on the hat; at the end of a
    phrase taps on the thirds of its last beat."""
    late = beat_ticks * 2 // 3
    rows = [Row(beat, _EIGHTH, _SNARE, _SWISH if place % 2 == 0 else _TAP) for place, beat in enumerate(beats)]
    rows += [Row(beat, _STROKE, _RIDE, _RIDES) for beat in beats]
    for beat in beats[1::2]:
        rows += [Row(beat, _STROKE, _FOOT_HAT, _TAP), Row(beat + late, _STROKE, _RIDE, _SWISH)]
    if fill:
        rows += [Row(beats[-1] + part, _STROKE, _SNARE, _TAP) for part in (beat_ticks // 3, late)]
        rows.append(Row(beats[0], _STROKE, _KICK, _TAP))
    return rows
