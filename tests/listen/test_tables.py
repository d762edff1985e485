"""Figures: intervals by item, recall, baselines in every table, published figures beside."""

from __future__ import annotations

from pathlib import Path

import pytest
from listening import small_suite

from libretto.errors import LibrettoError
from libretto.listen import ModelEar, Scripted, run_suite
from libretto.listen.page import to_html
from libretto.listen.scoring import by_item, score_task
from libretto.listen.tables import load_run, sections, summary_lines, tables_data, to_markdown
from libretto.listen.trial import Outcome


def outcome(trial: int, item: int, given: str | None, answer: str = "yes", status: str = "answered") -> Outcome:
    return Outcome(f"q{trial}", "transposition", f"i{item}", answer, status, given)


def test_repeated_trials_of_an_item_do_not_narrow_the_interval() -> None:
    once = [outcome(at, at, "yes" if at % 2 else "no") for at in range(20)]
    often = [outcome(at * 50 + again, at, "yes" if at % 2 else "no") for at in range(20) for again in range(50)]
    one, many = by_item(once, lambda each: each.right), by_item(often, lambda each: each.right)
    assert one is not None
    assert many is not None
    assert one.value == many.value == 0.5
    assert (one.low, one.high) == (many.low, many.high)
    assert one.high - one.low > 0.3


def test_an_interval_of_unanimous_items_has_a_width() -> None:
    found = by_item([outcome(at, at, "yes") for at in range(10)], lambda each: each.right)
    assert found is not None
    assert found.value == found.high == 1.0
    assert found.low == pytest.approx(0.722, abs=0.001)
    assert by_item([], lambda each: True) is None


def test_no_answer_is_wrong_and_counted() -> None:
    outcomes = [
        outcome(1, 1, "yes"),
        outcome(2, 2, "yes", "no"),
        outcome(3, 3, None, "no", "undecidable"),
        outcome(4, 4, None, "no", "unparsed"),
        outcome(5, 5, None, "no", "failed"),
        outcome(6, 6, None, "no", "skipped"),
    ]
    found = score_task("transposition", outcomes)
    assert (found.trials, found.right, found.undecidable, found.parse_errors, found.skipped) == (5, 1, 1, 1, 1)
    assert found.recall == {"yes": (1, 1), "no": (0, 4)}
    assert found.accuracy is not None
    assert found.accuracy.value == 0.2


def test_every_table_has_the_baselines_and_what_is_published(tmp_path: Path) -> None:
    suite = small_suite(tmp_path)
    who = ModelEar("maker:<b>x|y", Scripted(["nothing"]))
    run = run_suite(suite, who, folder=tmp_path / "one")
    other = run_suite(suite, "oracle", folder=tmp_path / "two", baselines=())
    runs = [load_run(tmp_path / "one"), load_run(tmp_path / "two")]
    assert runs == [run, other]
    for section in sections(runs):
        assert [row.ear for row in section.rows][:3] == ["constant", "local", "oracle"]
        assert section.rows[3].ear == who.name
    text, page = to_markdown(runs), to_html(runs)
    assert "people 93%, musicians 100%" in text
    assert "people 93%, musicians 100%" in page
    assert "<b>" not in page
    assert "<b>" not in text
    assert "recall InvArch" in text
    assert len({line.count("|") for line in text.splitlines() if line.startswith("| maker") and "0, 0, 0" in line}) <= 1
    data = tables_data(runs)["sections"]
    assert [each["task"] for each in data] == sorted(each["task"] for each in data)
    assert data[-1]["reported"]["musicians"] == 1.0
    assert any("Reported by the benchmark's authors" in line for line in summary_lines(run))


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LibrettoError, match="no listening run"):
        load_run(tmp_path)
