"""The commands by which a person talks back: revise, and what was learnt of their taste; with their help."""

from __future__ import annotations

import json as jsonlib
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from libretto.cli.composing import HOUSE, Composing, keep_apart, say
from libretto.cli.options import Force, Json, composes
from libretto.errors import LibrettoError

if TYPE_CHECKING:
    from libretto.agents.revise import Understanding
    from libretto.formats import Edited
    from libretto.score import Score
    from libretto.tasks import RevisionTask, Run

__all__ = ["add_to", "revise", "run_revise", "run_taste", "taste"]


def add_to(app: typer.Typer) -> None:
    """Put the commands among those of an app."""
    for command in (revise, taste):
        app.command()(command)


@composes(without=("replay", "run"))
def revise(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The folder of a run, or a piece in any format.")],
    words: Annotated[list[str], typer.Argument(metavar="WORDS", help="What should change, in plain words.")],
    how: Composing = HOUSE,
    genre: Annotated[str | None, typer.Option("--genre", help="The genre of a piece that is no run.")] = None,
    show: Annotated[bool, typer.Option("--show", help="Only say what the words were taken to mean.")] = False,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="OUT", help="The piece: any format by its suffix.")
    ] = None,
    remember: Annotated[bool, typer.Option(help="Count what was asked for, where taste is on.")] = True,
    force: Force = False,
    json: Json = False,
) -> None:
    """Change a piece as told in words; what they were taken to mean is shown first, everything else stays as it is.

    A run keeps each revision in a folder of its own inside it. Exits with 1 where a wish could not be granted.

    Example: libretto revise runs/waltz "the melody is too cheerful, and a darker bridge"
    """
    run_revise(run, " ".join(words), how, genre, show, output, remember, force, json)


def taste(
    switch: Annotated[str, typer.Argument(metavar="[on|off]", help="Use what you usually ask for, or do not.")] = "",
    json: Json = False,
) -> None:
    """Say what was learnt of your taste and where the file is; on and off switch it. It is off until you say on.

    Example: libretto taste on
    """
    run_taste(json, switch)


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
    from libretto.report.run import round_line

    keep_apart(output, force=force)
    reading = read_revision(place, words, genre=genre, ledger=how.ledger())
    task = _task_of(reading)
    if show:
        _show(task, reading, json)
        return
    if reading.folder is None and not output:
        raise LibrettoError("say where to put the piece: -o revised.mid")
    folder = str(reading.folder) if reading.folder is not None else None
    run = replace(how, folder=folder).play(task, lambda made: say(round_line(made)))
    if run.score is None or run.best.receipt is None:
        raise LibrettoError("no draft could be read")
    if remember and run.passed and (kept := keep(task.wishes)) is not None:
        say(f"counted in {kept} (libretto taste)")
    edited = _written(run.score, place if reading.folder is None else "", output, force)
    paths = _files(run, reading, output)
    if json:
        _print_json(run, reading, edited, paths)
    else:
        wrote = [*([edited.line()] if edited is not None else []), *(f"wrote {path}" for path in paths)]
        typer.echo("\n".join([*run.best.receipt.lines, "", run.best.feedback, "", *wrote]))
    raise typer.Exit(0 if run.passed else 1)


def _files(run: Run, reading: Understanding, output: str | None) -> list[str]:
    """Where the piece was written; a run's own folder gets its files here."""
    from libretto.report.run import export_run

    paths = [output] if output else []
    if reading.folder is not None:
        paths += [str(path) for path in export_run(run, reading.folder, "revision", sound=False, score=False, say=say)]
    return paths


def _print_json(run: Run, reading: Understanding, edited: Edited | None, paths: list[str]) -> None:
    """Print what came of a revision, for programs."""
    data = {"passed": run.passed, "best": run.best.to_dict(), "unread": list(reading.unread), "files": paths}
    data |= {"file": edited.to_dict()} if edited is not None else {}
    typer.echo(jsonlib.dumps(data, ensure_ascii=False))


def _written(score: Score, source: str, output: str | None, force: bool) -> Edited | None:
    """Write the piece, into its file where it came from one; None where no file was asked for or it came from a run."""
    from libretto.formats import write, write_edited

    if output and source:
        return write_edited(score, source, output, force=force)
    if output:
        write(score, output, force=force)
    return None


def _show(task: RevisionTask, reading: Understanding, json: bool) -> None:
    """Print what the words were taken to mean, for programs; a person has been told on the way."""
    if json:
        data = {"wishes": [wish.to_dict() for wish in task.wishes], "unread": list(reading.unread)}
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))


def _task_of(reading: Understanding) -> RevisionTask:
    """The task that the words ask for; what was understood and what not is said on the way."""
    for clause in reading.unread:
        say(f"not understood: {clause}")
    if reading.task is None:
        raise LibrettoError("nothing was understood; say for example 'a darker bridge' or 'the bass is too busy'")
    for wish in reading.task.wishes:
        say(f"wish: {wish.text}")
    return reading.task


def run_taste(json: bool, switch: str = "") -> None:
    """Switch the taste where that is asked for, print it and say where its file is."""
    from libretto.agents.revise import load_taste, switch_taste, taste_path

    if switch not in ("", "on", "off"):
        raise LibrettoError(f"taste: {switch!r} is neither on nor off")
    if switch:
        switch_taste(switch == "on")
    taste, path = load_taste(), taste_path()
    if json:
        data = {"file": str(path), "exists": path.is_file(), "on": taste.on, "leanings": taste.leanings}
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))
        return
    state = "it is on" if taste.on else "it is off: nothing is counted and nothing leans to it (libretto taste on)"
    lines = [f"usually wanted: {words}" for words in taste.words]
    if taste.on and not lines:
        lines = ["nothing was asked for often enough to count" if taste.asked else "nothing is known yet"]
    typer.echo("\n".join([state, *lines, f"file: {path} (edit or delete it freely)"]))
