"""The commands under ``libretto listen``, and their help."""

from __future__ import annotations

from typing import Annotated

import typer

from libretto.cli.listen_make_app import make

__all__ = ["listen_app", "report", "run"]

listen_app = typer.Typer(
    name="listen",
    help="Test how well ears hear: our own, a model's, or none at all.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

listen_app.command()(make)

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


@listen_app.command()
def run(
    manifest: Annotated[str, typer.Option("--manifest", metavar="CSV", help="The table of trials.")],
    audio: Annotated[str, typer.Option("--audio", metavar="DIR", help="The folder its clips lie in.")],
    ear: Annotated[str, typer.Option("--ear", help="local, oracle, constant, scripted:FILE or a model.")] = "local",
    condition: Annotated[str, typer.Option("--condition", help="logiclm, cot or standalone.")] = "logiclm",
    tasks: Annotated[
        list[str] | None, typer.Option("--tasks", help="Only these tasks: again for more, or with commas.")
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="So many trials of each task.")] = None,
    few_shot: Annotated[int, typer.Option("--few-shot", min=0, max=16, help="So many examples for models.")] = 16,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed, another order and other names.")] = 0,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="DIR", help="Keep every call here; goes on if stopped.")
    ] = None,
    baselines: Annotated[
        bool | None,
        typer.Option("--baselines/--no-baselines", help="All three baselines; local only with -o if not said."),
    ] = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Ask again where a call failed.")] = False,
    json: Json = False,
) -> None:
    """Let an ear hear a suite: syncopation, transposition, chords, contours; solvers decide from what it writes.

    A run into a folder that was stopped goes on and pays for nothing twice.

    Example: libretto listen run --manifest muse/manifest.csv --audio muse/audio --ear local -o heard
    """
    from libretto.cli.listen_commands import run_listen

    run_listen(
        manifest, audio, ear, condition, tasks or [], limit, few_shot, seed, output, baselines, retry_failed, json
    )


@listen_app.command()
def report(
    folders: Annotated[list[str], typer.Argument(metavar="DIR...", help="Folders of runs that are over.")],
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="A .md, .html or .json file.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the output if it exists.")] = False,
    json: Json = False,
) -> None:
    """Set runs side by side: accuracy by item, recall, faults and repairs, baselines and published figures.

    Example: libretto listen report heard other-model -o listening.html
    """
    from libretto.cli.listen_commands import run_report

    run_report(folders, output, force, json)
