"""A kit that comes in layer by layer: a bare kick, then hats, then claps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.contract.asks import Ask
from libretto.contract.checks.layers import WITHOUT, entries, kit_of, order_of, strokes_of
from libretto.edits.touch import louder
from libretto.house.asks.notes import Row, beats_of, put
from libretto.score import QUARTER, Score

__all__ = ["bars_with", "in_layers", "without_layer"]

_KICK, _SNARE, _CLAP, _HAT, _CRASH, _RIDE = 36, 38, 39, 42, 49, 51  # keys of the General MIDI kit
_FIRM, _SNAP, _LIGHT = 96, 92, 66  # velocities
_SOFT, _FADED, _SWELL = 52, 22, 36  # and of a cymbal that swells
_STROKE, _EIGHTH = QUARTER // 4, QUARTER // 2


def in_layers(ask: Ask, score: Score) -> Score:
    """The piece with the strokes of a kit coming in one kind after the other; a kind it lacks is written."""
    kit, order = kit_of(ask, score), order_of(ask.what)
    bars = entries(score, kit)
    last = bars_with(score, kit)
    made = score
    for place, layer in enumerate(order):
        if bars[place] > score.numbers[0]:
            for index in kit:
                made = _without(made, index, layer, (score.numbers[0], bars[place] - 1))
        made = _heard(made, kit, layer, (bars[place], last), ask.words.lower())
    if "cymbal" in ask.words.lower() and order[0] == "hats":
        made = _washed(made, kit, (bars[0], bars[1] - 1))
    names = [score.voices[index].name for index in kit]
    quieter = round(_loudness(score, kit) - _loudness(made, kit))
    return louder(made, quieter, names, ((score.numbers[0], score.numbers[-1]),)) if quieter < 0 else made


def without_layer(ask: Ask, score: Score, spans: Sequence[tuple[int, int]]) -> Score:
    """The piece without one kind of strokes of a kit in some bars."""
    made = score
    for index in kit_of(ask, score):
        for span in spans:
            made = _without(made, index, ask.what.removeprefix(WITHOUT), span)
    return made


def _loudness(score: Score, kit: Sequence[int]) -> float:
    """The mean velocity of a kit."""
    return float(np.concatenate([score.voices[index].array["velocity"] for index in kit]).mean())


def _without(score: Score, index: int, layer: str, span: tuple[int, int]) -> Score:
    """The piece without the strokes of a layer in some bars."""
    return put(score, score.voices[index].name, (span,), (), lambda notes: ~strokes_of(notes, layer))


def bars_with(score: Score, kit: Sequence[int]) -> int:
    """The last bar, by number, in which a kit plays."""
    last = max((int(onset) for index in kit for onset in score.voices[index].array["onset"]), default=0)
    return score.bar_at(last) + score.first_bar


def _washed(score: Score, kit: Sequence[int], span: tuple[int, int]) -> Score:
    """The piece with nothing but cymbals that swell in some bars, over and over."""
    rows = []
    for bar in range(span[0], span[1] + 1):
        beats = beats_of(score, bar - score.first_bar)
        rows += [Row(beats[0], _STROKE, _CRASH, _SOFT)] if (bar - span[0]) % 2 == 0 else []
        rows += [
            Row(beat + part * _STROKE, _STROKE, _RIDE, _SOFT - _FADED + _SWELL * place // len(beats))
            for place, beat in enumerate(beats)
            for part in range(4)
        ]
    return put(score, score.voices[kit[0]].name, (span,), rows)


def _heard(score: Score, kit: Sequence[int], layer: str, span: tuple[int, int], words: str) -> Score:
    """The piece with a layer in every bar from its entry on, but the last; claps where they are asked for by name."""
    missing = []
    entry, claps = span[0], "clap" in words
    for bar in range(entry, span[1]):
        start, end = (score.bar_lines[bar - score.first_bar + more] for more in (0, 1))
        if not any(_there(score, index, layer, start, end, claps=claps) for index in kit):
            missing += _bar(layer, beats_of(score, bar - score.first_bar), words)
    name = score.voices[kit[0]].name
    whole = ((entry, max(entry, span[1])),)
    return put(score, name, whole, missing, lambda notes: np.ones(len(notes), dtype=np.bool_)) if missing else score


def _there(score: Score, index: int, layer: str, start: int, end: int, *, claps: bool) -> bool:
    """Whether a voice strikes a layer within some ticks."""
    notes = score.voices[index].array
    inside = notes[(notes["onset"] >= start) & (notes["onset"] < end)]
    wanted = inside["pitch"] == _CLAP if claps and layer == "claps" else strokes_of(inside, layer)
    return bool(wanted.any())


def _bar(layer: str, beats: Sequence[int], words: str) -> list[Row]:
    """A plain bar of a layer; a kick that is not named is struck on the strong beats only."""
    if layer == "kick":
        strong = beats if "kick" in words else beats[:: max(1, (len(beats) + 1) // 2)]
        return [Row(beat, _STROKE, _KICK, _FIRM) for beat in strong]
    if layer == "hats":
        return [Row(beat + _EIGHTH, _STROKE, _HAT, _LIGHT) for beat in beats]
    return [Row(beat, _STROKE, _CLAP if "clap" in words else _SNARE, _SNAP) for beat in beats[1::2]]
