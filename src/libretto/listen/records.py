"""The folder of a listening run: what was asked, every call as it was made, and the results.

::

    run.json        ear, condition, seed, tasks, order of trials, few-shot trials, digests of table and prompts
    calls.jsonl     one line a call: trial, number and purpose of the call, reply, failure, tokens, money
    results.json    the outcome of every trial, and of the three baselines, once the run is over

A call is written down the moment it is answered. A run that was killed replays its calls and asks only for what is
missing, in the middle of a trial too; half a line at the end of the file is dropped. Two runs cannot share a folder.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from libretto.errors import LibrettoError
from libretto.formats import read_bytes, write_bytes
from libretto.formats.files import is_leftover
from libretto.listen.ears import Heard
from libretto.listen.replies import LONGEST_THOUGHT
from libretto.models.cost import Cost
from libretto.models.ledger import CallLines

__all__ = ["CallLog", "dump", "load_json"]


def dump(data: object) -> bytes:
    """Plain data as JSON, the same bytes for the same data."""
    return (json.dumps(data, indent=1, sort_keys=True, ensure_ascii=True) + "\n").encode()


def load_json(path: Path) -> dict[str, Any]:
    """The object in a file of ours; anything else is an error."""
    try:
        data = json.loads(read_bytes(path))
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise LibrettoError(f"{path} is damaged: it holds no JSON object; remove the folder and run again")
    return data


class CallLog:
    """What was heard in each call of a run, by trial and number; without a folder it is only remembered."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._calls: dict[tuple[str, int], Heard] = {}
        self._lines: CallLines | None = None

    @classmethod
    def open(cls, folder: str | os.PathLike[str], asked: Mapping[str, Any], *, retry_failed: bool = False) -> CallLog:
        """The folder of this very run: a new one, or one in which it was begun; another run's is refused."""
        place = Path(folder)
        _claim(place, asked)
        log = cls(place)
        log._lines = lines = CallLines(place / "calls.jsonl")
        for number, record in enumerate(lines.records, 1):
            try:
                key, heard = (record["trial"], record["call"]), _heard(record)
            except (KeyError, TypeError):
                raise lines.damaged(number) from None
            if heard.failure and retry_failed:
                log._calls.pop(key, None)
            else:
                log._calls[key] = heard
        return log

    def get(self, trial: str, number: int) -> Heard | None:
        """What was heard in a call, if it was made."""
        return self._calls.get((trial, number))

    def keep(self, trial: str, task: str, number: int, purpose: str, heard: Heard) -> None:
        """Write a call down for good."""
        self._calls[trial, number] = heard
        if self._lines is not None:
            self._lines.add(_record(trial, task, number, purpose, heard))

    def close(self, results: Mapping[str, Any] | None = None) -> None:
        """Let the folder go; the results, where there are any, are written whole."""
        if self._lines is not None:
            self._lines.close()
            self._lines = None
        if results is not None and self.folder is not None:
            write_bytes(dump(results), self.folder / "results.json", force=True)


def _claim(place: Path, asked: Mapping[str, Any]) -> None:
    """Make the folder of a run, or see that it is this very run's."""
    known = place / "run.json"
    if known.is_file():
        if load_json(known) != json.loads(dump(asked)):
            raise LibrettoError(f"{place} holds another run; choose another folder, or remove it")
        return
    if place.exists() and (not place.is_dir() or not all(map(is_leftover, place.iterdir()))):
        raise LibrettoError(f"{place} is not an empty folder and holds no run; choose another")
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LibrettoError(f"cannot make {place}: {error.strerror}") from None
    write_bytes(dump(asked), known)


def _record(trial: str, task: str, number: int, purpose: str, heard: Heard) -> dict[str, Any]:
    return {
        "trial": trial,
        "task": task,
        "call": number,
        "purpose": purpose,
        "text": heard.text[: LONGEST_THOUGHT + 1],
        "failure": heard.failure,
        "skipped": heard.skipped,
        "cost": heard.cost.to_dict(),
        "priced": heard.priced,
        **({"confidence": heard.confidence} if heard.confidence is not None else {}),
    }


def _heard(record: Mapping[str, Any]) -> Heard:
    cost, sure = Cost(**record["cost"]), record.get("confidence")
    return Heard(record["text"], record["failure"], record["skipped"], cost, record["priced"], sure)
