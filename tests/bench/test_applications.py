"""Table 3: rows from one registry, finished cases kept, pairs chosen by a seed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tunes import tune

from libretto import write
from libretto.bench.application import Row, rows
from libretto.bench.applications import Applied, Table, applications_lines, bench_applications, row_names
from libretto.bench.morphing import choose_pairs, cut_together
from libretto.errors import LibrettoError


def test_rows_are_registered() -> None:
    assert {"compose", "morph"} <= set(row_names())
    with pytest.raises(LibrettoError, match="no application"):
        bench_applications(names=["dance"])


def test_without_music_a_row_that_needs_some_is_empty() -> None:
    table = bench_applications(names=["morph"])
    assert table.passed
    assert any("--music" in line for line in applications_lines(table))


def test_finished_cases_are_kept_and_a_cut_line_is_not(tmp_path: Path) -> None:
    kept = [{"composer": "house", "rounds_asked": 3, "case": case["case"], "single": True, "passed": True}
            for case in rows["compose"].cases(None)]  # fmt: skip
    text = "\n".join(map(json.dumps, kept)) + '\n{"composer": "hou'
    (tmp_path / "compose.jsonl").write_text(text, encoding="utf-8")
    table = bench_applications(names=["compose"], folder=tmp_path)
    assert table.applied[0].passed == 16
    assert json.loads(json.dumps(table.to_dict()))["rows"][0]["pass"] == 16


def test_a_missed_mark_is_said() -> None:
    row = Row("A row", "1/2", "2/2", 0.9, lambda music: [], lambda case, composer, rounds: {})
    outcomes = ({"single": False, "passed": True}, {"single": False, "passed": False, "failed": ["order"]})
    table = Table("house", 3, (Applied("row", row, outcomes),))
    assert not table.passed
    lines = applications_lines(table)
    assert any("MISSED" in line for line in lines)
    assert any("order 1" in line for line in lines)


def test_pairs_are_of_different_genres_and_the_same_for_the_same_seed(tmp_path: Path) -> None:
    for number in range(6):
        folder = tmp_path / ("jazz", "metal", "latin")[number % 3]
        folder.mkdir(exist_ok=True)
        write(tune(number, bars=30), folder / f"{number}.mid")
    pairs = choose_pairs(str(tmp_path), 5)
    assert pairs == choose_pairs(str(tmp_path), 5)
    assert pairs != choose_pairs(str(tmp_path), 5, seed=1)
    assert all(pair["names"][0] != pair["names"][1] for pair in pairs)
    with pytest.raises(LibrettoError, match="two genres"):
        choose_pairs(str(tmp_path / "jazz"))


def test_a_cut_has_the_bars_that_were_asked_for() -> None:
    assert cut_together(tune(1, bars=40), tune(2, bars=40), 54).bars == 54
