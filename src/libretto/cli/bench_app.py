"""The commands under ``libretto bench``, and their help."""

from __future__ import annotations

from typing import Annotated

import typer

from libretto.cli import teams_app

__all__ = ["applications", "bench_app", "compose", "drill", "fill", "representation", "spot"]

bench_app = typer.Typer(
    name="bench",
    help="Measure the published tables here, row by row.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

teams_app.add_to(bench_app)

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
    jobs: Annotated[int, typer.Option("--jobs", min=0, help="Processes; 0 is one a core.")] = 0,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it would cost; play nothing.")] = False,
    json: Json = False,
) -> None:
    """Print table 3 with the published figures beside ours; exits with 1 where a mark is missed.

    Rows: compose, retrieval, fill, accompany, extend, morph, drill. With -o the folder gets applications.md,
    applications.json and, where matplotlib is there, a plot of first against best rounds for every row.

    Example: libretto bench applications --row fill,morph --music ~/midi --limit 6 -o bench
    """
    from libretto.cli.bench_commands import run_applications

    run_applications(composer, row or [], music, limit, rounds, output, jobs, dry_run, json)


@bench_app.command()
def fill(
    music: Annotated[str, typer.Argument(metavar="FOLDER", help="A folder of MIDI files, a genre a sub-folder.")],
    composer: Annotated[str, typer.Option("--composer", help="Who writes.")] = "house",
    songs: Annotated[int, typer.Option("--songs", min=0, help="Songs to fill three gaps in.")] = 17,
    others: Annotated[int, typer.Option("--others", min=0, help="Songs to accompany and to extend.")] = 30,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Rounds at most.")] = 3,
    jobs: Annotated[int, typer.Option("--jobs", min=0, help="Processes; 0 is one a core.")] = 0,
    json: Json = False,
) -> None:
    """Fill openings, middles and endings of real songs, accompany and extend others, and print how many pass.

    Example: libretto bench fill ~/midi --songs 17
    """
    from libretto.cli.bench_commands import run_fill_bench

    run_fill_bench(music, composer, songs, others, rounds, jobs, json)


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


@bench_app.command()
def spot(
    music: Annotated[
        str, typer.Argument(metavar="FOLDER", help="A folder of songs; manifest.csv names their artists.")
    ],
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="So many songs at most.")] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed plants elsewhere.")] = 0,
    subtle: Annotated[bool, typer.Option("--subtle", help="Plant subtle faults; the mark is for plain ones.")] = False,
    jobs: Annotated[int, typer.Option("--jobs", min=0, help="Processes; 0 is one a core.")] = 0,
    json: Json = False,
) -> None:
    """Plant faults in songs that did not teach the ear and print how many are found; exits with 1 below a mark.

    Example: libretto bench spot ~/midi --limit 200
    """
    from libretto.cli.bench_commands import run_spot_bench

    run_spot_bench(music, limit, seed, subtle, jobs, json)
