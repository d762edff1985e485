"""What the commands about concepts do: look up, call, print."""

from __future__ import annotations

import json as jsonlib
import sys

import typer

from libretto.cli.commands import read_score

__all__ = ["run_concept", "run_concepts", "run_detect"]


def run_concepts(
    query: str, genre: str | None, level: int | None, family: str | None, base: str | None, limit: int, json: bool
) -> None:
    """Print the concepts that answer a query."""
    from libretto.knowledge import all_concepts, check_filters, retrieve
    from libretto.report.concepts import as_data, list_lines

    check_filters(genre=genre, family=family, base=base)
    most = limit if query.strip() else len(all_concepts())
    found = retrieve(query, genre, base=base, family=family, level=level, limit=most)
    if json:
        typer.echo(jsonlib.dumps([as_data(each) for each in found], ensure_ascii=False))
    else:
        typer.echo("\n".join(list_lines(found)) if found else "nothing fits; try other words, or fewer of them")


def run_concept(name: str, output: str | None, plain: bool, roll: bool, check: bool, force: bool, json: bool) -> None:
    """Print a concept, or write its music, or check it."""
    from libretto.grammar import parse
    from libretto.knowledge import find_concept, problems_of
    from libretto.report.concepts import as_data, concept_lines

    found = find_concept(name)
    if check:
        problems = problems_of(found)
        typer.echo("\n".join(problems) if problems else f"{found.key} keeps its promises")
        raise typer.Exit(1 if problems else 0)
    if output is not None:
        from libretto.render.rendering import write_any

        write_any(parse(found.plain if plain else found.example), output, roll=roll, force=force)
        print(f"libretto: wrote {output}", file=sys.stderr)
    elif json:
        typer.echo(jsonlib.dumps(as_data(found), ensure_ascii=False))
    else:
        typer.echo("\n".join(concept_lines(found)))


def run_detect(file: str, base: str | None, family: str | None, json: bool) -> None:
    """Print the concepts that a piece shows, with their bars."""
    from libretto.knowledge import all_concepts, check_filters, find_in
    from libretto.report.concepts import sighting_lines

    check_filters(family=family, base=base)
    wanted = [
        each
        for each in all_concepts().values()
        if (base is None or each.base == base) and (family is None or family in each.families)
    ]
    found = find_in(read_score(file), wanted)
    if json:
        data = [
            {"concept": each.key, "title": each.title, "places": [place._asdict() for place in places]}
            for each, places in found
        ]
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))
    else:
        typer.echo("\n".join(sighting_lines(found)) if found else "none of the concepts is seen")
