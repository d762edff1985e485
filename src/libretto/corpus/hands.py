"""How many threads may work on arrays at once, and work that is done beside other work."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

__all__ = ["beside", "hands_here"]

_MOST = 4  # more wait for memory
_Result = TypeVar("_Result")
_aside = threading.local()  # whether this thread works beside another, which keeps a core for itself


def hands_here() -> int:
    """As many threads as there are cores for this process, few at most; one where it is itself one of several workers.

    ``OMP_NUM_THREADS`` says how many as it does for other array work. Work that is done beside other work has one less.
    """
    workers = sys.modules.get("multiprocessing.process")  # every worker has loaded it; it is slow to import
    if workers is not None and workers.parent_process() is not None:
        return 1
    asked = os.environ.get("OMP_NUM_THREADS", "")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    hands = min(int(asked) if asked.isdecimal() else cores, cores, _MOST)
    return max(1, hands - getattr(_aside, "working", False))


def beside(work: Callable[[], _Result]) -> Callable[[], _Result]:
    """Begin some work on a core of its own; what is given back waits for it and gives what came of it.

    Where there is one core, the work is done when it is asked for. It should be array work, which lets go of Python's
    lock, and what it reads must not change meanwhile.
    """
    if hands_here() == 1:
        return work
    came: list[_Result] = []
    failed: list[BaseException] = []

    def run() -> None:
        _aside.working = True
        try:
            came.append(work())
        except BaseException as error:  # it is raised where it is waited for
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()

    def result() -> _Result:
        thread.join()
        if failed:
            raise failed[0]
        return came[0]

    return result
