"""Ostinatos that are set up before a tune comes in, and basses that lock in with one before they break loose."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["locks_in", "sets_up"]

_FIGURE = r"(?:ostinat(?:o|os|i)|vamp|riff|figure|pattern|groove)"
_SETS = re.compile(
    r"\b(?:sets?|setting|puts?|gets?) (?:up|going|in motion|rolling) (?:an?|the|its) (?:[\w-]+,? ){0,3}"
    r"(?:ostinat(?:o|os|i)|vamp|figure|pattern)\b|"
    r"\b(?:establish(?:es)?|starts?|opens? with|begins? with) (?:an?|the|its) (?:[\w-]+,? ){0,3}"
    r"(?:ostinat(?:o|os|i)|vamp)\b"
)
_LOCKS = re.compile(
    rf"\b(?:lock|link|fall|join|click|slot|settle|dig)(?:s|ing)? (?:tightly |firmly |right |straight )?"
    rf"(?:in|into|on|onto|up|down)(?: tightly| firmly)?(?: with| to| on| beside)? "
    rf"(?:the |that |its |this |same ){{0,2}}(?:[\w-]+ )?{_FIGURE}\b"
)
_FREES = re.compile(
    r"\b(?:before|then|until|and later|but later)(?: (?:it|finally|gradually|slowly))*"
    r" (?:break|mov|open|wander|stray|loosen|cut|branch|roam|drift|set)(?:s|es|e|ing|ting)?"
    r"(?: (?:out|off|away|up|loose|free|itself))*(?:,? (?:in)?to| with| in)? (?:an? |some )?(?:much |more )?"
    r"(?:freer|looser|free|independent|roaming|melodic|wandering)(?: [a-z]+)?"
)
_BARS = re.compile(r"\b(\d{1,3})[ -](?:bars?|measures?)\b")
_PHRASE, _LEAST = 4, 12  # bars that are left to who sets it up, and of a piece that has room for them
_MIDDLE = "4 bars in middle"
_BEATEN = ("drums", "percussion")
_LONGEST = 200


@finders.register("sets up")
def sets_up(scene: Scene) -> Iterator[Finding]:
    """Who leads waits for a phrase where somebody else sets up an ostinato."""
    told = _BARS.search(scene.low)
    leaders = [name for name, role in scene.roles.items() if role == "lead"]
    for match in list(_SETS.finditer(scene.low))[:1]:
        named = [one for one in scene.who(*match.span(), alone=True) if one.name and not one.weak]
        if not named or len(leaders) != 1 or named[0].name == leaders[0] or scene.roles.get(named[0].name) in _BEATEN:
            continue
        if (told and int(told[1]) < _LEAST) or scene.where(*match.span()) is not None:
            continue
        where = f"bar {_PHRASE + 1}"
        ask = Ask("enter", "", leaders[0], where, scene.text[named[0].start : match.end()][:_LONGEST])
        yield scene.finding("enter", f"{leaders[0]} at {where}", *match.span(), ask)


@finders.register("locks in")
def locks_in(scene: Scene) -> Iterator[Finding]:
    """Who locks in with an ostinato plays one rhythm, and its own lines in the middle if it is to break loose."""
    for match in list(_LOCKS.finditer(scene.low))[:2]:
        named = [one for one in scene.who(*match.span(), alone=True) if one.name and not one.weak]
        who = named[0].name if named else ""
        if not who or scene.roles.get(who) != "bass":
            continue
        words = scene.text[named[0].start : match.end()][:_LONGEST]
        yield scene.finding(
            "manner", f"{who}: riff", named[0].start, match.end(), Ask("manner", "riff", who, "", words)
        )
        ends = [at for mark in ".;!?" if (at := scene.low.find(mark, match.end())) >= 0]
        freed = _FREES.search(scene.low, match.end(), min(ends, default=len(scene.low)))
        if freed:
            ask = Ask("role", "free", who, _MIDDLE, scene.text[freed.start() : freed.end()][:_LONGEST])
            yield scene.finding("role", f"{who}: free at {_MIDDLE}", *freed.span(), ask)
