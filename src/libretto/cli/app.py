"""The commands, gathered; and how errors reach a person: one clear line, never a traceback."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from libretto.cli import (
    comparing,
    compose,
    correcting,
    doctor,
    files,
    knowledge,
    listen,
    measuring,
    render,
    revise,
    studio,
    tasks,
    teaching,
    workspace,
    writing,
)
from libretto.cli.bench import bench_app
from libretto.cli.corpus import corpus_app
from libretto.cli.listen import listen_app
from libretto.cli.listing import CommandList
from libretto.cli.prompts import prompts_app
from libretto.cli.study import study_app
from libretto.errors import LibrettoError

__all__ = ["app", "main"]

_INTERRUPTED = 130  # the usual status of a program that was interrupted


def _version(asked: bool) -> None:
    if asked:
        from libretto.about import own_version

        typer.echo(f"libretto {own_version()}")
        raise typer.Exit


app = typer.Typer(
    name="libretto",
    cls=CommandList,
    help="Compose, measure, edit and learn symbolic music.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
#: The commands by what one wants to do; a file a group, in the order in which help lists them.
_GROUPS = {
    "Compose": (compose, correcting, tasks),
    "Change": (revise, writing),
    "Show and play": (render, studio),
    "Files and versions": (files, comparing, workspace),
    "Judge and measure": (measuring,),
    "Learn and hear": (knowledge, teaching, listen),
    "This program": (doctor,),
}
for _heading, _files in _GROUPS.items():
    for _file in _files:
        _before = len(app.registered_commands)
        _file.add_to(app)
        for _command in app.registered_commands[_before:]:
            _command.rich_help_panel = _heading
for _family in (bench_app, corpus_app, listen_app, study_app, prompts_app):
    app.add_typer(_family, rich_help_panel="Research")


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and end.", is_eager=True, callback=_version)
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line; errors that we raise on purpose become one line and exit code 2."""
    try:
        app()
    except LibrettoError as error:
        print(f"libretto: {' '.join(str(error).split())}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except KeyboardInterrupt:
        print("libretto: interrupted", file=sys.stderr)
        sys.exit(_INTERRUPTED)
    except RecursionError:
        print("libretto: the input is nested too deeply", file=sys.stderr)
        sys.exit(2)
