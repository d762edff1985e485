"""The commands that show and sound a piece, and their help; they stand beside the others, not under a name."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from libretto.cli.composing import keep_apart, say
from libretto.cli.files import read_score, span_of
from libretto.cli.options import Alone, Beats, Force, Grid, Run
from libretto.cli.waiting import waiting

__all__ = ["add_to", "play", "render", "report", "run_play", "run_render", "run_report"]

File = Annotated[str, typer.Argument(metavar="FILE", help="MIDI, MusicXML, ABC or a text.")]
Font = Annotated[str | None, typer.Option("--soundfont", metavar="SF2", help="Instead of the configured font.")]
Exact = Annotated[bool, typer.Option("--exact", help="Exactly as written: no player's touch, no rounding for the eye.")]
_PAGES = ("svg", "pdf", "png")  # what sheet music is set on
Bars = Annotated[str | None, typer.Option("--bars", help="Bars such as 9-16 or 9.")]


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
    written: Annotated[
        bool | None,
        typer.Option("--written/--sounding", help="Transposing instruments at written pitch, as parts are anyway."),
    ] = None,
    bars: Bars = None,
    voice: Annotated[
        list[str] | None,
        typer.Option("--voice", metavar="NAME", help="That voice alone, as a part for its player; may be repeated."),
    ] = None,
    chords: Annotated[
        bool | None,
        typer.Option(
            "--chords/--no-chords",
            help="Chord symbols; without a word, those the file has: none that were only heard in its notes.",
        ),
    ] = None,
    strip: Annotated[bool, typer.Option("--strip", help="All pages in one long picture, not a file a page.")] = False,
    grid: Grid = "",
    beats: Beats = False,
    force: Force = False,
) -> None:
    """Turn a piece into sound, sheet music or a piano roll.

    Sheet music of several pages is written as song-1.png, song-2.png and so on, or as one PDF. Without --grid it is
    rounded for the eye (in eighths where it swings), and sound is exact; --grid score adds dots and small notes.

    Example: libretto render song.mid -o song.mp3
    Example: libretto render song.mid -o flute.pdf --voice Flute
    """
    run_render(
        file, output, soundfont, exact, seed, roll, written, bars, force, voice or [], chords, strip, grid, beats
    )


def play(file: File, soundfont: Font = None, exact: Exact = False, bars: Bars = None) -> None:
    """Play a piece with whatever player this machine has.

    Example: libretto play song.libretto --bars 9-16
    """
    run_play(file, soundfont, exact, bars)


def report(
    file: File,
    output: Annotated[str, typer.Option("-o", "--output", metavar="PAGE", help="The page to write, an .html file.")],
    genre: Annotated[str | None, typer.Option("--genre", help="The genre it is meant to be in.")] = None,
    cloud: Annotated[str, typer.Option("--cloud", help="The cloud to place it in.")] = "default",
    run: Run = None,
    alone: Alone = False,
    sound: Annotated[bool, typer.Option(help="Put the sound into the page.")] = True,
    notation: Annotated[bool, typer.Option(help="Put the score into the page.")] = True,
    soundfont: Font = None,
    force: Force = False,
) -> None:
    """Write one page that shows a piece: player, roll, score, fingerprint, verdict, evidence and text.

    The page needs no network and works from disk. A file in the folder of a run is judged by what that run was asked,
    any other as a piece of its own.

    Example: libretto report song.mid -o song.html --genre jazz
    """
    run_report(file, output, genre, cloud, sound, notation, soundfont, force, run, alone)


def run_render(
    file: str,
    output: str,
    soundfont: str | None,
    exact: bool,
    seed: int,
    roll: bool,
    written: bool | None,
    bars: str | None,
    force: bool,
    voices: list[str],
    chords: bool | None,
    strip: bool,
    grid: str = "",
    beats: bool = False,
) -> None:
    """Write a piece as sound, sheet music or a piano roll."""
    from libretto.renderings import Options, has_chord_symbols, kind_of, write_rendering

    kind = kind_of(output)
    first, last = span_of(bars)
    span = None if first is None or last is None else (first, last)
    score = read_score(file, grid or "exact", beats=beats)
    exact = exact or (kind in _PAGES and grid in ("exact", "paper"))  # nothing more is rounded for the eye
    start = time.perf_counter()
    if chords is None:
        chords = has_chord_symbols(score, file)
    options = Options(soundfont, exact, seed, roll, written, span, tuple(voices), chords, strip)
    with waiting(f"rendering {output}"):
        files = write_rendering(score, output, options, force=force)
    seconds = time.perf_counter() - start
    for name, size in list(files.items())[:-1]:
        say(f"wrote {name} ({size:,} bytes)")
    name, size = list(files.items())[-1]
    say(f"wrote {name} ({size:,} bytes, {seconds:.1f} s)")


def run_play(file: str, soundfont: str | None, exact: bool, bars: str | None) -> None:
    """Render a piece and play it."""
    from libretto.renderings import Options, render
    from libretto.sound.audio import find_player, play_sound

    player = find_player()
    first, last = span_of(bars)
    span = None if first is None or last is None else (first, last)
    if player is not None:
        say(f"playing with {player[0]}")
        play_sound(render(read_score(file), "wav", Options(soundfont, exact, bars=span)), player)
    else:
        play_sound(b"", None)


def run_report(
    file: str,
    output: str,
    genre: str | None,
    cloud: str,
    sound: bool,
    notation: bool,
    soundfont: str | None,
    force: bool,
    run: str | None = None,
    alone: bool = False,
) -> None:
    """Write the page of a piece."""
    from libretto.agents.appraising import How
    from libretto.formats import write_bytes
    from libretto.gates import check_genre
    from libretto.report.run import page_of_file

    check_genre(cloud, genre)
    keep_apart(output, force=force)
    how = How(genre, cloud, run=run, alone=alone)
    page = page_of_file(file, how, sound=sound, notation=notation, soundfont=soundfont, say=say)
    data = page.encode()
    write_bytes(data, output, force=force)
    typer.echo(f"wrote {output} ({len(data):,} bytes); open it in a browser")
