"""Writing: canonical, and the inverse of reading."""

from __future__ import annotations

from hypothesis import given
from strategies import scores

from libretto.grammar import check, digest, notate, parse
from libretto.score import WHOLE, Grid, Key, Meter, Note, Score, Voice


@given(scores())
def test_reading_is_the_inverse_of_writing(score: Score) -> None:
    assert parse(notate(score)) == score


@given(scores(irregular=True))
def test_irregular_bars_are_kept(score: Score) -> None:
    assert parse(notate(score)) == score


@given(scores(irregular=True))
def test_writing_is_canonical(score: Score) -> None:
    text = notate(score)
    assert notate(parse(text)) == text
    assert text.endswith("\n")
    assert check(text) == []


@given(scores())
def test_a_piece_has_one_digest(score: Score) -> None:
    assert digest(notate(score)) == digest(notate(score, compact=True)) == digest(score)


def test_the_layout_of_a_text() -> None:
    score = Score.build(
        [
            Voice.of("BASS", [Note.named("C2", 0, WHOLE // 4), Note.named("E2", 0, WHOLE // 4)], 33),
            Voice.of("HI", [Note.named("F#2", WHOLE // 4, WHOLE // 16, 101)], drums=True),
        ],
        bars=2,
        keys=[(0, Key.parse("C"))],
        tempos=[(0, 588_235)],
        sections=[(WHOLE, "Out")],
        chords=[("C", "F"), ("-",)],
        grids=[Grid.of(16), Grid.of(12)],
        title="Two bars",
    )
    assert notate(score) == (
        "TITLE: Two bars\n"
        "KEY: C major | METER: 4/4 | TEMPO: 102 | GRID: 16th (adaptive) | BARS: 2\n"
        "VOICES: BASS[prog=33], HI[drums]\n"
        "@1 [C | F]\n"
        "  BASS: C2+E2@1>4\n"
        "  HI  : F#2@5>1^101\n"
        "@2 [-] (grid:12t) (section:Out)\n"
    )


def test_chord_tones_of_different_length_or_velocity_are_not_joined() -> None:
    quarter = WHOLE // 4
    voice = Voice.of("A", [Note(0, quarter, 60), Note(0, quarter, 64, 90, 4), Note(0, 2 * quarter, 67, 80, 1)])
    body = notate(Score.build([voice])).splitlines()[-1]
    assert body == "  A: C4@1>1 E4@1>1^90 G4@1>2"


def test_every_kind_of_change_is_written_where_it_stands() -> None:
    third = WHOLE // 16 // 3
    score = Score.build(
        [],
        bar_lines=[0, WHOLE // 4, WHOLE // 4 + WHOLE, WHOLE // 4 + WHOLE + WHOLE * 3 // 4],
        meters=[(0, Meter(4, 4)), (WHOLE // 4 + WHOLE, Meter(3, 4))],
        keys=[(0, Key.parse("C")), (WHOLE // 4 + WHOLE // 2, Key.parse("Eb"))],
        tempos=[(0, 500_000), (WHOLE // 4 + WHOLE // 2 + third, 428_571)],
        grids=[Grid.of(16)] * 3,
        first_bar=0,
    )
    assert notate(score).splitlines()[2:] == [
        "@0 [-] (bar:1/4)",
        "@1 [-] (key:Eb major@9) (tempo:140@9+1/3)",
        "@2 [-] (meter:3/4)",
    ]
    assert parse(notate(score)) == score


def test_very_long_notes_and_bars_can_be_written() -> None:
    odd = 70 * WHOLE + 1
    score = Score.build([Voice.of("A", [Note(0, 900 * WHOLE + 1, 60)])], bar_lines=[0, odd, odd + WHOLE])
    assert parse(notate(score)) == score
