"""What the commands for talking back do: read, call, print."""

from __future__ import annotations

import json as jsonlib
import sys
from dataclasses import replace
from pathlib import Path

import typer

from libretto.cli.model_options import Composing
from libretto.errors import FileExists, LibrettoError

__all__ = ["run_revise", "run_taste"]


def _say(line: str) -> None:
    print(f"libretto: {line}", file=sys.stderr)


def run_revise(
    place: str,
    words: str,
    how: Composing,
    genre: str | None,
    show: bool,
    output: str | None,
    remember: bool,
    force: bool,
    json: bool,
) -> None:
    """Read the words, show what they mean, have them done; exit 1 where a wish was not granted."""
    from libretto.agents.revise import read_revision
    from libretto.agents.revise import remember as keep
    from libretto.formats import write
    from libretto.report.run import export_run, round_line

    if output and output != "-" and Path(output).exists() and not force:
        raise FileExists(f"{output} exists; --force replaces it")
    reading = read_revision(place, words, genre=genre, ledger=how.ledger())
    for clause in reading.unread:
        _say(f"not understood: {clause}")
    if reading.task is None:
        raise LibrettoError("nothing was understood; say for example 'a darker bridge' or 'the bass is too busy'")
    for wish in reading.task.wishes:
        _say(f"wish: {wish.text}")
    if show:
        if json:
            data = {"wishes": [wish.to_dict() for wish in reading.task.wishes], "unread": list(reading.unread)}
            typer.echo(jsonlib.dumps(data, ensure_ascii=False))
        return
    if reading.folder is None and not output:
        raise LibrettoError("say where to put the piece: -o revised.mid")
    folder = str(reading.folder) if reading.folder is not None else None
    run = replace(how, folder=folder).play(reading.task, lambda made: _say(round_line(made)))
    if run.score is None or run.best.receipt is None:
        raise LibrettoError("no draft could be read")
    if remember and run.passed:
        kept = keep(reading.task.wishes)
        if kept is not None:
            _say(f"counted in {kept} (libretto taste)")
    paths = []
    if output:
        write(run.score, output, force=force)
        paths.append(output)
    if reading.folder is not None:
        paths += [str(path) for path in export_run(run, reading.folder, "revision", sound=False, score=False, say=_say)]
    if json:
        data = {"passed": run.passed, "best": run.best.to_dict(), "unread": list(reading.unread), "files": paths}
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))
    else:
        wrote = [f"wrote {path}" for path in paths]
        typer.echo("\n".join([*run.best.receipt.lines, "", run.best.feedback, "", *wrote]))
    raise typer.Exit(0 if run.passed else 1)


def run_taste(json: bool) -> None:
    """Print the taste and where its file is."""
    from libretto.agents.revise import load_taste, taste_path

    found, path = load_taste(), taste_path()
    if json:
        data = {"file": str(path), "exists": path.is_file(), "on": found.on, "leanings": found.leanings}
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))
        return
    state = "nothing is known yet" if not found.asked else "switched off" if not found.on else ""
    lines = [f"usually wanted: {each}" for each in found.words]
    lines = lines or [state or "nothing was asked for often enough to count"]
    typer.echo("\n".join([*lines, f"file: {path} (edit or delete it freely; on = false switches it off)"]))
