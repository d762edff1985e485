"""Tempo, meter and bar line are found from onsets; notes land on the grid, and a tempo that drifts is followed."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.hearing.beats import Beat, beat_and_meter
from libretto.hearing.notes import HeardNote
from libretto.hearing.noting import drums_noted, noted, quarters_of
from libretto.score.time import QUARTER, Meter

# Tunes of our own: lengths in quarters and pitches; bass notes (0.0 long) stand at bar lines.
WALTZ = [(1, 67), (1, 64), (1, 64), (2, 65), (1, 62), (1, 60), (1, 62), (1, 64), (3, 67)] * 2
MARCH = [
    (1, 60), (0.5, 60), (0.5, 62), (0.5, 64), (0.5, 65), (1, 67), (1, 69), (0.5, 67), (0.5, 65), (2, 64),
    (1, 65), (0.5, 64), (0.5, 65), (1, 62), (0.5, 62), (0.5, 64), (3, 60), (1, 67),
] * 2  # fmt: skip


def played(tune: list[tuple[float, int]], bpm: float, bar: int) -> list[HeardNote]:
    notes, at = [], 0.0
    for length, pitch in tune:
        notes.append(HeardNote(at, at + length, pitch, 1.0))
        at += length
    notes += [HeardNote(float(n), n + bar, 43 + n % 5, 1.0) for n in range(0, int(at), bar)]
    pace = 60 / bpm
    return sorted(HeardNote(0.3 + n.start * pace, 0.3 + n.stop * pace, n.pitch, 1.0) for n in notes)


@pytest.mark.parametrize("bpm", [92.0, 118.0])
@pytest.mark.parametrize(("tune", "bar", "meter"), [(WALTZ, 3, "3/4"), (MARCH, 4, "4/4")])
def test_a_tune_over_a_bass_has_its_tempo_and_meter(
    tune: list[tuple[float, int]], bar: int, meter: str, bpm: float
) -> None:
    beat = beat_and_meter(played(tune, bpm, bar))
    assert beat.bpm == pytest.approx(bpm, rel=0.04)
    assert str(beat.meter) == meter
    off = (beat.first - 0.3) / (bar * 60 / bpm)  # in bars, of which any may be named
    assert off == pytest.approx(round(off), abs=0.02)


def test_a_few_notes_have_a_usual_beat() -> None:
    assert beat_and_meter([HeardNote(0.2, 0.5, 60, 1.0)]).meter == Meter(4, 4)
    assert beat_and_meter([]).bpm == 120


def test_a_tempo_that_drifts_is_followed() -> None:
    times = np.cumsum(np.linspace(0.5, 0.56, 40))
    beat = Beat(0.52, Meter(4, 4), float(times[0]))
    assert np.round(quarters_of(times, beat)).tolist() == list(range(40))


def test_notes_stand_in_bars_with_a_pickup() -> None:
    notes = [HeardNote(0.5 * n + 0.5, 0.5 * n + 0.95, 60 + n, 1.0) for n in range(5)]
    score = noted(notes, Beat(0.5, Meter(3, 4), 1.0))
    assert [note.onset // QUARTER for note in score.voices[0].notes] == [2, 3, 4, 5, 6]
    assert str(score.meter) == "3/4"


def test_strokes_stand_once_on_a_place() -> None:
    strokes = [HeardNote(0.0, 0.1, 36, 1.0), HeardNote(0.01, 0.1, 36, 1.0), HeardNote(0.5, 0.6, 38, 0.5)]
    score = drums_noted(strokes, Beat(0.5, Meter(4, 4), 0.0))
    assert [(note.onset, note.pitch) for note in score.voices[0].notes] == [(0, 36), (QUARTER, 38)]
    assert score.voices[0].drums
