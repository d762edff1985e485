"""Correcting a contract in a run: by editing its ``contract.toml``, or by saying what should be otherwise.

The corrected run lies in a folder of its own inside the run, so that nothing is lost. The house composes it with the
same seed, so that what was not corrected stays much as it was; a model is given the best draft so far as its own first
one, and is told what that draft does not keep.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from libretto.agents.folder import BEGUN, Recorded, recorded_run
from libretto.contract import Contract, contract_from_text
from libretto.contract.amending import corrected_by
from libretto.errors import LibrettoError
from libretto.formats import read_bytes
from libretto.tasks import Task, compose_task

__all__ = ["Correction", "begun_in", "read_correction"]

_MOST = 1_000  # corrections of one run
_NOT_TOLD = ("assumed", "unread", "heard")


@dataclass(frozen=True)
class Correction:
    """A run with its contract corrected: the task, what was changed, what was not understood, and where it goes on."""

    task: Task
    run: Recorded
    changes: tuple[str, ...]
    unread: tuple[str, ...]
    folder: Path
    begun: str


def read_correction(run: str | os.PathLike[str], words: str = "") -> Correction:
    """What the contract of a run is corrected to: as its file stands now, and as words say."""
    path, known = Path(run), recorded_run(run)
    if known.task.kind != "compose":
        raise LibrettoError(f"{path} is a run of {known.task.kind}; only what was composed has a contract to correct")
    before = known.task.contract
    now = contract_from_text(read_bytes(path / "contract.toml").decode("utf-8", "replace"))
    said = Contract.from_brief(words) if words.strip() else Contract()
    now = corrected_by(now, said)
    changes = _changes(before, now)
    if not changes:
        told = f"; not understood: {'; '.join(said.unread)}" if said.unread else ""
        raise LibrettoError(
            f"nothing is corrected: edit {path / 'contract.toml'} or say what should be otherwise, "
            f"such as 'in 24 bars, without drums'{told}"
        )
    genre = known.task.genre if (now.genre, now.style) == (before.genre, before.style) else None
    task = compose_task(known.task.brief, contract=now, genre=genre or None)
    number = next(number for number in range(1, _MOST) if not (path / f"correction-{number}" / "run.json").is_file())
    return Correction(
        replace(task, taste=known.task.taste), known, changes, said.unread, path / f"correction-{number}", _best(path)
    )


def _changes(before: Contract, now: Contract) -> tuple[str, ...]:
    """What was corrected, a line a field."""
    told: Callable[[Any], str] = lambda value: "(open)" if value in (None, "", ()) else _short(value)  # noqa: E731
    names = [field.name for field in fields(Contract) if field.name not in _NOT_TOLD]
    pairs = [(name, getattr(before, name), getattr(now, name)) for name in names]
    return tuple(f"{name}: {told(old)} -> {told(new)}" for name, old, new in pairs if old != new)


def _short(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(str(getattr(one, "name", "") or getattr(one, "text", "") or one) for one in value)
    return str(value)


def _best(run: Path) -> str:
    best = run / "best.libretto"
    return read_bytes(best).decode("utf-8", "replace") if best.is_file() else ""


def begun_in(run: str | os.PathLike[str]) -> str:
    """The draft that a run was begun with; empty where it began with none."""
    file = Path(run) / BEGUN
    return read_bytes(file).decode("utf-8", "replace") if file.is_file() else ""
