"""What the commands that show and sound a piece do: read, call, write."""

from __future__ import annotations

import sys
import time

import typer

from libretto.cli.commands import read_score, span_of
from libretto.formats import write_bytes

__all__ = ["run_play", "run_render", "run_report"]


def _say(line: str) -> None:
    print(f"libretto: {line}", file=sys.stderr)


def run_render(
    file: str,
    output: str,
    soundfont: str | None,
    exact: bool,
    seed: int,
    roll: bool,
    written: bool,
    bars: str | None,
    force: bool,
) -> None:
    """Write a piece as sound, sheet music or a piano roll."""
    from libretto.render.rendering import Options, kind_of, render

    kind = kind_of(output)
    first, last = span_of(bars)
    span = None if first is None or last is None else (first, last)
    score = read_score(file)
    start = time.perf_counter()
    data = render(score, kind, Options(soundfont, exact, seed, roll, written, span))
    write_bytes(data, output, force=force)
    _say(f"wrote {output} ({len(data):,} bytes, {time.perf_counter() - start:.1f} s)")


def run_play(file: str, soundfont: str | None, exact: bool, bars: str | None) -> None:
    """Render a piece and play it."""
    from libretto.render.rendering import Options, render
    from libretto.sound.playing import find_player, play_sound

    player = find_player()
    first, last = span_of(bars)
    span = None if first is None or last is None else (first, last)
    if player is not None:
        _say(f"playing with {player[0]}")
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
) -> None:
    """Write the page of a piece."""
    from libretto.gates import check_genre
    from libretto.report.make import make_page

    check_genre(cloud, genre)
    page = make_page(
        read_score(file), genre=genre, cloud=cloud, sound=sound, notation=notation, soundfont=soundfont, say=_say
    )
    data = page.encode()
    write_bytes(data, output, force=force)
    typer.echo(f"wrote {output} ({len(data):,} bytes); open it in a browser")
