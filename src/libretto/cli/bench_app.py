"""The commands under ``libretto bench``, and their help."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["bench_app", "compose", "drill", "representation"]

bench_app = typer.Typer(
    name="bench",
    help="Measure the published tables here, row by row.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Force = Annotated[bool, typer.Option("--force", help="Replace plots that exist.")]


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
    from libretto.cli.bench_commands import run_representation

    run_representation(cloud or ["paper314", "default"], music or [], plots, force, json)


@bench_app.command()
def compose(
    composer: Annotated[str, typer.Option("--composer", help="Who composes.")] = "house",
    seeds: Annotated[int, typer.Option("--seeds", min=0, help="Pieces a genre; 0 leaves genres out.")] = 10,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Rounds at most.")] = 3,
    briefs: Annotated[
        str | None, typer.Option("--briefs", metavar="FILE", help="A JSON file of briefs to read and compose.")
    ] = None,
    apart: Annotated[int, typer.Option("--apart", min=0, help="Seeds to compare with each other; 0 for none.")] = 0,
    genre: Annotated[list[str] | None, typer.Option("--genre", help="Only this genre, again for more.")] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="So many briefs at most.")] = None,
    jobs: Annotated[int, typer.Option("--jobs", min=0, help="Processes; 0 is one a core.")] = 0,
    json: Json = False,
) -> None:
    """Compose in every genre and from briefs, and print how many pass beside the published figures.

    Example: libretto bench compose --seeds 10 --briefs briefs.json --apart 50
    """
    from libretto.cli.bench_commands import run_compose_bench

    run_compose_bench(composer, seeds, rounds, briefs, apart, genre or [], limit, jobs, json)


@bench_app.command()
def drill(
    count: Annotated[int, typer.Option("--count", min=1, help="Drills over random concepts, keys and meters.")] = 200,
    answers: Annotated[int, typer.Option("--answers", min=1, help="Simulated answers with one mistake each.")] = 100,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed, other concepts.")] = 0,
) -> None:
    """Write drills and grade simulated learners, beside the published figures; exits with 1 where a mark is missed.

    Example: libretto bench drill --count 50 --answers 40
    """
    from libretto.cli.bench_commands import run_drill_bench

    run_drill_bench(count, answers, seed)
