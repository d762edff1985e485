"""A piece told in stages: ``start with a solo cello, gradually add strings, build to a climax with brass, then fade``.

Who is named first in a later stage comes in there; who only plays at a climax comes in for the last third."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.arcs import RISES
from libretto.contract.finders.clauses import Clause
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Place, Player, Scene, finders

__all__ = ["stages"]

_BEGINS = re.compile(
    r"\b(?:start|begin|open|commenc)(?:s|e|es|ing|ning)?\b(?! up\b)"
    r"(?<!opening)(?<!beginning)|\b(?:opening|beginning) (?:with|on|as|in)\b|\bat first\b"
)
_GOES_ON = re.compile(
    r"\s*(?:then|next|gradually|slowly|after (?:that|this|a while)|later|finally|from there|as (?:it|the \w+) (?:build|"
    r"progress|unfold|develop|grow)\w*)\b"
)
_COMES = re.compile(
    r"\b(?:add|join|enter|layer|introduc|burst|kick|crash|slam|sweep|creep|sneak|swell|ris|build|grow|reach|climax|peak|"
    r"explod|erupt|blossom|bloom|follow|unfold|soar)(?:s|es|e|ed|ing|ning|ping)?\b|"
    r"\b(?:com(?:e|es|ing)|bring(?:s|ing)?|tak(?:e|es|ing))\b[^,;.]*?\b(?:in|over)\b|\bsets? (?:in|up|a|the)\b"
)
_TOPS = re.compile(r"\b(?:climax|peak|explod|erupt|full orchestra|tutti|finale|triumphant finish|grand finish)")
_CLOSES = re.compile(
    r"\s*(?:and |before |until |it |the \w+ )*(?:should |must |let it )?"
    r"(?:end|fad|finish|clos|conclud|return|settl|resolv|die|dying|dissolv|strip|fall|subsid|thin|leav|drop|break)(?:s|es|e|ing|ning|ping)?\b"
)
_AFTERWARDS = re.compile(
    r"\b(?:then|before|until|finally)\b[^.;]{0,40}\b(?:calm|fad(?:e|es|ing)|subsid\w+|still(?:ness)?|peace\w*)\b"
)
_SLOWLY = re.compile(r"\b(?:gradually|slowly|eventually|later|finally|little by little|one by one)\b")
_FINALLY = re.compile(r"\b(?:finally|lastly|at last)\s(?:the\s|an?\s)?(?:[a-z-]+\s)?\Z")
_LAST_OF_ALL = re.compile(r"\s*(?:and\s)?(?:finally|lastly|at last)\b")
_PAIR = 2  # who begins, and who comes then
_SOLO = re.compile(r"\s(?:[a-z]+\s)?(?:solo|break|fill|lick|cadenza|interlude)s?\b")  # what somebody plays who is there
_STOP = re.compile(r"[.;!?](?=\s|\Z)")
_WITHOUT = re.compile(r"\bwithout\s(?:the\s|any\s|an?\s)?\Z")
_TOP, _RISING, _AT_ONCE = "last third", "second half", "after start"
_LONGEST = 200


@finders.register("stages")
def stages(scene: Scene) -> Iterator[Finding]:
    """When each comes in who is first named in a later stage of what is told from a beginning on."""
    for begins in list(_BEGINS.finditer(scene.low))[:1]:
        told = _told(scene, begins.start())
        known = {name for one in _named(scene, told[0]) for name in _all(one)} if told else set()
        if not known:
            return
        rows = []
        for clause in told[1:]:
            if _CLOSES.match(scene.low, clause.start, clause.end):
                break
            fresh = _fresh(scene, clause, known)
            if fresh and _comes(scene, clause):
                rows += [(clause, some) for some in _at_last(scene, fresh)]
            known |= {name for one in fresh for name in _all(one)}
        yield from _entries(scene, begins.start(), rows)


def _at_last(scene: Scene, players: list[Player]) -> list[list[Player]]:
    """Who come in together, and who only *finally* does: ``then bring in the saxes and finally the trumpets``."""
    late = [one for one in players[1:] if _FINALLY.search(scene.low[: one.start])]
    at = players.index(late[0]) if late else len(players)
    return [some for some in (players[:at], players[at:]) if some]


def _fresh(scene: Scene, clause: Clause, known: set[str]) -> list[Player]:
    """Who is named first in a clause; where it is the whole band that comes in, everybody who was not there."""
    everybody = [one for one in scene.players if clause.start <= one.start < clause.end and one.weak and not one.name]
    if everybody:
        rest = tuple(name for name in scene.roles if name not in known)
        return [everybody[0]._replace(name=rest[0], others=rest[1:], weak=False)] if rest else []
    named = [one for one in _named(scene, clause) if not _SOLO.match(scene.low, one.end)]
    return [one for one in named if one.name not in known]


def _entries(scene: Scene, start: int, rows: list[tuple[Clause, list[Player]]]) -> Iterator[Finding]:
    """One after the other; who is kept for a climax comes last."""
    tops = [bool(_TOPS.search(scene.low, clause.start, clause.end)) for clause, _ in rows]
    count, number, last = 1 + tops.count(False), 1, ""
    for (clause, fresh), top in zip(rows, tops, strict=True):
        number += not top
        told = [one.where for one in scene.places if _placed(scene, clause, fresh[-1], one)]
        soon = count == _PAIR and not _SLOWLY.search(scene.low, clause.start, clause.end)
        usual = _AT_ONCE if soon else f"entry {number} of {count}"
        early = RISES.search(scene.low, fresh[-1].end, clause.end) or _AFTERWARDS.search(scene.low, clause.end)
        highest = _RISING if early else _TOP  # who rises has time for it, and so has what calms down again
        where = highest if top and told[:1] in ([], ["end"]) else told[0] if told else _next(last) or usual
        last = where
        for player in fresh:
            for name in _all(player):
                ask = Ask("enter", "", name, where, scene.text[start : player.end][-_LONGEST:])
                yield scene.finding("enter", ask_value("enter", "", name, where), player.start, player.end, ask)


def _next(last: str) -> str:
    """Where the next comes in, where the one before does at a bar: as many bars later."""
    told = re.fullmatch(r"from bar (\d+)", last)
    return f"from bar {2 * int(told[1]) - 1}" if told else ""


def _placed(scene: Scene, clause: Clause, player: Player, place: Place) -> bool:
    """Whether a place is told of somebody who comes in."""
    inside = (
        clause.start <= place.start < clause.end and player.end <= place.start and place.how not in ("before", "until")
    )
    return inside and " and " not in scene.low[player.end : place.start]


def _told(scene: Scene, at: int) -> list[Clause]:
    """The clauses from a beginning on, as far as its sentence goes, and those that go on from it."""
    end = len(scene.low)
    for stop in _STOP.finditer(scene.low, at):
        if not _GOES_ON.match(scene.low, stop.end()):
            end = stop.start()
            break
    first = scene.clause(at)
    return [first, *(one for one in scene.clauses if first.end <= one.start < end)]


def _comes(scene: Scene, clause: Clause) -> bool:
    """Whether somebody comes in: by a verb, or by *then*."""
    then = scene.low[: clause.start].endswith("then") or _LAST_OF_ALL.match(scene.low, clause.start, clause.end)
    return bool(then) or bool(_COMES.search(scene.low, clause.start, clause.end))


def _named(scene: Scene, clause: Clause) -> list[Player]:
    """Who plays in a clause, without whom it is told that it does not: ``a slow tune without drums``."""
    there = [one for one in scene.players if clause.start <= one.start < clause.end and one.name and not one.weak]
    return [one for one in there if not _WITHOUT.search(scene.low, clause.start, one.start)]


def _all(player: Player) -> tuple[str, ...]:
    return (player.name, *player.others)
