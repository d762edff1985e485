"""The commands, gathered."""

from __future__ import annotations

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
    tasks,
    teaching,
    workspace,
    writing,
)
from libretto.cli.bench import bench_app
from libretto.cli.corpus import corpus_app
from libretto.cli.listen import listen_app
from libretto.cli.options import bare_app
from libretto.cli.prompts import prompts_app
from libretto.cli.study import study_app

__all__ = ["app"]

app = bare_app()
for _group in (
    render, knowledge, compose, correcting, tasks, revise, writing, teaching, listen, workspace, files, comparing,
    measuring, doctor,
):  # fmt: skip
    _group.add_to(app)
for _family in (bench_app, corpus_app, listen_app, study_app, prompts_app):
    app.add_typer(_family)
