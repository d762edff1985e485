"""A line while one waits: what is being done, and for how long already; only where somebody watches."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["waiting"]

_FIRST, _STEP = 1.0, 0.5  # seconds before the first line, and between two


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Say on standard error what is being done while it lasts longer than a second; nothing where it is no terminal."""
    if not sys.stderr.isatty():
        yield
        return
    over, begun = threading.Event(), time.monotonic()

    def watch() -> None:
        wait = _FIRST
        while not over.wait(wait):
            print(f"\r{what} ... {time.monotonic() - begun:.0f} s", end="", file=sys.stderr, flush=True)
            wait = _STEP

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
        if time.monotonic() - begun > _FIRST:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
