"""The commands, their help, and how errors reach a person: one clear line, never a traceback."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from libretto.errors import LibrettoError

__all__ = ["app", "audit", "axes", "check", "convert", "diff", "doctor", "main", "measure", "primer", "show"]

app = typer.Typer(
    name="libretto",
    help="Compose, measure, edit and learn symbolic music.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Force = Annotated[bool, typer.Option("--force", help="Replace the output if it exists.")]


@app.command()
def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A file, or - for standard input.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="A file, or - for standard output.")],
    read_as: Annotated[str | None, typer.Option("--from", help="The format of IN, if not by its suffix.")] = None,
    write_as: Annotated[str | None, typer.Option("--to", help="The format of OUT, if not by its suffix.")] = None,
    compact: Annotated[bool, typer.Option("--compact", help="Write text with the repetition shorthand.")] = False,
    lenient: Annotated[bool, typer.Option("--lenient", help="Repair loosely written text; lists repairs.")] = False,
    force: Force = False,
    json: Json = False,
) -> None:
    """Turn a MIDI, MusicXML, ABC or grammar file into another.

    Example: libretto convert song.mid song.libretto --compact
    """
    from libretto.cli.commands import run_convert

    run_convert(source, target, read_as, write_as, compact, lenient, force, json)


@app.command()
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Files to read; - is standard input.")],
    lenient: Annotated[bool, typer.Option("--lenient", help="Repair what is unambiguous first.")] = False,
    json: Json = False,
) -> None:
    """Say everything that is wrong with a file: line, column, bar, voice, and what belongs there.

    Example: libretto check draft.libretto
    """
    from libretto.cli.commands import run_check

    run_check(files, lenient, json)


@app.command()
def show(
    file: Annotated[str, typer.Argument(metavar="FILE")],
    bars: Annotated[str | None, typer.Option("--bars", help="Bars such as 9-16 or 9.")] = None,
    voice: Annotated[str | None, typer.Option("--voice", help="One voice by name.")] = None,
    json: Json = False,
) -> None:
    """Show a piece in the terminal.

    Example: libretto show song.mid --bars 9-16 --voice BASS
    """
    from libretto.cli.commands import run_show

    run_show(file, bars, voice, json)


@app.command()
def diff(
    first: Annotated[str, typer.Argument(metavar="A")],
    second: Annotated[str, typer.Argument(metavar="B")],
    json: Json = False,
) -> None:
    """Say in musical terms what changed from A to B; exits with 1 where something did.

    Example: libretto diff before.mid after.mid
    """
    from libretto.cli.commands import run_diff

    run_diff(first, second, json)


@app.command()
def audit(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Files and folders.")],
    jobs: Annotated[int, typer.Option("--jobs", help="Processes; 0 takes one for each core.")] = 0,
    json: Json = False,
) -> None:
    """Measure what reading and writing do to files, beside the published figures.

    Example: libretto audit ~/midi
    """
    from libretto.cli.commands import run_audit

    run_audit(paths, jobs, json)


@app.command()
def measure(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Files to measure.")],
    cloud: Annotated[str, typer.Option("--cloud", help="The cloud to place them in.")] = "paper314",
    json: Json = False,
) -> None:
    """Place a piece among real music: every axis as a value and a percentile, extremes marked.

    Example: libretto measure song.mid
    """
    from libretto.cli.commands import run_measure

    run_measure(files, cloud, json)


@app.command()
def axes(
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the page docs/axes.md.")] = False,
    json: Json = False,
) -> None:
    """List the axes that describe the structure of a piece, and what each means."""
    from libretto.cli.commands import run_axes

    run_axes(markdown, json)


@app.command()
def primer() -> None:
    """Print the page from which a model or a newcomer learns the grammar."""
    from libretto.grammar import primer as page

    typer.echo(page(), nl=False)


@app.command()
def doctor(json: Json = False) -> None:
    """Say what works on this machine, and the pip line for what does not."""
    from libretto.cli.doctor import run_doctor

    run_doctor(json)


def main() -> None:
    """Run the command line; errors that we raise on purpose become one line and exit code 2."""
    try:
        app()
    except LibrettoError as error:
        print(f"libretto: {' '.join(str(error).split())}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except KeyboardInterrupt:
        print("libretto: interrupted", file=sys.stderr)
        sys.exit(130)
    except RecursionError:
        print("libretto: the input is nested too deeply", file=sys.stderr)
        sys.exit(2)
