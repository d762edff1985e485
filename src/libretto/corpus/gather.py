"""Measure every file of a corpus, on all cores, once: what is finished is kept, so that a killed run goes on.

Each finished file is one line of JSON in ``rows.jsonl``, known by its path, its size, the hash of its bytes and what
measured it. A line that was cut off, or that belongs to another file or version, is measured again. Results come in
the order of the files, however many processes work.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, suppress
from dataclasses import dataclass, fields, replace
from functools import partial
from multiprocessing import parent_process
from pathlib import Path
from typing import Any

from libretto.about import own_version
from libretto.axes import ordered_axes
from libretto.corpus.excerpts import SEEDS
from libretto.corpus.forces import SIZES
from libretto.corpus.identity import music_key
from libretto.corpus.labels import one_line, shown
from libretto.corpus.progress import Progress
from libretto.corpus.rows import GRID, WINDOW_BARS, SongRow, row_of
from libretto.corpus.traits import TRAITS
from libretto.errors import FormatError, LibrettoError
from libretto.formats import format_of, read_bytes
from libretto.score import Score, played

__all__ = ["ROWS", "FileReading", "Gathering", "PieceOf", "attend", "discard", "gather"]

#: What makes a song's piece of the overlap index; a function of a module, because it runs in other processes.
PieceOf = Callable[[Score], bytes]
ROWS = "rows.jsonl"  #: where finished files are kept, in the folder of an unfinished build
_TEXTS = ("path", "content", "music", "title", "refused")
_FILES_A_PROCESS = 4  # fewer are not worth starting one for


@dataclass(frozen=True)
class FileReading:
    """What one file holds: its row (without labels), its piece of the index and its title, or why it was refused."""

    path: str
    size: int
    content: str
    row: SongRow | None = None
    piece: bytes = b""
    music: str = ""
    title: str = ""
    refused: str = ""
    lasting: bool = True  # whether another run would find the same

    def to_line(self, gauge: str) -> str:
        """The reading as a line of JSON, with what measured it."""
        known = {"path": self.path, "size": self.size, "content": self.content, "gauge": gauge}
        row = self.row.to_dict() if self.row is not None else None
        measured = {"row": row, "piece": base64.b64encode(self.piece).decode(), "music": self.music}
        return json.dumps({**known, **measured, "title": self.title, "refused": self.refused}, separators=(",", ":"))

    @classmethod
    def from_line(cls, line: str, gauge: str) -> FileReading | None:
        """A reading from its line; None where the line is torn or something else measured it."""
        try:
            body: dict[str, Any] = json.loads(line)
            if body["gauge"] != gauge:
                return None
            row = SongRow.from_dict(body["row"]) if body["row"] is not None else None
            piece = base64.b64decode(body["piece"], validate=True)
            path, content, music, title, refused = (str(body[name]) for name in _TEXTS)
            return cls(path, int(body["size"]), content, row, piece, music, title, refused)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None


@dataclass(frozen=True)
class Gathering:
    """Every file that could be opened, in order; those that could not, and why; how many were measured just now."""

    readings: tuple[FileReading, ...]
    unopened: tuple[tuple[str, str], ...]
    measured: int


def gather(
    folder: Path, paths: Sequence[str], unfinished: Path, piece_of: PieceOf, *, jobs: int = 0, quiet: bool = False
) -> Gathering:
    """Read and measure files below a folder; each is kept in the folder ``unfinished`` as soon as it is done.

    Files of equal bytes and format are measured once. ``jobs`` is the number of processes, 0 for one a core.
    """
    tasks, unopened = _tasks(folder, paths)
    gauge = _gauge(piece_of)
    with _Keeper(unfinished, gauge) as keeper:
        done: dict[tuple[str, str], FileReading] = {}
        for task in tasks:
            if earlier := keeper.kept.get((task.path, task.size, task.content)):
                done.setdefault(_kind(task), earlier)
        missing = list({_kind(task): task for task in reversed(tasks) if _kind(task) not in done}.values())[::-1]
        progress = Progress(len(missing), before=len(done), quiet=quiet)
        with closing(_measured(folder, missing, piece_of, jobs)) as readings:
            for reading in readings:
                done[_kind(reading)] = reading
                keeper.keep(reading)
                progress.step()
    return Gathering(tuple(replace(done[_kind(t)], path=t.path) for t in tasks), tuple(unopened), len(missing))


def discard(unfinished: Path) -> None:
    """Forget what was kept for an unfinished build."""
    (unfinished / ROWS).unlink(missing_ok=True)
    with suppress(OSError):  # somebody put something else there
        unfinished.rmdir()


def _kind(reading: FileReading) -> tuple[str, str]:
    """What decides a file's music: its bytes, and the format they are read as."""
    return reading.content, format_of(reading.path).name


