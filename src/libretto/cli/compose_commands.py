"""What the command that composes does: read, run, write, print."""

from __future__ import annotations

import json as jsonlib
import re
import sys
import unicodedata
from dataclasses import replace
from pathlib import Path

import typer

from libretto.cli.model_options import Composing
from libretto.errors import LibrettoError

__all__ = ["run_compose", "slug"]


def slug(text: str) -> str:
    """A title as a plain file name."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:60].strip("-") or "piece"


def _say(line: str) -> None:
    print(f"libretto: {line}", file=sys.stderr)


def run_compose(
    brief: str,
    genre: str | None,
    bars: int | None,
    key: str | None,
    tempo: float | None,
    meter: str | None,
    contract: str | None,
    how: Composing,
    sound: bool,
    notation: bool,
    page: bool,
    json: bool,
) -> None:
    """Compose, write what came of it, and say where it is; exit 1 where no draft passed every gate."""
    from libretto.agents.replay import recorded_run
    from libretto.contract import contract_from_text
    from libretto.formats import read_bytes
    from libretto.report.run import export_run, round_line
    from libretto.tasks import compose_task

    if brief.startswith("@"):
        brief = read_bytes(brief[1:]).decode("utf-8", "replace")
    asked = contract_from_text(read_bytes(contract).decode("utf-8", "replace")) if contract else None
    if how.replay and not brief.strip() and asked is None and not genre:
        known = recorded_run(how.replay)
        task = known.task
        how = replace(how, composer=known.composer, seed=known.seed, rounds=known.rounds)
    else:
        task = compose_task(brief, contract=asked, genre=genre, bars=bars, key=key, tempo=tempo, meter=meter)
    name = slug(task.contract.title or task.genre or task.contract.style or "piece")
    folder = Path(how.folder) if how.folder else Path("runs") / (f"{name}-{how.seed}" if how.seed else name)
    for line in task.contract.assumed:
        _say(f"assumed: {line}")
    run = replace(how, folder=str(folder)).play(task, lambda made: _say(round_line(made)))
    if run.score is None:
        raise LibrettoError(f"no draft could be read; see {folder}")
    paths = []
    for path in export_run(run, folder, name, sound=sound, score=notation, page=page, say=_say):
        paths.append(str(path))
        _say(f"wrote {path}")
    if json:
        data = {"folder": str(folder), "passed": run.passed, "best": run.best.to_dict(), "files": paths}
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))
    else:
        assert run.best.receipt is not None
        kept = [line for line in run.best.receipt.lines if "not asked" not in line]
        typer.echo("\n".join([*kept, "", run.best.feedback, "", f"Look and listen: {paths[-1]}"]))
    raise typer.Exit(0 if run.passed else 1)
