"""The command that writes down a recording, and its help."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["add_to", "transcribe"]


def add_to(app: typer.Typer) -> None:
    """Put the command among those of an app."""
    app.command()(transcribe)


def transcribe(
    audio: Annotated[str, typer.Argument(metavar="AUDIO", help="A WAV, FLAC, Ogg or MP3 file.")],
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="OUT", help="A text, MIDI, MusicXML or ABC file.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the output if it exists.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Write down what is played in a recording: notes or drums, tempo, bars and key as they are heard.

    Without -o the text is printed. At most 10 minutes; needs the extra listen.

    Example: libretto transcribe humming.wav -o humming.mid
    """
    from libretto.cli.hearing_commands import run_transcribe

    run_transcribe(audio, output, force, json)
