"""Replays: a run played again from its own folder, with the replies that were recorded and no model."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from libretto.agents.folder import read_asked
from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.formats import read_bytes
from libretto.tasks import Task, compose_task, make_again

__all__ = ["Recorded", "recorded_run"]

_USUAL_ROUNDS = 3
_NOT_SETTINGS = {"kind", "composer", "seed", "settings"}


@dataclass(frozen=True)
class Recorded:
    """What a run was: its task, who composed it and how, and how many rounds it took."""

    task: Task
    composer: str
    seed: int
    settings: dict[str, Any]
    rounds: int


def recorded_run(folder: str | os.PathLike[str]) -> Recorded:
    """What the run in a folder was asked, made again; refused where that cannot be done."""
    asked = read_asked(folder)
    if isinstance(asked.get("made"), dict):
        task = make_again(asked["made"])
    elif asked.get("task") == "compose" and isinstance(asked.get("contract"), dict):
        contract = Contract.from_dict(asked["contract"])
        task = compose_task(str(asked.get("brief", "")), contract=contract, genre=str(asked.get("genre") or "") or None)
    else:
        raise LibrettoError(f"{folder} does not say what its task was made from; give the same arguments with --replay")
    known = {name: value for name, value in asked.items() if name not in _NOT_SETTINGS}
    if json.loads(json.dumps(task.asked())) != known:
        raise LibrettoError(f"the task of {folder} cannot be made again by this version")
    settings = asked.get("settings")
    return Recorded(
        task, str(asked.get("composer", "")), int(asked.get("seed", 0)),
        dict(settings) if isinstance(settings, dict) else {}, _rounds(Path(folder)),
    )  # fmt: skip


def _rounds(folder: Path) -> int:
    try:
        return max(1, int(json.loads(read_bytes(folder / "summary.json"))["rounds"]))
    except (LibrettoError, OSError, ValueError, KeyError, TypeError):
        return _USUAL_ROUNDS
