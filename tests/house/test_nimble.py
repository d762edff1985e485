"""Nobody is given a run that is faster than it can be played; trills and slower runs stay as they are."""

from __future__ import annotations

from itertools import pairwise

import pytest

from libretto.contract import Contract
from libretto.contract.instruments import instrument_named, instrument_of_program
from libretto.house import compose_score
from libretto.house.compose.nimble import nimble, notes_a_second
from libretto.score import QUARTER, Note, Score, Voice

_SIXTEENTH = QUARTER // 4
_SCALE = (67, 69, 71, 72)


def _score(name: str, program: int, pitches: tuple[int, ...], bpm: int) -> Score:
    notes = [
        Note(place * _SIXTEENTH, _SIXTEENTH, pitch, 80, (pitch * 7 + 5) % 12 - 5)
        for place, pitch in enumerate(pitches * 8)
    ]
    return Score.build([Voice.of(name, notes, program)], bars=2, tempos=[(0, 60_000_000 // bpm)])


@pytest.mark.parametrize(("bpm", "left"), [(120, 32), (276, 16)])
def test_a_run_that_nobody_plays_loses_every_second_note(bpm: int, left: int) -> None:
    piece = nimble(_score("Violin", 40, _SCALE, bpm))
    notes = piece.voices[0].array
    assert len(notes) == left
    assert int(notes["duration"].sum()) == 8 * QUARTER


def test_a_trill_and_what_is_programmed_go_as_fast_as_they_like() -> None:
    for piece in (_score("Violin", 40, (67, 69, 67, 69), 276), _score("Synth Lead", 80, _SCALE, 276)):
        assert nimble(piece) is piece


def test_a_bass_is_slower_than_a_flute() -> None:
    low, high = (notes_a_second(instrument) for name in ("tuba", "flute") if (instrument := instrument_named(name)))
    assert low is not None
    assert high is not None
    assert low < high


@pytest.mark.parametrize(
    "text",
    [
        "A tarantella in A minor, presto, for tambourine, organetto and violin.",
        "A frantic saltarello in D minor, prestissimo, for accordion and mandolin.",
    ],
)
def test_what_is_presto_can_be_played(text: str) -> None:
    piece = compose_score(Contract.from_brief(text), 0)
    for voice in piece.voices:
        fastest = None if voice.drums else notes_a_second(instrument_of_program(voice.program or 0))
        starts = sorted({int(onset) for onset in voice.array["onset"]})
        seconds = piece.seconds_at(starts) if fastest else ()
        quick = [after - before < 0.9 / (fastest or 1) for before, after in pairwise(seconds)]
        runs = [all(quick[place : place + 6]) for place in range(len(quick) - 5)]
        assert not any(runs), voice.name
