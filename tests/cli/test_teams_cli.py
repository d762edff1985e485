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


def test_several_composers_and_own_prompts_stand_in_one_table(tmp_path: Path) -> None:
    (tmp_path / "briefs.txt").write_text(f"{BRIEF}\n")
    (tmp_path / "words" / "cocomposer").mkdir(parents=True)
    (tmp_path / "words" / "cocomposer" / "melody.md").write_text("You write MY tunes in ABC notation.")
    said = CliRunner().invoke(
        app,
        ["bench", "teams", "--briefs", str(tmp_path / "briefs.txt"), "--team", "cocomposer", "--team", "single-plain",
         "--composer", "scripted", "--composer", "scripted:house+empty@2", "--beside", "", "--rounds", "1", "--abc",
         "--prompts", str(tmp_path / "words"), "-o", str(tmp_path / "b"), "--json"],
    )  # fmt: skip
    assert said.exit_code == 0, said.output
    rows = {row["hands"]: row for row in json.loads(said.stdout.strip().splitlines()[-1])}
    assert list(rows) == [
        f"{team} by {who}" for who in ("scripted", "scripted:house+empty@2") for team in ("cocomposer", "single-plain")
    ]
    assert rows["cocomposer by scripted"]["once"]
    assert not rows["cocomposer by scripted:house+empty@2"]["once"]  # its second reply was asked for again
    assert rows["cocomposer by scripted:house+empty@2"]["read"]
    assert all(row["abc_length"] > 300 for row in rows.values())
    assert all(row["bar_faults"] == row["alignment_faults"] == 0 for row in rows.values())
    table = (tmp_path / "b" / "teams.md").read_text()
    assert "| cocomposer by scripted | 1 | 100.0% |" in table
    assert "| cocomposer by scripted:house+empty@2 | 1 | 0.0% |" in table
    call = json.loads((tmp_path / "b" / "cocomposer-scripted" / "001" / "calls" / "r1-002.json").read_text())
    assert call["messages"][0]["text"] == "You write MY tunes in ABC notation."
