"""Talk back: a run, or any piece, and words about it; the words become wishes, the wishes a task for any composer."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from libretto.agents.folder import read_asked
from libretto.agents.understanding import ask_wishes
from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.formats import read, read_bytes
from libretto.grammar import parse
from libretto.models.ledger import Ledger
from libretto.score import Score
from libretto.tasks import RevisionTask, Task, Wish, read_wishes, revise_task

__all__ = ["Reading", "read_revision"]

_MOST = 1_000


@dataclass(frozen=True)
class Reading:
    """What some words about a piece were taken to mean: the task, what was not understood, where to put the answer."""

    task: RevisionTask | None
    unread: tuple[str, ...]
    folder: Path | None
    seed: int = 0


def read_revision(
    place: str | os.PathLike[str],
    words: str,
    wishes: Sequence[Wish] = (),
    *,
    genre: str | None = None,
    ledger: Ledger | None = None,
) -> Reading:
    """Read words about the best piece of a run folder (its last revision), or about a piece in a file.

    ``wishes`` are taken instead of the words' own where they are given. The lexicon reads first; with a ``ledger`` a
    model is asked what it does not know.
    """
    path = Path(place)
    if path.is_dir():
        base, came_from, number = _latest(path), _task_of(path), _free(path)
        folder: Path | None = path / f"revision-{number}"
    elif path.is_file():
        base, came_from, folder = read(path), None, None
    else:
        raise LibrettoError(f"{place} is neither the folder of a run nor a piece")
    found, unread = (list(wishes), []) if wishes else read_wishes(words, base)
    if unread and ledger is not None:
        more = ask_wishes(ledger, unread, base)
        found, unread = [*found, *more], [] if more else unread
    if not found:
        return Reading(None, tuple(unread), folder)
    task = revise_task(base, found, came_from=came_from, words=words, genre=genre)
    asked = read_asked(path) if came_from is not None else {}
    seed = int(asked.get("seed", 0))
    if asked.get("composer") == "house":
        task = replace(task, house=True, first_seed=seed, controls=_controls(path))
    return Reading(task, tuple(unread), folder, seed)


def _latest(run: Path) -> Score:
    """The best piece of a run's last revision, or of the run itself; as it is on the disk now."""
    for folder in (*(run / f"revision-{number}" for number in range(_free(run) - 1, 0, -1)), run):
        best = folder / "best.libretto"
        if best.is_file():
            return parse(read_bytes(best).decode("utf-8", "replace"))
    raise LibrettoError(f"{run} holds no finished piece")


def _free(run: Path) -> int:
    return next(number for number in range(1, _MOST) if not (run / f"revision-{number}" / "best.libretto").is_file())


def _task_of(run: Path) -> Task:
    """The task that a run answered, as far as its gates go."""
    asked = read_asked(run)
    contract = Contract.from_dict(asked.get("contract") or {})
    length = (contract.bars, contract.bars) if contract.bars else None
    return Task(
        str(asked.get("task", "compose")),
        str(asked.get("brief", "")),
        contract,
        str(asked.get("genre", "")),
        length=length,
    )


def _controls(run: Path) -> dict[str, float]:
    """How the house's knobs stood in the best round of a run."""
    import json

    try:
        best = json.loads(read_bytes(run / "summary.json"))["best"]
        notes = json.loads(read_bytes(run / f"round-{int(best)}.json"))["notes"]
        return {str(name): float(value) for name, value in notes.get("controls", {}).items()}
    except (LibrettoError, ValueError, KeyError, TypeError, AttributeError):
        return {}
