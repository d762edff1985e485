"""Versions of a run: the piece, its revisions, and which of them stand when some were taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from libretto.agents.folder import read_asked
from libretto.errors import LibrettoError
from libretto.formats import read_bytes
from libretto.grammar import parse
from libretto.score import Score
from libretto.tasks import Wish

__all__ = ["Versions", "versions_of"]

_MOST = 1_000  # revisions of a run


@dataclass(frozen=True)
class Versions:
    """The folders whose pieces stand, the first the run itself, and the wishes of the last revision that stands."""

    standing: tuple[Path, ...]
    free: int
    last: tuple[Wish, ...] = field(default=())

    def piece(self, back: int = 0) -> Score:
        """The piece that stands now, or the one so many changes before it."""
        if back >= len(self.standing):
            raise LibrettoError("there is nothing to undo: this is the piece as it was composed")
        return parse(read_bytes(self.standing[-1 - back] / "best.libretto").decode("utf-8", "replace"))


def versions_of(run: Path) -> Versions:
    """The versions of a run; a revision that took one back stands for what it brought again."""
    if not (run / "best.libretto").is_file() and not (run / "revision-1" / "best.libretto").is_file():
        raise LibrettoError(f"{run} holds no finished piece")
    standing = [run] if (run / "best.libretto").is_file() else []
    wishes: list[tuple[Wish, ...]] = [()] * len(standing)
    number = 1
    while number < _MOST and (run / f"revision-{number}" / "best.libretto").is_file():
        folder = run / f"revision-{number}"
        asked = _wishes(folder)
        if any(wish.quality == "undo" for wish in asked) and len(standing) > 1:
            standing.pop()
            wishes.pop()
        if any(wish.quality != "undo" for wish in asked) or not asked:
            standing.append(folder)
            wishes.append(tuple(wish for wish in asked if wish.quality not in ("undo", "again")))
        number += 1
    return Versions(tuple(standing), number, wishes[-1] if wishes else ())


def _wishes(folder: Path) -> Sequence[Wish]:
    """The wishes that a revision was asked for; none where that cannot be read."""
    try:
        return [Wish.from_dict(row) for row in read_asked(folder).get("wishes", ())]
    except (LibrettoError, TypeError, AttributeError):
        return []
