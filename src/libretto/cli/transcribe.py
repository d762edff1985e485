"""The command that writes down a recording, and its help."""

from __future__ import annotations

import json as jsonlib
import sys
from typing import Annotated

import typer

from libretto.cli.options import Force, Json

__all__ = ["add_to", "run_transcribe", "transcribe"]


def add_to(app: typer.Typer) -> None:
    """Put the command among those of an app."""
    app.command()(transcribe)


def transcribe(
    audio: Annotated[str, typer.Argument(metavar="AUDIO", help="A WAV, FLAC, Ogg or MP3 file.")],
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="OUT", help="A text, MIDI, MusicXML or ABC file.")
    ] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Write down what is played in a recording: notes or drums, tempo, bars and key as they are heard.

    Without -o the text is printed. At most 10 minutes; needs the extra listen.

    Example: libretto transcribe humming.wav -o humming.mid
    """
    run_transcribe(audio, output, force, json)


def run_transcribe(audio: str, output: str | None, force: bool, json: bool) -> None:
    """Write down a recording and print it, or say where it is."""
    from libretto.formats import format_of, write
    from libretto.grammar import notate
    from libretto.hearing.audio import LONGEST_RECORDING, load_clip
    from libretto.hearing.transcribing import transcribe

    if output is not None:
        format_of(output)  # before the work, not after it
    clip = load_clip(audio, longest=LONGEST_RECORDING)
    heard = transcribe(clip, None if json else _shown)
    score = heard.score
    if output is not None:
        write(score, output, force=force)
    facts = {
        "kind": heard.kind, "tempo": heard.tempo, "key": str(score.key), "bars": score.bars,
        "notes": len(score.table), "seconds": round(clip.seconds, 2), "file": output,
    }  # fmt: skip
    if json:
        typer.echo(jsonlib.dumps(facts | {"text": notate(score)}, ensure_ascii=False))
        return
    if output is None:
        typer.echo(notate(score), nl=False)
    key = "" if heard.kind == "drums" else f", {score.key}"
    line = f"{len(score.table)} {heard.kind}, {score.bars} bars at {heard.tempo:g}{key}"
    print(f"libretto: heard {line}" + (f"; wrote {output}" if output else ""), file=sys.stderr)


def _shown(part: float) -> None:
    """How far listening has come, where somebody watches."""
    if sys.stderr.isatty():
        print(f"\rlistening: {part:.0%}", end="\n" if part >= 1 else "", file=sys.stderr, flush=True)
