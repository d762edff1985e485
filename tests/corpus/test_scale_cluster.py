"""A cluster of processes: a worker is killed, the scheduler goes and comes back, and the cloud has the same bytes."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path

import pytest

from libretto.corpus.scale import build_large
from libretto.errors import LibrettoError
from tests.corpus.test_scale import sums
from tests.corpus.tunes_made import folder_of_tunes

pytest.importorskip("distributed")
_LONGEST_SECONDS = 900  # on a machine that does much else


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _running(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([sys.executable, "-m", *words], **quiet)  # type: ignore[call-overload]
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _scheduler(port: int) -> tuple[str, ...]:
    return ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard",
            "--no-show")  # fmt: skip


def _worker(port: int) -> tuple[str, ...]:
    return ("distributed.cli.dask_worker", f"tcp://127.0.0.1:{port}", "--nthreads", "1", "--no-nanny",
            "--no-dashboard", "--memory-limit", "0")  # fmt: skip


def _wait_for(folder: Path, count: int) -> None:
    until = time.monotonic() + _LONGEST_SECONDS
    while len(list(folder.glob("*.parquet"))) < count and time.monotonic() < until:
        time.sleep(0.02)


@pytest.mark.slow
def test_a_killed_worker_and_a_scheduler_that_comes_back_leave_no_trace(tmp_path: Path) -> None:
    music = folder_of_tunes(tmp_path / "music", 40, bars=24)
    build_large(music, str(tmp_path / "serial" / "mine"), workers=1, size=2, in_full=2, quiet=True)
    port = _free_port()
    result: list[object] = []

    def build() -> None:
        try:
            result.append(build_large(music, str(tmp_path / "mine"), scheduler=f"tcp://127.0.0.1:{port}", size=2,
                                      in_full=2, quiet=True))  # fmt: skip
        except LibrettoError as error:
            result.append(error)

    parts = tmp_path / "mine.partial" / "parts"
    with ExitStack() as stack:
        first = stack.enter_context(_running(*_scheduler(port)))
        doomed, _ = (stack.enter_context(_running(*_worker(port))) for _ in range(2))
        builder = threading.Thread(target=build)
        builder.start()
        _wait_for(parts, 3)
        os.kill(doomed.pid, signal.SIGKILL)
        _wait_for(parts, 6)
        unfinished = len(list(parts.glob("*.parquet"))) < 22
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
        stack.enter_context(_running(*_scheduler(port)))
        stack.enter_context(_running(*_worker(port)))
        builder.join(_LONGEST_SECONDS)
        assert not builder.is_alive()
    assert unfinished  # the scheduler went while there was work left
    assert not isinstance(result[0], LibrettoError), result
    assert sums(tmp_path / "mine") == sums(tmp_path / "serial" / "mine")


def test_no_scheduler_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("libretto.corpus.scale.engines")
    monkeypatch.setattr(module, "_CONNECT_SECONDS", 0.3)
    means = module.Means(scheduler=f"tcp://127.0.0.1:{_free_port()}", patience_seconds=0.1)
    with pytest.raises(LibrettoError, match="no scheduler answers"):
        list(module.engines["dask"](lambda task: b"", iter(()), means))
