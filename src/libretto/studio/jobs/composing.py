"""Composing in the studio: a brief becomes a new piece of the workspace."""

from __future__ import annotations

from typing import Any

from libretto.errors import LibrettoError
from libretto.studio.jobs import Bench, job
from libretto.workspace import name_for
from libretto.workspace.versions import now

__all__: list[str] = []


@job("compose")
def _compose(bench: Bench, arguments: dict[str, Any]) -> dict[str, Any]:
    """A piece from a brief: its name and version."""
    from libretto.agents.loop import compose

    brief = str(arguments["brief"])
    bench.report("composing", None)
    run = compose(brief, seed=int(arguments.get("seed", 0)), heard=lambda made: bench.report("judged a draft", None))
    if run.score is None:
        raise LibrettoError(run.stopped or "no draft could be read")
    title = run.score.title or brief
    name = name_for(title)
    version = bench.workspace.save(name, run.score, author="house", time=now(), message=brief, about={"brief": brief})
    return {"piece": name, "version": version.number}
