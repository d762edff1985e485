"""Who does the work: this process, several processes of this machine, or the machines of a dask cluster.

An engine takes tasks and gives each back with what came of it, in any order; None where whoever worked on it died, even
when it was alone. At most a few tasks a worker are on their way at a time, so that neither the list of files nor the
results are ever held whole. To add an engine is to register one.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from typing import Any

from libretto.corpus.gather import attend
from libretto.corpus.labels import one_line
from libretto.corpus.scale.extra import dask_client
from libretto.corpus.scale.leaf import Task
from libretto.errors import LibrettoError
from libretto.registry import Registry

__all__ = ["Engine", "Means", "Work", "choose_engine", "engines"]

Work = Callable[[Task], bytes]
_AHEAD = 2  # tasks a worker that are on their way
_PATIENCE_SECONDS = 300.0  # for a scheduler that is away
_PAUSE_SECONDS = 0.1
_CONNECT_SECONDS = 5.0
_FEWEST_AHEAD = 4


@dataclass(frozen=True)
class Means:
    """What an engine may use: processes of this machine, 0 for one a core; the address of a scheduler."""

    workers: int = 0
    scheduler: str = ""
    patience_seconds: float = _PATIENCE_SECONDS


Engine = Callable[[Work, Iterator[Task], Means], Iterator[tuple[Task, bytes | None]]]
#: Every engine by name.
engines: Registry[Engine] = Registry("engine")


def choose_engine(means: Means) -> Engine:
    """The engine that goes with what there is."""
    name = "dask" if means.scheduler else "here" if means.workers == 1 else "processes"
    return engines[name]


@engines.register("here")
def _here(work: Work, tasks: Iterator[Task], means: Means) -> Iterator[tuple[Task, bytes | None]]:
    """One task after another in this process."""
    for task in tasks:
        yield task, work(task)


def _pool(workers: int) -> ProcessPoolExecutor:
    """Processes that begin clean: threads of this one are not copied into them."""
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=attend)


@engines.register("processes")
def _processes(work: Work, tasks: Iterator[Task], means: Means) -> Iterator[tuple[Task, bytes | None]]:
    """Several processes of this machine; what was being worked on when one dies is done again, one by one."""
    workers = means.workers or os.cpu_count() or 1
    pool = _pool(workers)
    flying: dict[Future[bytes], Task] = {}
    try:
        while True:
            for task in islice(tasks, max(0, workers * _AHEAD - len(flying))):
                flying[pool.submit(work, task)] = task
            if not flying:
                return
            done, _ = wait(flying, return_when=FIRST_COMPLETED)
            broken = [future for future in done if isinstance(future.exception(), BrokenProcessPool)]
            for future in done.difference(broken):
                yield flying.pop(future), future.result()
            if broken:
                suspects = sorted(flying.values(), key=lambda task: task.number)
                flying.clear()
                pool.shutdown(wait=True, cancel_futures=True)
                for task in suspects:
                    yield task, _alone(work, task)
                pool = _pool(workers)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _alone(work: Work, task: Task) -> bytes | None:
    with _pool(1) as pool:
        try:
            return pool.submit(work, task).result()
        except BrokenProcessPool:
            return None


@engines.register("dask")
def _dask(work: Work, tasks: Iterator[Task], means: Means) -> Iterator[tuple[Task, bytes | None]]:
    """The workers of a dask cluster; a scheduler that goes away is waited for, and what was lost is asked for again."""
    cluster = _Cluster(work, means)
    again: deque[Task] = deque()
    try:
        while True:
            cluster.keep_up()
            again.extend(cluster.lost())
            while len(cluster.flying) < cluster.room and (task := again.popleft() if again else next(tasks, None)):
                cluster.submit(task)
            if not cluster.flying and not again:
                return
            finished = list(cluster.finished())
            yield from finished
            if not finished:
                time.sleep(_PAUSE_SECONDS)
    finally:
        cluster.close()


class _Cluster:
    """A connection to a scheduler that is made anew when it breaks, and the tasks that are on their way."""

    def __init__(self, work: Work, means: Means) -> None:
        self._library = dask_client()
        self._work, self._means = work, means
        self.flying: dict[Any, Task] = {}
        self._orphans: list[Task] = []
        self._asked = 0
        self._client: Any = None
        self._connect()

    def _connect(self) -> None:
        """Reach the scheduler; one that does not answer in time is one clear error."""
        until = time.monotonic() + self._means.patience_seconds
        while True:
            try:
                self._client = self._library.Client(
                    self._means.scheduler, timeout=_CONNECT_SECONDS, set_as_default=False, name="libretto"
                )
                return
            except (OSError, TimeoutError, ValueError) as error:
                if time.monotonic() > until or isinstance(error, ValueError):
                    where = one_line(self._means.scheduler)
                    raise LibrettoError(
                        f"no scheduler answers at {where}; what is finished is kept: run the same command again"
                    ) from None
                time.sleep(_PAUSE_SECONDS)

    @property
    def room(self) -> int:
        """How many tasks may be on their way."""
        threads = sum(worker["nthreads"] for worker in self._client.scheduler_info(n_workers=-1)["workers"].values())
        return max(_FEWEST_AHEAD, _AHEAD * int(threads))

    def keep_up(self) -> None:
        """Connect anew where the connection is gone; all that was on its way is lost then."""
        if self._client.status == "running":
            return
        self._orphans += self.flying.values()
        self.flying.clear()
        self.close()
        self._connect()

    def submit(self, task: Task) -> None:
        """Send a task on its way."""
        self._asked += 1
        future = self._client.submit(self._work, task, key=f"libretto-{task.number}-{self._asked}", pure=False)
        self.flying[future] = task

    def lost(self) -> list[Task]:
        """The tasks that nobody works on any more."""
        gone = [future for future in self.flying if future.status in ("cancelled", "lost")]
        orphans = self._orphans + [self.flying.pop(future) for future in gone]
        self._orphans = []
        return sorted(orphans, key=lambda task: task.number)

    def finished(self) -> Iterator[tuple[Task, bytes | None]]:
        """The tasks that are done; None for one that took several workers down."""
        for future in [future for future in self.flying if future.status in ("finished", "error")]:
            task = self.flying[future]
            try:
                data = future.result(timeout=_CONNECT_SECONDS)
            except self._library.KilledWorker:
                data = None
            except (OSError, TimeoutError, self._library.client.FutureCancelledError):
                self._orphans.append(self.flying.pop(future))
                continue
            except Exception as error:  # whatever a worker raises, such as a package that it has not
                why = f"{type(error).__name__}: {one_line(str(error))}"
                raise LibrettoError(f"a worker of the cluster could not do its part: {why}") from None
            del self.flying[future]
            yield task, data

    def close(self) -> None:
        """Let the scheduler go."""
        for future in self.flying:
            future.release()
        try:
            self._client.close(timeout=_CONNECT_SECONDS)
        except (OSError, TimeoutError):
            return
