"""Dots are heard as shorter notes, pedals as longer ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from libretto.grammar import parse
from libretto.score import Score
from libretto.sound.perform import Performance, perform

_HEAD = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 2\nVOICES: PIANO[prog=0]\n"


def _piece(first: str, second: str = "C4@1>16") -> Score:
    return parse(f"{_HEAD}@1 [C]\n  PIANO: {first}\n@2 [C]\n  PIANO: {second}\n")


def _lengths(score: Score) -> list[float]:
    notes = perform(score).notes
    return (notes["stop"] - notes["start"]).tolist()


def test_a_dot_shortens_its_note_and_no_other() -> None:
    plain = _piece("C4@1>4 E4@5>4")
    dotted = _piece("C4@1>4'. E4@5>4")
    short, full = _lengths(dotted), _lengths(plain)
    assert short[0] < 0.6 * full[0]
    assert short[1:] == full[1:]


def test_the_pedal_holds_notes_until_it_is_lifted() -> None:
    score = _piece("C4@1>2 E4@5>2 cc64@1=127", "cc64@1=0 G4@9>4")
    notes = perform(score).notes
    assert np.allclose(notes["stop"][:2], 2.0)  # a bar of four at 120 lasts two seconds
    assert notes["stop"][2] < 4.0


def test_a_written_pedal_sounds_where_no_controller_says_otherwise() -> None:
    held, dry = _lengths(_piece("C4@1>2 ped@1>16")), _lengths(_piece("C4@1>2"))
    assert held[0] > 4 * dry[0]


def test_a_key_that_is_struck_again_ends_the_held_note() -> None:
    notes = perform(_piece("C4@1>2 C4@9>2 ped@1>16")).notes
    assert notes["stop"][0] <= notes["start"][1]


def test_played_exactly_nothing_is_interpreted() -> None:
    score = _piece("C4@1>4'.")
    plain = replace(score, voices=tuple(voice.with_marks(()) for voice in score.voices))
    assert np.array_equal(Performance.exact(score).notes, Performance.exact(plain).notes)
