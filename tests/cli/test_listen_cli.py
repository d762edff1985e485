"""``libretto listen`` as a person meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from listening import write_suite
from typer.testing import CliRunner

from libretto.cli import app
from libretto.errors import LibrettoError

RUNNER = CliRunner()


def arguments(folder: Path, *more: str) -> list[str]:
    manifest, audio = write_suite(folder)
    return ["listen", "run", "--manifest", str(manifest), "--audio", str(audio), *more]


def test_a_run_prints_its_summary_as_json(tmp_path: Path) -> None:
    done = RUNNER.invoke(app, arguments(tmp_path, "--ear", "oracle", "--tasks", "contour,transposition", "--json"))
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)["tasks"]
    assert set(found) == {"contour", "transposition"}
    for each in found.values():
        assert (each["trials"], each["right"], each["accuracy"], each["parse_errors"]) == (1, 1, 1.0, 0)


def test_a_scripted_run_is_kept_and_reported(tmp_path: Path) -> None:
    replies = tmp_path / "replies.jsonl"
    replies.write_text(json.dumps("I cannot hear anything.") + "\n")
    out = tmp_path / "run"
    words = ["--ear", f"scripted:{replies}", "--baselines", "-o", str(out), "--limit", "1"]
    done = RUNNER.invoke(app, arguments(tmp_path, *words))
    assert done.exit_code == 0, done.output
    assert "unparsed 1" in done.output
    calls = (out / "calls.jsonl").read_text()
    assert RUNNER.invoke(app, arguments(tmp_path, *words)).exit_code == 0
    assert (out / "calls.jsonl").read_text() == calls
    shown = RUNNER.invoke(app, ["listen", "report", str(out)])
    assert "## Transposition" in shown.stdout
    for suffix in ("md", "html", "json"):
        target = tmp_path / f"report.{suffix}"
        assert RUNNER.invoke(app, ["listen", "report", str(out), "-o", str(target)]).exit_code == 0
        assert "musicians" in target.read_text()
    data = json.loads(RUNNER.invoke(app, ["listen", "report", str(out), "--json"]).stdout)
    assert len(data["sections"]) == 6


@pytest.mark.parametrize(
    "words",
    [["--ear", "gold"], ["--ear", "oracle", "--condition", "guess"], ["--ear", "oracle", "--tasks", "smell"]],
)
def test_wrong_words_are_one_line(tmp_path: Path, words: list[str]) -> None:
    done = RUNNER.invoke(app, arguments(tmp_path, *words))
    assert isinstance(done.exception, LibrettoError)
    assert "\n" not in str(done.exception)


def test_a_report_has_a_kind(tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert RUNNER.invoke(app, arguments(tmp_path, "--ear", "constant", "-o", str(out))).exit_code == 0
    done = RUNNER.invoke(app, ["listen", "report", str(out), "-o", str(tmp_path / "report.pdf")])
    assert isinstance(done.exception, LibrettoError)
