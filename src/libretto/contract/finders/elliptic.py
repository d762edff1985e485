"""Entries told without a verb after one that has it: ``the viola joins in bar 5, the second violin in bar 9``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.clauses import Clause
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Scene, finders
from libretto.contract.words import number_of

__all__ = ["elliptic", "elliptic_leads"]

_ENTERS = re.compile(r"\b(?:enters?|joins?|comes? in|follows?|drops? in|slips? in|steals? in)\b")
_RUN = re.compile(
    r"\s*(?:,\s*)?(?:and |then )?(?:the |an? )?(?:first |second |third |other )?\s*"
)  # before a name in such a clause
_AT = re.compile(r"\s(?:in|at|from|on|after|during)?\s?(?:the )?")  # between a name and its place
_COUNT = r"(?:\d{1,2}|four|eight|twelve|sixteen)"
_THE_SECOND = re.compile(
    r"\b(?:leads?|carr(?:y|ies)|plays?|sings?|takes?|has|states?) (?:the (?:melody|tune|theme|lead) )?"
    r"(?:in |for |during )?the first "
    rf"(?P<what>strain|half|part|section|verse|phrase|(?P<count>{_COUNT}) (?:bars|measures))"
    r"(?: to itself| alone| by itself)?,? (?:and |while |then )?"
    r"(?:the )?(?:first |second )?(?P<who>[a-z]+(?: (?!in|for|during|takes|has|sings)[a-z]+)?) "
    r"(?:(?:takes|has|plays|gets|sings) )?(?:in |for |during )?the "
    rf"(?:second|other|next|last|following|remaining)\b(?: {_COUNT}\b)?(?: (?:bars|measures))?"
)
_ON = re.compile(r"\s*,\s*(?:and\b|then\b)?\s*|\s*(?:and then|then)\s*")  # between the clauses


@finders.register("elliptic")
def elliptic(scene: Scene) -> Iterator[Finding]:
    """Players of whom a clause says only a place, after one in which somebody enters."""
    entering = False
    for clause in scene.clauses:
        if not scene.low[clause.start : clause.end].strip(" "):
            continue
        before = scene.before(clause)
        joined = before is not None and bool(_ON.fullmatch(scene.low, before.end, clause.start))
        found = _told(scene, clause) if entering and joined else None
        if found is not None:
            yield found
        entering = found is not None or bool(_ENTERS.search(scene.low, clause.start, clause.end))


@finders.register("elliptic leads")
def elliptic_leads(scene: Scene) -> Iterator[Finding]:
    """``The accordion leads the first strain, the clarinet the second``: who has the tune there."""
    for match in _THE_SECOND.finditer(scene.low):
        who = next(
            (one for one in scene.players if one.start == match.start("who") and one.name and not one.weak), None
        )
        if who is None or who.end != match.end("who"):
            continue
        first = next((one for one in scene.players if one.end == match.start() - 1 and one.name and not one.weak), None)
        if first is not None and match["what"] == "strain":
            ask = Ask("lead", "", first.name, "A", scene.text[match.start() : match.end()].strip()[:200])
            yield scene.finding("lead", ask_value("lead", "", first.name, "A"), first.start, match.start("who"), ask)
        where = _after_the_first(match)
        ask = Ask("lead", "", who.name, where, scene.text[match.start() : match.end()].strip()[:200])
        yield scene.finding("lead", ask_value("lead", "", who.name, where), match.start("who"), match.end(), ask)


def _after_the_first(match: re.Match[str]) -> str:
    """Where the second of two leads."""
    if match["count"]:
        return f"after first {number_of(match['count'])} bars"
    return {"strain": "B", "verse": "verse 2"}.get(match["what"], "second half")


def _told(scene: Scene, clause: Clause) -> Finding | None:
    """The entry that a clause means which has a name and a place, and nothing else."""
    players = [one for one in scene.players if clause.start <= one.start < clause.end and one.name and not one.weak]
    places = [one for one in scene.places if clause.start <= one.start < clause.end]
    if len(players) != 1 or len(places) != 1:
        return None
    player, place = players[0], places[0]
    bare = _RUN.fullmatch(scene.low, clause.start, player.start) and not scene.low[place.end : clause.end].strip(" ")
    if not bare or place.start < player.end or not _AT.fullmatch(scene.low, player.end, place.start):
        return None
    ask = Ask("enter", "", player.name, place.where, scene.text[player.start : place.end])
    return scene.finding("enter", ask_value("enter", "", player.name, place.where), player.start, place.end, ask)