def _tasks(folder: Path, paths: Sequence[str]) -> tuple[list[FileReading], list[tuple[str, str]]]:
    """Readings still without a row, and the files that cannot be opened."""
    tasks, unopened = [], []
    for path in paths:
        try:
            data = read_bytes(folder / path)
        except LibrettoError as error:
            unopened.append((path, one_line(str(error))))
        else:
            tasks.append(FileReading(path, len(data), hashlib.sha256(data).hexdigest()))
    return tasks, unopened


def _gauge(piece_of: PieceOf) -> str:
    """What measures: the package's version, the grid, the axes, the windows, the excerpts and the kind of index."""
    parts = [own_version(), GRID, *(axis.name for axis in ordered_axes()), *map(str, WINDOW_BARS)]
    parts += [field.name for field in fields(SongRow)]
    parts += [*SIZES, *(f"{length} {seeds}" for length, seeds in SEEDS.items()), str(TRAITS)]
    parts.append(f"{piece_of.__module__}.{getattr(piece_of, '__qualname__', '')}")
    return own_version() + " " + hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


class _Keeper:
    """Holds what earlier runs finished, and appends what this one does."""

    def __init__(self, folder: Path, gauge: str) -> None:
        self._path, self._gauge = folder / ROWS, gauge
        self.kept: dict[tuple[str, int, str], FileReading] = {}

    def __enter__(self) -> _Keeper:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = open(self._path, "a+b")
            self._file.seek(0)
            whole = True
            for line in self._file:
                whole = line.endswith(b"\n")
                if reading := FileReading.from_line(line.decode("utf-8", "replace"), self._gauge):
                    self.kept[reading.path, reading.size, reading.content] = reading
            if not whole:
                self._file.write(b"\n")
        except OSError as error:
            raise FormatError(f"cannot write {shown(str(self._path))}: {error.strerror}") from None
        return self

    def keep(self, reading: FileReading) -> None:
        """Write a finished file down at once."""
        if reading.lasting:
            self._file.write(reading.to_line(self._gauge).encode() + b"\n")
            self._file.flush()

    def __exit__(self, *_: object) -> None:
        self._file.close()


def _measured(
    folder: Path, tasks: Sequence[FileReading], piece_of: PieceOf, jobs: int
) -> Generator[FileReading, None, None]:
    """The tasks done, in the order in which they finish."""
    work = partial(_measure, folder, piece_of)
    workers = min(jobs or os.cpu_count() or 1, len(tasks) // _FILES_A_PROCESS)
    if workers <= 1:
        yield from map(work, tasks)
        return
    left = {task.path: task for task in tasks}
    try:
        for reading in _pooled(work, tasks, workers):
            del left[reading.path]
            yield reading
    except BrokenProcessPool:  # a file took its process down with it: go on one by one, so that it is known which
        for task in list(left.values()):
            try:
                yield from _pooled(work, [task], 1)
            except BrokenProcessPool:
                yield replace(task, refused="the process that read it died (out of memory?)", lasting=False)


def _pooled(
    work: Callable[[FileReading], FileReading], tasks: Sequence[FileReading], workers: int
) -> Iterator[FileReading]:
    pool = ProcessPoolExecutor(workers, initializer=attend)
    try:
        for done in as_completed([pool.submit(work, task) for task in tasks]):
            yield done.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def attend() -> None:
    """A worker leaves an interruption to its parent, and goes when its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_go_with_parent, daemon=True).start()


def _go_with_parent() -> None:
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


def _measure(folder: Path, piece_of: PieceOf, task: FileReading) -> FileReading:
    """Read and measure one file; a file that cannot be says why."""
    try:
        data = read_bytes(folder / task.path)
        if hashlib.sha256(data).hexdigest() != task.content:
            return replace(task, refused="it changed while it was being read", lasting=False)
        score = played(format_of(task.path).decode(data))
        music = music_key(score)
        if not music:
            return replace(task, refused="it has no pitched notes")
        return replace(task, row=row_of(score), piece=piece_of(score), music=music, title=one_line(score.title))
    except LibrettoError as error:
        return replace(task, refused=one_line(str(error)))
    except Exception as error:  # a fault of ours: one file must not cost the whole corpus, but it is said
        return replace(task, refused=f"unexpected {type(error).__name__}: {one_line(str(error))}", lasting=False)
