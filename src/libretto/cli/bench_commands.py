"""What the commands under ``libretto bench`` do: call, print."""

from __future__ import annotations

import json as jsonlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from libretto.bench.application.table import Table

__all__ = [
    "run_applications",
    "run_compose_bench",
    "run_drill_bench",
    "run_fill_bench",
    "run_representation",
    "run_spot_bench",
]


def run_representation(names: list[str], music: list[str], plots: str | None, force: bool, json: bool) -> None:
    """Print both tables, write the plots; exit 1 where a mark is missed."""
    from libretto.bench.representation import represent, representation_lines
    from libretto.bench.representation.music import sample
    from libretto.corpus import load_cloud
    from libretto.corpus.labels import shown

    clouds = [load_cloud(name) for name in dict.fromkeys(names)]
    files = sample([Path(folder) for folder in music]) if music else []
    if plots is not None:
        from libretto.report.plots.files import check_plots

        check_plots(Path(plots), clouds, force=force)
    found = represent(clouds, files, _progress)
    if json:
        typer.echo(jsonlib.dumps(found.to_dict(), ensure_ascii=True))
    else:
        typer.echo("\n".join(map(shown, representation_lines(found))))
    if plots is not None:
        from libretto.report.plots.files import write_plots

        for path in write_plots(Path(plots), clouds, files, force=force):
            print(f"wrote {path}", file=sys.stderr)
    raise typer.Exit(0 if found.passed else 1)


def run_compose_bench(
    composer: str,
    seeds: int,
    rounds: int,
    briefs: str | None,
    apart: int,
    genres: list[str],
    limit: int | None,
    jobs: int,
    json: bool,
) -> None:
    """Print how well a composer composes; exit 1 where a mark is missed."""
    from libretto.bench.briefs import compare_briefs, read_briefs
    from libretto.bench.composing import Composing, bench_briefs, bench_genres, bench_seeds, composing_lines
    from libretto.contract import GENRES

    found = read_briefs(briefs)[:limit] if briefs else ()
    pieces = bench_genres(composer, seeds=seeds, rounds=rounds, genres=genres or GENRES, jobs=jobs, step=_progress)
    made = bench_briefs([(each.name, each.text) for each in found], composer, rounds=rounds, jobs=jobs, step=_progress)
    result = Composing(composer, pieces, made, bench_seeds(seeds=apart) if apart else None)
    table = compare_briefs(found) if found else None
    if json:
        data = result.to_dict() | ({"read": {"right": table.right, "labelled": table.labelled}} if table else {})
        typer.echo(jsonlib.dumps(data, ensure_ascii=True))
    else:
        typer.echo("\n".join([*(table.lines if table else ()), *composing_lines(result)]))
    raise typer.Exit(0 if result.passed else 1)


def run_applications(
    composer: str,
    names: list[str],
    music: str | None,
    limit: int | None,
    rounds: int,
    output: str | None,
    jobs: int,
    dry_run: bool,
    json: bool,
) -> None:
    """Print table 3, and with a vendor's model what it is expected to cost before; exit 1 where a mark is missed."""
    from libretto.bench.application.playing import bench_applications
    from libretto.bench.application.table import applications_lines

    asked = [name.strip() for each in names for name in each.split(",") if name.strip()]
    if dry_run or composer.partition(":")[0] in _PAID:
        _expect(composer, asked, music, limit, rounds)
        if dry_run:
            return
    table = bench_applications(
        composer, names=asked, music=music, limit=limit, rounds=rounds, folder=output, jobs=jobs, step=_progress
    )
    if output is not None:
        for path in _write_table(table, Path(output)):
            print(f"wrote {path}", file=sys.stderr)
    if json:
        typer.echo(jsonlib.dumps(table.to_dict(), ensure_ascii=True))
    else:
        typer.echo("\n".join(applications_lines(table)))
    raise typer.Exit(0 if table.passed else 1)


_PAID = ("anthropic", "google", "openai", "vendor")


def _expect(composer: str, names: list[str], music: str | None, limit: int | None, rounds: int) -> None:
    """Say what the cases are expected to cost, from what a pretend model takes for some of them."""
    from libretto.bench.application.playing import expected_applications
    from libretto.models.price import expected

    sizes = []
    for name, (cases, sent, back) in expected_applications(names, music, limit, rounds).items():
        print(f"libretto: {name}: {cases} cases, about {sent:,} tokens in and {back:,} out each", file=sys.stderr)
        sizes += [(sent, back)] * cases
    print(f"libretto: expected: {expected(sizes, composer)}", file=sys.stderr)


def _write_table(table: Table, folder: Path) -> list[Path]:
    """The table as JSON and Markdown, and figure 6 for every row that has rounds, where matplotlib is there."""
    from libretto.bench.application.table import loop_cases, table_json, table_markdown
    from libretto.errors import MissingExtra
    from libretto.formats import write_bytes
    from libretto.report.plots import loop_effect

    folder.mkdir(parents=True, exist_ok=True)
    plots = []
    for each in table.applied:
        cases = loop_cases(each)
        if not cases:
            continue
        try:
            data = loop_effect(f"{each.row.title}: {', '.join(each.row.labels)}", cases)
        except MissingExtra:  # the page has the same numbers
            break
        plots.append(folder / f"{each.name}-rounds.png")
        write_bytes(data, plots[-1], force=True)
    page, figures = folder / "applications.md", folder / "applications.json"
    write_bytes(table_markdown(table, [path.name for path in plots]).encode(), page, force=True)
    write_bytes(table_json(table), figures, force=True)
    return [page, figures, *plots]


def run_fill_bench(music: str, composer: str, songs: int, others: int, rounds: int, jobs: int, json: bool) -> None:
    """Print how well songs are filled, accompanied and extended; exit 1 where a mark is missed."""
    from libretto.bench.filling import bench_filling, filling_lines

    result = bench_filling(music, composer, songs=songs, others=others, rounds=rounds, jobs=jobs, step=_progress)
    typer.echo(jsonlib.dumps(result.to_dict(), ensure_ascii=True) if json else "\n".join(filling_lines(result)))
    raise typer.Exit(0 if result.passed else 1)


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done}/{total}", end="" if done < total else "\n", file=sys.stderr, flush=True)


def run_drill_bench(count: int, answers: int, seed: int) -> None:
    """Print how drills are written and graded; exit 1 where a mark is missed."""
    from libretto.bench.drills import drill_lines, run_bench

    lines = drill_lines(run_bench(count, answers, seed, _progress))
    typer.echo("\n".join(lines))
    raise typer.Exit(1 if any(line.endswith("MISSED") for line in lines) else 0)


def run_spot_bench(music: str, limit: int | None, seed: int, subtle: bool, jobs: int, json: bool) -> None:
    """Print how well planted faults are spotted; exit 1 where a mark is missed."""
    from libretto.bench.spotting import bench_spot, songs_to_test, spotting_dict, spotting_lines, spotting_passed
    from libretto.errors import LibrettoError

    files, taught = songs_to_test(music)
    if not files:
        raise LibrettoError(f"{music} has no songs to test ({taught} of artists who taught the ear are left out)")
    if not json:
        typer.echo(f"{len(files)} songs to test; {taught} of artists who taught the ear are left out")
    rows = bench_spot(files[:limit], seed, "subtle" if subtle else "plain", jobs, _progress)
    typer.echo(jsonlib.dumps(spotting_dict(rows), ensure_ascii=True) if json else "\n".join(spotting_lines(rows)))
    raise typer.Exit(0 if spotting_passed(rows) else 1)
