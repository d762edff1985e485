"""The command that writes down a recording, and its help."""

from __future__ import annotations

import json as jsonlib
import sys
from typing import Annotated

import typer

from libretto.cli.options import Force, Json
from libretto.errors import LibrettoError

__all__ = ["add_to", "mode_asked", "run_transcribe", "shown_part", "transcribe"]


def add_to(app: typer.Typer) -> None:
    """Put the command among those of an app."""
    app.command()(transcribe)


def transcribe(
    audio: Annotated[str, typer.Argument(metavar="AUDIO", help="A WAV, FLAC, Ogg or MP3 file.")],
    mono: Annotated[bool, typer.Option("--mono", help="One line: hummed, sung, or one instrument.")] = False,
    poly: Annotated[bool, typer.Option("--poly", help="Many notes at once: piano, duo, band.")] = False,
    drums: Annotated[bool, typer.Option("--drums", help="Kick, snare and hat.")] = False,
    ear: Annotated[str, typer.Option("--ear", help="best, local (no dependencies) or model (basic-pitch).")] = "best",
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="OUT", help="A text, MIDI, MusicXML or ABC file.")
    ] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Write down what is played in a recording: one line, many notes or drums, with tempo, meter and key as heard.

    Without --mono, --poly or --drums it says as what it heard it. Without -o the text is printed. At most 10 minutes;
    needs the extra listen. Many notes are heard best with the extra hearing and basic-pitch's weights.

    Example: libretto transcribe humming.wav --mono -o humming.mid
    """
    run_transcribe(audio, mode_asked(mono, poly, drums), ear, output, force, json)


def mode_asked(mono: bool, poly: bool, drums: bool) -> str | None:
    """What a recording is said to be, or None where nothing is said."""
    asked = [name for name, said in (("mono", mono), ("poly", poly), ("drums", drums)) if said]
    if len(asked) > 1:
        raise LibrettoError("a recording is one of --mono, --poly and --drums, not several")
    return asked[0] if asked else None


def run_transcribe(audio: str, mode: str | None, ear: str, output: str | None, force: bool, json: bool) -> None:
    """Write down a recording and print it, or say where it is."""
    from libretto.formats import format_of, write
    from libretto.formats.files import check_target
    from libretto.grammar import notate
    from libretto.hearing.audio import LONGEST_RECORDING, load_clip
    from libretto.hearing.transcribing import transcribe
    from libretto.hearing.weights import HOW_TO_INSTALL, find_weights

    if output is not None:
        format_of(output)  # before the work, not after it
        check_target(output, force=force)
    clip = load_clip(audio, longest=LONGEST_RECORDING)
    heard = transcribe(clip, None if json else shown_part, mode=mode, ear=ear)
    score = heard.score
    if output is not None:
        write(score, output, force=force)
    facts = {
        "kind": heard.kind, "mode": heard.mode, "ear": heard.by, "tempo": heard.tempo, "meter": str(score.meter),
        "key": str(score.key), "bars": score.bars, "notes": len(score.table), "seconds": round(clip.seconds, 2),
        "file": output,
    }  # fmt: skip
    if json:
        typer.echo(jsonlib.dumps(facts | {"text": notate(score)}, ensure_ascii=False))
        return
    if output is None:
        typer.echo(notate(score), nl=False)
    key = "" if heard.kind == "drums" else f", {score.key}"
    line = f"{len(score.table)} {heard.kind}, {score.bars} bars of {score.meter} at {heard.tempo:g}{key}"
    print(f"libretto: {heard.words}: {line}" + (f"; wrote {output}" if output else ""), file=sys.stderr)
    if heard.mode == "poly" and ear == "best" and find_weights() is None:
        print(f"libretto: many notes are heard better with the field's model: {HOW_TO_INSTALL}", file=sys.stderr)


def shown_part(part: float) -> None:
    """How far listening has come, where somebody watches."""
    if sys.stderr.isatty():
        print(f"\rlistening: {part:.0%}", end="\n" if part >= 1 else "", file=sys.stderr, flush=True)
