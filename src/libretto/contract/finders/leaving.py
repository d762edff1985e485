"""In which order players go, where that is told: ``first the flute, then the harp, until only the cello is left``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.contract.finders.scene import Player, Scene
from libretto.contract.words import fold

__all__ = ["AS_THEY_CAME", "GO", "GOES_FIRST", "exits_told"]

#: How somebody goes, as a regular expression.
GO = (
    r"(?:drop(?:s|ping)? (?:out|away|off)|leav(?:e|es|ing)|fall(?:s|ing)? (?:away|silent)|stop(?:s|ping)?(?: playing)?|"
    r"go(?:es|ing)? (?:away|silent|home|quiet)|bow(?:s|ing)? out|exit(?:s|ing)?|"
    r"(?:fad|peel|melt|slip|thin|strip)(?:e|es|s|ing|ning|ping)? (?:away|out|off)|"
    r"(?:walk|storm|stomp|march|slink|wander|sneak|tiptoe|drift|head|hurr|slop)(?:s|es|e|y|ies|ing)? "
    r"(?:away|off|out|home)|"
    r"disappear(?:s|ing)?|vanish(?:es|ing)?|dissolv(?:e|es|ing)|(?:are |is |get |being )?(?:gradually |slowly )?"
    r"(?:removed|taken (?:away|out)|stripped (?:away|back|out)|peeled (?:away|back|off)|muted|subtracted))"
)
#: Who goes in the order in which all came, or are named.
AS_THEY_CAME = re.compile(
    r"\b(?:in (?:the )?(?:same |very )?order (?:in which |that )?they (?:came|entered|joined|appeared|arrived|"
    r"(?:are|were|have been) (?:named|listed|given|introduced|mentioned))|"
    r"(?:in the order |as )(?:they are )?(?:named|listed|given|mentioned)(?: above| here)?\b)"
)
#: That somebody goes before others: ``the flute leaves first``, ``first the drums drop out``.
GOES_FIRST = re.compile(
    rf"\b{GO} (?:as the )?first\b(?! (?:time|verse|chorus|half|part|section|eight|bars?)\b)|"
    rf"\bfirst (?:the |an? )?(?:[a-z]+ ){{1,2}}{GO}(?=,| and then|;)"
)
_MARKED = re.compile(
    r"\b(?:first|then|last|(?:start|begin)(?:s|ning|ing)? with|in (?:the|this|that) (?:following )?order)\b|:"
)
_GAP = re.compile(
    rf"(?:\s(?:{GO}|first|second|next|third|has gone|is gone|does|do|do so|too))*\s?[,;:–—-]*\s*"
    r"(?:(?:and|then|next|after (?:that|it|them|this|him|her)|followed by|before|finally|lastly|second|third|later|"
    r"ending with|until|with|leaving|so do|the|an?|its|only|just)\s|,\s?)*(?:[a-z-]+\s)?"
)
_NEXT_SENTENCE = re.compile(r"[.;!]\s(?=(?:first\b|starting\b|beginning\b|the order\b|the [a-z ]{2,24} first\b))")
_STARTS_WITH = re.compile(r"\b(?:start|begin)(?:s|ning|ing)? with (?:the |an? )?(?:[a-z]+ )?\Z")
_LAST = re.compile(r"\s(?:(?:is|goes|comes|stays|remains|leaves)\s)?last\b")
_ALONE = re.compile(r"\s(?:remains?|stays?|is left|is alone|alone|on its own|plays? on|ends? alone|by itself)\b")
_NEAR = 20  # characters between who goes first and that it does


def exits_told(scene: Scene, start: int, end: int, names: Sequence[str]) -> tuple[list[str], int]:
    """Who goes before whom, as it is told around some words, who stays last, and where the telling ends: those of
    whom nothing is said go after the first of them, the last in the band before the first. Nobody where no order is
    told."""
    stop = _end_of_telling(scene, end)
    told = _listed([*_began(scene, start), *_named(scene, start, stop)], scene)
    if not told or not _MARKED.search(scene.low, start, max(stop, told[-1].end)):
        return [], end
    order = list(dict.fromkeys(name for one in told for name in (one.name, *one.others) if name in names))
    stays = _who_stays(scene, told[0].start, stop, order)
    going = [name for name in order if name not in stays]
    if not going or (len(order) == 1 and not stays and not _STARTS_WITH.search(scene.low[start : told[0].start])):
        return [], end
    rest = [name for name in reversed(names) if name not in (*going, *stays)]
    over = max(one.end for one in told)
    return [*going, *rest, *stays], max(end, over, _said_after(scene, over))


def _began(scene: Scene, start: int) -> list[Player]:
    """Who is named right before words that say that somebody goes first."""
    near = (
        [one for one in _named(scene, 0, start) if start - one.end <= _NEAR]
        if GOES_FIRST.match(scene.low, start)
        else []
    )
    return near[-1:]


def _end_of_telling(scene: Scene, end: int) -> int:
    """Where the sentence of some words ends, or the next that tells of an order."""
    stops = [match.start() for match in re.finditer(r"[.;!?](?=\s|\Z)", scene.low) if match.start() >= end]
    while stops and _NEXT_SENTENCE.match(scene.low, stops[0]):
        stops = stops[1:]
    if len(stops) > 1 and re.match(r";\s(?:only|just|in the end|finally|at last|leaving)\b", scene.low[stops[0] :]):
        stops = stops[1:]
    return stops[0] if stops else len(scene.low)


def _named(scene: Scene, start: int, end: int) -> list[Player]:
    """Who is named in a stretch of a text, by everyday words as well: here they are players."""
    there = [one for one in scene.players if start <= one.start and one.end <= end and one.name and not one.weak]
    known = {name for one in there for name in (one.name, *one.others)}
    words = ((name, re.search(rf"\b{re.escape(fold(name))}\b", scene.low[start:end])) for name in scene.roles)
    also = [Player(name, start + at.start(), start + at.end()) for name, at in words if at and name not in known]
    return sorted([*there, *also], key=lambda one: one.start)


def _listed(players: list[Player], scene: Scene) -> list[Player]:
    """Those of some who are named one after the other, as in a list, from the first on."""
    made: list[Player] = players[:1]
    for one in players[1:]:
        if not _GAP.fullmatch(scene.low, made[-1].end, one.start):
            break
        made.append(one)
    return made


def _who_stays(scene: Scene, start: int, end: int, order: Sequence[str]) -> list[str]:
    """Who is told to be last, or to be left."""
    for one in _named(scene, start, end):
        before = scene.low[max(0, one.start - _NEAR) : one.start]
        left = re.search(r"\b(?:only|just|nothing but|leaving|ending with)(?: (?:only|just|the|an?|lone))* \Z", before)
        if left or _LAST.match(scene.low, one.end) or _ALONE.match(scene.low, one.end):
            return [one.name]
    return [order[-1]] if len(order) > 1 and re.search(r"\b(?:finally|lastly)\b", scene.low[start:end]) else []


def _said_after(scene: Scene, at: int) -> int:
    """Where the words end that say of the last of a list that it is left."""
    match = re.match(
        r"(?:\s(?:first|last|alone|remains?|stays?|is left|at the (?:very )?end|alone at the end))+", scene.low[at:]
    )
    return at + match.end() if match else at
