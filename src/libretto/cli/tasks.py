"""The commands that show and play tasks, and the one that morphs; with their help."""

from __future__ import annotations

import json as jsonlib
from typing import TYPE_CHECKING, Annotated

import typer

from libretto.cli.composing import HOUSE, Composing, keep_apart, say
from libretto.cli.options import Force, Grid, Json, composes
from libretto.errors import LibrettoError

if TYPE_CHECKING:
    from libretto.gates import Verdict

__all__ = ["add_to", "morph", "run_morph", "run_submit", "run_task_command", "submit", "task"]


def add_to(app: typer.Typer) -> None:
    """Put the commands among those of an app."""
    app.command()(morph)
    app.command(context_settings={"ignore_unknown_options": True})(task)
    app.command()(submit)


@composes(rounds=4)
def morph(
    source: Annotated[str, typer.Argument(metavar="A", help="Where it begins: a file or a genre.")],
    target: Annotated[str, typer.Argument(metavar="B", help="Where it ends: a file or a genre.")],
    bars: Annotated[int, typer.Option("--bars", help="How many bars, 24 to 400.")] = 54,
    component: Annotated[
        str, typer.Option("--component", help="Only this travels: rhythm, harmony, melody, texture or form.")
    ] = "",
    how: Composing = HOUSE,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="OUT", help="The piece: any format by its suffix.")
    ] = None,
    curve: Annotated[str | None, typer.Option("--curve", metavar="SVG", help="Draw the way into this file.")] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Go from one song or genre to another, step by step; prints the rounds, the verdict and the way.

    Exits with 1 where no draft passed every check.

    Example: libretto morph one.mid jazz --bars 54 -o way.mid --curve way.svg
    """
    run_morph(source, target, bars, how, output, curve, force, json, component)


def task(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="What is to be made, such as compose, morph or fill.")],
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORDS]", help="What the kind takes: words, files, and --name value.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Such as bars=54, the same as --bars 54; again for more."),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Print the page that a composer reads.")] = False,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="RUN", help="Start a run in this folder.")
    ] = None,
    grid: Grid = "paper",
    json: Json = False,
) -> None:
    """Show a task as a composer reads it, or start a run to which drafts are handed in with libretto submit.

    Options that are not listed here are settings of the kind: bars, voices, voice, role, at, genre, key and so on.

    Example: libretto task compose "A slow waltz in D minor over 16 bars for piano" --show

    Example: libretto task fill song.mid --bars 33-40 --voices BASS -o runs/gap
    """
    run_task_command(kind, words or [], settings or [], show, output, json, grid)


def submit(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A folder that libretto task has started.")],
    candidate: Annotated[str, typer.Argument(metavar="FILE", help="A draft in the grammar; - is standard input.")],
    json: Json = False,
) -> None:
    """Hand in a draft: it is judged as the next round, the best is kept; exits with 1 where it does not pass.

    Example: libretto submit runs/waltz draft.libretto
    """
    run_submit(run, candidate, json)


def run_morph(
    source: str,
    target: str,
    bars: int,
    how: Composing,
    output: str | None,
    curve: str | None,
    force: bool,
    json: bool,
    component: str = "",
) -> None:
    """Morph, print what came of it, write what was asked for; exit 1 where no draft passed."""
    from libretto.formats import write, write_bytes
    from libretto.report.run import round_line
    from libretto.roll import morph_curve
    from libretto.tasks import MorphTask, make_task
    from libretto.tasks.morph.gates import MOST_STEP

    keep_apart(output, curve, force=force)
    options = {"bars": str(bars), **({"component": component} if component else {})}
    task = make_task("morph", [source, target], options)
    if not isinstance(task, MorphTask):
        raise LibrettoError("this is no morph")
    run = how.play(task, lambda made: say(round_line(made)))
    if run.score is None or run.best.verdict is None:
        raise LibrettoError("no draft could be read")
    way = task.curve(run.score)
    if output:
        write(run.score, output, force=force)
    if curve:
        picture = morph_curve(
            way.progress,
            source=task.names[0],
            target=task.names[1],
            bars=[first for first, _ in way.spans],
            near_source=way.like_source,
            near_target=way.like_target,
            ceiling=MOST_STEP,
        )
        write_bytes(picture.encode(), curve, force=force)
    if json:
        data = {"passed": run.passed, "best": run.best.to_dict(), "curve": way.to_dict(), "rounds": len(run.rounds)}
        data |= {"trust": task.trust} if task.trust else {}
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))
    else:
        trust = [task.trust] if task.trust else []
        typer.echo("\n".join([*way.lines, *trust, "", *_verdict(run.best.verdict), "", run.best.feedback]))
    raise typer.Exit(0 if run.passed else 1)


def _verdict(verdict: Verdict) -> list[str]:
    return [
        f"{'passes' if outcome.passed else 'FAILS ':<7} {name:<12} {outcome.note}"
        for name, outcome in verdict.outcomes.items()
    ]


def _settings(pairs: list[str]) -> dict[str, str]:
    settings = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise LibrettoError(f"{pair!r} is not a setting such as bars=54")
        settings[name.strip()] = value.strip()
    return settings


def _options(words: list[str]) -> tuple[list[str], list[str]]:
    """Words without options such as ``--bars 33-40`` or ``--bars=33-40``, and these as settings."""
    plain, settings = [], []
    left = iter(words)
    for word in left:
        if not word.startswith("--") or len(word) == 2:
            plain.append(word)
            continue
        name, equals, value = word[2:].partition("=")
        if not equals:
            value = next(left, "")
            if not value or value.startswith("--"):
                raise LibrettoError(f"{word} needs a value")
        settings.append(f"{name}={value}")
    return plain, settings


def run_task_command(
    kind: str,
    words: list[str],
    settings: list[str],
    show: bool,
    output: str | None,
    json: bool,
    grid: str = "paper",
) -> None:
    """Print a task's page, or start a run."""
    from libretto.agents import start_run
    from libretto.tasks import make_prompt, make_task

    if not show and not output:
        raise LibrettoError("say what to do with the task: --show prints it, -o RUN starts a run")
    plain, more = _options(words)
    chosen = [] if grid == "paper" else [f"grid={grid}"]
    task = make_task(kind, plain, _settings([*chosen, *settings, *more]))
    if output:
        path = start_run(task, output)
        say(f"read {path}, then hand in drafts: libretto submit {output} draft.libretto")
    if json:
        page = make_prompt(task)
        data = {"asked": task.asked(), "prompt": page, "shown": sorted(task.shown.keys), "folder": output}
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))
    elif show:
        typer.echo(make_prompt(task), nl=False)


def run_submit(folder: str, candidate: str, json: bool) -> None:
    """Judge a draft and answer; exit 1 where it does not pass."""
    from libretto.agents import submit_draft
    from libretto.formats import read_bytes
    from libretto.report.run import round_line

    run = submit_draft(folder, read_bytes(candidate).decode("utf-8", "replace"))
    made = run.rounds[-1]
    if json:
        data = {**made.to_dict(), "feedback": made.feedback, "best": run.best.number, "folder": run.folder}
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))
    else:
        kept = "this is the best so far" if run.best is made else f"round {run.best.number} is still the best"
        taken = [made.handed_in] if made.handed_in else []
        typer.echo("\n".join([round_line(made), *taken, "", made.feedback, "", kept]))
    raise typer.Exit(0 if made.passed else 1)
