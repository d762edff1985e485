"""The commands, gathered."""

from __future__ import annotations

from typing import Annotated

import typer

from libretto.cli import (
    comparing,
    compose,
    correcting,
    doctor,
    editing,
    files,
    harmony,
    knowledge,
    measuring,
    render,
    revise,
    rewarding,
    spotting,
    studio,
    tasks,
    teaching,
    training,
    workspace,
    writing,
    writing_down,
)
from libretto.cli.bench import bench_app
from libretto.cli.corpus import corpus_app
from libretto.cli.listen import listen_app
from libretto.cli.options import bare_app
from libretto.cli.prompts import prompts_app
from libretto.cli.study import study_app

__all__ = ["app"]


def _version(asked: bool) -> None:
    if asked:
        from libretto.about import own_version

        typer.echo(f"libretto {own_version()}")
        raise typer.Exit


app = bare_app()
#: The commands by what one wants to do; a file a group, in the order in which help lists them.
_GROUPS = {
    "Compose": (compose, correcting, tasks),
    "Change": (revise, writing, editing),
    "Show and play": (render, studio),
    "Files and versions": (files, comparing, workspace),
    "Judge and measure": (spotting, measuring, rewarding),
    "Learn and hear": (knowledge, teaching, training, harmony, writing_down),
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
