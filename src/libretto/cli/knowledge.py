"""The commands about concepts, and their help."""

from __future__ import annotations

import json as jsonlib
import sys
from typing import Annotated

import typer

from libretto.cli.files import read_score
from libretto.cli.options import Force, Json

__all__ = ["add_to", "concept", "concepts", "detect", "run_concept", "run_concepts", "run_detect", "run_songs"]


def add_to(app: typer.Typer) -> None:
    """Put the commands among those of an app."""
    for command in (concepts, concept, detect):
        app.command()(command)


def concepts(
    query: Annotated[list[str] | None, typer.Argument(metavar="[QUERY]", help="What you are after, in words.")] = None,
    genre: Annotated[str | None, typer.Option("--genre", help="A genre of the default cloud.")] = None,
    level: Annotated[int | None, typer.Option("--level", min=1, max=3, help="Theory of this level.")] = None,
    family: Annotated[str | None, typer.Option("--family", help="Such as bass, harmony, scales, cadences.")] = None,
    base: Annotated[str | None, typer.Option("--base", help="Only composing or theory.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many at most (all without a query).")] = 8,
    json: Json = False,
) -> None:
    """Find concepts of composing and theory by words, genre, level or family; all of them without any.

    Example: libretto concepts make the bass less boring --genre funk_soul_rnb
    """
    run_concepts(" ".join(query or ()), genre, level, family, base, limit, json)


def concept(
    name: Annotated[str, typer.Argument(metavar="NAME", help="As libretto concepts prints it.")],
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="OUT", help="Write its example: text, MIDI, sound, staff or roll."),
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="The version without the concept instead.")] = False,
    roll: Annotated[bool, typer.Option("--roll", help="For a picture: a piano roll instead of a staff.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Say what keeps the entry from being sound.")] = False,
    songs: Annotated[bool, typer.Option("--songs", help="Name the songs of a cloud that show it.")] = False,
    cloud: Annotated[
        str | None, typer.Option("--cloud", metavar="CLOUD", help="With --songs: this cloud alone, by name or path.")
    ] = None,
    most: Annotated[int, typer.Option("--most", min=1, help="With --songs: read so many of a cloud at most.")] = 500,
    force: Force = False,
    json: Json = False,
) -> None:
    """Show one concept: what it is, how to use it, its example, how often real songs show it; or write its example.

    Example: libretto concept walking-bass -o walking.mp3; libretto concept walking-bass --songs --cloud mine
    """
    if songs:
        run_songs(name, cloud, most, json)
    else:
        run_concept(name, output, plain, roll, check, force, json)


def detect(
    file: Annotated[str, typer.Argument(metavar="FILE", help="MIDI, MusicXML, ABC or a text.")],
    base: Annotated[str | None, typer.Option("--base", help="Only composing or theory.")] = None,
    family: Annotated[str | None, typer.Option("--family", help="Only this family.")] = None,
    json: Json = False,
) -> None:
    """Say which concepts a piece shows, and in which bars.

    Example: libretto detect song.mid --base composing
    """
    run_detect(file, base, family, json)


def run_concepts(
    query: str, genre: str | None, level: int | None, family: str | None, base: str | None, limit: int, json: bool
) -> None:
    """Print the concepts that answer a query."""
    from libretto.knowledge import all_concepts, check_filters, retrieve
    from libretto.report.terminal import as_data, list_lines

    check_filters(genre=genre, family=family, base=base)
    most = limit if query.strip() else len(all_concepts())
    fitting = retrieve(query, genre, base=base, family=family, level=level, limit=most)
    if json:
        typer.echo(jsonlib.dumps([as_data(concept) for concept in fitting], ensure_ascii=False))
    else:
        typer.echo("\n".join(list_lines(fitting)) if fitting else "nothing fits; try other words, or fewer of them")


def run_concept(name: str, output: str | None, plain: bool, roll: bool, check: bool, force: bool, json: bool) -> None:
    """Print a concept, or write its music, or check it."""
    from libretto.grammar import parse
    from libretto.knowledge import find_concept, problems_of
    from libretto.report.terminal import as_data, concept_lines

    concept = find_concept(name)
    if check:
        problems = problems_of(concept)
        typer.echo("\n".join(problems) if problems else f"{concept.key} keeps its promises")
        raise typer.Exit(1 if problems else 0)
    if output is not None:
        from libretto.renderings import write_any

        write_any(parse(concept.plain if plain else concept.example), output, roll=roll, force=force)
        print(f"libretto: wrote {output}", file=sys.stderr)
    elif json:
        typer.echo(jsonlib.dumps(as_data(concept), ensure_ascii=False))
    else:
        typer.echo("\n".join(concept_lines(concept)))


def run_songs(name: str, cloud: str | None, most: int, json: bool) -> None:
    """Print the songs of a cloud that show a concept: of all clouds that name theirs, or else of the default one."""
    from libretto.corpus.progress import Progress
    from libretto.corpus.store import load_songs
    from libretto.knowledge import find_concept
    from libretto.knowledge.attesting import attest_in, named_clouds
    from libretto.report.terminal import attestation_lines

    concept = find_concept(name)
    found = []
    for each in [cloud] if cloud else named_clouds() or ["default"]:
        progress = Progress(min(most, len(load_songs(each))), noun="songs")
        found.append(attest_in(concept, each, most=most, progress=progress.step))
    if json:
        typer.echo(jsonlib.dumps([attested.to_dict() for attested in found], ensure_ascii=False))
    else:
        typer.echo("\n".join(line for attested in found for line in attestation_lines(attested)))


def run_detect(file: str, base: str | None, family: str | None, json: bool) -> None:
    """Print the concepts that a piece shows, with their bars."""
    from libretto.knowledge import all_concepts, check_filters, find_in
    from libretto.report.terminal import sighting_lines

    check_filters(family=family, base=base)
    wanted = [
        concept
        for concept in all_concepts().values()
        if (base is None or concept.base == base) and (family is None or family in concept.families)
    ]
    seen = find_in(read_score(file), wanted)
    if json:
        data = [
            {"concept": concept.key, "title": concept.title, "places": [place._asdict() for place in places]}
            for concept, places in seen
        ]
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))
    else:
        typer.echo("\n".join(sighting_lines(seen)) if seen else "none of the concepts is seen")
