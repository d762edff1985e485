"""Moods of a part of a piece that contrasts with the rest: ``a stormy middle section``, ``the bridge is agitated``.

They say nothing of the whole; what is stormy there is loud there, and what is calm is soft.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.character import find_moods, mood_phrases
from libretto.contract.finders.scene import Finding, Place, Scene, finders

__all__ = ["moods_of_places"]

_CONTRASTS = re.compile(
    r"middle|second half|[BCD]|bridge|trio|interlude|development|second time|last time|"
    r"last (?:chorus|verse|refrain|[A-D]|\d+ bars|quarter|third)|bars (?!1-)\d+-\d+"
)
_BEFORE = re.compile(r"\b(?:a|an|the|its|more|one|with|into|to)\s(?P<words>(?:[a-z-]+(?:,| and|, but| but)?\s){1,4})\Z")
_AFTER = re.compile(
    r"\s(?:(?:section|part|time|one|round|around|through)\s)?(?P<words>(?:[^.;!?,]|, (?!while|but|then|before|and the))"
    r"{0,70}?\b(?:is|are|be|being|becom\w+|turn\w*|gets?|feels?|grows?|sounds?|more|much|far|even)\b[^.;!?,]{1,50})"
)
_STRONG, _LIVELY = 0.3, 0.4  # leanings from which on words speak of something loud, or lively


@finders.register("moods of places")
def moods_of_places(scene: Scene) -> Iterator[Finding]:
    """The moods of contrasting places, as loud or soft there."""
    for place in scene.places:
        if place.how or not _CONTRASTS.fullmatch(place.text):
            continue
        for start, end in _told(scene, place):
            yield from _there(scene, place, start, end)


def _told(scene: Scene, place: Place) -> Iterator[tuple[int, int]]:
    """The words before and after a place that say what it is like; none of them beyond another place or a player."""
    before = _BEFORE.search(scene.low[: place.start])
    if before:
        yield before.span("words")
    after = _AFTER.match(scene.low, place.end)
    starts = [one.start for one in scene.places] + [one.start for one in scene.players if not one.weak]
    if after and not any(after.start() < start < after.end() for start in starts if start != place.start):
        yield after.span("words")


def _there(scene: Scene, place: Place, start: int, end: int) -> Iterator[Finding]:
    """What words between two positions make of a place."""
    phrases = [one for one in mood_phrases(scene.text[:end]) if one.start >= start]
    if not phrases:
        return
    first, last = phrases[0].start, phrases[-1].end
    leanings = [find_moods(scene.text[one.start : one.end])[1] for one in phrases]
    loud = any(one.dynamics >= _STRONG or one.tempo >= _LIVELY for one in leanings)
    what = "loud" if loud else "soft" if any(one.dynamics <= -_STRONG for one in leanings) else ""
    words = scene.text[min(first, place.start) : max(last, place.end)].strip()[:200]
    ask = Ask("dynamics", what, "", place.text, words) if what else None
    yield scene.finding("dynamics", f"{what or scene.text[first:last]} at {place.text}", first, last, ask)
