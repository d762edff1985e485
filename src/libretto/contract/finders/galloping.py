"""A rhythm that gallops, where nobody is told to: ``a fast, galloping rhythm`` is that of chords and bass."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["gallops"]

_GALLOP = re.compile(r"\bgalloping,? (?:and )?(?:[a-z-]+,? ){0,2}(?:rhythms?|beat|groove|riffs?|feel|pulse)\b")
_PLAYS = re.compile(r"\b(?:play|keep|driv|chug|provid|lay|hold|hammer|set|suppl|deliver|lock|strum|push)\w*\b")
_PARTS = ("chords", "bass")
_NEAR = 16  # characters after which somebody is told to


@finders.register("gallops")
def gallops(scene: Scene) -> Iterator[Finding]:
    """Chords and bass gallop where a rhythm does that is nobody's."""
    for match in list(_GALLOP.finditer(scene.low))[:1]:
        start, end = match.span()
        clause = scene.clause(start)
        after = any(end <= one.start < min(clause.end, end + _NEAR) for one in scene.players)
        before = any(clause.start <= one.start < start for one in scene.players)
        if after or (before and _PLAYS.search(scene.low, clause.start, start)):
            continue
        for part in _PARTS:
            ask = Ask("manner", "gallop", part, "", scene.text[start:end])
            yield scene.finding("manner", f"{part}: gallop", start, end, ask)
