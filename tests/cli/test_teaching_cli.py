"""Drill, lesson and grade as a person meets them."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from libretto.cli import app

RUNNER = CliRunner()


def test_a_drill_is_written_and_its_own_midi_grades_as_perfect(tmp_path: Path) -> None:
    text, midi = tmp_path / "d.libretto", tmp_path / "d.mid"
    for out in (text, midi):
        done = RUNNER.invoke(app, ["drill", "dorian mode", "--key", "G", "--bars", "8", "-o", str(out)])
        assert done.exit_code == 0, done.output
        assert "clauses kept" in done.output
    done = RUNNER.invoke(app, ["grade", str(midi), "--drill", str(text), "--json"])
    found = json.loads(done.output)
    assert found["score"] == 100
    assert found["mistakes"] == []
    assert found["concept_heard"] is True


def test_a_lesson_lies_in_a_folder_with_a_page(tmp_path: Path) -> None:
    folder = tmp_path / "lesson"
    arguments = ["lesson", "dorian mode", "--keys", "D,G", "--count", "2", "--bars", "8", "-o", str(folder)]
    assert RUNNER.invoke(app, arguments).exit_code == 0
    names = sorted(path.suffix for path in folder.iterdir() if path.suffix not in (".svg", ".pdf", ".html"))
    assert names == [".libretto", ".libretto", ".md", ".mid", ".mid", ".musicxml", ".musicxml"]
    page = (folder / "lesson.md").read_text()
    assert page.startswith("# Lesson: Dorian mode")
    assert "Dorian mode in G dorian" in page
    assert page.count("**Listen for it** in bar") == 2
    assert page.count("**Then write one yourself.**") == 1
    assert RUNNER.invoke(app, arguments).exit_code != 0
