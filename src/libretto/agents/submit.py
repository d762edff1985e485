"""Runs that are played by hand: a folder with the task's page inside, and drafts handed in one by one."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from pathlib import Path

from libretto.agents.folder import RunFolder, read_asked
from libretto.agents.session import Session
from libretto.errors import LibrettoError
from libretto.formats import write_bytes
from libretto.grammar import notate
from libretto.tasks import Run, Task, make_again, make_prompt

__all__ = ["BY_HAND", "start_run", "submit_draft"]

#: Who composes in a run to which drafts are handed in.
BY_HAND = "by hand"


def start_run(task: Task, folder: str | os.PathLike[str]) -> Path:
    """Start a run folder for a task made from words, with its page inside as ``prompt.md``."""
    if not task.made:
        raise LibrettoError("only a task that was made from words can be made again; use make_task")
    page = make_prompt(task)
    files: dict[str, bytes] = {}
    if (given := task.given()) is not None:  # from here on the run knows nothing of what is hidden
        music, options = given
        path, text = Path(folder).resolve() / "given.libretto", notate(music).encode()
        files = {path.name: text}
        made = {
            "kind": task.made["kind"],
            "arguments": [str(path)],
            "options": dict(sorted((task.made["options"] | options).items())),
            "files": {str(path): hashlib.sha256(text).hexdigest()},
        }
        task = replace(task, made=made)
    opened = RunFolder.open(folder, task, BY_HAND, 0, files)
    path = opened.path / "prompt.md"
    if not path.is_file():
        write_bytes(page.encode(), path)
    return path


def submit_draft(folder: str | os.PathLike[str], text: str) -> Run:
    """Judge a draft as the next round of a run; the run says what was said of it and which round is best."""
    asked = read_asked(folder)
    if asked.get("composer") != BY_HAND or not isinstance(asked.get("made"), dict):
        raise LibrettoError(f"{folder} holds a run that takes no drafts; start one with libretto task")
    task = make_again(asked["made"])
    make_prompt(task)  # what its page shows is looked for in the draft
    session = Session(task, BY_HAND, 0, folder=folder)
    session.submit(text)
    assert session.folder is not None
    session.folder.finish(session.run)
    return session.run
