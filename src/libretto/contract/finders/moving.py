"""A rhythm that goes on like a thing that moves, where nobody is told to: ``a fast, galloping rhythm``, ``a tempo as
even as wheels on the rails`` and ``a steady pulse`` are those of chords and bass."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["moves"]

_BEAT = r"(?:rhythms?|tempo|pulse|beat|pace|groove|accompaniment|ostinatos?|momentum|motion)"
_LIKE = (
    r"(?:like|as|of|mimic\w*|recall\w*|imitat\w*|evok\w*|suggest\w*|mirror\w*|echo\w*|resembl\w*|reflect\w*|captur\w*)"
)
_WHAT = {
    "gallop": r"hooves|hoof ?beats|gallop(?:s|ing)?|cavalry",
    "pulse": r"wheels|rails|trains?|railway|locomotives?|steam engines?|pistons|machine(?:ry|s)?|looms?|heart ?beats?",
    "beats": r"clocks?|metronome|footsteps|footfalls|boots",
}
_LIKENED = {  # by what a rhythm is like
    what: re.compile(rf"\b{_BEAT}\b(?: [a-z'-]+,?){{0,6}}? {_LIKE}(?: [a-z'-]+,?){{0,4}}? (?:{names})\b")
    for what, names in _WHAT.items()
}
_NAMED = {  # by how a rhythm is called
    "gallop": re.compile(
        r"\b(?:gallop|canter)ing,? (?:and )?(?:[a-z-]+,? ){0,2}(?:rhythms?|beat|groove|riffs?|feel|pulse)\b|"
        r"\bhoof ?beats? (?:rhythms?|beat|groove|pulse|pattern)\b"
    ),
    "pulse": re.compile(
        r"\b(?:steady|constant|even|unbroken|chugging|clattering) (?:and )?(?:[a-z-]+ )?(?:pulse|clatter|chug)\b|"
        r"\b(?:chugging|clattering|motoric),? (?:[a-z-]+,? ){0,2}(?:rhythms?|beat|groove)\b"
    ),
}
_PLAYS = re.compile(
    r"\b(?:play|keep|driv|chug|provid|lay|hold|hammer|set|suppl|deliver|lock|strum|push|add|maintain|alternat|walk|"
    r"should|must)\w*\b"
)
_UNEVEN = re.compile(  # wheels that fail are no pulse
    r"\b(?:irregular|uneven|erratic|unsteady|unpredictable|broken|fail(?:s|ing)|faulty|malfunctioning|stutter\w*|"
    r"glitch\w*|limping|lurching|jerky|dying|defective|haywire)\b"
)
_OWN = re.compile(r"\b(?:shuffl\w+|sw(?:ing\w*|ung)|boogie)\b")  # rhythms whose basses walk, whatever they are like
_BESIDES = re.compile(r" and (?:an?|the|some) ")  # what a piece has besides its rhythm: ``a steady pulse and a guitar``
_NOT = re.compile(r"\b(?:without|no|not|never|avoid\w*|lack\w*|nor|free of)\s(?:an?\s|the\s|any\s)?\Z")
_GOES_ON = re.compile(
    r",?\s*(?:should|must|will|can|may|keep|provid|hold|play|maintain|add|suppl|deliver|driv|lay|set)(?:s|es|ies)?\b"
)
_STOP = re.compile(r"[.;!?]\s")
_PARTS = ("chords", "bass")
_BEATEN = ("gallop", "pulse")  # what drums do as well
_STRUCK = ("comping", "arpeggio", "bass")  # roles of who has chords or bass
_NEAR = 16  # characters after which somebody is told to


@finders.register("moves")
def moves(scene: Scene) -> Iterator[Finding]:
    """Chords and bass move as a rhythm does that is nobody's."""
    told = (
        (what, match)
        for table in (_NAMED, _LIKENED)
        for what, row in table.items()
        for match in row.finditer(scene.low)
    )
    for what, match in list(told)[:1]:
        start, end = match.span()
        if _is_no_such(scene, what, start, end) or _is_somebodys(scene, start, end):
            continue
        for part in _parts(scene, what):
            ask = Ask("manner", what, part, "", scene.text[start:end])
            yield scene.finding("manner", f"{part}: {what}", start, end, ask)


def _is_no_such(scene: Scene, what: str, start: int, end: int) -> bool:
    """Whether a rhythm is ruled out, or not even, or a shuffle, whatever it is like."""
    before = max(0, start - _NEAR)
    uneven = what != "gallop" and _UNEVEN.search(scene.low, before, end)
    own = what == "pulse" and _OWN.search(scene.low, before, end)
    return bool(uneven or own or _NOT.search(scene.low[before:start]))


def _parts(scene: Scene, what: str) -> list[str]:
    """Who moves so: chords and bass; who drums of a gallop or a pulse, where nobody is there who strikes any."""
    struck = {role for role in scene.roles.values() if role in _STRUCK}
    hands = [name for name, role in scene.roles.items() if role in ("percussion", "drums")]
    return hands[:1] if what in _BEATEN and hands and scene.roles and not struck else list(_PARTS)


def _is_somebodys(scene: Scene, start: int, end: int) -> bool:
    """Whether somebody who is named beside a rhythm plays it."""
    clause = scene.clause(start)
    near = [one for one in scene.players if end <= one.start < min(clause.end, end + _NEAR)]
    after = any(not _BESIDES.match(scene.low, end) for one in near)
    begin = _subject(scene.low, clause.start)
    before = any(begin <= one.start < start for one in scene.players)
    return after or (before and bool(_PLAYS.search(scene.low, clause.start, start)))


def _subject(low: str, start: int) -> int:
    """Where the sentence begins whose subject is what a clause tells of that only goes on: ``the percussion, with its
    shaker, should keep a pulse``."""
    return (
        max((stop.end() for stop in _STOP.finditer(low, 0, start)), default=0) if _GOES_ON.match(low, start) else start
    )
