"""Rounding for the eye: what was written stays, what was played is made readable, and nothing is lost on the way."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from strategies import scores

from libretto import parse
from libretto.notation.legible import legible
from libretto.notation.rhythm import Piece, beams, write_bar
from libretto.notation.sheet import lay_out
from libretto.score import QUARTER, Meter, Note, Score, Voice

Q = QUARTER


def voice_of(*notes: tuple[float, float, int], program: int | None = 0, drums: bool = False) -> Score:
    made = [Note(round(at * Q), round(length * Q), pitch, 80, pitch * 7 % 12) for at, length, pitch in notes]
    fixed = [note._replace(spelling=(note.pitch * 7 + 3) % 12 - 3) for note in made]
    return Score.build([Voice.of("X", fixed, program, drums)], bars=1)


def shown(score: Score) -> list[tuple[Fraction, Fraction, int]]:
    return [(Fraction(n.onset, Q), Fraction(n.duration, Q), n.pitch) for n in legible(score).voices[0].notes]


def kinds(score: Score) -> list[str]:
    """What is printed in the first bar: values of notes, and rests with an r."""
    layers = lay_out(legible(score)).parts[0].bars[0]
    return [("r-" if p.span is None else "") + p.kind + "." * p.dots for layer in layers for p in layer.pieces]


@settings(max_examples=120)
@given(scores())
def test_rounding_twice_is_rounding_once(score: Score) -> None:
    once = legible(score)
    assert legible(once) == once


@settings(max_examples=120)
@given(scores())
def test_nothing_is_lost_but_doubles_and_nothing_rings_past_the_end(score: Score) -> None:
    for before, after in zip(score.voices, legible(score).voices, strict=True):
        assert len(after.notes) <= len(before.notes)
        assert {note.pitch for note in after.notes} == {note.pitch for note in before.notes}
        assert all(note.onset + note.duration <= score.ticks for note in after.notes)
        for note in before.notes:
            near = [abs(other.onset - note.onset) for other in after.notes if other.pitch == note.pitch]
            assert min(near) <= Q // 2


@settings(max_examples=60)
@given(scores(divisions=(4, 8, 16, 12, 24, 32), odd_ticks=False))
def test_what_was_written_on_a_grid_keeps_its_starts(score: Score) -> None:
    for before, after in zip(score.voices, legible(score).voices, strict=True):
        assert {(n.onset, n.pitch) for n in before.notes} == {(n.onset, n.pitch) for n in after.notes}


@settings(max_examples=60)
@given(scores())
def test_a_staff_has_at_most_two_layers(score: Score) -> None:
    for part in lay_out(legible(score)).parts:
        for bar in part.bars:
            for staff in {layer.staff for layer in bar}:
                assert len([layer for layer in bar if layer.staff == staff and layer.pieces]) <= 2


def test_a_hair_short_of_the_next_is_legato() -> None:
    score = voice_of((0, 0.94, 60), (1, 0.91, 62), (2, 1.93, 64), program=73)
    assert shown(score) == [(0, 1, 60), (1, 1, 62), (2, 2, 64)]


def test_a_note_at_the_very_end_stays_in_the_piece() -> None:
    score = voice_of((0, 1, 60), (3.99, 0.01, 65), program=73)
    assert shown(score)[-1] == (Fraction(15, 4), Fraction(1, 4), 65)


def test_played_off_the_grid_is_read_on_it() -> None:
    score = voice_of((0.02, 0.4, 60), (0.53, 0.4, 62), (0.97, 0.9, 64), (2.04, 1.8, 65), program=73)
    assert kinds(score) == ["eighth", "eighth", "quarter", "half"]


def test_a_triplet_is_heard_and_a_late_eighth_is_not_one() -> None:
    triplet = voice_of((0.01, 0.3, 60), (0.34, 0.3, 62), (0.655, 0.3, 64), program=73)
    assert [at for at, _, _ in shown(triplet)] == [0, Fraction(1, 3), Fraction(2, 3)]
    late = voice_of((0, 0.5, 60), (0.54, 0.4, 62), program=73)
    assert [at for at, _, _ in shown(late)] == [0, Fraction(1, 2)]


def test_small_rests_go_into_the_note_before() -> None:
    score = parse(
        "KEY: C major | METER: 4/4 | TEMPO: 100 | GRID: 16th | BARS: 1\nVOICES: B[prog=33]\n"
        "@1 [C]\n  B: C2@1>3 C2@7>1 E2@9>6\n"
    )
    assert kinds(score) == ["quarter", "r-eighth", "eighth", "quarter.", "r-eighth"]


def test_longer_rests_stay() -> None:
    score = voice_of((0, 0.5, 60), (1, 0.5, 62), (2, 1, 64), program=73)
    assert kinds(score) == ["eighth", "r-eighth", "eighth", "r-eighth", "quarter", "r-quarter"]


def test_drum_strokes_fill_their_beat() -> None:
    score = voice_of((0, 0.1, 42), (0.5, 0.1, 42), (1, 0.1, 42), (1.75, 0.1, 42), drums=True)
    assert kinds(score) == ["eighth", "eighth", "eighth.", "16th", "r-half"]


def test_a_chord_with_ragged_ends_is_one_chord() -> None:
    score = voice_of((0, 1.9, 60), (0, 1.8, 64), (0, 1.97, 67), (2, 2, 60))
    assert len(lay_out(legible(score)).parts[0].bars[0]) == 1


def test_held_notes_keep_a_layer_of_their_own() -> None:
    score = voice_of((0, 4, 60), (0, 1, 72), (1, 1, 74), (2, 1, 76), (3, 1, 77))
    assert len(lay_out(legible(score)).parts[0].bars[0]) == 2


def test_hands_keep_their_lines() -> None:
    right = [(i / 2, 0.5, 72 + i) for i in range(8)]
    left = [(i / 2, 0.5, (41, 48, 57, 61, 57, 48, 57, 61)[i]) for i in range(8)]  # the left crosses middle C
    layers = lay_out(voice_of(*right, *left)).parts[0].bars[0]
    assert [layer.staff for layer in layers] == [1, 2]
    assert [len(piece.span.notes) for layer in layers for piece in layer.pieces if piece.span] == [1] * 16


def test_a_line_that_crosses_middle_c_stays_in_its_hand() -> None:
    opening = [(0, 0.5, 84), (0, 0.5, 43), (0.5, 0.5, 84), (0.5, 0.5, 47)]
    line = [(1 + i / 2, 0.5, pitch) for i, pitch in enumerate((50, 55, 59, 62, 59, 55))]
    layers = lay_out(voice_of(*opening, *line)).parts[0].bars[0]
    assert [sum(piece.span is not None for piece in layer.pieces) for layer in layers] == [2, 8]


@pytest.mark.parametrize(
    ("meter", "groups"),
    [("4/4", [4, 4]), ("3/4", [2, 2, 2]), ("6/8", [3, 3]), ("7/8", [2, 2, 3]), ("5/8", [3, 2]), ("2/4", [4])],
)
def test_eighths_are_beamed_by_the_meter(meter: str, groups: list[int]) -> None:
    bar = Meter.parse(meter)
    notes = [Note(at, Q // 2, 72, 80, 0) for at in range(0, bar.ticks, Q // 2)]
    score = Score.build([Voice.of("X", notes, 73)], meters=[(0, bar)])
    pieces = lay_out(score).parts[0].bars[0][0].pieces
    starts = [index for index, beam in beams(pieces, bar).items() if beam[0] == "begin"]
    assert [b - a for a, b in zip(starts, [*starts[1:], len(pieces)], strict=True)] == groups


def test_seven_eight_is_cut_where_it_is_counted() -> None:
    pieces: list[Piece] = write_bar((), 7 * Q // 2, Meter(7, 8), cuts=[Q])
    assert [(piece.start, piece.stop) for piece in pieces] == [(0, Q), (Q, 2 * Q), (2 * Q, 7 * Q // 2)]
