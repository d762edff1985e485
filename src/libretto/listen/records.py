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
from typing import IO, Any

from libretto.errors import LibrettoError
from libretto.formats import read_bytes, write_bytes
from libretto.listen.answers import LONGEST_THOUGHT
from libretto.listen.ears import Heard
from libretto.models.cost import Cost

__all__ = ["Ledger", "dump", "load_json"]


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


class Ledger:
    """The calls of a run; without a folder they are only remembered."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._calls: dict[tuple[str, int], Heard] = {}
        self._file: IO[bytes] | None = None

    @classmethod
    def open(cls, folder: str | os.PathLike[str], asked: Mapping[str, Any], *, retry_failed: bool = False) -> Ledger:
        """The folder of this very run: a new one, or one in which it was begun; another run's is refused."""
        ledger = cls(Path(folder))
        place, known = Path(folder), Path(folder) / "run.json"
        if known.is_file():
            if load_json(known) != json.loads(dump(asked)):
                raise LibrettoError(f"{place} holds another run; choose another folder, or remove it")
        elif place.exists() and (not place.is_dir() or any(place.iterdir())):
            raise LibrettoError(f"{place} is not an empty folder and holds no run; choose another")
        else:
            try:
                place.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise LibrettoError(f"cannot make {place}: {error.strerror}") from None
            write_bytes(dump(asked), known)
        ledger._begin(place / "calls.jsonl", retry_failed)
        return ledger

    def _begin(self, path: Path, retry_failed: bool) -> None:
        """Read the calls that are there, drop half a line at the end, and go on behind them."""
        try:
            self._file = open(path, "a+b")  # noqa: SIM115 - held open as long as the run lasts
        except OSError as error:
            raise LibrettoError(f"cannot write {path}: {error.strerror}") from None
        _lock(self._file, path)
        self._file.seek(0)
        data = self._file.read()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            self._file.truncate(len(whole))
        for number, line in enumerate(whole.splitlines(), 1):
            key, heard = _call(line, path, number)
            if heard.failure and retry_failed:
                self._calls.pop(key, None)
            else:
                self._calls[key] = heard

    def get(self, trial: str, number: int) -> Heard | None:
        """What was heard in a call, if it was made."""
        return self._calls.get((trial, number))

    def keep(self, trial: str, task: str, number: int, purpose: str, heard: Heard) -> None:
        """Write a call down for good."""
        self._calls[trial, number] = heard
        if self._file is None:
            return
        record = {
            "trial": trial,
            "task": task,
            "call": number,
            "purpose": purpose,
            "text": heard.text[: LONGEST_THOUGHT + 1],
            "failure": heard.failure,
            "skipped": heard.skipped,
            "cost": heard.cost.to_dict(),
            "priced": heard.priced,
        }
        self._file.write(json.dumps(record, sort_keys=True, ensure_ascii=True).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self, results: Mapping[str, Any] | None = None) -> None:
        """Let the folder go; the results, where there are any, are written whole."""
        if self._file is not None:
            self._file.close()
            self._file = None
        if results is not None and self.folder is not None:
            write_bytes(dump(results), self.folder / "results.json", force=True)


def _call(line: bytes, path: Path, number: int) -> tuple[tuple[str, int], Heard]:
    try:
        data = json.loads(line)
        heard = Heard(data["text"], data["failure"], data["skipped"], Cost(**data["cost"]), data["priced"])
        return (data["trial"], data["call"]), heard
    except (ValueError, KeyError, TypeError):
        raise LibrettoError(f"{path}, line {number}: not a record of a call; remove the line and run again") from None


def _lock(file: IO[bytes], path: Path) -> None:
    """Keep others out as long as the file is open; the lock dies with the process."""
    try:
        import fcntl
    except ImportError:  # pragma: no cover - Windows has none
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise LibrettoError(f"another run is writing to {path.parent}; wait for it, or choose another folder") from None
