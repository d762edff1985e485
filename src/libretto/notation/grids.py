"""Three ways to write played music down: ``exact``, ``paper`` and ``score``.

=======  ==============================================================================================================
exact    as it was read: grids as fine as the playing needs, for files that go out again
paper    sixteenths and triplets by bar, as the published encoder writes: what models read and what axes are measured on
score    what a copyist would write: swing as eighths with a mark, short notes as full values with dots, ornaments small
=======  ==============================================================================================================
"""

from __future__ import annotations

from libretto.errors import FormatError
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
    if name == "paper":
        return on_paper(score)
    from libretto.notation.copying import copied  # seldom asked for, and slow to import

    return copied(score)


def restored(base: Score, answer: Score, name: str, gap: tuple[int, int] | None = None) -> Score:
    """An answer written by a page of ``base`` on that grid, with the notes it has from the page as they were played.

    Notes played just before a ``gap`` (two ticks) stand in it on the page, and such just before its end stand after it;
    they are there again, too. A page on the score grid cannot be taken back, since it leaves doubles out: there the
    answer stays as it is.
    """
    if name != "paper" or answer.bar_lines != base.bar_lines:
        return answer
    from libretto.score import restoring

    made = restoring.restored(base, answer)
    names = [voice.name for voice in base.voices]
    for start, end in ((0, gap[0]), gap) if gap else ():
        made = restoring.with_late_notes(base, made, names, start, end)
    return made
