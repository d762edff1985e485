"""The published gates of a gap: extreme axes, 3 at most, and the copy risk over what may be seen.

That is the song without its hidden bars, what the composer was shown, and the songs of a folder where one is named. The
published loop slides over the whole song, hidden bars included; ours does not, so that no verdict says anything of the
answer. The final grade does (``libretto.tasks.fill.final``).
"""

from __future__ import annotations

from collections.abc import Sequence

from libretto.corpus.slide import pairs_of
from libretto.gates import Outcome
from libretto.gates.paper import songs_of
from libretto.gates.paper_judge import region_outcomes
from libretto.knowledge import Shown
from libretto.score import Score, take_bars
from libretto.tasks.fill.material import only

__all__ = ["paper_outcomes"]


def paper_outcomes(
    score: Score, context: Score, voices: Sequence[str], span: tuple[int, int], shown: Shown, gates: str
) -> dict[str, Outcome]:
    """What the published gates say of the bars of a gap (indices); nothing of what was hidden is asked."""
    first, last = (bar + context.first_bar for bar in span)
    region = only(take_bars(score, first, last), voices)
    if not len(region.table):
        return {"sounding": Outcome(-1.0, "nothing is played")}
    around = pairs_of(context, "the song itself", without=span)
    seen = [around, *(pairs_of(excerpt, title) for title, excerpt in shown.cited)]
    return region_outcomes(region, seen, songs_of(gates), first - region.first_bar)
