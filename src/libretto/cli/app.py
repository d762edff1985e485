"""The commands, gathered; and how errors reach a person: one clear line, never a traceback."""

from __future__ import annotations

import sys

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
    rewarding,
    tasks,
    teaching,
    workspace,
    writing,
)
from libretto.cli.bench import bench_app
from libretto.cli.corpus import corpus_app
from libretto.cli.listen import listen_app
from libretto.cli.prompts import prompts_app
from libretto.cli.study import study_app
from libretto.errors import LibrettoError

__all__ = ["app", "main"]

_INTERRUPTED = 130  # the usual status of a program that was interrupted

app = typer.Typer(
    name="libretto",
    help="Compose, measure, edit and learn symbolic music.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for _group in (
    render, knowledge, compose, correcting, tasks, revise, writing, teaching, listen, workspace, files, comparing,
    measuring, rewarding, doctor,
):  # fmt: skip
    _group.add_to(app)
for _family in (bench_app, corpus_app, listen_app, study_app, prompts_app):
    app.add_typer(_family)


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
