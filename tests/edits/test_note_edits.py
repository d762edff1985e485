"""Single notes edited by their places in the table: what was asked changes, everything else stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import scores

from libretto.edits.doing import do_edits
from libretto.edits.notes import NewNote, edit_notes
from libretto.edits.placing import copied, placed
from libretto.errors import LibrettoError
from libretto.grammar import notate, parse
from libretto.score import QUARTER, Mark, Note, Score, Voice


def piece() -> Score:
    notes = [Note.named(name, index * QUARTER, QUARTER) for index, name in enumerate(["C4", "D4", "E4", "F4"] * 2)]
    lead = Voice.of("Lead", notes, 40).with_marks([Mark(QUARTER, "staccato", pitch=62, length=QUARTER)])
    return Score.build([lead, Voice.of("Kit", [Note.named("C2", 0, QUARTER)], None, True)], chords=[("C",), ("F",)])


@given(scores(), st.data())
def test_a_change_of_one_note_changes_that_note_alone(score: Score, data: st.DataObject) -> None:
    if not len(score.table):
        return
    place = data.draw(st.integers(0, len(score.table) - 1))
    loud = data.draw(st.integers(1, 127))
    made = edit_notes(score, change={place: {"velocity": loud}})
    assert parse(notate(made)) == made
    assert sorted(made.table["velocity"].tolist()) == sorted(
        [*score.table["velocity"][:place].tolist(), loud, *score.table["velocity"][place + 1 :].tolist()]
    )
    gone = edit_notes(score, delete=[place])
    assert len(gone.table) == len(score.table) - 1
    assert parse(notate(gone)) == gone


def test_marks_go_with_their_note() -> None:
    made = edit_notes(piece(), change={1: {"onset": 5 * QUARTER // 2, "pitch": 66}})
    assert [(mark.tick, mark.pitch) for mark in made.voice("Lead").marks] == [(5 * QUARTER // 2, 66)]
    assert edit_notes(piece(), delete=[1]).voice("Lead").marks == ()


def test_new_notes_are_spelled_as_the_key_has_them() -> None:
    flat = do_edits(piece(), [{"op": "key", "key": "F major"}])[0]
    made = edit_notes(flat, add=[NewNote(0, 0, QUARTER, 70, 80), NewNote(1, QUARTER, QUARTER, 42, 80)])
    assert made.voice("Lead").notes[1].name == "Bb4"
    assert made.voice("Kit").notes[1].name == "F#2"


def test_no_edits_are_the_same_piece() -> None:
    assert edit_notes(piece()) == piece()


@pytest.mark.parametrize("onset", [-1, 8 * QUARTER])
def test_a_note_begins_inside_the_piece(onset: int) -> None:
    with pytest.raises(LibrettoError, match="inside the piece"):
        edit_notes(piece(), add=[NewNote(0, onset, 1, 60, 80)])


def test_places_are_those_of_the_piece_that_was_given() -> None:
    steps = [{"op": "delete", "note": 0}, {"op": "set", "note": 7, "pitch": 72}, {"op": "transpose", "semitones": 1}]
    made, said = do_edits(piece(), steps)
    assert made.voice("Lead").notes[-1].pitch == 73
    assert made.voice("Lead").notes[0].pitch == 63
    assert len(said) == 3


def test_bars_of_a_voice_are_put_over_others() -> None:
    made = placed(piece(), ["Lead"], 1, 1, 2, leave=True)
    assert [note.onset for note in made.voice("Lead").notes] == [QUARTER * beat for beat in range(4, 8)]
    assert [mark.tick for mark in made.voice("Lead").marks] == [5 * QUARTER]
    assert made.voice("Kit") == piece().voice("Kit")
    with pytest.raises(LibrettoError, match="do not fit"):
        placed(piece(), ["Lead"], 1, 2, 2)


def test_bars_are_copied_before_a_bar() -> None:
    made = copied(piece(), 1, 1, 2)
    assert made.chords == (("C",), ("C",), ("F",))
    assert copied(piece(), 1, 2, 3).bars == 4
