"""The commands about concepts, and their help."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["add_to", "concept", "concepts", "detect"]

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


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
    from libretto.cli.knowledge_commands import run_concepts

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
    force: Annotated[bool, typer.Option("--force", help="Replace the output if it exists.")] = False,
    json: Json = False,
) -> None:
    """Show one concept: what it is, how to use it, its example, how often real songs show it; or write its example.

    Example: libretto concept walking-bass -o walking.mp3
    """
    from libretto.cli.knowledge_commands import run_concept

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
    from libretto.cli.knowledge_commands import run_detect

    run_detect(file, base, family, json)
