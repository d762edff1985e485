"""The commands, their help, and how errors reach a person: one clear line, never a traceback."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from libretto.cli import (
    compose_app,
    contract_app,
    fill_app,
    knowledge_app,
    mcp_app,
    render_app,
    revise_app,
    spot_app,
    tasks_app,
    teaching_app,
    transcribe_app,
    workspace_app,
)
from libretto.cli.bench_app import bench_app
from libretto.cli.corpus_app import corpus_app
from libretto.cli.listen_app import listen_app
from libretto.errors import LibrettoError

__all__ = [
    "app",
    "audit",
    "axes",
    "check",
    "convert",
    "diff",
    "doctor",
    "main",
    "measure",
    "original",
    "primer",
    "show",
]

app = typer.Typer(
    name="libretto",
    help="Compose, measure, edit and learn symbolic music.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(bench_app)
app.add_typer(corpus_app)
app.add_typer(listen_app)
render_app.add_to(app)
knowledge_app.add_to(app)
contract_app.add_contract_to(app)
compose_app.add_to(app)
tasks_app.add_to(app)
revise_app.add_to(app)
spot_app.add_to(app)
fill_app.add_to(app)
teaching_app.add_to(app)
transcribe_app.add_to(app)
workspace_app.add_to(app)
mcp_app.add_to(app)

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
    workspace: workspace_app.Place = ".",
    json: Json = False,
) -> None:
    """Say in musical terms what changed from A to B, files or versions; exits with 1 where something did.

    Example: libretto diff before.mid after.mid, or libretto diff waltz@3 waltz@5
    """
    from libretto.cli.commands import run_diff

    run_diff(first, second, workspace, json)


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
    genre: Annotated[str | None, typer.Option("--genre", help="The genre they are meant to be in.")] = None,
    cloud: Annotated[str, typer.Option("--cloud", help="The cloud to place them in: a name or a path.")] = "default",
    original: Annotated[bool, typer.Option(help="Look for copies too.")] = True,
    jobs: Annotated[int, typer.Option("--jobs", min=0, help="Processes; 0 takes one for each core.")] = 0,
    json: Json = False,
) -> None:
    """Place a piece among real music: every axis, the genres it sounds like, what the gates say and what to change.

    With --json, one object a file and line.

    Example: libretto measure song.mid --genre jazz
    """
    from libretto.cli.measuring import run_measure

    run_measure(files, genre, cloud, original, jobs, json)


@app.command()
def original(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Files to compare.")],
    against: Annotated[
        str | None, typer.Option("--against", metavar="FOLDER", help="Music to compare with, instead of a cloud's.")
    ] = None,
    cloud: Annotated[str, typer.Option("--cloud", help="The cloud whose songs to compare with.")] = "default",
    genre: Annotated[str | None, typer.Option("--genre", help="The genre they are meant to be in.")] = None,
    songs: Annotated[int, typer.Option("--songs", min=1, max=100, help="How many songs to show.")] = 5,
    json: Json = False,
) -> None:
    """Say what a piece shares with other songs, in any key and shifted in time; exits with 1 where it is too much.

    Example: libretto original song.mid --against ~/midi
    """
    from libretto.cli.measuring import run_original

    run_original(files, against, cloud, genre, songs, json)


@app.command()
def axes(
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the page docs/axes.md.")] = False,
    json: Json = False,
) -> None:
    """List the axes that describe the structure of a piece, and what each means."""
    from libretto.cli.measuring import run_axes

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
