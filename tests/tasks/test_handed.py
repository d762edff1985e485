"""What is given to somebody who plays already is played there, over the chords of that hand, and by nobody new."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.agents import composer, run_task
from libretto.edits.parts import handed
from libretto.errors import LibrettoError
from libretto.score import QUARTER, Note, Score, Voice
from libretto.tasks.revise import RevisionTask, read_request, revise_task

BAR = 4 * QUARTER


def trio() -> Score:
    """Eight bars: a flute with the tune, a violin with long notes, a piano with chords of which the top is high."""
    tune = [Note.named(("G4", "A4", "B4", "C5")[at % 4], at * QUARTER, QUARTER) for at in range(32)]
    long = [Note.named("E5", bar * BAR, BAR) for bar in range(8)]
    chords = [Note.named(name, bar * BAR, BAR) for bar in range(8) for name in ("C3", "E3", "G3", "G4")]
    return Score.build([Voice.of("Flute", tune, 73), Voice.of("Violin", long, 40), Voice.of("Piano", chords, 0)])


def starting(score: Score, name: str, first: int, last: int) -> list[tuple[int, int]]:
    rows = score.voice(name).array
    rows = rows[(rows["onset"] >= (first - 1) * BAR) & (rows["onset"] < last * BAR)]
    return list(zip(rows["onset"].tolist(), rows["pitch"].tolist(), strict=True))


def test_a_wish_hands_the_tune_to_who_is_there() -> None:
    piece = trio()
    wishes = read_request("give the melody to the piano in bars 3-4", piece).wishes
    assert [(wish.quality, wish.voices, wish.target) for wish in wishes] == [("handed", ("Flute", "Piano"), "Piano")]
    task = revise_task(piece, list(wishes))
    assert isinstance(task, RevisionTask)
    made = run_task(task, composer("house", 0), rounds=1).score
    assert made is not None
    assert [voice.name for voice in made.voices] == ["Flute", "Violin", "Piano"]
    assert not starting(made, "Flute", 3, 4)
    plays = starting(made, "Piano", 3, 4)
    assert set(starting(piece, "Flute", 3, 4)) <= set(plays)
    assert (2 * BAR, 48) in plays  # the chord goes on below,
    assert [pitch for at, pitch in plays if at == 2 * BAR].count(67) == 1  # and its top gives way
    for name in ("Flute", "Piano"):
        assert starting(made, name, 1, 2) == starting(piece, name, 1, 2)
        assert starting(made, name, 5, 8) == starting(piece, name, 5, 8)
    assert made.voice("Violin") == piece.voice("Violin")


def test_who_plays_lines_leaves_its_own() -> None:
    made = handed(trio(), "Flute", "Violin", ((1, 4),))
    rows = made.voice("Violin").array
    early = rows[rows["onset"] < 4 * BAR]
    assert len(early) == 16
    assert (np.diff(early["onset"]) > 0).all()
    assert len(rows) == 16 + 4


def test_nothing_is_handed_to_drums() -> None:
    piece = trio()
    kit = Voice.of("Kit", [Note.named("C2", 0, QUARTER)], drums=True)
    with pytest.raises(LibrettoError, match="Kit cannot play what Flute plays"):
        handed(Score.build([*piece.voices, kit]), "Flute", "Kit")
