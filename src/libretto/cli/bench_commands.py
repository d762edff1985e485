"""What the commands under ``libretto bench`` do: call, print."""

from __future__ import annotations

import json as jsonlib
import sys
from pathlib import Path

import typer

__all__ = ["run_representation"]


def run_representation(names: list[str], music: list[str], plots: str | None, force: bool, json: bool) -> None:
    """Print both tables, write the plots; exit 1 where a mark is missed."""
    from libretto.bench.representation import represent, representation_lines
    from libretto.bench.representation_music import sample
    from libretto.corpus import load_cloud
    from libretto.corpus.labels import shown

    clouds = [load_cloud(name) for name in dict.fromkeys(names)]
    files = sample([Path(folder) for folder in music]) if music else []
    if plots is not None:
        from libretto.report.plot_files import check_plots

        check_plots(Path(plots), clouds, force=force)
    found = represent(clouds, files, _progress)
    if json:
        typer.echo(jsonlib.dumps(found.to_dict(), ensure_ascii=True))
    else:
        typer.echo("\n".join(map(shown, representation_lines(found))))
    if plots is not None:
        from libretto.report.plot_files import write_plots

        for path in write_plots(Path(plots), clouds, files, force=force):
            print(f"wrote {path}", file=sys.stderr)
    raise typer.Exit(0 if found.passed else 1)


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done}/{total} files", end="" if done < total else "\n", file=sys.stderr, flush=True)
