"""What must hold of every Score; the only place that says so."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from libretto.errors import ScoreError
from libretto.score.chords import is_chord
from libretto.score.keys import MODES
from libretto.score.pitch import FLATTEST, SHARPEST

if TYPE_CHECKING:
    from libretto.score.model import Score

__all__ = ["validate"]


def validate(score: Score) -> None:
    """Raise a ScoreError for the first thing that cannot be."""
    _bars(score)
    _changes(score)
    _names(score)
    _labels(score)
    _notes(score)


def _bars(score: Score) -> None:
    from libretto.score.model import MAX_BARS

    lines = score.bar_lines
    if len(lines) < 2 or lines[0] != 0:
        raise ScoreError("a piece has at least one bar and begins at tick 0")
    if len(lines) - 1 > MAX_BARS:
        raise ScoreError(f"the piece would have {len(lines) - 1:,} bars; the limit is {MAX_BARS:,}")
    if any(b <= a for a, b in pairwise(lines)):
        raise ScoreError("bar lines must follow one another")
    if score.first_bar not in (0, 1):
        raise ScoreError("bars are numbered from 1, or from 0 where there is a pickup")
    if len(score.grids) != score.bars or len(score.chords) != score.bars:
        raise ScoreError("every bar has one grid and one list of chord labels")


def _changes(score: Score) -> None:
    ticks = {
        "meter": [tick for tick, _ in score.meters],
        "key": [tick for tick, _ in score.keys],
        "tempo": [tick for tick, _ in score.tempos],
        "section": [tick for tick, _ in score.sections],
    }
    lines = set(score.bar_lines)
    for kind, times in ticks.items():
        if kind != "section" and (not times or times[0] != 0):
            raise ScoreError(f"the {kind} must be known from tick 0")
        if any(b <= a for a, b in pairwise(times)):
            raise ScoreError(f"{kind} changes must follow one another in time")
        if times and not (times[0] >= 0 and times[-1] < score.ticks):
            raise ScoreError(f"a {kind} change lies outside the piece")
        if kind in ("meter", "section") and not lines.issuperset(times):
            raise ScoreError(f"a {kind} change must stand on a bar line")
    if any(not 1_000 <= micros < 2**24 for _, micros in score.tempos):
        raise ScoreError("a tempo lies outside what MIDI can hold")
    for _, meter in score.meters:
        if not meter.is_possible:
            raise ScoreError(f"{meter} is not a meter from 1/64 to 255/1")
    for _, key in score.keys:
        if key.mode not in MODES or not FLATTEST <= key.tonic <= SHARPEST:
            raise ScoreError(f"{tuple(key)} is not a key")


def _names(score: Score) -> None:
    from libretto.score.model import MAX_VOICES
    from libretto.score.voice import legal_name

    names = [voice.name for voice in score.voices]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ScoreError(f"two voices are called {twice!r}")
    if len(names) > MAX_VOICES:
        raise ScoreError(f"the piece would have {len(names):,} voices; the limit is {MAX_VOICES:,}")
    if score.title and score.title != " ".join(score.title.split()):
        raise ScoreError("a title is one line without spaces at its ends")
    for _, name in score.sections:
        if name != legal_name(name, label=True):
            raise ScoreError(f"{name!r} cannot name a section: no brackets, bars, @ or line breaks")


def _labels(score: Score) -> None:
    for labels in score.chords:
        if not labels:
            raise ScoreError("a bar without a chord is labelled '-'")
    for label in {label for labels in score.chords for label in labels}:
        if not is_chord(label):
            raise ScoreError(f"{label!r} is not a chord label")


def _notes(score: Score) -> None:
    from libretto.score.model import MAX_NOTES

    if sum(len(voice.array) for voice in score.voices) > MAX_NOTES:
        raise ScoreError(f"the piece has more than {MAX_NOTES:,} notes")
    table = score.table
    if not len(table):
        return
    if int(table["onset"].max()) >= score.ticks:
        raise ScoreError("a note starts after the last bar")
    slots = np.array([grid.slot for grid in score.grids], dtype=np.int64)[table["bar"]]
    if (table["position"] % slots).any() or (table["duration"] % slots).any():
        late = int(np.argmax((table["position"] % slots != 0) | (table["duration"] % slots != 0)))
        number = int(table["bar"][late]) + score.first_bar
        raise ScoreError(f"a note of bar {number} does not lie on that bar's grid")
