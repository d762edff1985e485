"""A new part is played on the instrument that its name says, where that sounds and with as many notes as it has."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.agents import composer, run_task
from libretto.contract.instruments import instrument_named
from libretto.house.core.controls import Controls
from libretto.house.revise.joining import joined
from libretto.score import QUARTER, Note, Score, Voice
from libretto.tasks import accompany_task
from libretto.tasks.fill.accompany import AccompanyTask
from libretto.tasks.revise.wish import Wish

CHORDS = ("C3 E4 G4", "A3 C4 E4", "F3 A3 C4", "G3 B3 D4") * 3
TUNE = ("G4", "A4", "B4", "A4", "C5", "B4", "A4")
LINES = ("violin", "cello", "trumpet", "trombone", "tuba", "piccolo", "bassoon", "tin whistle", "harmonica", "timpani")


def song(*more: Voice) -> Score:
    """Twelve bars of chords with a tune over them."""
    bar = 4 * QUARTER
    chords = [
        Note.named(pitch, at * bar + half * 2 * QUARTER, 2 * QUARTER)
        for at, names in enumerate(CHORDS)
        for pitch in names.split()
        for half in (0, 1)
    ]
    tune = [Note.named(TUNE[at % 7], at * QUARTER, QUARTER) for at in range(4 * len(CHORDS))]
    return Score.build([Voice.of("Piano", chords, 0), Voice.of("Tune", tune, 80), *more])


@pytest.mark.parametrize("name", LINES)
def test_who_plays_lines_plays_one_note_at_a_time_where_the_instrument_sounds(name: str) -> None:
    run = run_task(accompany_task(song(), name), composer("house", 1), rounds=1)
    assert run.score is not None
    part, player = run.score.voice(name), instrument_named(name)
    assert player is not None
    assert part.program == player.program
    rows = part.array
    assert player.low <= rows["pitch"].min()
    assert rows["pitch"].max() <= player.high
    assert (np.diff(rows["onset"]) > 0).all()
    assert (rows["onset"][:-1] + rows["duration"][:-1] <= rows["onset"][1:]).all()


@pytest.mark.parametrize(
    ("name", "program", "role"),
    [("Trumpet", 56, "lead"), ("Organ", 16, "keys"), ("Electric Guitar", 27, "guitar"), ("Bassoon", 70, "lead"),
     ("Steel Drums", 114, "lead"), ("Bass", 33, "bass"), ("Lead", 73, "lead"), ("Strings", 48, "strings")],
)  # fmt: skip
def test_a_name_says_the_program(name: str, program: int, role: str) -> None:
    task = accompany_task(song(), name)
    assert isinstance(task, AccompanyTask)
    assert (task.context.voice(name).program, task.role) == (program, role)


def test_a_tuba_is_the_bass_only_where_nobody_else_is() -> None:
    bass = Voice.of("Bass", [Note.named("C2", at * QUARTER, QUARTER) for at in range(48)], 33)
    roles = [accompany_task(piece, "Tuba").asked()["role"] for piece in (song(), song(bass))]
    assert roles == ["bass", "lead"]


def test_a_violin_that_is_added_by_a_wish_holds_no_chords() -> None:
    made = joined(song(), Wish("add", 1, (), 1, 12, 1.0, "violin", "add a violin"), 0, Controls())
    rows = made.voice("Violin").array
    assert len(rows)
    assert (np.diff(rows["onset"]) > 0).all()
