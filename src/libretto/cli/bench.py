"""The commands under ``libretto bench``, and their help."""

from __future__ import annotations

import json as jsonlib
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libretto.cli import aesthetics, choosing, harmony, likeness, picturing, rewarding, trials
from libretto.cli.composing import HOUSE, Composing, say
from libretto.cli.options import Force, Gates, Jobs, Json, composes, show_progress

if TYPE_CHECKING:
    from libretto.bench.application.table import Table

__all__ = [
    "applications",
    "bench_app",
    "representation",
    "run_applications",
    "run_bench_teams",
    "run_representation",
    "teams",
]

bench_app = typer.Typer(
    name="bench",
    help="Measure the published tables here, row by row.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

trials.add_to(bench_app)
likeness.add_to(bench_app)
aesthetics.add_to(bench_app)
choosing.add_to(bench_app)
picturing.add_to(bench_app)
rewarding.add_to_bench(bench_app)
harmony.add_bench_to(bench_app)


@bench_app.command()
def representation(
    cloud: Annotated[
        list[str] | None,
        typer.Option("--cloud", metavar="NAME", help="A cloud by name or path, again for more. [paper314 and default]"),
    ] = None,
    music: Annotated[
        list[str] | None,
        typer.Option("--music", metavar="FOLDER", help="Measure fidelity on up to 40 files from here, again for more."),
    ] = None,
    plots: Annotated[str | None, typer.Option("--plots", metavar="DIR", help="Write plots into this folder.")] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Print tables 1 and 2 with the published figure beside ours; exits with 1 where a mark is missed.

    Example: libretto bench representation --music ~/midi --plots plots
    """
    run_representation(cloud or ["paper314", "default"], music or [], plots, force, json)


@bench_app.command()
def applications(
    composer: Annotated[str, typer.Option("--composer", help="Who composes.")] = "house",
    row: Annotated[list[str] | None, typer.Option("--row", help="Only these applications, such as fill,morph.")] = None,
    music: Annotated[
        str | None, typer.Option("--music", metavar="FOLDER", help="Songs by genre, for rows that need some.")
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="So many cases a row at most.")] = None,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Rounds at most.")] = 3,
    output: Annotated[
        str | None,
        typer.Option(
            "-o", "--output", metavar="DIR", help="Keep finished cases here and go on; write page, data, plots."
        ),
    ] = None,
    jobs: Jobs = 0,
    gates: Gates = "ours",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it would cost; play nothing.")] = False,
    json: Json = False,
) -> None:
    """Print table 3 with the published figures beside ours; exits with 1 where a mark is missed.

    Rows: compose, retrieval, fill, accompany, extend, morph, drill. With -o the folder gets applications.md,
    applications.json and, where matplotlib is there, a plot of first against best rounds for every row.

    Example: libretto bench applications --row fill,morph --music ~/midi --limit 6 -o bench
    """
    run_applications(composer, row or [], music, limit, rounds, output, jobs, dry_run, json, gates)


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
    result = represent(clouds, files, show_progress)
    if json:
        typer.echo(jsonlib.dumps(result.to_dict(), ensure_ascii=True))
    else:
        typer.echo("\n".join(map(shown, representation_lines(result))))
    if plots is not None:
        from libretto.report.plots.files import write_plots

        for path in write_plots(Path(plots), clouds, files, force=force):
            print(f"wrote {path}", file=sys.stderr)
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
    gates: str = "ours",
) -> None:
    """Print table 3, and with a vendor's model what it is expected to cost before; exit 1 where a mark is missed."""
    from libretto.bench.application.playing import bench_applications
    from libretto.bench.application.table import applications_lines

    asked = [name.strip() for words in names for name in words.split(",") if name.strip()]
    if dry_run or composer.partition(":")[0] in _PAID:
        _expect(composer, asked, music, limit, rounds)
        if dry_run:
            return
    table = bench_applications(
        composer, names=asked, music=music, limit=limit, rounds=rounds, folder=output, jobs=jobs, gates=gates,
        step=show_progress,
    )  # fmt: skip
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
    for applied in table.applied:
        cases = loop_cases(applied)
        if not cases:
            continue
        try:
            data = loop_effect(f"{applied.row.title}: {', '.join(applied.row.labels)}", cases)
        except MissingExtra:  # the page has the same numbers
            break
        plots.append(folder / f"{applied.name}-rounds.png")
        write_bytes(data, plots[-1], force=True)
    page, figures = folder / "applications.md", folder / "applications.json"
    write_bytes(table_markdown(table, [path.name for path in plots]).encode(), page, force=True)
    write_bytes(table_json(table), figures, force=True)
    return [page, figures, *plots]


@bench_app.command()
@composes(without=("replay", "run", "team", "composer"), teams=True, rounds=2)
def teams(
    team: Annotated[
        list[str] | None, typer.Option("--team", metavar="NAME", help="A team or a file; again for more.")
    ] = None,
    composer: Annotated[
        list[str] | None, typer.Option("--composer", help="Who composes, again for more. [scripted]")
    ] = None,
    beside: Annotated[str, typer.Option("--beside", help="Who is set beside each, with as many tokens.")] = "single",
    briefs: Annotated[
        str | None, typer.Option("--briefs", metavar="FILE", help="Briefs, one a line or a JSON list; ours without.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many briefs at most.")] = 20,
    how: Composing = HOUSE,
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="DIR", help="Where the runs are kept; a cut-off bench goes on.")
    ] = "bench-teams",
    json: Json = False,
) -> None:
    """Teams against one agent with the same tokens: success at once, length as ABC, faults, gates, tokens and money.

    Budgets are for each piece. Several --composer stand in one table.

    Example: libretto bench teams --composer anthropic:NAME --team composerx --limit 5 --dry-run
    """
    run_bench_teams(
        how, composer or ["scripted"], team or ["composerx", "cocomposer"], beside, briefs, limit, output, json
    )


