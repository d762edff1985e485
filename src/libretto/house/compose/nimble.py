"""Nimble: no run is faster than fingers, bows, tongues and sticks go. A line that would be loses every second note.

A chart's sixteenths are brisk at one speed and a blur at another; what is left is the same line in notes twice as long.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.instruments import Instrument, instrument_named, instrument_of_program
from libretto.edits.spans import remade
from libretto.score import Score, Voice

__all__ = ["nimble", "notes_a_second"]

_RUN = 4  # notes in a row that are a run: fewer are an ornament
_SHAKEN = 2  # pitches of what is a trill, a tremolo or a rolled note, which goes faster
_HALVED = 2  # how often a run may lose half of its notes
# How many notes a second are still played cleanly in a run, by family; nobody plays what is programmed.
_FASTEST: Mapping[str, float] = {
    "keys": 14.5, "free reeds": 12.5, "organ": 13.0, "strings": 13.5, "winds": 13.5, "brass": 10.0, "voices": 8.5,
    "guitar": 13.0, "plucked": 13.0, "bass": 9.5, "bells": 13.0,
}  # fmt: skip
_LOW, _HEAVY = 48, 0.8  # pitch below which the middle of a range is deep, and how much slower such instruments are
_SWEPT = frozenset(("harp", "santur", "zither", "kanun", "guzheng", "hammered dulcimer"))  # whose runs are glissandi


def notes_a_second(instrument: Instrument) -> float | None:
    """How many notes of a run an instrument plays in a second at most; None where nothing bounds it.

    >>> violin, tuba = instrument_named("violin"), instrument_named("tuba")
    >>> notes_a_second(violin), notes_a_second(tuba)
    (13.5, 8.0)
    """
    fastest = None if instrument.name in _SWEPT else _FASTEST.get(instrument.family)
    deep = sum(instrument.comfortable) / 2 < _LOW and instrument.family != "bass"
    return fastest and fastest * (_HEAVY if deep else 1.0)


def nimble(score: Score) -> Score:
    """The piece with no run faster than who plays it can play."""
    voices = [_played(score, voice) for voice in score.voices]
    changed = any(new is not old for new, old in zip(voices, score.voices, strict=True))
    return remade(score, voices, None) if changed else score


def _played(score: Score, voice: Voice) -> Voice:
    """A part whose runs can be played."""
    if voice.drums or voice.program is None or len(voice.array) < _RUN:
        return voice
    named = instrument_named(voice.name)
    known = named if named is not None and voice.program in named.programs else instrument_of_program(voice.program)
    fastest = notes_a_second(known)
    made = voice
    for _ in range(_HALVED if fastest else 0):
        lost = _too_many(score, made.array, fastest or 0.0)
        if not lost.any():
            break
        made = made.with_notes(_without(made.array, lost))
    return made


def _too_many(score: Score, notes: NDArray[Any], fastest: float) -> NDArray[np.bool_]:
    """Which notes of a part are the second of two in a run that is too fast."""
    starts = np.unique(notes["onset"])
    gaps = np.diff(starts)
    quick = np.diff(score.seconds_at(starts)) < 1 / fastest
    lost: list[int] = []
    first = 0
    while first < len(quick):
        last = first
        while last < len(quick) and quick[last] and abs(int(gaps[last]) - int(gaps[first])) <= 1:
            last += 1
        run = starts[first : last + 1]
        if len(run) >= _RUN and len(np.unique(notes["pitch"][np.isin(notes["onset"], run)])) > _SHAKEN:
            lost += _between(score, run, int(gaps[first]))
        first = max(last, first + 1)
    return np.isin(notes["onset"], lost)


def _between(score: Score, run: NDArray[Any], gap: int) -> list[int]:
    """The ticks of a run that fall between notes twice as long, counted from the bar line."""
    lines = [score.bar_lines[score.bar_at(int(tick))] for tick in run]
    return [int(tick) for tick, line in zip(run, lines, strict=True) if round((int(tick) - line) / gap) % 2]


def _without(notes: NDArray[Any], lost: NDArray[np.bool_]) -> NDArray[Any]:
    """Notes without some, those before them held on for as long as these lasted."""
    kept = notes[~lost].copy()
    ends = kept["onset"] + kept["duration"]
    for onset in np.unique(notes["onset"][lost]):  # once, however many are struck together
        kept["duration"][ends == onset] += int(notes["duration"][notes["onset"] == onset].max())
    return kept
