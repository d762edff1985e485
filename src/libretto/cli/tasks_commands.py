"""What the commands for tasks do: read, call, print."""

from __future__ import annotations

import json as jsonlib
import sys
from pathlib import Path

import typer

from libretto.cli.model_options import Composing
from libretto.errors import FileExists, LibrettoError

__all__ = ["run_morph", "run_submit", "run_task_command"]


def _say(line: str) -> None:
    print(f"libretto: {line}", file=sys.stderr)


def run_morph(
    source: str,
    target: str,
    bars: int,
    how: Composing,
    output: str | None,
    curve: str | None,
    force: bool,
    json: bool,
) -> None:
    """Morph, print what came of it, write what was asked for; exit 1 where no draft passed."""
    from libretto.formats import write, write_bytes
    from libretto.report.run import round_line
    from libretto.roll import morph_curve
    from libretto.tasks import MorphTask, make_task
    from libretto.tasks.morph.gates import MOST_STEP

    for path in (output, curve):
        if path and path != "-" and Path(path).exists() and not force:
            raise FileExists(f"{path} exists; --force replaces it")
    task = make_task("morph", [source, target], {"bars": str(bars)})
    assert isinstance(task, MorphTask)
    run = how.play(task, lambda made: _say(round_line(made)))
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
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))
    else:
        typer.echo("\n".join([*way.lines, "", *_verdict(run.best.verdict), "", run.best.feedback]))
    raise typer.Exit(0 if run.passed else 1)


def _verdict(verdict: object) -> list[str]:
    from libretto.gates import Verdict

    assert isinstance(verdict, Verdict)
    return [
        f"{'passes' if outcome.passed else 'FAILS ':<7} {name:<12} {outcome.note}"
        for name, outcome in verdict.outcomes.items()
    ]


def _settings(pairs: list[str]) -> dict[str, str]:
    found = {}
    for each in pairs:
        name, equals, value = each.partition("=")
        if not equals or not name.strip():
            raise LibrettoError(f"{each!r} is not a setting such as bars=54")
        found[name.strip()] = value.strip()
    return found


def _options(words: list[str]) -> tuple[list[str], list[str]]:
    """Words without options such as ``--bars 33-40`` or ``--bars=33-40``, and these as settings."""
    plain, found = [], []
    left = iter(words)
    for each in left:
        if not each.startswith("--") or len(each) == 2:
            plain.append(each)
            continue
        name, equals, value = each[2:].partition("=")
        if not equals:
            value = next(left, "")
            if not value or value.startswith("--"):
                raise LibrettoError(f"{each} needs a value")
        found.append(f"{name}={value}")
    return plain, found


def run_task_command(
    kind: str, words: list[str], settings: list[str], show: bool, output: str | None, json: bool
) -> None:
    """Print a task's page, or start a run."""
    from libretto.agents import start_run
    from libretto.tasks import make_prompt, make_task

    if not show and not output:
        raise LibrettoError("say what to do with the task: --show prints it, -o RUN starts a run")
    plain, more = _options(words)
    task = make_task(kind, plain, _settings([*settings, *more]))
    if output:
        path = start_run(task, output)
        _say(f"read {path}, then hand in drafts: libretto submit {output} draft.libretto")
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
