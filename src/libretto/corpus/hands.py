"""How many threads may work on arrays at once."""

from __future__ import annotations

import os
import sys

__all__ = ["hands_here"]

_MOST = 4  # more wait for memory


def hands_here() -> int:
    """As many threads as there are cores for this process, few at most; one where it is itself one of several workers.

    ``OMP_NUM_THREADS`` says how many as it does for other array work.
    """
    workers = sys.modules.get("multiprocessing.process")  # every worker has loaded it; it is slow to import
    if workers is not None and workers.parent_process() is not None:
        return 1
    asked = os.environ.get("OMP_NUM_THREADS", "")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(int(asked) if asked.isdecimal() else cores, cores, _MOST))
