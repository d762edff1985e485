"""Work that takes time, in processes of its own: the server stays quick, and what is cancelled ends at once.

A worker is a process that has already imported what it needs and waits for a job. A job is known by a number; its
state is kept in the workspace, so that a page that is loaded again, or a server that is started again, knows of it.
"""

from __future__ import annotations

import json
import multiprocessing
import secrets
import threading
from collections import deque
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from libretto.errors import LibrettoError
from libretto.formats import read_bytes, write_bytes

__all__ = ["Job", "Workers"]

_MOST_JOBS = 50  # that are remembered
_MOST_AT_ONCE = 2
_MOST_WAITING = 20
_MOST_LINES = 200  # of progress that a job keeps
_LONGEST_SHOWN = 2_000  # characters of an argument that a job's record keeps
_SECOND_AFTER = 6.0  # seconds after which a second worker is started: the first has the machine for itself
_RUNNING = ("waiting", "running")


@dataclass
class Job:
    """One piece of work: what, for which piece, how far it is, and what it came to."""

    id: str
    kind: str
    arguments: dict[str, Any]  # as they are shown: long ones are cut
    state: str = "waiting"  # waiting, running, done, failed, cancelled, interrupted
    lines: list[dict[str, Any]] = field(default_factory=list)  # progress: text, and the share done where it is known
    result: dict[str, Any] = field(default_factory=dict)
    error: dict[str, Any] = field(default_factory=dict)
    steps: int = 0  # counts every change, so that a listener knows whether something is new

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self.state not in _RUNNING

    def to_dict(self) -> dict[str, Any]:
        """The job as plain data."""
        return asdict(self)


class _Worker:
    """A process that waits for jobs."""

    def __init__(self, root: Path, ready: bool = True) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        from libretto.studio.jobs import attend

        self.process = context.Process(target=attend, args=(other, str(root), ready), daemon=True)
        self.process.start()
        other.close()

    def stop(self) -> None:
        self.process.kill()
        self.pipe.close()


