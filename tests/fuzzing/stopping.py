"""Commands that are stopped: at the n-th thing they do to the disk, or at a moment of chance, and then read back.

A command runs in a child process. ``stop_at`` counts what it does below its folder (opening to write, writing, fsync,
renaming, linking, removing, making and removing folders, cutting off) and ends the process at the n-th without any
farewell: a write is cut in half. Nothing is mocked: what is on the disk afterwards is what a crash leaves there.

``trial`` does that for every n, and for moments of chance, and compares: every file is what it was before, or what it
is after a whole run; where the command had said all that it says, all is there; and the same command, run again, ends
as if nothing had happened. Children are forked from a process that has run the command once, so that imports and
caches are warm.
"""

from __future__ import annotations

import builtins
import io
import json
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Command", "Trial", "cold", "said_by", "stop_at", "trial"]

_STOPPED = 77  # the status of a process that was stopped at an operation
_HANG = 300  # seconds after which a child that does not end is ended
_TESTS = Path(__file__).resolve().parents[1]
_ON_THE_WAY = (".part", ".partial", ".old")  # what is not yet, or no longer, in its place
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_BY_NAME = {
    "os.rename", "os.link", "os.symlink", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.chmod",
}  # fmt: skip

Tree = dict[str, bytes]


def _nothing(folder: Path) -> list[str]:
    return []


@dataclass(frozen=True)
class Command:
    """A command that writes: how its folder is made, what is run in it, and how what it leaves is read back.

    ``kept`` says what is wrong with a folder, whenever the command stopped. ``varies`` are ends of names whose bytes
    are not the same on every run (logs with times, numbers by chance): ``kept`` alone answers for these. ``statuses``
    are those of a run that went well, ``refused`` those of another run where the first one had all but ended; a
    command that ``adds`` leaves more where it is run twice. ``words`` are a command line that is run by an interpreter
    of its own: libraries that keep threads do not outlive a fork.
    """

    prepare: Callable[[Path], None]
    run: Callable[[], None] = lambda: None
    kept: Callable[[Path], list[str]] = _nothing
    varies: tuple[str, ...] = ()
    statuses: tuple[int, ...] = (0,)
    refused: tuple[int, ...] = ()
    adds: bool = False
    words: tuple[str, ...] = ()


@dataclass
class Trial:
    """What became of a command that was stopped so often."""

    operations: int = 0
    stopped: int = 0
    killed: int = 0
    faults: list[str] = field(default_factory=list)


class _Counter:
    """Ends the process at the n-th operation below a folder."""

    def __init__(self, folder: Path, at: int) -> None:
        self.folder, self.at, self.done = os.path.realpath(folder), at, 0
        self._open, self._fdopen, self._fsync = io.open, os.fdopen, os.fsync

    def step(self) -> bool:
        """Count one; whether it is the one at which the process ends."""
        self.done += 1
        return self.done == self.at

    def hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        """What Python says of every operation by name, before it is done."""
        if event == "open":
            path, _, flags = arguments
            if isinstance(flags, int) and flags & _WRITES and self.inside(path) and self.step():
                os._exit(_STOPPED)
        elif event in _BY_NAME and any(map(self.inside, arguments[:2])) and self.step():
            os._exit(_STOPPED)

    def inside(self, path: object) -> bool:
        """Whether a path lies below the folder; a name alone is one beside a folder that is open."""
        if not isinstance(path, str | bytes | os.PathLike):
            return False
        text = os.fsdecode(path)
        return os.path.abspath(text).startswith(self.folder) or ("/" not in text and bool(text))

    def install(self) -> None:
        """Watch this process from now on; there is no way back."""
        sys.addaudithook(self.hook)

        def watched(file: Any, mode: str = "r", *rest: Any, **more: Any) -> Any:
            made = self._open(file, mode, *rest, **more)
            writes = set(mode) & set("wax+") and (isinstance(file, int) or self.inside(file))
            return _Watched(made, self) if writes else made

        def fsync(handle: int) -> None:
            if self.step():
                os._exit(_STOPPED)
            self._fsync(handle)

        builtins.open = io.open = watched  # type: ignore[assignment]
        os.fdopen = watched
        os.fsync = fsync  # type: ignore[assignment]


