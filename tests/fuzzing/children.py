"""Inputs tried in a child process that is bounded in time and memory, and what became of them.

A child is forked, takes input after input, and says what became of each; where it dies, by a crash, of its bound on
memory or because an input took too long, the input it died of is known and another child goes on behind it. The n-th
input of a class depends on its name, the seed and n alone, so that any single one can be tried again.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import resource
import shutil
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from fuzzing.corpora import CLASSES, load, room
from libretto.errors import LibrettoError

__all__ = ["MEGABYTES", "SECONDS", "Tally", "table", "try_class", "try_one"]

SECONDS, MEGABYTES = 5.0, 500
_ADDRESS_SPACE = 2_000 << 20  # beyond what is mapped already; what is used is measured
_DEADLINE = 3 * SECONDS  # of processor time: a child that takes so long is ended
_LONGEST = 400  # characters of what is told of a fault


@dataclass
class Tally:
    """What became of the inputs of one class."""

    name: str
    inputs: int = 0
    refused: int = 0
    read: int = 0
    slow: int = 0
    large: int = 0
    raised: int = 0
    slowest: float = 0.0
    largest: float = 0.0
    faults: list[str] = field(default_factory=list)

    def add(self, number: int, kind: str, text: str, seconds: float, megabytes: float) -> None:
        """Count one input."""
        self.inputs += 1
        self.slowest, self.largest = max(self.slowest, seconds), max(self.largest, megabytes)
        if kind == "refused":
            self.refused += 1
        elif kind == "read":
            self.read += 1
        elif kind == "slow":
            self.slow += 1
        else:
            self.raised += 1
        if kind in ("read", "refused") and seconds > SECONDS:
            self.slow += 1
            kind = "slow"
        if megabytes > MEGABYTES:
            self.large += 1
            kind = "large"
        if kind not in ("read", "refused"):
            self.faults.append(f"{self.name} {number}: {kind} {text} ({seconds:.1f} s, {megabytes:.0f} MB)")


def _chance(name: str, seed: int, number: int) -> random.Random:
    return random.Random(f"{name} {seed} {number}")


def try_class(name: str, numbers: Iterable[int], seed: int = 1, until: float | None = None) -> Tally:
    """Try the inputs of a class by their numbers; where there is a moment to stop, as many as come before it."""
    load()
    left, tally = list(numbers), Tally(name)
    while left and (until is None or time.monotonic() < until):
        told, status = _in_child(name, left, seed, until)
        for number, row in zip(left, told, strict=False):
            tally.add(number, *row)
        if status == 0 and (len(told) == len(left) or until is not None):
            break
        if len(told) < len(left):
            signalled = os.WIFSIGNALED(status)
            slow = signalled and os.WTERMSIG(status) == signal.SIGPROF
            how = f"signal {os.WTERMSIG(status)}" if signalled else f"exit {status}"
            tally.add(left[len(told)], "slow" if slow else "crashed", how, _DEADLINE if slow else 0.0, 0.0)
        left = left[len(told) + 1 :]
    return tally


def _in_child(
    name: str, numbers: list[int], seed: int, until: float | None
) -> tuple[list[tuple[str, str, float, float]], int]:
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        try:
            room.cache_clear()
            with open(writer, "w", encoding="utf-8") as report:
                _bound()
                with contextlib.suppress(Exception):  # what is imported first is not the input's fault
                    CLASSES[name](_chance(name, 0, -1))()
                for number in numbers:
                    if until is not None and time.monotonic() > until:
                        break
                    print(json.dumps(_attempt(name, seed, number)), file=report, flush=True)
        finally:
            shutil.rmtree(room(), ignore_errors=True)
            os._exit(0)
    os.close(writer)
    with open(reader, encoding="utf-8") as report:
        rows = [tuple(json.loads(line)) for line in report if line.endswith("\n")]
    return rows, os.waitpid(child, 0)[1]


def _bound() -> None:
    mapped = Path("/proc/self/statm")
    if mapped.exists():
        most = _ADDRESS_SPACE + int(mapped.read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # a hang in C++ never comes back to a Python handler
    warnings.simplefilter("ignore")
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _attempt(name: str, seed: int, number: int) -> tuple[str, str, float, float]:
    try:
        call = CLASSES[name](_chance(name, seed, number))
    except Exception as error:
        return "unmade", ascii(traceback.format_exc()[-_LONGEST:] or error), 0.0, 0.0
    signal.setitimer(signal.ITIMER_PROF, _DEADLINE)
    before, started = _peak(), time.process_time()
    try:
        call()
        kind, text = "read", ""
    except LibrettoError as error:
        text = str(error)
        kind = "refused" if text and "\n" not in text else "refused in other than one line:"
    except BaseException as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        kind, text = "raised", f"{type(error).__name__}: {error} at {where.filename}:{where.lineno}"[-_LONGEST:]
    seconds = time.process_time() - started
    signal.setitimer(signal.ITIMER_PROF, 0)
    return kind, ascii(text)[1:-1] if kind != "refused" else "", seconds, max(0.0, _peak() - before)


def try_one(name: str, number: int, seed: int = 1) -> object:
    """One input in this process, with its traceback."""
    load()
    call: Callable[[], object] = CLASSES[name](_chance(name, seed, number))
    with contextlib.suppress(LibrettoError):
        return call()
    return None


def _peak() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def table(tallies: Iterable[Tally]) -> str:
    """The result as a table of Markdown."""
    rows = ["| class | inputs | read | refused | over time | over memory | tracebacks | slowest | largest |"]
    rows.append("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for one in tallies:
        rows.append(
            f"| {one.name} | {one.inputs:,} | {one.read:,} | {one.refused:,} | {one.slow} | {one.large} | {one.raised} "
            f"| {one.slowest:.2f} s | {one.largest:.0f} MB |"
        )
    return "\n".join(rows)
