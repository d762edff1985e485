"""What the commands under ``libretto listen`` do: read, call, print."""

from __future__ import annotations

import json as jsonlib
import sys
from pathlib import Path

import typer

from libretto.errors import LibrettoError

__all__ = ["run_listen", "run_report"]


def run_listen(
    manifest: str,
    audio: str,
    ear: str,
    condition: str,
    tasks: list[str],
    limit: int | None,
    few_shot: int,
    seed: int,
    output: str | None,
    baselines: bool | None,
    retry_failed: bool,
    json: bool,
) -> None:
    """Hear a suite and print what came of it."""
    from libretto.listen.manifest import read_manifest
    from libretto.listen.running import ListeningPlan, chosen_baselines, run_suite
    from libretto.listen.scoring import score
    from libretto.listen.tables import summary_lines

    names = tuple(name.strip() for each in tasks for name in each.split(",") if name.strip())
    found = run_suite(
        read_manifest(manifest, audio),
        ear,
        ListeningPlan(condition, seed, names, limit, few_shot),
        output,
        baselines=chosen_baselines(baselines, kept=output is not None),
        retry_failed=retry_failed,
        step=_progress,
    )
    if json:
        data = {"asked": found.asked, "tasks": {name: each.to_dict() for name, each in score(found.outcomes).items()}}
        typer.echo(jsonlib.dumps(data, ensure_ascii=True))
    else:
        typer.echo("\n".join(summary_lines(found)))
    if output is not None:
        print(f"wrote {output}", file=sys.stderr)


def run_report(folders: list[str], output: str | None, force: bool, json: bool) -> None:
    """Print or write the tables of runs."""
    from libretto.formats import write_bytes
    from libretto.listen.page import to_html
    from libretto.listen.tables import load_run, tables_data, to_markdown

    runs = [load_run(folder) for folder in folders]
    suffix = Path(output).suffix.lower() if output is not None else ".md"
    if json or suffix == ".json":
        text = jsonlib.dumps(tables_data(runs), ensure_ascii=True) + "\n"
    elif suffix in (".html", ".htm"):
        text = to_html(runs)
    elif suffix in (".md", ".markdown"):
        text = to_markdown(runs)
    else:
        raise LibrettoError(f"a report is .md, .html or .json, not {suffix or 'without a suffix'}")
    if output is None:
        typer.echo(text, nl=False)
        return
    write_bytes(text.encode(), output, force=force)
    print(f"wrote {output}", file=sys.stderr)


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done}/{total}", end="" if done < total else "\n", file=sys.stderr, flush=True)
