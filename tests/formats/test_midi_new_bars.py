"""Bars put into a MIDI file of somebody who uses the pedal: old bars keep theirs, new ones get the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from libretto.formats import formats
from libretto.formats.edited import edited_bytes
from libretto.grammar import parse
from libretto.score import QUARTER, Score
from libretto.score.marks import control_rows
from libretto.tasks.fill.gap import opened

PEDAL, BAR = 64, 4 * QUARTER


def pedalled() -> Score:
    """Eight bars, the second four as the first four, with the pedal down in each and up before the next."""
    bars = "".join(
        f"@{number + 1} [C]\n  PIANO: {'CDEF'[number % 4]}4@1>4 G4@5>4 {'CDEF'[number % 4]}5@9>8\n"
        for number in range(8)
    )
    song = parse(f"KEY: C major | METER: 4/4 | TEMPO: 90 | GRID: 16th | BARS: 8\nVOICES: PIANO[prog=0]\n{bars}")
    strokes = [
        (bar * BAR + at, PEDAL, value) for bar in range(8) for at, value in ((QUARTER // 8, 127), (7 * QUARTER // 2, 0))
    ]
    return replace(song, voices=(replace(song.voices[0], controls=control_rows(strokes)),))


@pytest.mark.parametrize("at", [5, "end", "start"])
def test_pedal_goes_with_the_bars_and_on_in_new_ones(at: int | str) -> None:
    midi = formats["midi"]
    data = midi.encode(pedalled())
    before = midi.decode(data)
    wider, first = opened(before, 4, at)
    voice, old = wider.voices[0], before.voices[0].array
    copied = old[old["onset"] < 4 * BAR].copy()  # the new bars are like old ones
    copied["onset"] += wider.bar_lines[first - 1]
    after = replace(wider, voices=(voice.with_notes(np.concatenate([voice.array, copied])),))
    made = midi.decode(edited_bytes(data, midi, after, midi).data)
    assert made.bars == 12
    downs = [tick // BAR for tick, kind, value in made.voices[0].controls.tolist() if kind == PEDAL and value]
    ups = [tick // BAR for tick, kind, value in made.voices[0].controls.tolist() if kind == PEDAL and not value]
    assert downs == ups == list(range(12))