def run_bench_teams(
    how: Composing,
    composers: list[str],
    teams: list[str],
    beside: str,
    briefs: str | None,
    limit: int,
    output: str,
    json: bool,
) -> None:
    """Print what it is expected to cost, run every brief by every team, print the comparison and what it cost."""
    from libretto.agents.teams import load_team
    from libretto.agents.teams.beside import comparison_table, expected_tokens
    from libretto.bench.teaming import briefs_from, run_teams
    from libretto.models.ledger import Budget
    from libretto.models.price import expected

    chosen = briefs_from(briefs)[:limit]
    for name in [*teams, *([beside] if beside else [])]:
        load_team(name)
    if how.dry_run or any(name.partition(":")[0] not in ("scripted", "relay") for name in composers):
        taken = expected_tokens(chosen[:2], teams, rounds=how.rounds, notation=how.notation)
        both = 2 if beside else 1
        for name, (sent, back) in taken.items():
            for model in composers:
                whole = expected([(sent * both, back * both)] * len(chosen), model, how.base_url)
                say(f"{name} by {model}: about {sent:,} tokens in and {back:,} out a piece; in all {whole}")
        if how.dry_run:
            return
    entries = run_teams(
        chosen, composers, teams, output, beside=beside, rounds=how.rounds, seed=how.seed, notation=how.notation,
        prompts=how.prompts, budget=Budget(how.tokens, how.money, how.seconds), base_url=how.base_url, say=say,
    )  # fmt: skip
    if json:
        typer.echo(jsonlib.dumps([asdict(entry) for entry in entries], ensure_ascii=False))
    else:
        typer.echo(comparison_table(entries))
    tokens, money = sum(entry.tokens for entry in entries), sum(entry.money for entry in entries)
    say(f"{tokens:,} tokens in all, ${money:.2f}; runs and teams.md in {output}")
