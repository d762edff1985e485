"""The score grid: swing, dots and small notes as a copyist would write them, and nothing lost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from strategies import scores

from libretto import notate, parse
from libretto.notation.copying import copied, swing_of
from libretto.notation.grids import on_grid
from libretto.score import QUARTER, Meter, Note, Score, Voice
from libretto.score.marks import Mark

Q = QUARTER


def voice_of(*notes: tuple[float, float, int], name: str = "Piano", drums: bool = False) -> Voice:
    made = [Note(round(at * Q), round(long * Q), pitch, 80, (pitch * 7 + 5) % 12 - 5) for at, long, pitch in notes]
    return Voice.of(name, made, 0, drums)


def swung(part: float, beats: int = 32) -> Score:
    pairs = [(beat + at, long, 60 + beat % 5) for beat in range(beats) for at, long in ((0, part), (part, 1 - part))]
    return Score.build([voice_of(*pairs)])


@settings(max_examples=80)
@given(scores())
def test_twice_is_once_and_text_holds_it(score: Score) -> None:
    once = copied(score)
    assert copied(once) == once
    assert parse(notate(once)) == once
    for before, after in zip(score.voices, once.voices, strict=True):
        assert {note.pitch for note in before.notes} == {note.pitch for note in after.notes}


@pytest.mark.parametrize(("part", "value"), [(2 / 3, "2:1"), (0.64, "2:1"), (0.6, "3:2")])
def test_swing_is_eighths_under_a_mark(part: float, value: str) -> None:
    made = copied(swung(part))
    assert [(mark.tick, mark.kind, mark.value) for mark in made.marks] == [(0, "swing", value)]
    assert {(note.onset % Q, note.duration) for note in made.voices[0].notes} == {(0, Q // 2), (Q // 2, Q // 2)}
    assert {str(grid) for grid in made.grids} == {"8"}


def test_triplets_dotted_notes_and_even_eighths_are_no_swing() -> None:
    thirds = Score.build([voice_of(*[(n / 3, 1 / 3, 60) for n in range(96)])])
    assert swing_of(thirds) is None
    assert {str(grid) for grid in copied(thirds).grids} == {"12t"}
    assert swing_of(swung(0.5)) is None
    assert swing_of(swung(0.75)) is None
    assert swing_of(swung(2 / 3, beats=8)) is None
    compound = [(n * 0.5 + (0.17 if n % 2 else 0), 0.2, 60) for n in range(96)]
    assert swing_of(Score.build([voice_of(*compound)], meters=((0, Meter(6, 8)),))) is None


def test_short_notes_are_dotted() -> None:
    made = copied(Score.build([voice_of(*[(n / 2, 0.12 + n / 1000, 60 + n) for n in range(8)])]))
    assert {note.duration for note in made.voices[0].notes[:-1]} == {Q // 2}
    dots = [mark for mark in made.voices[0].marks if mark.kind == "staccato"]
    assert [mark.tick for mark in dots] == [n * Q // 2 for n in range(7)]
    assert all(mark.length == Q // 2 for mark in dots)


def test_long_notes_long_places_and_drums_have_no_dots() -> None:
    tenuto = Score.build([voice_of(*[(n / 2, 0.4, 60) for n in range(8)])])
    seldom = Score.build([voice_of(*[(2 * n, 0.25, 60) for n in range(4)])])
    kit = Score.build([voice_of(*[(n / 2, 0.1, 36) for n in range(8)], name="Drums", drums=True)])
    assert not any(voice.marks for piece in (tenuto, seldom, kit) for voice in copied(piece).voices)


def test_a_note_crushed_into_the_next_is_small() -> None:
    piece = Score.build([voice_of((0, 1, 60), (0.92, 0.1, 66), (1, 1, 67), (2, 1, 64), (3, 1, 60))])
    made = copied(piece).voices[0]
    assert [(note.onset, note.pitch) for note in made.notes] == [
        (0, 60), (Q - Q // 8, 66), (Q, 67), (2 * Q, 64), (3 * Q, 60)
    ]  # fmt: skip
    assert [(mark.kind, mark.pitch, mark.value) for mark in made.marks] == [("grace", 66, "8/")]


def test_runs_and_chords_are_no_ornaments() -> None:
    run = Score.build([voice_of(*[(n / 8, 1 / 8, 60 + n) for n in range(16)])], tempos=((0, 600_000),))
    chord = Score.build([voice_of((0, 1, 60), (1, 1, 64), (1, 1, 66), (2, 1, 60))])
    assert not any(mark.kind == "grace" for piece in (run, chord) for mark in copied(piece).voices[0].marks)


def test_marks_go_with_their_notes() -> None:
    song = Score.build([voice_of((0.02, 0.9, 60), (1.03, 0.9, 62), (2.02, 1.9, 64))])
    marks = [
        Mark(n.onset, "lyric", text, n.duration, n.pitch) for n, text in zip(song.voices[0].notes, "abc", strict=True)
    ]
    song = replace(song, voices=(song.voices[0].with_marks(marks),))
    for grid in ("paper", "score"):
        made = on_grid(song, grid).voices[0]
        assert [(mark.tick, mark.value) for mark in made.marks] == [(0, "a"), (Q, "b"), (2 * Q, "c")]


def test_what_came_with_its_written_values_is_left_alone() -> None:
    piece = replace(swung(2 / 3), marks=(Mark(0, "written"),))
    assert copied(piece) == piece
