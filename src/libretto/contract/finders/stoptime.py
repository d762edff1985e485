"""Stop-time: who accompanies strikes the first beat of some bars and is silent for the rest of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["stop_time"]

_STOP_TIME = re.compile(r"\bstop[- ]time(?:\s(?:breaks?|choruses|chorus|hits|section|figures?))?\b")
_GOES_ON = ("lead", "counter")  # roles of who plays over it
_STOP = "stop"
_SHORT = re.compile(r"\bbars?\b|phrase|ends?\b")  # places that tell how many bars they are
_LONGEST = 200


@finders.register("stop time")
def stop_time(scene: Scene) -> Iterator[Finding]:
    """Everybody but who has a line breaks off after the first beat of the bars that are told."""
    for match in list(_STOP_TIME.finditer(scene.low))[:2]:
        place = scene.where(*match.span())
        if place is None:
            continue
        where = place.where if place.how or _SHORT.search(place.text) else f"4 bars in {place.text}"
        start, end = min(match.start(), place.start), max(match.end(), place.end)
        for name, role in scene.roles.items():
            if role not in _GOES_ON:
                ask = Ask("silent", _STOP, name, where, scene.text[start:end][:_LONGEST])
                yield scene.finding("silent", f"{name}: stop-time at {where}", start, end, ask)
