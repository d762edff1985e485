"""Teams from the command line: every form of the piece, the comparison, and the bench that goes on where it stopped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from libretto.cli import app

BRIEF = "A nostalgic chanson in C major, slow, C Am Dm G over 16 bars, accordion, violin and upright bass."


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIBRETTO_HOME", str(tmp_path / "home"))


def test_a_team_writes_every_form_and_is_set_beside_one_agent(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    said = CliRunner().invoke(
        app,
        [
            "compose",
            BRIEF,
            "--composer",
            "scripted",
            "--team",
            "composerx",
            "--beside",
            "single",
            "-o",
            str(folder),
            "--json",
        ],
    )
    assert said.exit_code == 0, said.output
    data = json.loads(said.stdout.strip().splitlines()[-1])
    assert {Path(path).suffix for path in data["files"]} >= {".libretto", ".mid", ".musicxml", ".html"}
    assert [row["hands"].split()[0] for row in data["beside"]] == ["composerx", "single"]
    assert "| composerx |" in (folder / "beside.md").read_text()
    again = tmp_path / "again"
    replayed = CliRunner().invoke(
        app, ["compose", "--replay", str(folder), "-o", str(again), "--no-sound", "--no-notation", "--no-page"]
    )
    assert replayed.exit_code == 0, replayed.output
    assert (again / "best.libretto").read_bytes() == (folder / "best.libretto").read_bytes()


def test_the_bench_of_teams_goes_on_where_it_stopped(tmp_path: Path) -> None:
    briefs = tmp_path / "briefs.txt"
    briefs.write_text(f"{BRIEF}\n")
    command = [
        "bench",
        "teams",
        "--briefs",
        str(briefs),
        "--team",
        "cocomposer",
        "--rounds",
        "1",
        "-o",
        str(tmp_path / "b"),
        "--json",
    ]
    first, second = (CliRunner().invoke(app, command) for _ in range(2))
    assert first.exit_code == 0, first.output
    rows = [json.loads(each.stdout.strip().splitlines()[-1]) for each in (first, second)]
    assert rows[0] == rows[1]
    assert [row["hands"] for row in rows[0]] == ["cocomposer", "single beside cocomposer"]
    assert all(row["read"] for row in rows[0])


def test_a_dry_run_asks_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = CliRunner().invoke(
        app, ["compose", BRIEF, "--composer", "anthropic:none", "--team", "composerx", "--dry-run"]
    )
    assert said.exit_code == 0, said.output
    assert "tokens in" in said.output
    assert not list(tmp_path.glob("runs*"))


def test_an_unknown_team_is_one_line() -> None:
    said = CliRunner().invoke(app, ["compose", BRIEF, "--composer", "scripted", "--team", "nobody"])
    assert said.exit_code != 0
    assert "there is no team" in str(said.exception)
