"""Kinds of task: each by its name, made from plain words as a person types them.

A kind is one decorated function from arguments and options, all as text, to a ``Task``; it stands beside its task, and
every module and package here is looked through for such functions. Its page is ``prompts/KIND.md``; what its answer
looks like the task says itself (``Task.shape``). Files that arguments name are given by their digests, so that a task
that is made again from the same words can be compared with what it was.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from libretto.contract import GENRES
from libretto.errors import LibrettoError
from libretto.formats import read, read_bytes
from libretto.knowledge import Shown
from libretto.notation.grids import check_grid
from libretto.registry import Registry
from libretto.score import Score
from libretto.tasks.task import Task

__all__ = [
    "TaskKind",
    "TaskMaker",
    "make_again",
    "make_task",
    "read_song",
    "song_or_genre",
    "task_kind",
    "task_kinds",
    "whole_number",
]

_OF_ALL = ("grid", "gates", "retrieval")  # the options of every kind
_LONGEST_PATH = 1_000  # characters; a longer argument is a brief

#: From arguments and options, all as text, to a task.
TaskMaker = Callable[[Sequence[str], Mapping[str, str]], Task]


@dataclass(frozen=True)
class TaskKind:
    """A kind of task: how one is made from arguments and options, and the options there are."""

    make: TaskMaker
    options: tuple[str, ...]

    def __call__(self, arguments: Sequence[str], options: Mapping[str, str]) -> Task:
        """The task that these words ask for; an option that is not of this kind is refused."""
        for name in options:
            if name not in self.options:
                raise LibrettoError(f"there is no option {name!r} here; there are {', '.join(self.options)}")
        return self.make(arguments, options)


#: Every kind of task by name.
task_kinds: Registry[TaskKind] = Registry("kind of task", rooms=["libretto.tasks"])


def task_kind(name: str, *options: str) -> Callable[[TaskMaker], TaskMaker]:
    """Register the decorated function as what makes tasks of a kind, with the options that it takes."""

    def add(make: TaskMaker) -> TaskMaker:
        task_kinds.register(name)(TaskKind(make, options))
        return make

    return add


def make_task(kind: str, arguments: Sequence[str], options: Mapping[str, str] | None = None) -> Task:
    """The task of a kind from plain words, which it keeps; with a record of its own for what its composer is shown.

    Every kind takes the options ``grid``, how its page writes played music down (``paper`` unless another is named),
    ``gates``, by which it is judged (``ours`` or ``paper``), and ``retrieval``, ``no`` for a page without ideas.
    """
    if kind not in task_kinds:
        raise LibrettoError(f"there is no kind of task {kind!r}; there are {', '.join(task_kinds)}")
    words = [str(Path(word).resolve()) if _is_file(word) else word for word in arguments]
    known = dict(sorted((options or {}).items()))
    grid = check_grid(known.get("grid", "paper"))
    files = {word: hashlib.sha256(read_bytes(word)).hexdigest() for word in words if _is_file(word)}
    made = {"kind": kind, "arguments": words, "options": known, "files": files}
    own = {name: value for name, value in known.items() if name not in _OF_ALL}
    task = replace(task_kinds[kind](words, own), shown=Shown(), made=made, grid=grid)
    return task.switched(known.get("gates", "ours"), known.get("retrieval", "yes") != "no")


def make_again(made: Mapping[str, Any]) -> Task:
    """The task that was once made from those words; refused where a file is gone or has changed."""
    try:
        kind, arguments, options, files = (made[name] for name in ("kind", "arguments", "options", "files"))
        words, known = [str(word) for word in arguments], {str(name): str(value) for name, value in options.items()}
        digests = {str(path): str(digest) for path, digest in files.items()}
    except (KeyError, TypeError, AttributeError):
        raise LibrettoError("this run does not say what its task was made from; start one by a task") from None
    for path, digest in digests.items():
        if not Path(path).is_file():
            raise LibrettoError(f"{path} is gone; this run needs it")
        if hashlib.sha256(read_bytes(path)).hexdigest() != digest:
            raise LibrettoError(f"{path} has changed since this run was started; start another")
    return make_task(str(kind), words, known)


def _is_file(text: str) -> bool:
    return 0 < len(text) < _LONGEST_PATH and "\n" not in text and "\0" not in text and Path(text).is_file()


def read_song(kind: str, arguments: Sequence[str]) -> Score:
    """The one song that a task of a kind takes, from the file that its arguments name."""
    if len(arguments) != 1:
        raise LibrettoError(f"{kind} takes one song, such as song.mid")
    if not Path(arguments[0]).is_file():
        raise LibrettoError(f"{arguments[0]!r} is no file; {kind} takes a song (libretto open writes a version as one)")
    return read(arguments[0])


def song_or_genre(text: str) -> tuple[Score | str, str]:
    """A genre by its name, else the song in a file of that name; and what to call it."""
    if text in GENRES:
        return text, text.replace("_", " ")
    if not Path(text).is_file():
        raise LibrettoError(f"{text!r} is neither a file nor a genre; genres are {', '.join(GENRES)}")
    return read(text), Path(text).stem.replace("_", " ")[:60]


def whole_number(options: Mapping[str, str], name: str, fallback: int) -> int:
    """An option that is a whole number."""
    try:
        return int(options.get(name, fallback))
    except ValueError:
        raise LibrettoError(f"{name}: {options[name]!r} is not a whole number") from None
