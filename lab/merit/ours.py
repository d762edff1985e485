"""Our own pieces from briefs, for measuring: the house composes as ``libretto compose`` does, with one seed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from libretto.agents import composer, run_task
from libretto.errors import LibrettoError
from libretto.formats import read, write_bytes
from libretto.grammar import notate
from libretto.score import Score
from libretto.tasks import compose_task

__all__ = ["composed", "jury_numbers", "opponents"]

_ROUNDS = 3


def jury_numbers(music: Path) -> list[int]:
    """The briefs that others have written pieces from."""
    return sorted(int(path.stem) for path in (music / "jury" / "opponents").glob("*.mid"))


def opponents(music: Path) -> Iterator[tuple[int, Score]]:
    """The pieces that readers preferred, by the number of their brief."""
    for number in jury_numbers(music):
        yield number, read(music / "jury" / "opponents" / f"{number:03d}.mid")


def composed(music: Path, numbers: Sequence[int], seed: int, keep: Path | None = None) -> Iterator[tuple[int, Score]]:
    """The house's pieces from those briefs; kept as text in a folder, and taken from there the next time."""
    briefs = json.loads((music / "prompts" / "briefs.json").read_text(encoding="utf-8"))
    for number in numbers:
        path = None if keep is None else keep / f"{number:03d}-{seed}.lib.txt"
        if path is not None and path.is_file():
            yield number, read(path)
            continue
        try:
            run = run_task(compose_task(briefs[number]["prompt"]), composer("house", seed), rounds=_ROUNDS, seed=seed)
        except LibrettoError:
            continue
        if run.best.score is None:
            continue
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(notate(run.best.score).encode(), path, force=True)
        yield number, run.best.score
