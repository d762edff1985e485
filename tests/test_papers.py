"""The table of the papers is whole, and every command of it that needs no model runs, on few cases."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from libretto.cli.app import app

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "papers.md"
PAPERS = ("CoComposer", "ComposerX", "Libretto", "MUSE")
#: What a row may need; the first four can be run here where they are there.
FOLDERS = {"nothing": "", "clips": "muse/audio", "songs": "corpus/midi", "paper": "corpus/paper314"}
ELSEWHERE = ("model", "others", "people", "weights")
#: What makes a command small; said last, it overrules what stands before.
SMALL = {
    "bench applications": "--limit 1 --rounds 1 --jobs 1",
    "bench drill": "--count 2 --answers 2",
    "bench gallery": "--rounds 1",
    "bench teams": "--limit 1 --rounds 1",
    "compose": "--rounds 1 --no-sound --no-notation --no-page",
    "listen run": "--limit 1",
}
#: Commands that take their time even so.
LONG = ("audit", "bench applications", "bench drill", "bench gallery", "bench representation", "bench teams", "morph")


class Row(NamedTuple):
    paper: str
    what: str
    printed: str
    command: str
    ours: str
    needs: str


def rows() -> list[Row]:
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]
    assert cells[0] == list(Row._fields)
    return [Row(*row) for row in cells[1:]]


def commands() -> list[object]:
    """Every command once, with what it needs; those that take long are marked."""
    known = dict.fromkeys((row.command.strip("`"), row.needs) for row in rows() if row.needs in FOLDERS)
    return [
        pytest.param(command, needs, marks=pytest.mark.slow if _name(command).startswith(LONG) else (), id=command[9:])
        for command, needs in known
    ]


def _name(command: str) -> str:
    return command.removeprefix("libretto ")


def small(command: str) -> str:
    """The command on few cases."""
    more = next((options for name, options in SMALL.items() if _name(command).startswith(name)), "")
    return f"{command} {more}" if "--help" not in command else command


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("papers")


def invoke(line: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, shlex.split(line)[1:])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


def test_every_row_is_whole_and_says_why_where_there_is_no_command() -> None:
    table = rows()
    assert {row.paper for row in table} == set(PAPERS)
    for row in table:
        assert all((row.what, row.printed, row.ours)), row
        assert (row.needs in FOLDERS) == bool(row.command), row
        assert row.needs in (*FOLDERS, *ELSEWHERE), row
        assert not row.command or re.fullmatch(r"`libretto [^`]+`", row.command), row
    assert len({(row.paper, row.what) for row in table}) == len(table)


@pytest.mark.parametrize(
    ("paper", "printed"),
    [
        ("Libretto", [f"table {number}" for number in (1, 2, 3)]),
        ("Libretto", [f"figure {number}" for number in (*range(1, 7), *(f"A.{part}" for part in range(1, 7)))]),
        ("CoComposer", [f"table {number}" for number in range(1, 9)]),
        ("ComposerX", [f"table {number}" for number in range(1, 8)]),
        ("ComposerX", ["figure 1", "figure 2", "figure 3", "figures 4 and 5"]),
        ("MUSE", ["table S1", "S3.1", *(f"prompt {task}{how}" for task in "123" for how in "abc")]),
    ],
)
def test_every_printed_table_figure_and_prompt_has_a_row(paper: str, printed: list[str]) -> None:
    said = [row.what for row in rows() if row.paper == paper]
    for name in printed:
        assert any(re.search(rf"\b{re.escape(name)}(?![\d.])", what) for what in said), (paper, name)


@pytest.mark.shared
@pytest.mark.parametrize(("command", "needs"), commands())
def test_commands_run(
    command: str, needs: str, out: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    folder = Path()
    if needs != "nothing":
        folder = request.getfixturevalue("shared") / FOLDERS[needs]
        if not folder.is_dir():
            pytest.skip(f"needs {folder.name} beside the checkout")
    monkeypatch.chdir(ROOT)
    prepare(command, out, folder)
    for word in (*(name.upper() for name in FOLDERS), "OUT", "REPLIES"):
        place = {"OUT": out, "REPLIES": out / "replies.jsonl"}.get(word, folder)
        command = re.sub(rf"\b{word}\b", str(place), command)
    code, said = invoke(small(command))
    assert code in (0, 1), said[-2000:]  # 1: a mark is missed, or no draft passed; what is wrong was raised
    assert said.strip()


def prepare(command: str, out: Path, folder: Path) -> None:
    """What a command finds: replies of a model that has no idea, the table of the clips, a run that is over."""
    (out / "replies.jsonl").write_text(json.dumps("I have no idea.") + "\n", encoding="utf-8")
    if "OUT/manifest.csv" in command and not (out / "manifest.csv").exists():
        assert invoke(f"libretto listen import {folder} -o {out}/manifest.csv")[0] == 0
    if "OUT/before" in command and not (out / "before").exists():
        from listening import write_suite

        manifest, audio = write_suite(out / "suite")
        line = f"libretto listen run --manifest {manifest} --audio {audio} --ear oracle --no-baselines -o {out}/before"
        assert invoke(line)[0] == 0
