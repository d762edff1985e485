"""Kinds of task: each by its name, made from plain words as a person types them, with everything a composer reads.

To add one is to register a function from arguments and options to a ``Task`` in ``task_kinds`` and to put a page
``prompts/KIND.md`` beside the others. Files that arguments name are given by their digests, so that a task that is made
again from the same words can be compared with what it was.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from libretto.contract import GENRES
from libretto.errors import LibrettoError
from libretto.formats import read, read_bytes
from libretto.knowledge import Shown
from libretto.registry import Registry
from libretto.score import Score
from libretto.tasks.compose import compose_task
from libretto.tasks.morph.task import morph_task
from libretto.tasks.revise.task import revise_task
from libretto.tasks.revise.words import read_wishes
from libretto.tasks.task import Task

__all__ = ["TaskKind", "allow_options", "make_again", "make_task", "song_or_genre", "task_kinds", "whole_number"]

#: From arguments and options, all as text, to a task.
TaskKind = Callable[[Sequence[str], Mapping[str, str]], Task]
#: Every kind of task by name.
task_kinds: Registry[TaskKind] = Registry("kind of task")


def make_task(kind: str, arguments: Sequence[str], options: Mapping[str, str] | None = None) -> Task:
    """The task of a kind from plain words, which it keeps; with a record of its own for what its composer is shown."""
    if kind not in task_kinds:
        raise LibrettoError(f"there is no kind of task {kind!r}; there are {', '.join(task_kinds)}")
    given = [str(Path(each).resolve()) if _is_file(each) else each for each in arguments]
    known = dict(sorted((options or {}).items()))
    files = {each: hashlib.sha256(read_bytes(each)).hexdigest() for each in given if _is_file(each)}
    made = {"kind": kind, "arguments": given, "options": known, "files": files}
    return replace(task_kinds[kind](given, known), shown=Shown(), made=made)


def make_again(made: Mapping[str, Any]) -> Task:
    """The task that was once made from those words; refused where a file is gone or has changed."""
    try:
        kind, arguments, options, files = (made[name] for name in ("kind", "arguments", "options", "files"))
        given, known = [str(each) for each in arguments], {str(name): str(each) for name, each in options.items()}
        digests = {str(path): str(digest) for path, digest in files.items()}
    except (KeyError, TypeError, AttributeError):
        raise LibrettoError("this run does not say what its task was made from; start one with libretto task") from None
    for path, digest in digests.items():
        if not Path(path).is_file():
            raise LibrettoError(f"{path} is gone; this run needs it")
        if hashlib.sha256(read_bytes(path)).hexdigest() != digest:
            raise LibrettoError(f"{path} has changed since this run was started; start another")
    return make_task(str(kind), given, known)


def _is_file(text: str) -> bool:
    return 0 < len(text) < 1_000 and "\n" not in text and "\0" not in text and Path(text).is_file()


def song_or_genre(text: str) -> Score | str:
    """A genre by its name, else the song in a file of that name."""
    if text in GENRES:
        return text
    if not Path(text).is_file():
        raise LibrettoError(f"{text!r} is neither a file nor a genre; genres are {', '.join(GENRES)}")
    return read(text)


def whole_number(options: Mapping[str, str], name: str, fallback: int) -> int:
    """An option that is a whole number."""
    try:
        return int(options.get(name, fallback))
    except ValueError:
        raise LibrettoError(f"{name}: {options[name]!r} is not a whole number") from None


def allow_options(options: Mapping[str, str], *names: str) -> None:
    """Refuse any option but those named."""
    for each in options:
        if each not in names:
            raise LibrettoError(f"there is no option {each!r} here; there are {', '.join(names)}")


@task_kinds.register("compose")
def _compose(arguments: Sequence[str], options: Mapping[str, str]) -> Task:
    allow_options(options, "genre", "bars", "key", "tempo", "meter")
    tempo = options.get("tempo")
    return compose_task(
        " ".join(arguments),
        genre=options.get("genre"),
        bars=whole_number(options, "bars", 0) or None,
        key=options.get("key"),
        tempo=float(whole_number(options, "tempo", 0)) if tempo else None,
        meter=options.get("meter"),
    )


@task_kinds.register("morph")
def _morph(arguments: Sequence[str], options: Mapping[str, str]) -> Task:
    allow_options(options, "bars")
    if len(arguments) != 2:
        raise LibrettoError("a morph takes two songs or genres: the source and the target")
    source, target = arguments
    names = (_called(source), _called(target))
    return morph_task(song_or_genre(source), song_or_genre(target), whole_number(options, "bars", 54), names=names)


@task_kinds.register("revise")
def _revise(arguments: Sequence[str], options: Mapping[str, str]) -> Task:
    allow_options(options, "genre")
    if len(arguments) < 2 or not Path(arguments[0]).is_file():
        raise LibrettoError("a revision takes a piece and what should change in it, in words")
    piece, words = read(arguments[0]), " ".join(arguments[1:])
    wishes, unread = read_wishes(words, piece)
    if unread and not wishes:
        raise LibrettoError(f"nothing was understood in {words!r}; say for example 'a darker bridge'")
    return revise_task(piece, wishes, words=words, genre=options.get("genre"))


def _called(text: str) -> str:
    return text.replace("_", " ") if text in GENRES else Path(text).stem.replace("_", " ")[:60]
