"""What is open when the studio begins: a file as a piece, or a piece that is composed for show."""

from __future__ import annotations

import os
from pathlib import Path

from libretto.workspace import Workspace, begin_piece, source_of
from libretto.workspace.versions import now

__all__ = ["BRIEF", "open_demo", "open_file"]

#: What the piece for show is composed from.
BRIEF = (
    "Night Bus Home: a relaxed funk tune in G minor at 96 bpm, Gm7 Cm7 Eb Dm7 over 32 bars, with tenor saxophone "
    "leading, electric piano, electric bass and drums."
)
_NAME, _SEED = "night-bus-home", 7


def open_file(workspace: Workspace, path: str | os.PathLike[str], author: str) -> str:
    """A file as a piece, and its name: the piece that it was opened as before, where it still holds the same."""
    from libretto.formats import format_of, read_bytes
    from libretto.workspace import name_for

    format, data = format_of(path), read_bytes(path)
    score = format.decode(data)
    name = name_for(Path(path).stem)
    log = workspace.log(name)
    if log and workspace.score(name, 1) == score:
        return name
    about = source_of(workspace, data, format) or None
    said = f"from {Path(path).name}"
    return begin_piece(workspace, name, score, author=author, time=now(), message=said, about=about)[0]


def open_demo(workspace: Workspace) -> str:
    """A composed piece, and its name; composed once a workspace."""
    from libretto.agents.loop import compose
    from libretto.contract import contract_to_toml

    if workspace.log(_NAME):
        return _NAME
    run = compose(BRIEF, seed=_SEED)
    if run.score is None:
        return ""
    about = {"brief": BRIEF, "contract": contract_to_toml(run.task.contract)}
    about |= {"genre": run.task.genre} if run.task.genre else {}
    return begin_piece(workspace, _NAME, run.score, author=run.composer, time=now(), message=BRIEF, about=about)[0]
