"""Keys that a file says and its notes overrule: the piece has those that are heard, and both are told."""

from __future__ import annotations

import pytest

from libretto.errors import ScoreError
from libretto.formats import formats
from libretto.report.terminal import describe, summary
from libretto.score import QUARTER, Key, Meter, Note, Score, Voice
from libretto.score.said import goal_key, overruled_keys, semitones_to

SCALE = ("A3", "B3", "C#4", "D4", "E4", "F#4", "G#4", "A4")


def song(said: str) -> Score:
    notes = [Note.named(SCALE[at % 8], at * QUARTER, QUARTER) for at in range(64)]
    piece = Score.build([Voice.of("Lead", notes, program=0)], keys=[(0, Key.parse(said))])
    return formats["midi"].decode(formats["midi"].encode(piece))


def test_a_key_that_the_notes_overrule_is_told() -> None:
    data = formats["midi"].encode(Score.build(song("A major").voices, keys=[(0, Key.parse("E minor"))]))
    score = formats["midi"].decode(data)
    assert str(score.key) == "A major"
    assert [str(key) for _, key in overruled_keys(score)] == ["E minor"]
    assert "A major (the file says E minor)" in describe(score)
    assert formats["midi"].left_out is not None
    assert formats["midi"].left_out(data, score)["keys that the notes overrule"] == 1
    assert semitones_to(score, Key.parse("B major")) == 2
    assert semitones_to(score, Key.parse("G minor")) == 3


def test_a_key_that_the_notes_bear_out_is_said_once() -> None:
    score = song("A major")
    assert overruled_keys(score) == ()
    assert summary(score)["key_said"] is None
    with pytest.raises(ScoreError, match="does not make it minor"):
        semitones_to(score, Key.parse("B minor"))


@pytest.mark.parametrize(
    ("home", "goal", "semitones"),
    [("A minor", "E", -5), ("A minor", "Em", -5), ("D mixolydian", "E", 2), ("G major", "Eb", -4), ("C major", "D", 2)],
)
def test_a_goal_without_a_mode_is_of_the_mode_of_the_piece(home: str, goal: str, semitones: int) -> None:
    piece = Score.build([Voice.of("Lead", [Note.named("C4", 0, QUARTER)])], keys=[(0, Key.parse(home))])
    assert semitones_to(piece, goal_key(piece, goal)) == semitones
    with pytest.raises(ScoreError, match="name a minor key"):
        semitones_to(song("F# minor"), goal_key(song("F# minor"), "E major"))


def test_a_pickup_does_not_say_the_meter() -> None:
    notes = [Note.named("C4", at * QUARTER, QUARTER) for at in range(9)]
    meters = ((0, Meter(1, 4)), (QUARTER, Meter(4, 4)))
    piece = Score.build([Voice.of("Lead", notes)], meters=meters, first_bar=0)
    assert summary(piece)["meter"] == "4/4"
