"""Three ways to write played music down: ``exact``, ``paper`` and ``score``.

=======  ==============================================================================================================
exact    as it was read: grids as fine as the playing needs, for files that go out again
paper    sixteenths and triplets by bar, as the published encoder writes: what models read and what axes are measured on
score    what a copyist would write: rounded for the eye
=======  ==============================================================================================================
"""

from __future__ import annotations

from libretto.errors import FormatError
from libretto.notation.legible import legible
from libretto.score import restoring
from libretto.score.model import Score
from libretto.score.paper import on_paper

__all__ = ["GRIDS", "check_grid", "on_grid", "restored"]

GRIDS = ("exact", "paper", "score")  #: the ways to write music down, the most faithful first
_LONGEST = 40  # signs of a wrong name that are shown


def check_grid(name: str) -> str:
    """The name of a grid, or a FormatError in one line."""
    if name not in GRIDS:
        raise FormatError(f"there is no grid {name[:_LONGEST]!r}; there are {', '.join(GRIDS)}")
    return name


def on_grid(score: Score, name: str) -> Score:
    """The piece written down in one of the three ways."""
    if check_grid(name) == "exact":
        return score
    return on_paper(score) if name == "paper" else legible(score)


def restored(base: Score, answer: Score, name: str) -> Score:
    """An answer written by a page of ``base`` on that grid, with the notes it has from the page as they were played.

    A page on the score grid cannot be taken back, since it leaves doubles out: there the answer stays as it is.
    """
    return restoring.restored(base, answer) if name == "paper" else answer
