"""Turns: who has the tune one after the other, and who goes and comes back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from libretto.contract.asks import Ask
from libretto.contract.finders import Finding
from libretto.contract.layout import find_bars
from libretto.contract.leads import (
    first_of_all,
    halves,
    one_leads,
    outside_leads,
    placed,
    taken_after,
    themes,
    until_next,
)
from libretto.contract.timeline import length_of, timeline
from libretto.contract.words import fold

__all__ = ["in_turn"]

_BACK = re.compile(r"\b(?:back|return(?:s|ing)?|re-?enters?|again)\b", re.I)
_A_BAR = re.compile(r"bar \d+")
_TIMES = ("half time", "double time")
_ALL_TOGETHER = ("homophony", "unison")
_EVERYONE = re.compile(
    r"\b(?:everyone|everybody|all|tutti|the (?:whole |full )?band)\b[^.;]{0,20}\btogether\b|\btutti\b", re.I
)
_SOME_BARS = re.compile(r"\d+ bars in (.+)")
_REACH = 24  # characters after the words of a figure that may say that it does not stop
_SIDES = {"intro": "first", "outro": "last"}  # where sections at the edges of a piece lie
_SLOWLY = "first quarter"  # where a slow beginning lies
_CLOSER = ("two-beat", "octaves", "downbeats", "eighths", "off-beats", "sixteenths", "beats", "tumbao", "gallop")
_BARRED = {  # manners, and the closer ones beside which they mean nothing of their own
    "chops": ("beats",),
    "off-beats": ("beats",),
    "pulse": _CLOSER,
    "steady": (*_CLOSER, "pulse", "melodic", "riff", "sustained"),
}
_WHILE = re.compile(r"[^.;!?]{0,30}\b(?:while|as|and|so|so that|to let|letting)\b[^.;!?]{0,30}", re.I)
_AWAY = ("leave", "silent")
_OPENING, _ENDING = re.compile(r"start|intro|first \d+ bars"), re.compile(r"end|outro|tag|last \d+ bars|last time")
_ALWAYS = re.compile(r"\b(?:throughout|always|never|forever|whole|end|all the)\b", re.I)  # what does not stop halfway
_FIRST_BARS, _FIGURES = re.compile(r"first \d+ bars"), ("ostinato", "riff")
_NEW = re.compile(r"[.;!?]|\b(?:then|later)\b", re.I)  # where words go on to something else


def in_turn(text: str, findings: Sequence[Finding]) -> list[Finding]:
    """What was found, with leads that follow each other in the halves of the piece, and with one silence for who leaves
    and comes back."""
    findings = _up_to_the_blow(_there_alone(findings))
    findings = _apart(_for_some_bars(first_of_all(_closest(_edges(text, _while_slow(taken_after(findings)))))))
    findings = _after_the_counted(text, findings)
    told = [_from_there(one) for finding in findings for one in _as_doublings(finding)]
    return outside_leads(
        until_next(_back_again(_meanwhile(text, themes(halves(text, one_leads(_at_first(text, told)))))))
    )


def _up_to_the_blow(findings: Sequence[Finding]) -> list[Finding]:
    """What was found, with what grows all through up to where something falls into it."""
    blows = [one.ask.where for one in findings if one.ask and (one.ask.kind, one.ask.what) == ("silent", "crash")]
    return [
        placed(one, f"until {blows[0]}")
        if one.ask and blows and (one.ask.kind, one.ask.what, one.ask.where) == ("dynamics", "growing", "")
        else one
        for one in findings
    ]


def _after_the_counted(text: str, findings: list[Finding]) -> list[Finding]:
    """What was found, where a middle that is told after bars that are counted lies right after these: ``16 bars of
    melody; a softer middle part before the pipes return``."""
    low = fold(text)
    stretches = timeline(low)
    if not stretches or stretches[-1].closes or stretches[-1].how in ("at", "on"):
        return findings
    last = stretches[-1]
    rest = (length_of(low) - last.last) // 2
    places = {"middle": f"bars {last.last + 1}-{last.last + rest}", "after middle": f"from bar {last.last + rest + 1}"}
    return [
        placed(one, places[one.ask.where])
        if one.ask and one.ask.where in places and one.heard.end > last.end and rest > 1
        else one
        for one in findings
    ]


def _there_alone(findings: Sequence[Finding]) -> list[Finding]:
    """What was found, without who is alone after a section and is told to be so in the next: ``after the chorus comes a
    bridge with only bass and drums``."""
    alone = [(one.ask.who, one.ask.where) for one in findings if one.ask and one.ask.kind == "only"]
    return [
        replace(one, ask=None)
        if one.ask
        and (one.ask.kind, one.ask.where[:6]) == ("only", "after ")
        and any(who == one.ask.who and not where.startswith("after ") for who, where in alone)
        else one
        for one in findings
    ]


def _at_first(text: str, findings: list[Finding]) -> list[Finding]:
    """What was found, with a figure that somebody repeats who begins alone in the first half: ``begin with a guitar
    playing a repeating figure, then let the drums grow``."""
    counted = {
        one.ask.who: one.ask.where
        for one in findings
        if one.ask and one.ask.kind == "only" and _FIRST_BARS.fullmatch(one.ask.where)
    }
    findings = [
        placed(one, counted[one.ask.who])
        if one.ask and one.ask.who in counted and one.ask.what in _FIGURES and not one.ask.where
        and not _ALWAYS.search(text[one.heard.start : one.heard.end + _REACH])
        else one
        for one in findings
    ]  # fmt: skip
    begin = [one for one in findings if one.ask and (one.ask.kind, one.ask.where) == ("only", "start")]
    return [
        placed(one, "first half")
        if one.ask
        and one.ask.what == "ostinato"
        and not one.ask.where
        and not _ALWAYS.search(text[one.heard.start : one.heard.end + _REACH])
        and any(
            first.ask and first.ask.who == one.ask.who and not _NEW.search(_between(text, first, one))
            for first in begin
        )
        else one
        for one in findings
    ]


def _while_slow(findings: Sequence[Finding]) -> list[Finding]:
    """What was found, with those who begin alone for as long as a beginning is slow that is told of them: ``begin with
    a slow clarinet, then break into a fast dance``."""
    slow = [one for one in findings if one.ask and (one.ask.kind, one.ask.where) == ("tempo_change", _SLOWLY)]
    alone = [one for one in findings if one.ask and (one.ask.kind, one.ask.where) == ("only", "start")]
    told = any(one.heard.start < two.heard.end and two.heard.start < one.heard.end for one in slow for two in alone)
    places = {("only", "start"): _SLOWLY, ("enter", "after start"): f"after {_SLOWLY}"} if told else {}
    return [
        placed(one, places[one.ask.kind, one.ask.where]) if one.ask and (one.ask.kind, one.ask.where) in places else one
        for one in findings
    ]


def _closest(findings: Sequence[Finding]) -> list[Finding]:
    """What was found, without chops of who chops on every beat, and without the same tone a beat of who alternates
    roots and fifths in a steady pulse."""
    told = {(one.ask.who, one.ask.what) for one in findings if one.ask and one.ask.kind == "manner"}
    return [
        replace(one, ask=None)
        if one.ask
        and one.ask.kind == "manner"
        and any((one.ask.who, closer) in told for closer in _BARRED.get(one.ask.what, ()))
        else one
        for one in findings
    ]


def _meanwhile(text: str, findings: list[Finding]) -> list[Finding]:
    """Solos without a place, where others are silent: ``the horns rest for eight bars while the piano solos``."""
    rests = [one for one in findings if one.ask is not None and one.ask.kind == "silent" and one.ask.where]
    made = []
    for finding in findings:
        ask = finding.ask
        if ask is not None and ask.kind == "solo" and not ask.where:
            near = [one for one in rests if _WHILE.fullmatch(_between(text, one, finding))]
            finding = placed(finding, near[-1].ask.where) if near and near[-1].ask else finding
        made.append(finding)
    return made


def _between(text: str, one: Finding, two: Finding) -> str:
    """The words between two findings, whichever stands first."""
    first, second = sorted((one.heard, two.heard), key=lambda heard: heard.start)
    return text[first.end : max(first.end, second.start)]


def _edges(text: str, findings: Sequence[Finding]) -> list[Finding]:
    """What was found, with an intro or outro of so many bars as those bars, where the piece is counted in bars."""
    lengths = {one.ask.where: one.ask.what for one in findings if one.ask and one.ask.kind == "section_bars"}
    edges = {name: f"{side} {lengths[name]} bars" for name, side in _SIDES.items() if name in lengths}
    if not edges or set(lengths) - set(edges) or find_bars(text) is None:
        return list(findings)
    return [
        replace(one, ask=None) if one.ask and one.ask.kind == "section_bars" else placed(one, edges[one.ask.where])
        if one.ask and one.ask.where in edges else one
        for one in findings
    ]  # fmt: skip


def _from_there(finding: Finding) -> Finding:
    """Who takes the tune at a bar, or drums in another time, does so from there on; who is left alone after a climax is
    so at the end."""
    ask = finding.ask
    if ask is not None and (ask.kind, ask.where) == ("only", "after last third"):
        return placed(finding, "end")
    at = ask is not None and (ask.kind == "lead" or ask.what in _TIMES) and _A_BAR.fullmatch(ask.where)
    return placed(finding, f"from {ask.where}") if ask and at else finding


def _as_doublings(finding: Finding) -> list[Finding]:
    """Some who play in unison, or in octaves: the others double the first."""
    ask = finding.ask
    if ask is None or (ask.kind, ask.what) != ("texture", "unison") or not ask.who:
        return [finding]
    if " + " not in ask.who:  # who joins in unison has the tune with the others
        return [replace(finding, ask=replace(ask, kind="doubling", what="melody"))]
    first, *others = ask.who.split(" + ")
    return [replace(finding, ask=replace(ask, kind="doubling", what=first, who=name)) for name in others]


def _apart(findings: Sequence[Finding]) -> list[Finding]:
    """Turns that two take all through, outside of where all play together."""
    asks = [one.ask for one in findings if one.ask and one.ask.where]
    whole = [ask.where for ask in asks if ask.what in _ALL_TOGETHER or _EVERYONE.search(ask.words)]
    return [placed(one, f"outside {whole[0]}") if whole and _turns_all_through(one.ask) else one for one in findings]


def _turns_all_through(ask: Ask | None) -> bool:
    """Whether two are said to take turns, and nothing of where."""
    return ask is not None and (ask.kind, ask.what) == ("texture", "call and response") and not ask.where


def _for_some_bars(findings: Sequence[Finding]) -> list[Finding]:
    """Who stops, and who has the tune, where somebody plays alone for some bars of the same place: there only."""
    told = [_SOME_BARS.fullmatch(one.ask.where) for one in findings if one.ask and one.ask.kind == "only"]
    places = {match[1]: match[0] for match in told if match}
    made = []
    for one in findings:
        ask = one.ask
        if ask is not None and ask.kind in ("lead", "leave", "silent") and ask.where in places:
            kind = "silent" if ask.kind == "leave" else ask.kind
            made.append(replace(one, ask=replace(ask, kind=kind, where=places[ask.where])))
        else:
            made.append(one)
    return made


def _back_again(findings: list[Finding]) -> list[Finding]:
    """Who leaves in one place, or begins, and comes back in another, or in the end, is silent between them."""
    made = list(findings)
    for gone in findings:
        for again in findings:
            one, two = gone.ask, again.ask
            if one is None or two is None or (two.kind, two.who) != ("enter", one.who):
                continue
            back = again.heard.end >= gone.heard.end and _BACK.search(two.words) and gone in made and again in made
            if back and _first_and_last(one, two):
                silent = Ask("silent", "", one.who, f"outside {one.where} or {two.where}", two.words)
                made[made.index(again)] = replace(again, ask=silent)
            elif back and one.kind in _AWAY:
                where = f"from {one.where.removeprefix('from ')} until {two.where.removeprefix('from ')}"
                there = one.kind == "silent" and (one.where, two.where) != ("second half", "last quarter")
                silent = one if there else Ask("silent", "", one.who, where, one.words)
                made[made.index(gone)] = replace(gone, ask=silent)
                made[made.index(again)] = replace(again, ask=None)
    return made


def _first_and_last(one: Ask, two: Ask) -> bool:
    """Whether somebody who begins alone comes back in the end: then it is silent between."""
    return one.kind == "only" and bool(_OPENING.fullmatch(one.where)) and bool(_ENDING.fullmatch(two.where))
