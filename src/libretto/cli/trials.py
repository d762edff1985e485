"""The commands under ``libretto bench`` that try one skill each, and their help."""

from __future__ import annotations

import json as jsonlib
from typing import Annotated

import typer

from libretto.cli.options import Gates, Jobs, Json, show_progress

__all__ = [
    "add_to",
    "compose",
    "drill",
    "fill",
    "fill_truth",
    "judge",
    "parts",
    "run_compose_bench",
    "run_drill_bench",
    "run_fill_bench",
    "run_judge_bench",
    "run_parts_bench",
    "run_spot_bench",
    "run_truth_bench",
    "spot",
]


def add_to(app: typer.Typer) -> None:
    """Put the commands among those of an app."""
    for command in (compose, fill, fill_truth, drill, spot, parts, judge):
        app.command()(command)


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
    jobs: Jobs = 0,
    gates: Gates = "ours",
    json: Json = False,
) -> None:
    """Compose in every genre and from briefs, and print how many pass beside the published figures.

    Example: libretto bench compose --seeds 10 --briefs briefs.json --apart 50; libretto bench compose --gates paper
    """
    run_compose_bench(composer, seeds, rounds, briefs, apart, genre or [], limit, jobs, json, gates)


def fill(
    music: Annotated[str, typer.Argument(metavar="FOLDER", help="A folder of MIDI files, a genre a sub-folder.")],
    composer: Annotated[str, typer.Option("--composer", help="Who writes.")] = "house",
    songs: Annotated[int, typer.Option("--songs", min=0, help="Songs to fill three gaps in.")] = 17,
    others: Annotated[int, typer.Option("--others", min=0, help="Songs to accompany and to extend.")] = 30,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Rounds at most.")] = 3,
    jobs: Jobs = 0,
    gates: Gates = "ours",
    json: Json = False,
) -> None:
    """Fill openings, middles and endings of real songs, accompany and extend others, and print how many pass.

    The paper has gates for fills alone: by these nothing is accompanied or extended.

    Example: libretto bench fill ~/midi --songs 17; libretto bench fill ~/midi --gates paper
    """
    run_fill_bench(music, composer, songs, others, rounds, jobs, json, gates)


def fill_truth(
    music: Annotated[
        str, typer.Argument(metavar="FOLDER", help="A folder of songs; manifest.csv names their artists.")
    ],
    songs: Annotated[int, typer.Option("--songs", min=1, help="Songs to take eight bars out of.")] = 60,
    teaching: Annotated[bool, typer.Option("--teaching", help="Songs of the half that taught the house.")] = False,
) -> None:
    """Fill eight bars of real songs and print how near that comes to what was there, beside copies of other bars.

    Example: libretto bench fill-truth ~/midi --songs 60
    """
    run_truth_bench(music, songs, teaching)


def drill(
    count: Annotated[int, typer.Option("--count", min=1, help="Drills over random concepts, keys and meters.")] = 200,
    answers: Annotated[int, typer.Option("--answers", min=1, help="Simulated answers with one mistake each.")] = 100,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed, other concepts.")] = 0,
) -> None:
    """Write drills and grade simulated learners, beside the published figures; exits with 1 where a mark is missed.

    Example: libretto bench drill --count 50 --answers 40
    """
    run_drill_bench(count, answers, seed)


def spot(
    music: Annotated[
        str, typer.Argument(metavar="FOLDER", help="A folder of songs; manifest.csv names their artists.")
    ],
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="So many songs at most.")] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed plants elsewhere.")] = 0,
    subtle: Annotated[bool, typer.Option("--subtle", help="Plant subtle faults; the mark is for plain ones.")] = False,
    jobs: Jobs = 0,
    json: Json = False,
) -> None:
    """Plant faults in songs that did not teach the ear and print how many are found; exits with 1 below a mark.

    Example: libretto bench spot ~/midi --limit 200
    """
    run_spot_bench(music, limit, seed, subtle, jobs, json)


def parts(
    music: Annotated[str, typer.Argument(metavar="FOLDER", help="A folder of MIDI files.")],
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="So many songs at most.")] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed damages elsewhere.")] = 0,
    jobs: Jobs = 0,
    json: Json = False,
) -> None:
    """Damage one part of real songs in five ways and print how often that is noticed, by the gates or by spot.

    Example: libretto bench parts ~/midi --limit 200
    """
    run_parts_bench(music, limit, seed, jobs, json)