class Workers:
    """The jobs of a studio and the processes that do them."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.folder = root, folder
        self.jobs: dict[str, Job] = {}
        self._idle: deque[_Worker] = deque()
        self._busy: dict[str, _Worker] = {}
        self._waiting: deque[str] = deque()
        self._given: dict[str, dict[str, Any]] = {}  # the arguments of jobs that are not over, whole
        self._lock = threading.RLock()
        self._open = True
        self._beside: _Worker | None = None  # draws and renders while the others compose
        self._drawing = threading.Lock()
        self._recall()

    def warm(self, second: bool = False) -> None:
        """Start a process before anyone asks for it; with ``second`` another one a little later."""
        with self._lock:
            if self._open and len(self._idle) + len(self._busy) < _MOST_AT_ONCE:
                self._idle.append(_Worker(self.root))
        if second:
            later = threading.Timer(_SECOND_AFTER, self.warm)
            later.daemon = True
            later.start()

    def start(self, kind: str, arguments: dict[str, Any]) -> Job:
        """Begin a job, or let it wait for its turn."""
        with self._lock:
            if len(self._waiting) >= _MOST_WAITING:
                raise LibrettoError(f"{_MOST_WAITING} jobs are waiting already; let one end, or cancel one")
            job = Job(secrets.token_hex(8), kind, _shown(arguments))
            self.jobs[job.id], self._given[job.id] = job, arguments
            self._forget()
            self._waiting.append(job.id)
            self._next()
        self._keep(job)
        return job

    def at_once(self, kind: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """What a job comes to, waited for: one at a time, in a process of its own, without a record."""
        with self._drawing:
            if not self._open:
                raise LibrettoError("the studio is closing")
            if self._beside is None:
                self._beside = _Worker(self.root, ready=False)
            try:
                self._beside.pipe.send((kind, arguments))
                said = "progress"
                while said == "progress":
                    said, data = self._beside.pipe.recv()
            except (EOFError, OSError):
                self._beside.stop()
                self._beside = None
                raise LibrettoError("the worker ended before its work did; try again") from None
        if said != "done":
            raise LibrettoError(str(data.get("error", "this cannot be done")))
        result: dict[str, Any] = data
        return result

    def find(self, number: str) -> Job:
        """A job by its number."""
        if number not in self.jobs:
            raise LibrettoError("there is no such job; it may be too long ago")
        return self.jobs[number]

    def cancel(self, number: str) -> Job:
        """End a job now; what it had not saved is gone."""
        with self._lock:
            job = self.find(number)
            if job.is_over:
                return job
            worker = self._busy.pop(number, None)
            if number in self._waiting:
                self._waiting.remove(number)
            self._end(job, "cancelled")
            if worker is not None:
                worker.stop()
            self._next()
        self.warm()
        return job

    def close(self) -> None:
        """End every process."""
        with self._lock:
            self._open = False
            beside = (self._beside,) if self._beside is not None else ()
            for worker in (*self._idle, *self._busy.values(), *beside):
                worker.stop()
            self._idle.clear()

    def _next(self) -> None:
        while self._waiting and len(self._busy) < _MOST_AT_ONCE:
            job = self.jobs[self._waiting.popleft()]
            worker = self._idle.popleft() if self._idle else _Worker(self.root)
            self._busy[job.id] = worker
            job.state, job.steps = "running", job.steps + 1
            threading.Thread(target=self._follow, args=(job, worker), daemon=True).start()

    def _follow(self, job: Job, worker: _Worker) -> None:
        """Hand a job to a worker and take down what it says."""
        try:
            worker.pipe.send((job.kind, self._given.get(job.id, job.arguments)))
            while True:
                said, data = worker.pipe.recv()
                if said == "progress":
                    job.lines = [*job.lines[1 - _MOST_LINES :], data]
                    job.steps += 1
                    continue
                job.result, job.error = (data, {}) if said == "done" else ({}, data)
                self._free(job, worker, "done" if said == "done" else "failed")
                return
        except (EOFError, OSError):
            if not job.is_over:
                job.error = {"error": "the worker ended before its work did; try again"}
                worker.stop()
                self._free(job, None, "failed")

    def _free(self, job: Job, worker: _Worker | None, state: str) -> None:
        with self._lock:
            self._busy.pop(job.id, None)
            if not job.is_over:
                self._end(job, state)
            if worker is not None and self._open:
                self._idle.append(worker)
            self._next()
        if worker is None:
            self.warm()  # for the one that ended

    def _end(self, job: Job, state: str) -> None:
        job.state, job.steps = state, job.steps + 1
        self._given.pop(job.id, None)
        self._keep(job)

    def _keep(self, job: Job) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        write_bytes(json.dumps(job.to_dict(), ensure_ascii=True).encode(), self.folder / f"{job.id}.json", force=True)

    def _recall(self) -> None:
        """The jobs of an earlier server; what it was still doing was cut off."""
        for path in sorted(self.folder.glob("*.json"), key=lambda path: path.stat().st_mtime)[-_MOST_JOBS:]:
            job = _read(path)
            if job is not None:
                job.state = job.state if job.is_over else "interrupted"
                self.jobs[job.id] = job

    def _forget(self) -> None:
        over = [job for job in self.jobs.values() if job.is_over]
        for job in over[: max(0, len(self.jobs) - _MOST_JOBS)]:
            del self.jobs[job.id]
            (self.folder / f"{job.id}.json").unlink(missing_ok=True)


def _shown(arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments as a record keeps them: what is long is only named by its size."""
    told = {}
    for name, value in arguments.items():
        size = len(value) if isinstance(value, str) else len(json.dumps(value))
        told[name] = value if size <= _LONGEST_SHOWN else f"({size:,} characters)"
    return told


def _read(path: Path) -> Job | None:
    try:
        data = json.loads(read_bytes(path))
        job = Job(**data)
    except (LibrettoError, ValueError, TypeError, RecursionError):
        return None
    plain = isinstance(job.lines, list) and isinstance(job.result, dict) and isinstance(job.error, dict)
    return job if plain and job.id == path.stem and isinstance(job.state, str) else None