class _Watched:
    """A file whose writes are counted; the last one is cut in half."""

    def __init__(self, file: Any, counter: _Counter) -> None:
        self._file, self._counter = file, counter

    def write(self, data: Any) -> Any:
        if self._counter.step():
            self._file.write(data[: len(data) // 2])
            self._file.flush()
            os._exit(_STOPPED)
        return self._file.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> _Watched:
        self._file.__enter__()
        return self

    def __exit__(self, *error: Any) -> Any:
        return self._file.__exit__(*error)

    def __iter__(self) -> Any:
        return iter(self._file)


def said_by(command: Command, folder: Path, said: Path, at: int | None = None, count: int | None = None) -> int:
    """The process in which a command runs in a folder, to be stopped at its n-th operation or not at all.

    What it says goes into a file; how many operations it did, where that is asked, into an open one.
    """
    child = os.fork()
    if child:
        return child
    status = 99
    try:
        signal.alarm(_HANG)
        os.chdir(folder)
        _redirect(said)
        if command.words:
            _start_anew(command.words, folder, at, count)
        status = _run(command.run, folder, at, count)
    finally:
        os._exit(status)


def _redirect(said: Path) -> None:
    out = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(out, 1)
    os.dup2(out, 2)
    sys.stdout, sys.stderr = (io.TextIOWrapper(io.FileIO(n, "w", closefd=False), write_through=True) for n in (1, 2))


def _run(run: Callable[[], None], folder: Path, at: int | None, count: int | None) -> int:
    """Run something in this process; its status."""
    counter = _Counter(folder, at or 0)
    if at is not None or count is not None:
        counter.install()
    try:
        run()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException as error:
        print(f"{type(error).__name__}: {error}")
        return 98
    finally:
        if count is not None:
            os.write(count, str(counter.done).encode())
    return 0


def _start_anew(words: tuple[str, ...], folder: Path, at: int | None, count: int | None) -> None:
    if count is not None:
        os.set_inheritable(count, True)
    told = json.dumps([words, str(folder), at, count])
    code = f"import sys; sys.path.insert(0, {str(_TESTS)!r}); from fuzzing.stopping import cold; cold(sys.argv[1])"
    os.execv(sys.executable, [sys.executable, "-c", code, told])


def cold(told: str) -> None:
    """What an interpreter of its own does: a command line, to be stopped at its n-th operation."""
    words, folder, at, count = json.loads(told)
    import libretto.cli.starting as starting

    sys.argv = ["libretto", *words]
    os._exit(_run(starting.main, Path(folder), at, count))


def stop_at(command: Command, folder: Path, said: Path, at: int) -> int:
    """Run a command until its n-th operation; its status."""
    return _ended(said_by(command, folder, said, at))


def _ended(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _count(command: Command, folder: Path, said: Path) -> int:
    """How many operations a whole run has."""
    reader, writer = os.pipe()
    child = said_by(command, folder, said, count=writer)
    os.close(writer)
    with open(reader, "rb") as pipe:
        told = pipe.read()
    _ended(child)
    return int(told)


def _tree(folder: Path, varies: tuple[str, ...]) -> Tree:
    """Every file below a folder but those whose bytes vary, and what was left beside files on the way."""
    files = [(path.relative_to(folder), path) for path in sorted(folder.rglob("*")) if path.is_file()]
    return {
        str(name): path.read_bytes()
        for name, path in files
        if not any(part.endswith(_ON_THE_WAY) for part in name.parts) and not path.name.endswith(("lock", *varies))
    }


def trial(command: Command, base: Path, *, most: int = 10_000, moments: int = 0, seed: int = 1) -> Trial:
    """Stop a command at every operation, or at so many by chance, and at some moments of chance."""
    reader, writer = os.pipe()
    nursery = os.fork()
    if not nursery:
        os.close(reader)
        result: Mapping[str, Any] = {"faults": ["the trial itself failed"]}
        try:
            result = _trial(command, base, most, moments, seed).__dict__
        except BaseException as error:
            result = {"faults": [f"the trial itself failed: {type(error).__name__}: {error}"]}
        finally:
            os.write(writer, json.dumps(result).encode())
            os._exit(0)
    os.close(writer)
    with open(reader, "rb") as pipe:
        told = json.loads(pipe.read())
    os.waitpid(nursery, 0)
    return Trial(**told)


class _Bench:
    """A command, its folder before and after a whole run, and what a whole run says."""

    def __init__(self, command: Command, base: Path) -> None:
        self.command, self.start, self.work, self.said = command, base / "start", base / "work", base / "said"
        self.start.mkdir(parents=True)
        command.prepare(self.start)
        self.before = _tree(self.start, command.varies)
        self.renew()
        here = os.getcwd()
        if not command.words:
            self._warm()
        os.chdir(here)
        self.renew()
        began = time.monotonic()
        status = _ended(said_by(command, self.work, self.said))
        self.seconds = time.monotonic() - began
        self.words = self.said.read_bytes()
        if status not in command.statuses:
            raise RuntimeError(f"a whole run ends with {status}: {self.words[-300:]!r}")
        self.after = _tree(self.work, command.varies)

    def _warm(self) -> None:
        """Run the command here once, so that children need not import anything."""
        _redirect(self.said)
        os.chdir(self.work)
        with suppress(SystemExit):
            self.command.run()

    def renew(self) -> None:
        """The folder as it was before the command, and nothing said yet: a child may be killed before it speaks."""
        self.said.write_bytes(b"")
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.start, self.work, symlinks=True)

    def faults(self, when: str) -> list[str]:
        """What is wrong with the folder after the command was stopped, and after it ran again."""
        now = _tree(self.work, self.command.varies)
        bad = [
            f"{when}: {name} is half written or unknown"
            for name, data in now.items()
            if data not in (self.before.get(name), self.after.get(name))
        ]
        bad += [f"{when}: {name} is gone" for name in self.before if name not in now and name in self.after]
        if self.said.read_bytes() == self.words:
            bad += [f"{when}: all was said, but {name} is not there" for name in self.after if name not in now]
        bad += [f"{when}: {fault}" for fault in self.command.kept(self.work)]
        status = _ended(said_by(self.command, self.work, self.said))
        if status not in (*self.command.statuses, *self.command.refused):
            words = self.said.read_bytes().decode("utf-8", "replace")[-300:]
            bad.append(f"{when}: run again it ends with {status}: {words}")
        elif (
            status in self.command.statuses
            and not self.command.adds
            and _tree(self.work, self.command.varies) != self.after
        ):
            others = _tree(self.work, self.command.varies).items() ^ self.after.items()
            bad.append(f"{when}: run again it leaves other files: {sorted({name for name, _ in others})}")
        bad += [f"{when}, then run again: {fault}" for fault in self.command.kept(self.work)]
        return bad


def _trial(command: Command, base: Path, most: int, moments: int, seed: int) -> Trial:
    bench, chance = _Bench(command, base), random.Random(seed)
    bench.renew()
    done = Trial(operations=_count(command, bench.work, bench.said))
    every = range(1, done.operations + 1)
    for at in sorted(chance.sample(every, min(most, done.operations))):
        bench.renew()
        status = stop_at(command, bench.work, bench.said, at)
        done.stopped += status == _STOPPED
        done.faults += bench.faults(f"stopped at operation {at}")
    for _ in range(moments):
        bench.renew()
        child = said_by(command, bench.work, bench.said)
        time.sleep(chance.random() * bench.seconds)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        done.killed += 1
        done.faults += bench.faults("killed at a moment of chance")
    return done
