"""The drill as a kind of task: from plain words to the task, so that it can be shown, played by hand and made again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libretto.errors import LibrettoError
from libretto.tasks.drill.task import drill_task, parse_range
from libretto.tasks.kinds import task_kinds, whole_number
from libretto.tasks.task import Task

__all__ = ["OPTIONS"]

#: What may be set of a drill beside its concept.
OPTIONS = ("key", "meter", "bars", "level", "clef", "range", "tempo", "instrument")


@task_kinds.register("drill")
def _drill(arguments: Sequence[str], options: Mapping[str, str]) -> Task:
    for each in options:
        if each not in OPTIONS:
            raise LibrettoError(f"there is no option {each!r} here; there are {', '.join(OPTIONS)}")
    name = " ".join(arguments).strip()
    if not name:
        raise LibrettoError("a drill takes a concept of theory, such as 'harmonic minor'")
    low, high = parse_range(options["range"]) if "range" in options else (None, None)
    return drill_task(
        name,
        options.get("key", ""),
        options.get("meter", ""),
        whole_number(options, "bars", 0) if "bars" in options else None,
        whole_number(options, "level", 0) if "level" in options else None,
        options.get("clef", ""),
        low,
        high,
        float(whole_number(options, "tempo", 0)) if "tempo" in options else None,
        options.get("instrument", ""),
    )
