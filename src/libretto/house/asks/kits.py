"""Drums of one kit that come in by bars: none before its bar, and each heard from there on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.contract.checks.strokes import STROKES, keys_of
from libretto.house.asks.notes import Row, beats_of, put
from libretto.score import QUARTER, Score

__all__ = ["in_told_layers"]

_STROKE, _EIGHTH = QUARTER // 4, QUARTER // 2
_STRONG, _BACK, _BEAT, _OFF = "strong", "back", "beat", "off"
#: Where in a bar a drum is struck that nobody has written, and how loud.
_PLAIN = {
    "kick": (_STRONG, 96), "open hat": (_OFF, 74), "hats": ("eighths", 66), "snare": (_BACK, 92), "claps": (_BACK, 88),
    "toms": ("turn", 84), "ride": (_BEAT, 70), "crash": ("first", 92), "cowbell": (_BEAT, 74),
    "shaker": ("eighths", 58), "tambourine": (_BACK, 72),
}  # fmt: skip
_FLOOR = ("house", "techno", "trance", "edm", "disco", "dance", "electronic")  # styles with a kick on every beat
_PHRASE = 4  # bars
_USUAL, _FAR = 80, 34  # the mean velocity of a kit, and how much softer a kit may be


def in_told_layers(score: Score, layers: Sequence[tuple[str, int]], kit: Sequence[int], style: str) -> Score:
    """The piece with the drums of a kit coming in as told: until the last is there each plays in every bar, in bars in
    which the kit has it not by a plain figure; from there on as the kit has them."""
    low, high = score.numbers[0], score.numbers[-1]
    built = max(bar for _, bar in layers)
    every = any(word in style for word in _FLOOR)
    shift = _shift(score, kit, built)
    made = score
    for place, (name, bar) in enumerate(layers):
        keys = keys_of(layers, place)
        for index in kit if bar > low else ():
            made = _cleared(made, made.voices[index].name, (low, bar - 1), keys)
        last = min(high - 1, max(built - 1, bar + _PHRASE - 1))
        rows = []
        for one in range(bar, last + 1):
            if not _heard(made, kit, STROKES[name], one):
                rows += _bar(name, made, one, every=every, turns=(one - bar + 1) % _PHRASE == 0, shift=shift)
        if rows:
            span = ((bar, last),)
            made = put(made, made.voices[kit[0]].name, span, rows, lambda notes: np.ones(len(notes), dtype=np.bool_))
    return made


def _cleared(score: Score, name: str, span: tuple[int, int], keys: Sequence[int]) -> Score:
    """The piece without some keys of a kit in some bars."""
    return put(score, name, (span,), (), lambda notes: ~np.isin(notes["pitch"], keys))


def _heard(score: Score, kit: Sequence[int], keys: Sequence[int], bar: int) -> bool:
    """Whether one of some keys is struck in a bar."""
    start, end = (score.bar_lines[bar - score.first_bar + more] for more in (0, 1))
    notes = [score.voices[index].array for index in kit]
    return any(
        bool((np.isin(one["pitch"], keys) & (one["onset"] >= start) & (one["onset"] < end)).any()) for one in notes
    )


def _shift(score: Score, kit: Sequence[int], built: int) -> int:
    """By how much a kit plays louder or softer than usual until it is all there."""
    end = score.bar_lines[min(score.bars, built - score.first_bar + _PHRASE)]
    struck = np.concatenate([score.voices[index].array for index in kit])
    mine = struck["velocity"][struck["onset"] < end]
    return max(-_FAR, min(0, round(float(mine.mean())) - _USUAL)) if len(mine) else 0


def _bar(name: str, score: Score, bar: int, *, every: bool, turns: bool, shift: int) -> list[Row]:
    """A plain bar of one drum."""
    beats = beats_of(score, bar - score.first_bar)
    end = score.bar_lines[bar - score.first_bar + 1]
    how, loud = _PLAIN[name]
    places = {
        _STRONG: beats if every else beats[:: max(1, (len(beats) + 1) // 2)],
        _BACK: beats[1::2],
        _BEAT: beats,
        _OFF: [beat + _EIGHTH for beat in beats],
        "eighths": list(range(beats[0], end, _EIGHTH)),
        "first": beats[:1] if turns or bar == score.numbers[0] else [],
        "turn": [end - part * _STROKE for part in (4, 3, 2, 1)] if turns else [end - _EIGHTH],
    }[how]
    weights = [shift if place in beats else shift - 10 for place in places]
    return [Row(place, _STROKE, STROKES[name][0], loud + less) for place, less in zip(places, weights, strict=True)]
