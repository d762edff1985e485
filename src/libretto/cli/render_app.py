"""The commands that show and sound a piece, and their help; they stand beside the others, not under a name."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["add_to", "play", "render", "report"]

File = Annotated[str, typer.Argument(metavar="FILE", help="MIDI, MusicXML, ABC or a text.")]
Font = Annotated[str | None, typer.Option("--soundfont", metavar="SF2", help="Instead of the configured font.")]
Exact = Annotated[bool, typer.Option("--exact", help="Exactly as written: no player's touch, no rounding for the eye.")]
Bars = Annotated[str | None, typer.Option("--bars", help="Bars such as 9-16 or 9.")]
Force = Annotated[bool, typer.Option("--force", help="Replace the output if it exists.")]


def add_to(app: typer.Typer) -> None:
    """Put the commands among those of an app."""
    for command in (render, play, report):
        app.command()(command)


def render(
    file: File,
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="OUT", help="A .wav .flac .ogg .mp3 .svg .pdf or .png.")
    ],
    soundfont: Font = None,
    exact: Exact = False,
    seed: Annotated[int, typer.Option("--seed", help="Another player's touch.")] = 0,
    roll: Annotated[bool, typer.Option("--roll", help="A piano roll instead of sheet music.")] = False,
    written: Annotated[bool, typer.Option("--written", help="Transposing instruments at written pitch.")] = False,
    bars: Bars = None,
    force: Force = False,
) -> None:
    """Turn a piece into sound, sheet music or a piano roll.

    Example: libretto render song.mid -o song.mp3
    """
    from libretto.cli.render_commands import run_render

    run_render(file, output, soundfont, exact, seed, roll, written, bars, force)


def play(file: File, soundfont: Font = None, exact: Exact = False, bars: Bars = None) -> None:
    """Play a piece with whatever player this machine has.

    Example: libretto play song.libretto --bars 9-16
    """
    from libretto.cli.render_commands import run_play

    run_play(file, soundfont, exact, bars)


def report(
    file: File,
    output: Annotated[str, typer.Option("-o", "--output", metavar="PAGE", help="The page to write, an .html file.")],
    genre: Annotated[str | None, typer.Option("--genre", help="The genre it is meant to be in.")] = None,
    cloud: Annotated[str, typer.Option("--cloud", help="The cloud to place it in.")] = "default",
    sound: Annotated[bool, typer.Option(help="Put the sound into the page.")] = True,
    notation: Annotated[bool, typer.Option(help="Put the score into the page.")] = True,
    soundfont: Font = None,
    force: Force = False,
) -> None:
    """Write one page that shows a piece: player, roll, score, fingerprint, verdict, evidence and text.

    The page needs no network and works from disk.

    Example: libretto report song.mid -o song.html --genre jazz
    """
    from libretto.cli.render_commands import run_report

    run_report(file, output, genre, cloud, sound, notation, soundfont, force)
