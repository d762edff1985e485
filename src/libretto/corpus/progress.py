"""How far a long piece of work has come, on standard error: a line that renews itself, or a line every tenth."""

from __future__ import annotations

import sys
import time
from typing import TextIO

__all__ = ["Progress", "clock"]

_PAUSE_SECONDS = 2.0  # between lines in a log; quick work says nothing
_BLINK_SECONDS = 0.1
_TENTHS = 10
_INSTANT = 1e-9  # seconds; no time is divided by less


def clock(seconds: float) -> str:
    """Seconds as a person reads them.

    >>> clock(75), clock(3675)
    ('1:15', '1:01:15')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Progress:
    """Counts steps and shows count, rate and time left; ``before`` steps were done in an earlier run."""

    def __init__(
        self, total: int, *, before: int = 0, quiet: bool = False, stream: TextIO | None = None, noun: str = "files"
    ) -> None:
        self._total, self._before, self._done = total, before, 0
        self._stream = stream if stream is not None else sys.stderr
        self._quiet, self._noun = quiet, noun
        self._renewed = not quiet and self._stream.isatty()
        self._start = self._shown_at = time.monotonic()
        self._tenth = 0

    def step(self, count: int = 1) -> None:
        """So many more are done."""
        self._done += count
        now = time.monotonic()
        if self._renewed:
            if now - self._shown_at >= _BLINK_SECONDS or self._done == self._total:
                self._print(now, "\r", "\x1b[K" + ("\n" if self._done == self._total else ""))
        elif not self._quiet:
            tenth = _TENTHS * self._done // self._total
            if tenth > self._tenth and now - self._shown_at >= _PAUSE_SECONDS:
                self._tenth = tenth
                self._print(now, "", "\n")

    def _print(self, now: float, head: str, tail: str) -> None:
        self._shown_at = now
        rate = self._done / max(now - self._start, _INSTANT)
        left = clock((self._total - self._done) / rate)
        count = f"{self._before + self._done}/{self._before + self._total} {self._noun}"
        print(f"{head}{count}, {rate:.1f} a second, {left} left", end=tail, file=self._stream, flush=True)
