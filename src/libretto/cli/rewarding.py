"""The commands about rewards: reward, and bench reward; and their help."""

from __future__ import annotations

import json as jsonlib
import os
import sys
from typing import Annotated

import typer

from libretto.cli.files import read_score
from libretto.cli.options import Jobs, Json, show_progress
from libretto.errors import LibrettoError

__all__ = ["add_to", "add_to_bench", "bench_rewards", "reward", "run_bench_rewards", "run_reward"]

Full = Annotated[bool, typer.Option("--full", help="By the gates and ears themselves: slower by far.")]


def add_to(app: typer.Typer) -> None:
    """Put the command among those of an app."""
    app.command()(reward)


def add_to_bench(app: typer.Typer) -> None:
    """Put the bench among those of an app."""
    app.command(name="reward")(bench_rewards)


def reward(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Files to reward.")],
    brief: Annotated[str | None, typer.Option("--brief", metavar="WORDS", help="What was asked for.")] = None,
    against: Annotated[
        list[str] | None,
        typer.Option("--against", metavar="FILE", help="What was shown and must not be pasted, again for more."),
    ] = None,
    full: Full = False,
    jobs: Jobs = 1,
    json: Json = False,
) -> None:
    """Say what pieces are worth to a model that learns: one bounded number, and its parts.

    With --json, one object a line. A file that is no music is worth less than nothing, and the reason is told;
    one that is not there is an error.

    Example: libretto reward draft.libretto --brief "A waltz in D minor for solo piano over 16 bars."
    """
    run_reward(files, brief, against or [], full, jobs, json)


def run_reward(files: list[str], brief: str | None, against: list[str], full: bool, jobs: int, json: bool) -> None:
    """Reward files and print it."""
    from libretto.reward import PARTS, rewards_of, terms_of
    from libretto.score import Score

    for path in files:
        if path != "-" and (not os.path.exists(path) or os.path.isdir(path)):
            raise LibrettoError(f"there is no file {path} to reward")
    shown = [read_score(path) for path in against]
    terms = terms_of(brief, shown=shown, depth="full" if full else "quick")
    pieces: list[str | Score] = []
    whys: dict[int, str] = {}
    for number, path in enumerate(files):
        try:
            pieces.append(read_score(path))
        except LibrettoError as error:
            whys[number] = " ".join(str(error).split())
            pieces.append("")
    rewards = rewards_of(pieces, terms, jobs=jobs)
    if not json:
        print(f"{'reward':>8s} " + " ".join(f"{part:>11s}" for part in PARTS))
    for number, (path, given) in enumerate(zip(files, rewards, strict=True)):
        why = whys.get(number, given.why)
        if json:
            print(jsonlib.dumps({"file": path, **given.to_dict(), "why": why}))
        else:
            parts = " ".join(f"{given.parts[part]:11.3f}" for part in PARTS)
            print(f"{given.value:8.3f} {parts}  {path}" + (f" ({why})" if why else ""))


def bench_rewards(
    music: Annotated[list[str], typer.Argument(metavar="FOLDER...", help="Songs with a manifest, or tunes.")],
    limit: Annotated[int | None, typer.Option("--limit", min=2, help="So many songs of each at most.")] = None,
    size: Annotated[
        list[str] | None, typer.Option("--size", help="Only solo, duo, trio, quartet or band; again for more.")
    ] = None,
    full: Full = False,
    jobs: Jobs = 0,
    json: Json = False,
) -> None:
    """Hold attacks on the reward against real music, pair by pair; exits with 1 below 99 of 100.

    Example: libretto bench reward ~/midi --limit 100
    """
    run_bench_rewards(music, limit, size or [], full, jobs, json)


def run_bench_rewards(music: list[str], limit: int | None, sizes: list[str], full: bool, jobs: int, json: bool) -> None:
    """Hold attacks against real music and print the table."""
    from libretto.bench.rewarding import bench_reward, rewarding_dict, rewarding_lines, rewarding_passed
    from libretto.corpus.forces import SIZES

    if unknown := sorted(set(sizes) - set(SIZES)):
        raise LibrettoError(f"there is no size {', '.join(unknown)}; there are {', '.join(SIZES)}")
    depth = "full" if full else "quick"
    result = bench_reward(music, limit, jobs=jobs, depth=depth, sizes=sizes or SIZES, progress=show_progress)
    print(jsonlib.dumps(rewarding_dict(result)) if json else "\n".join(rewarding_lines(result)))
    if not rewarding_passed(result):
        sys.exit(1)
