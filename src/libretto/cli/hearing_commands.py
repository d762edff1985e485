"""What the commands that write down recordings and make listening suites do: read, call, write."""

from __future__ import annotations

import json as jsonlib
import sys
from collections.abc import Sequence

import typer

__all__ = ["run_make", "run_transcribe"]


def run_make(output: str, trials: int, seed: int, noise: float | None, tasks: Sequence[str], json: bool) -> None:
    """Make a suite and say where it is."""
    from libretto.corpus.progress import Progress
    from libretto.listen.making import make_suite, trials_in

    chosen = [name.strip() for each in tasks for name in each.split(",") if name.strip()]
    total = trials_in(trials, chosen)
    progress = Progress(total, quiet=json, noun="trials")
    manifest = make_suite(output, trials, seed, noise, chosen, step=progress.step)
    if json:
        typer.echo(jsonlib.dumps({"manifest": str(manifest), "rows": total}))
    else:
        typer.echo(f"wrote {manifest} ({total} rows) and its clips")


def run_transcribe(audio: str, output: str | None, force: bool, json: bool) -> None:
    """Write down a recording and print it, or say where it is."""
    from libretto.formats import format_of, write
    from libretto.grammar import notate
    from libretto.hearing.audio import LONGEST_RECORDING, load_clip
    from libretto.hearing.transcribing import transcribe

    if output is not None:
        format_of(output)  # before the work, not after it
    clip = load_clip(audio, longest=LONGEST_RECORDING)
    found = transcribe(clip, None if json else _shown)
    score = found.score
    if output is not None:
        write(score, output, force=force)
    facts = {
        "kind": found.kind, "tempo": found.tempo, "key": str(score.key), "bars": score.bars,
        "notes": len(score.table), "seconds": round(clip.seconds, 2), "file": output,
    }  # fmt: skip
    if json:
        typer.echo(jsonlib.dumps(facts | {"text": notate(score)}, ensure_ascii=False))
        return
    if output is None:
        typer.echo(notate(score), nl=False)
    key = "" if found.kind == "drums" else f", {score.key}"
    line = f"{len(score.table)} {found.kind}, {score.bars} bars at {found.tempo:g}{key}"
    print(f"libretto: heard {line}" + (f"; wrote {output}" if output else ""), file=sys.stderr)


def _shown(part: float) -> None:
    """How far listening has come, where somebody watches."""
    if sys.stderr.isatty():
        print(f"\rlistening: {part:.0%}", end="\n" if part >= 1 else "", file=sys.stderr, flush=True)
