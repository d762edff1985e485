"""New pieces: under the name that was meant, or the nearest that is free."""

from __future__ import annotations

from collections.abc import Mapping

from libretto.errors import LibrettoError, StaleWrite
from libretto.score import Score
from libretto.workspace.versions import LONGEST_NAME, Version, name_for
from libretto.workspace.workspace import MOST_PIECES, Workspace

__all__ = ["begin_piece"]


def begin_piece(
    workspace: Workspace,
    meant: str,
    score: Score,
    *,
    author: str,
    time: str,
    message: str = "",
    about: Mapping[str, str] | None = None,
) -> tuple[str, Version]:
    """Keep a new piece, and say under which name: as it was meant, or with the first number that is free."""
    stem = name_for(meant)
    for number in range(1, MOST_PIECES + 2):
        end = "" if number == 1 else f"-{number}"
        name = stem[: LONGEST_NAME - len(end)].rstrip("-") + end
        if workspace.log(name):
            continue
        try:
            return name, workspace.save(name, score, author=author, time=time, message=message, base=0, about=about)
        except StaleWrite:  # somebody else took the name meanwhile
            continue
    raise LibrettoError(f"there is no free name like {stem!r}; choose another")
