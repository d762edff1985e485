"""The paper grid: sixteenths and triplets by bar; nothing is lost, nothing goes far, and what is on paper stays."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from strategies import scores

from libretto import notate, parse, read
from libretto.score import QUARTER, WHOLE, Grid, Meter, Note, Score, Voice
from libretto.score.paper import PAPER_DIVISIONS, is_on_paper, on_paper, paper_table, paper_times

THIRD = Fraction(1, 3)
FINE = 630  # ticks, a 256th note
COMMON = Meter(4, 4)


def played(*starts: Fraction | float, length: Fraction | float = 0.25, meter: Meter = COMMON) -> Score:
    """One voice with those starts, in quarters, each another pitch; written on whatever grid that needs."""
    notes = [Note(int(start * QUARTER), int(length * QUARTER), 60 + 12 * (n % 4)) for n, start in enumerate(starts)]
    return Score.build([Voice.of("A", notes)], meters=((0, meter),))


def starts_of(score: Score) -> list[Fraction]:
    return [Fraction(note.onset, QUARTER) for note in score.voices[0].notes]


def check_moved(before: Score, after: Score) -> None:
    """What must hold of any piece and the same on paper."""
    assert after.bar_lines == before.bar_lines
    assert after.chords == before.chords
    for old, new in zip(before.voices, after.voices, strict=True):
        assert sorted(old.array["pitch"].tolist()) == sorted(new.array["pitch"].tolist())
        assert sorted(old.array["velocity"].tolist()) == sorted(new.array["velocity"].tolist())
    onset, duration = paper_times(before)
    table, lines = before.table, np.asarray(before.bar_lines)
    assert sorted(zip(onset.tolist(), duration.tolist(), strict=True)) == sorted(
        zip(after.table["onset"].tolist(), after.table["duration"].tolist(), strict=True)
    )
    finest = np.array([grid.division in PAPER_DIVISIONS for grid in before.grids])
    kept = finest[table["bar"]] if len(table) else np.zeros(0, dtype=bool)
    assert (onset[kept] == table["onset"][kept]).all()
    moved = np.abs(onset - table["onset"])
    at_end = table["onset"] > lines[-1] - WHOLE // 12
    assert (moved[~at_end] <= WHOLE // 24).all()
    assert (moved <= WHOLE // 12).all()


@given(scores())
def test_any_piece(score: Score) -> None:
    after = on_paper(score)
    check_moved(score, after)
    assert on_paper(after) == after
    assert parse(notate(after)) == after
    table, grids = paper_table(score)
    assert grids == after.grids
    assert sorted(table.tolist()) == sorted(after.sounds.tolist())
    assert [row[:3] for row in table.tolist()] == [row[:3] for row in after.sounds.tolist()]


@given(scores())
def test_different_notes_stay_different(score: Score) -> None:
    columns = ["voice", "pitch", "onset", "duration"]
    before, after = score.table[columns], on_paper(score).table[columns]
    moving = np.array([grid.division not in PAPER_DIVISIONS for grid in score.grids])
    if moving.all():
        assert len(np.unique(after)) == len(np.unique(before))


def test_straight_sixteenths_are_left_alone() -> None:
    piece = played(0, 0.25, 0.75, 1.5, 3.75)
    assert on_paper(piece) is piece
    short = played(0, 0.25, 0.75, 1.5, 3.75, length=Fraction(3, 32))
    assert str(short.grids[0]) == "128"
    assert starts_of(on_paper(short)) == starts_of(short)
    assert str(on_paper(short).grids[0]) == "16"


def test_swing_of_two_to_one_is_triplets() -> None:
    ticks = [beat + part for beat in range(4) for part in (0, Fraction(2, 3))]
    late = played(*[start + Fraction(1, 64) for start in ticks], length=Fraction(5, 16))
    paper = on_paper(late)
    assert starts_of(paper) == ticks
    assert str(paper.grids[0]) == "12t"
    assert {note.duration for note in paper.voices[0].notes} == {QUARTER // 3}


def test_played_sixteenths_are_straight() -> None:
    early = [0.26, 0.49, 0.76, 1.01, 1.24, 1.52, 1.74]
    paper = on_paper(played(*early))
    assert starts_of(paper) == [Fraction(n, 4) for n in range(1, 8)]
    assert not paper.grids[0].triplet


def test_a_lone_straight_offbeat_is_no_triplet() -> None:
    paper = on_paper(played(0.02, 1.53))
    assert starts_of(paper) == [0, Fraction(3, 2)]
    assert not paper.grids[0].triplet


@pytest.mark.parametrize(("finer", "label"), [(Fraction(1, 8), "32"), (Fraction(1, 6), "24t")])
def test_exact_finer_notes_keep_their_grid(finer: Fraction, label: str) -> None:
    piece = played(*[n * finer for n in range(8)], length=finer - Fraction(1, 64))
    paper = on_paper(piece)
    assert starts_of(paper) == starts_of(piece)
    assert str(paper.grids[0]) == label


def test_repeated_notes_do_not_become_one() -> None:
    roll = [Note(int((1 + n * 0.13) * QUARTER), QUARTER // 16, 36) for n in range(8)]
    piece = Score.build([Voice.of("Drums", roll, drums=True)], tempos=((0, 500_000),))
    paper = on_paper(piece)
    places = {(note.onset, note.duration) for note in paper.voices[0].notes}
    assert len(places) == 8
    assert paper.grids[0].division in (24, 32)
    closer = Score.build([Voice.of("A", [Note(n * FINE, QUARTER, 60) for n in range(5)])])
    assert len({(note.onset, note.duration) for note in on_paper(closer).voices[0].notes}) == 5


@pytest.mark.parametrize("meter", [Meter(3, 4), Meter(6, 8), Meter(7, 8), Meter(5, 4), Meter(3, 8), Meter(3, 32)])
def test_meters(meter: Meter) -> None:
    lengths = meter.ticks / QUARTER
    starts = [bar * lengths + part * lengths for bar in range(4) for part in (0.013, 0.3, 0.51, 0.74)]
    piece = played(*starts, meter=meter)
    assert not is_on_paper(piece)
    paper = on_paper(piece)
    check_moved(piece, paper)
    assert on_paper(paper) == paper
    assert parse(notate(paper)) == paper
    if meter in (Meter(6, 8), Meter(7, 8), Meter(3, 8)):
        assert not any(grid.triplet for grid in paper.grids)


def test_triplets_in_three_four_and_none_in_six_eight() -> None:
    late = [Fraction(n, 3) + Fraction(1, 50) for n in range(9)]
    assert str(on_paper(played(*late, meter=Meter(3, 4))).grids[0]) == "12t"
    duplets = [n * 0.75 + 0.01 for n in range(4)]
    assert starts_of(on_paper(played(*duplets, meter=Meter(6, 8)))) == [Fraction(3 * n, 4) for n in range(4)]


def test_pickups_and_downbeats_played_early() -> None:
    meters = ((0, Meter(1, 4)), (QUARTER, Meter(4, 4)))
    notes = [Note(n, QUARTER // 2 + 77, 60) for n in (QUARTER // 2 + 200, QUARTER - 150, 3 * QUARTER + 90)]
    piece = Score.build([Voice.of("A", notes)], meters=meters, first_bar=0)
    paper = on_paper(piece)
    assert [note.onset for note in paper.voices[0].notes] == [QUARTER // 2, QUARTER, 3 * QUARTER]
    assert paper.first_bar == 0
    assert on_paper(paper) == paper


def test_an_early_downbeat_keeps_its_length_in_a_coarse_bar() -> None:
    head = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 64th | BARS: 2\nVOICES: A\n"
    piece = parse(head + "@1 [C]\nA: C4@1>5 E4@64>4\n@2 [C] (grid:4)\nA: G4@2>1")
    paper = on_paper(piece)
    assert [(n.onset, n.duration) for n in paper.voices[0].notes][1:] == [(WHOLE, QUARTER // 4), (5 * QUARTER, QUARTER)]


def test_the_last_note_stays_in_the_piece() -> None:
    piece = Score.build([Voice.of("A", [Note(WHOLE - FINE, FINE, 60), Note(FINE, FINE, 72)])])
    assert [note.onset for note in on_paper(piece).voices[0].notes] == [0, WHOLE - QUARTER // 4]


def test_texts_keep_the_grids_of_their_authors() -> None:
    head = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 12t | BARS: 2\nVOICES: A\n"
    piece = parse(head + "@1 [C]\nA: C4@1>12\n@2 [C] (grid:32)\nA: C4@1>32")
    assert on_paper(piece) is piece
    assert piece.grids == (Grid(12, triplet=True), Grid(32))
    wrong = replace(piece, grids=(Grid(12, triplet=True), Grid(64)))
    assert [str(grid) for grid in on_paper(wrong).grids] == ["12t", "4"]


def test_published_songs_are_on_paper(shared: Path) -> None:
    paths = sorted((shared / "corpus" / "paper314").glob("*.txt"))
    assert len(paths) == 314
    assert all(is_on_paper(read(path)) for path in paths[::6])


def test_real_files(shared: Path) -> None:
    for path in sorted((shared / "midi").glob("*.mid"))[::4]:
        piece = read(path)
        paper = read(path, grid="paper")
        assert paper == on_paper(piece)
        check_moved(piece, paper)
        assert on_paper(paper) == paper
        assert all(grid.division in PAPER_DIVISIONS for grid in paper.grids), path
