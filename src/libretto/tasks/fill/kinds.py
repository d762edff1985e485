"""Fill, accompany and extend as kinds of task: from a file and options, as a person types them, to the task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.score import Score
from libretto.tasks.fill.accompany import accompany_task
from libretto.tasks.fill.extend import extend_task
from libretto.tasks.fill.gap import bars_of
from libretto.tasks.fill.task import fill_task
from libretto.tasks.kinds import allow_options, task_kinds, whole_number
from libretto.tasks.task import Task

__all__: list[str] = []


def _song(kind: str, arguments: Sequence[str]) -> Score:
    if len(arguments) != 1:
        raise LibrettoError(f"{kind} takes one song: libretto task {kind} song.mid")
    if not Path(arguments[0]).is_file():
        raise LibrettoError(f"{arguments[0]!r} is no file; {kind} takes a song")
    return read(arguments[0])


@task_kinds.register("fill")
def _fill(arguments: Sequence[str], options: Mapping[str, str]) -> Task:
    allow_options(options, "bars", "voices", "genre")
    if not options.get("bars"):
        raise LibrettoError("say which bars to fill, such as --bars 33-40")
    names = options["voices"].split(",") if options.get("voices") else None
    return fill_task(_song("fill", arguments), *bars_of(options["bars"]), names, options.get("genre"))


@task_kinds.register("accompany")
def _accompany(arguments: Sequence[str], options: Mapping[str, str]) -> Task:
    allow_options(options, "voice", "role", "program", "genre")
    if not options.get("voice"):
        raise LibrettoError("say which voice to write, such as --voice Bass")
    program = whole_number(options, "program", 0) if options.get("program") else None
    song = _song("accompany", arguments)
    return accompany_task(song, options["voice"], options.get("role"), program, options.get("genre"))


@task_kinds.register("extend")
def _extend(arguments: Sequence[str], options: Mapping[str, str]) -> Task:
    allow_options(options, "bars", "at", "genre")
    bars, at = whole_number(options, "bars", 8), options.get("at", "end")
    return extend_task(_song("extend", arguments), bars, at, options.get("genre"))
