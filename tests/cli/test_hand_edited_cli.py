"""Runs edited by hand meet every command that reads them: one line and exit code 2, never a traceback."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

if sys.platform == "win32":
    pytest.skip("children are forked", allow_module_level=True)

from fuzzing.stopping import Command, said_by

_BRIEF = "A slow waltz in C major over 4 bars for solo piano."
_QUIET = ("--no-sound", "--no-notation", "--no-page")
_MODEL = ("--composer", "scripted", "--rounds", "1", *_QUIET)
#: The commands that take up a run, by name.
COMMANDS: dict[str, tuple[str, ...]] = {
    "resume": ("compose", _BRIEF, *_MODEL, "-o", "run"),
    "replay": ("compose", "--replay", "run", *_QUIET, "-o", "again"),
    "revise": ("revise", "run", "slower", "--show"),
    "report": ("report", "run/best.libretto", "--run", "run", "-o", "page.html", "--no-sound", "--no-notation"),
    "submit": ("submit", "hand", "run/best.libretto"),
}
Edit = Callable[[Any], Any]


def _set(*path: str, value: Any) -> Edit:
    """An edit that puts a value at a place of some data."""

    def edit(data: Any) -> Any:
        inner = data
        for name in path[:-1]:
            inner = inner[name]
        inner[path[-1]] = value
        return data

    return edit


def _without(*path: str) -> Edit:
    def edit(data: Any) -> Any:
        inner = data
        for name in path[:-1]:
            inner = inner[name]
        del inner[path[-1]]
        return data

    return edit


_HUGE = 10**400
_CALL, _ROUND = "calls/r1-001.json", "round-1.json"
#: What is edited, how, and which commands are to read it; each says whether it must be noticed.
EDITS: dict[str, tuple[str, Edit, tuple[str, ...]]] = {
    "a reply with another key": (_CALL, _set("reply", "mood", value="x"), ("replay", "resume")),
    "a reply that is a list": (_CALL, _set("reply", value=["x"]), ("replay", "resume")),
    "a number for the text of a reply": (_CALL, _set("reply", "text", value=3), ("replay", "resume")),
    "tokens as text": (_CALL, _set("reply", "tokens_in", value="many"), ("replay", "resume")),
    "tokens without end": (_CALL, _set("reply", "tokens_in", value=_HUGE), ("replay",)),
    "no reply at all": (_CALL, _without("reply"), ("replay", "resume")),
    "a call that is a list": (_CALL, lambda data: [data], ("replay",)),
    "messages of another shape": (_CALL, _set("messages", value=3), ("replay",)),
    "a round's number as text": (_ROUND, _set("number", value="x"), ("resume", "revise", "report")),
    "a round's cost as text": (_ROUND, _set("cost", value="x"), ("resume", "report")),
    "a cost without end": (_ROUND, _set("cost", "seconds", value=_HUGE), ("resume",)),
    "notes as a number": (_ROUND, _set("notes", value=7), ("resume", "revise", "report")),
    "a seed that is no number": ("run.json", _set("seed", value="x"), ("replay", "resume")),
    "a contract of another shape": ("run.json", _set("contract", value=[1]), ("replay", "revise", "report")),
    "a brief that is a list": ("run.json", _set("brief", value=["x"]), ("revise", "replay")),
    "rounds without end": ("summary.json", _set("rounds", value=float("inf")), ("replay", "revise")),
    "the best of no number": ("summary.json", _set("best", value={}), ("revise", "report")),
    "files of another shape": ("files.json", lambda data: ["x"], ("resume",)),
    "files that are numbers": ("files.json", lambda data: {"waltz.mid": 3}, ("resume",)),
    "what was shown, of another shape": ("shown.json", lambda data: {"concepts": 3, "excerpts": None}, ("resume",)),
    "a task made otherwise": ("../hand/run.json", _set("made", value={"kind": 3}), ("submit",)),
    "a task of another kind": ("../hand/run.json", _set("made", "kind", value="fame"), ("submit",)),
    "a task with other words": ("../hand/run.json", _set("made", "arguments", value=7), ("submit",)),
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a scripted model and one that takes drafts."""
    from libretto.agents.session import start_run
    from libretto.tasks import make_task

    base = tmp_path_factory.mktemp("runs")
    status, said = _run(base, COMMANDS["resume"])
    assert status in (0, 1), said
    start_run(make_task("compose", [_BRIEF], {}), base / "hand")
    return base


def _run(folder: Path, words: tuple[str, ...]) -> tuple[int, str]:
    def run() -> None:
        from libretto.cli import main

        sys.argv = ["libretto", *words]
        main()

    said = folder.parent / f"{folder.name}.said"
    child = said_by(Command(lambda path: None, run), folder, said)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return status, said.read_text(encoding="utf-8", errors="replace")


def _check(name: str, commands: tuple[str, ...], runs: Path, tmp_path: Path) -> None:
    file, edit, _ = EDITS[name]
    for command in commands:
        work = tmp_path / command
        shutil.copytree(runs, work)
        path = work / "run" / file
        data = json.loads(path.read_bytes()) if path.is_file() else {}
        path.write_text(json.dumps(edit(data)), encoding="utf-8")
        status, said = _run(work, COMMANDS[command])
        assert status in (0, 1, 2), (command, status, said)
        assert "Traceback" not in said
        if status == 2:
            assert said.strip().splitlines()[-1].startswith("libretto: "), said


#: One for every file and command; the slow test walks all.
QUICK = {
    "a number for the text of a reply": "replay",
    "a round's cost as text": "resume",
    "a contract of another shape": "revise",
    "notes as a number": "report",
    "files of another shape": "resume",
    "a task made otherwise": "submit",
}


@pytest.mark.parametrize("name", QUICK)
def test_what_was_edited_by_hand_is_one_line(name: str, runs: Path, tmp_path: Path) -> None:
    _check(name, (QUICK[name],), runs, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", EDITS)
def test_every_edit_meets_every_command_that_reads_it(name: str, runs: Path, tmp_path: Path) -> None:
    _check(name, EDITS[name][2], runs, tmp_path)
