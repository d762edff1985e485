"""Known faults of dependencies: said in lines, held against a kept copy, and never "none" where nothing was asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lab import dependencies

REPORT = {
    "dependencies": [
        {"name": "numpy", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]},
        {"name": "typer", "version": "2.0", "vulns": []},
    ]
}


def test_faults_are_lines() -> None:
    assert dependencies.faults_in(REPORT) == ["numpy 1.0: PYSEC-1; mended in 1.1"]


def test_a_copy_speaks_of_its_own_versions_alone() -> None:
    same = {"numpy": "1.0", "typer": "2.0"}
    assert dependencies.held_against(REPORT, same) == (["numpy 1.0: PYSEC-1; mended in 1.1"], [])
    newer = {"numpy": "1.1", "typer": "2.0"}
    assert dependencies.held_against(REPORT, newer) == ([], ["numpy"])


def test_what_was_not_asked_is_not_none(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(dependencies, "_ask", lambda: "no network")
    assert dependencies.main([]) == 2
    assert "not checked: no network" in capsys.readouterr().err


def test_a_known_fault_ends_with_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(dependencies, "_ask", lambda: REPORT)
    copy = tmp_path / "faults.json"
    assert dependencies.main(["--copy", str(copy)]) == 1
    assert json.loads(copy.read_text(encoding="utf-8")) == REPORT
    monkeypatch.setattr(dependencies, "_installed", lambda: {"typer": "2.0"})
    assert dependencies.main(["--from", str(copy)]) == 0
    assert "no known faults" in capsys.readouterr().out
