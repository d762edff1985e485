"""The command that does operations to a song: edit; and its help."""

from __future__ import annotations

import json as jsonlib
from typing import Annotated

import typer

from libretto.cli.files import read_score
from libretto.cli.options import Force, Json

__all__ = ["add_to", "edit", "run_edit"]


def add_to(app: typer.Typer) -> None:
    """Put the command among those of an app."""
    app.command()(edit)


def edit(
    song: Annotated[
        str, typer.Argument(metavar="SONG", help="A MIDI, MusicXML, ABC or grammar file.", show_default=False)
    ] = "",
    steps: Annotated[
        list[str] | None,
        typer.Argument(metavar="OPERATION...", help="Such as 'copy bars=1-2 to=3-16 voices=Bass by=chords'."),
    ] = None,
    output: Annotated[str, typer.Option("-o", "--output", metavar="OUT", help="Where to write the song.")] = "",
    listed: Annotated[bool, typer.Option("--list", help="List the operations, with examples.")] = False,
    force: Force = False,
    json: Json = False,
) -> None:
    """Copy, shift, thin and shape bars of a song, or change its header; all else provably stays as it is.

    Every operation is one word and name=value pairs; several are done in order, all of them or none.

    Example: libretto edit song.mid "velocity bars=1-8 curve=50,90" "tempo bpm=92" -o new.mid
    """
    run_edit(song, steps or [], output, listed, force, json)


def run_edit(song: str, steps: list[str], output: str, listed: bool, force: bool, json: bool) -> None:
    """Do the operations, write the song, say what was done and the proof of what stayed."""
    from libretto.edits.operations import help_lines, operate, read_step
    from libretto.errors import LibrettoError
    from libretto.formats import write_edited

    if listed:
        typer.echo("\n".join(help_lines()))
        return
    if not song or not output:
        lacking = "where to write the song, such as -o new.mid" if song else "which song to edit"
        raise LibrettoError(f"say {lacking}; libretto edit --list lists the operations")
    made, done = operate(read_score(song), [read_step(step) for step in steps])
    edited = write_edited(made, song, output, force=force)
    if json:
        rows = [{"did": row.line, "outside": row.outside} for row in done]
        typer.echo(
            jsonlib.dumps({"in": song, "out": output, "done": rows, "file": edited.to_dict()}, ensure_ascii=False)
        )
    elif output != "-":
        proofs = [f"{row.line}; all else is the same: sha256 {row.outside} before and after" for row in done]
        typer.echo("\n".join([*proofs, edited.line()]))