def run_parts_bench(music: str, limit: int | None, seed: int, jobs: int, json: bool) -> None:
    """Print how well damaged parts are heard; exit 1 where a mark is missed."""
    from libretto.bench.parting import bench_parts, parting_dict, parting_lines, parting_passed, songs_to_hear
    from libretto.errors import LibrettoError

    songs = songs_to_hear(music)
    if not songs:
        raise LibrettoError(f"{music} has no songs to test (those of artists who taught the ear are left out)")
    rows = bench_parts(songs[:limit], seed, jobs, show_progress)
    typer.echo(jsonlib.dumps(parting_dict(rows), ensure_ascii=True) if json else "\n".join(parting_lines(rows)))
    raise typer.Exit(0 if parting_passed(rows) else 1)


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
    gates: str = "ours",
) -> None:
    """Print how well a composer composes; exit 1 where a mark is missed."""
    from libretto.bench.briefs import compare_briefs, read_briefs
    from libretto.bench.composing import Composing, bench_briefs, bench_genres, bench_seeds, composing_lines
    from libretto.bench.practice import compare_seeds
    from libretto.contract import GENRES
    from libretto.gates.paper import check_gates

    check_gates(gates)
    chosen = read_briefs(briefs)[:limit] if briefs else ()
    pieces = bench_genres(
        composer, seeds=seeds, rounds=rounds, genres=genres or GENRES, jobs=jobs, step=show_progress, gates=gates
    )
    asked = [(brief.name, brief.text) for brief in chosen]
    made = bench_briefs(asked, composer, rounds=rounds, jobs=jobs, step=show_progress, gates=gates)
    twins = compare_seeds(asked) if composer == "house" else []
    result = Composing(composer, pieces, made, bench_seeds(seeds=apart) if apart else None, tuple(twins))
    table = compare_briefs(chosen) if chosen else None
    if json:
        data = result.to_dict() | ({"read": {"right": table.right, "labelled": table.labelled}} if table else {})
        typer.echo(jsonlib.dumps(data, ensure_ascii=True))
    else:
        typer.echo("\n".join([*(table.lines if table else ()), *composing_lines(result)]))
    raise typer.Exit(0 if result.passed else 1)


def run_fill_bench(
    music: str,
    composer: str,
    songs: int,
    others: int,
    rounds: int,
    jobs: int,
    json: bool,
    gates: str = "ours",
) -> None:
    """Print how well songs are filled, accompanied and extended; exit 1 where a mark is missed."""
    from libretto.bench.filling import bench_filling, filling_lines

    result = bench_filling(
        music, composer, songs=songs, others=others, rounds=rounds, jobs=jobs, step=show_progress, gates=gates
    )
    typer.echo(jsonlib.dumps(result.to_dict(), ensure_ascii=True) if json else "\n".join(filling_lines(result)))
    raise typer.Exit(0 if result.passed else 1)


def run_truth_bench(music: str, songs: int, teaching: bool) -> None:
    """Print how near fills come to what was there; exit 1 where a copy comes nearer."""
    from libretto.bench.fill_truth import bench_truth, truth_lines

    result = bench_truth(music, songs=songs, teaching=teaching, step=show_progress)
    typer.echo("\n".join(truth_lines(result)))
    raise typer.Exit(0 if result.passed else 1)


def run_drill_bench(count: int, answers: int, seed: int) -> None:
    """Print how drills are written and graded; exit 1 where a mark is missed."""
    from libretto.bench.drills import drill_lines, run_bench

    lines = drill_lines(run_bench(count, answers, seed, show_progress))
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
    rows = bench_spot(files[:limit], seed, "subtle" if subtle else "plain", jobs, show_progress)
    typer.echo(jsonlib.dumps(spotting_dict(rows), ensure_ascii=True) if json else "\n".join(spotting_lines(rows)))
    raise typer.Exit(0 if spotting_passed(rows) else 1)


def judge(
    music: Annotated[
        str | None, typer.Argument(metavar="FOLDER", help="A folder of songs, labelled or a genre a folder.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="About so many songs are held out and judged.")] = 140,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed, other artists and excerpts.")] = 0,
    kept: Annotated[
        str | None, typer.Option("--kept", metavar="DIR", help="Keep here what is measured, for another run.")
    ] = None,
    jobs: Jobs = 0,
    json: Json = False,
) -> None:
    """Print what the gates pass and refuse by forces and length: real, random, another genre's, damaged.

    Without a folder it is what the calibration of the default cloud counted. Exits with 1 where a mark is missed.

    Example: libretto bench judge ~/midi --limit 140
    """
    run_judge_bench(music, limit, seed, kept, jobs, json)


def run_judge_bench(music: str | None, limit: int, seed: int, kept: str | None, jobs: int, json: bool) -> None:
    """Print the table of what passes and what is refused; exit 1 where a mark is missed."""
    from libretto.bench.judging import bench_judge, calibrated_lines
    from libretto.corpus import load_cloud

    if music is None:
        typer.echo("\n".join(calibrated_lines(load_cloud("default"))))
        return
    table = bench_judge(music, limit=limit, seed=seed, jobs=jobs, kept=kept, step=show_progress)
    typer.echo(jsonlib.dumps(table.to_dict(), ensure_ascii=True) if json else "\n".join(table.lines()))
    raise typer.Exit(1 if table.missed else 0)
