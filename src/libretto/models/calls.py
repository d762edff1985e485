"""A log of calls in one file: one JSON object a line, each on the disk before it is used, one writer at a time."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from libretto.errors import LibrettoError

__all__ = ["CallLines"]


class CallLines:
    """The calls of a run that was begun or is taken up again; half a line at the end is dropped.

    ``records`` are those that were there, in order. Two runs cannot share a file: the second is refused.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        try:
            self._file: IO[bytes] | None = open(self.path, "a+b")  # noqa: SIM115 - open as long as the run lasts
        except OSError as error:
            raise LibrettoError(f"cannot write {self.path}: {error.strerror}") from None
        _lock(self._file, self.path)
        self.records = tuple(self._begun(self._file))

    def add(self, record: Mapping[str, Any]) -> None:
        """Write a call down for good."""
        if self._file is None:
            raise LibrettoError(f"{self.path} is closed; no call can be added to it")
        self._file.write(json.dumps(record, sort_keys=True, ensure_ascii=True).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let the file go; more than once does no harm."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _begun(self, file: IO[bytes]) -> list[dict[str, Any]]:
        """What is there in whole lines; the file is cut behind them."""
        file.seek(0)
        data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            file.truncate(len(whole))
        return [self._read(line, number) for number, line in enumerate(whole.splitlines(), 1)]

    def _read(self, line: bytes, number: int) -> dict[str, Any]:
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if not isinstance(record, dict):
            raise self.damaged(number)
        return record

    def damaged(self, number: int) -> LibrettoError:
        """What is raised where a line holds no record of a call; lines are counted from 1."""
        return LibrettoError(f"{self.path}, line {number}: not a record of a call; remove the line and run again")


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
