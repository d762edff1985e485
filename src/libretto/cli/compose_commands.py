"""What the command that composes does: read, run, write, print."""

from __future__ import annotations

import json as jsonlib
import re
import sys
import unicodedata
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from libretto.cli.model_options import Composing
from libretto.errors import LibrettoError

if TYPE_CHECKING:
    from libretto.agents.teams.beside import Entry
    from libretto.tasks import Run

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
    taste: bool,
    beside: str,
    sound: bool,
    notation: bool,
    page: bool,
    json: bool,
) -> None:
    """Compose, write what came of it, and say where it is; exit 1 where no draft passed every gate."""
    from libretto.agents.folder import recorded_run
    from libretto.agents.revise import Taste, load_taste
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
        how = how.again(known.composer, known.seed, known.rounds, known.settings)
    else:
        task = compose_task(brief, contract=asked, genre=genre, bars=bars, key=key, tempo=tempo, meter=meter)
        liked = load_taste() if taste else Taste()
        if liked.leanings:
            task = replace(task, taste=liked.leanings)
            _say(f"your taste: {'; '.join(liked.words)} (--no-taste leaves it out)")
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
    compared = _beside(how, beside, run, folder) if beside else []
    if json:
        data = {"folder": str(folder), "passed": run.passed, "best": run.best.to_dict(), "files": paths}
        data |= {"beside": [asdict(each) for each in compared]} if compared else {}
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))
    else:
        assert run.best.receipt is not None
        kept = [line for line in run.best.receipt.lines if "not asked" not in line]
        typer.echo("\n".join([*kept, "", run.best.feedback, "", f"Look and listen: {paths[-1]}"]))
        if compared:
            from libretto.agents.teams.beside import comparison_table

            typer.echo(f"\n{comparison_table(compared)}")
    raise typer.Exit(0 if run.passed else 1)


def _beside(how: Composing, other: str, run: Run, folder: Path) -> list[Entry]:
    """The same task by another team or agent with as many tokens, and both in figures; kept with the run."""
    from libretto.agents.teams.beside import comparison_table, run_beside
    from libretto.formats import write_bytes
    from libretto.report.run import round_line

    def play(tokens: int, rounds: int) -> Run:
        alone = replace(how, team=other, tokens=tokens, rounds=rounds, folder=str(folder / f"beside-{slug(other)}"))
        return alone.play(run.task, lambda made: _say(f"{other}: {round_line(made)}"))

    rows = run_beside(run, how.team or how.composer, other, play)
    write_bytes((comparison_table(rows) + "\n").encode(), folder / "beside.md", force=True)
    return rows
