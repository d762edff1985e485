"""Table 3: rows from one registry, finished cases kept, pairs chosen by a seed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tunes import tune

from libretto import write
from libretto.bench.application import Application, rows
from libretto.bench.application.cases import choose_pairs, cut_together
from libretto.bench.application.playing import bench_applications, row_names
from libretto.bench.application.table import Applied, Table, applications_lines, loop_cases, table_json, table_markdown
from libretto.bench.rivals import budget, published_gate, slide
from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.house import compose_score
from libretto.report.plots import loop_effect
from libretto.score import take_bars


def test_rows_are_registered() -> None:
    assert {"compose", "retrieval", "fill", "accompany", "extend", "morph", "drill"} <= set(row_names())
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
    row = Application("A row", "1/2", "2/2", 0.9, lambda music: [], lambda case, composer, rounds: {})
    outcomes = ({"single": False, "passed": True}, {"single": False, "passed": False, "failed": ["order"]})
    table = Table("house", 3, (Applied("row", row, outcomes),))
    assert not table.passed
    lines = applications_lines(table)
    assert any("MISSED" in line for line in lines)
    assert any("order 1" in line for line in lines)


def fills(tmp_path: Path) -> Table:
    (tmp_path / "pop").mkdir()
    for number in range(5):
        song = compose_score(Contract.from_brief("A pop rock song in G major over 24 bars"), number)
        write(song, tmp_path / "pop" / f"{number}.mid")
    return bench_applications(names=["fill"], music=str(tmp_path), limit=2, rounds=1, folder=tmp_path / "out", jobs=1)


def test_fills_stand_beside_references_and_the_published_gate(tmp_path: Path) -> None:
    table = fills(tmp_path)
    applied = table.applied[0]
    assert [each["group"] for each in applied.outcomes] == ["opening", "middle"]
    figures = applied.figures
    assert figures["everything else identical"] == 1
    for name in ("best round", "song's own bars pasted", "bars of another song of the genre"):
        assert 0 <= figures[f"songs beaten, {name}"] <= 1
    assert 0 <= figures["published gate: real extremes"] <= 29
    page = table_markdown(table, ["plot.png"])
    assert "| - opening |" in page
    assert "![plot.png](plot.png)" in page
    assert all(case[0] in page for case in loop_cases(applied))
    assert json.loads(table_json(table))["rows"][0]["improved"] == 0  # there was one round only
    again = bench_applications(names=["fill"], music=str(tmp_path), limit=2, rounds=1, folder=tmp_path / "out", jobs=1)
    assert again.to_dict() == table.to_dict()


def test_retrieval_changes_nothing_for_who_reads_no_page() -> None:
    outcome = rows["drill"].play(rows["drill"].cases(None)[0], "house", 3)
    assert outcome["figures"]["the two drafts are the same"] == 1
    assert outcome["single"]


def test_a_slide_finds_what_was_pasted_but_not_itself() -> None:
    song = tune(1, bars=24)
    assert slide(take_bars(song, 9, 12), song) == 1
    assert slide(take_bars(song, 9, 12), song, (8, 11)) < 1
    assert published_gate(song, song, 9, 12, "jazz").copied < 1
    assert 3 <= budget("jazz") <= 6


def test_the_rounds_are_drawn() -> None:
    pytest.importorskip("matplotlib")
    cases = [("one", -1.0, 0.2, True), ("two", -0.5, -0.5, False)]
    assert loop_effect("A row", cases) == loop_effect("A row", cases)
    assert loop_effect("A row", cases).startswith(b"\x89PNG")


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


def test_what_a_model_costs_is_expected_and_counted(tmp_path: Path) -> None:
    from libretto.bench.application.playing import bench_applications, expected_applications

    (cases, sent, back) = expected_applications(["drill"], limit=1, rounds=1)["drill"]
    assert cases == 1
    table = bench_applications("scripted", names=["drill"], limit=1, rounds=1, jobs=1, folder=tmp_path)
    assert table.spent == (sent, back, 0.0)
    assert sent > back > 0
