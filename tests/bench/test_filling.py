"""The bench of fills: its gaps, its rows, and what it makes of a small folder of our own songs."""

from __future__ import annotations

from pathlib import Path

import pytest

from libretto import write
from libretto.bench.filling import PARTS, FilledCase, Filling, bench_filling, filling_lines, gap_of
from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.house import compose_score
from libretto.score import Score


def case(
    task: str, passed: bool, first: float | None = None, best: float | None = None, same: bool = True
) -> FilledCase:
    return FilledCase(task, "a.mid", "jazz", "middle", passed, False, 2, same, () if passed else ("fit",), first, best)


def test_gaps_are_of_four_to_sixteen_bars() -> None:
    for bars in (24, 40, 200):
        song = Score.build([], bars=bars)
        for part in PARTS:
            first, last = gap_of(song, part)
            assert 4 <= last - first + 1 <= 16
            assert 1 <= first <= last <= bars
        assert gap_of(song, "ending")[1] == bars


def test_rows_and_marks() -> None:
    good = Filling("house", tuple(case("fill", number < 3, 1.0, 0.9) for number in range(4)))
    assert good.passed
    assert any("3 within the rounds" in line for line in filling_lines(good))
    assert not Filling("house", (case("fill", True, 1.0, 1.1),)).passed
    assert not Filling("house", (case("extend", True, same=False),)).passed
    assert "MISSED" in "\n".join(filling_lines(Filling("house", (case("accompany", False),))))


def test_a_small_folder_is_measured(tmp_path: Path) -> None:
    with pytest.raises(LibrettoError, match="not enough songs"):
        bench_filling(str(tmp_path))
    (tmp_path / "pop").mkdir()
    for number in range(5):
        song = compose_score(Contract.from_brief("A pop rock song in G major over 24 bars"), number)
        write(song, tmp_path / "pop" / f"{number}.mid")
    result = bench_filling(str(tmp_path), songs=1, others=1, rounds=1, jobs=1)
    assert [each.task for each in result.cases] == ["fill"] * 3 + ["accompany", "extend"]
    assert all(each.identical for each in result.cases)
    assert result.to_dict()["cases"]


def test_by_the_printed_gates_there_are_fills_alone(tmp_path: Path) -> None:
    (tmp_path / "pop_rock").mkdir()
    for number in range(5):
        song = compose_score(Contract.from_brief("A pop rock song in G major over 24 bars"), number)
        write(song, tmp_path / "pop_rock" / f"{number}.mid")
    result = bench_filling(str(tmp_path), songs=1, others=1, rounds=1, jobs=1, gates="paper")
    assert [each.task for each in result.cases] == ["fill"] * 3
    assert all("extremes" in each.draft for each in result.cases)
    with pytest.raises(LibrettoError, match="gates"):
        bench_filling(str(tmp_path), songs=1, others=1, gates="nobody")
