"""Leads: who has the tune, in which half or until when, and what is asked of others outside of that."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from libretto.contract.asks import Ask
from libretto.contract.finders import Finding

__all__ = ["first_of_all", "halves", "one_leads", "outside_leads", "placed", "taken_after", "themes", "until_next"]

_REACH = 24  # characters before the words that may say that they come later
_OVER = re.compile(
    r"\b(?:takes?|taking|took|picks?) (?:(?:it |the \w+ )?(?:over|up)\b|up (?:it|the|that)\b)|\bswaps?\b", re.I
)
_THEN = re.compile(r"\b(?:then|later|afterwards?|after that|next|finally|before)\W{1,3}(?:\w+ ){0,2}\Z", re.I)
_SHARED = re.compile(r"\b(?:alternat|intertwin|trad|swap|exchang|shar)\w*\b|\bturns\b", re.I)  # a tune of several
_TURNS_IN = re.compile(r"turns \d+ of \d+ in \d+ of ")
_COUNT = re.compile(r"\d+")
_FROM_BAR = re.compile(r"from bar \d+")
_LEADING, _LAST = ("lead", "solo"), re.compile(r"last (?:quarter|third|\d+ bars|time|chorus|verse|strain)|end|outro")
_GOAL = re.compile(r"second half|(?:from )?bar \d+|bars \d+-\d+|last \d+ bars|middle")
_AFTER = {"start": "second half", "first half": "second half", "intro": "after intro"}  # of who takes over there
_NOT_YET = re.compile(r"\b(?:until|till|before|then|and the)\b", re.I)  # what comes after a start
_THEME = "first quarter"  # of a piece: how long its theme is
_PAIR = 2  # who lead by halves
_AWAY_FROM = re.compile(r" (?:above|below|in thirds|in sixths)\Z")
_NOBODY = ("melody", "")  # of whom nothing is known


def taken_after(findings: Sequence[Finding]) -> list[Finding]:
    """What was found, where who takes over in the place in which another leads, or comes in beside it, does so after
    it: ``the flute leads at the beginning and the horn takes over``."""
    made = []
    for number, one in enumerate(findings):
        ask = one.ask
        if ask is not None and (ask.kind, ask.where) == ("enter", "start") and _NOT_YET.search(ask.words):
            one = placed(one, "after start")
        if ask is not None and ask.kind == "lead" and ask.where in _AFTER and _OVER.search(one.heard.words):
            before = {(other.ask.kind, other.ask.where) for other in findings[:number] if other.ask}
            one = placed(one, _AFTER[ask.where]) if before & {("lead", ask.where), ("only", ask.where)} else one
        made.append(one)
    return made


def one_leads(findings: list[Finding]) -> list[Finding]:
    """What was found, without the lead of who doubles another all through: of two who play a tune one has it."""
    doubles = {one.ask.who for one in findings if one.ask and one.ask.kind == "doubling" and not one.ask.where}
    return [
        replace(one, ask=None) if _leads_all_through(one.ask) and one.ask and one.ask.who in doubles else one
        for one in findings
    ]


def outside_leads(findings: list[Finding]) -> list[Finding]:
    """What a part does all through, kept out of the places in which it has the tune."""
    leads: dict[str, list[str]] = {}
    solos = {one.ask.where or "solo" for one in findings if one.ask and one.ask.kind == "solo"}
    for one in findings:
        if one.ask and (one.ask.kind == "solo" or (one.ask.kind == "lead" and one.ask.where)):
            leads.setdefault(one.ask.who, []).append(one.ask.where or "solo")
    return [_outside(one, leads, solos) for one in findings]


def _outside(finding: Finding, leads: Mapping[str, Sequence[str]], solos: set[str]) -> Finding:
    """What is asked of somebody all through, outside of where it leads."""
    ask = finding.ask
    if ask is None or ask.where or ask.kind not in ("role", "doubling", "texture"):
        return finding
    places = list(next((leads[name] for name in ask.who.split(" + ") if leads.get(name)), []))
    if ask.kind == "doubling":  # nor is who plays a solo doubled in it
        theirs, own = leads.get(_AWAY_FROM.sub("", ask.what), ()), bool(places)
        places += [place for place in theirs if own or place.startswith("round ") or place in solos]
    places = [_TURNS_IN.sub("", place) for place in places]  # who trade there do nothing else there
    return placed(finding, f"outside {' or '.join(dict.fromkeys(places))}") if places else finding


def first_of_all(findings: Sequence[Finding]) -> list[Finding]:
    """What was found, where of several who have the tune together only the first leads all through; who share it by
    turns all lead."""
    firsts: dict[tuple[int, int], str] = {}
    for one in findings:
        if one.ask is not None and _has_the_tune(one):
            span, words = (one.heard.start, one.heard.end), one.heard.words.lower()
            names = [firsts.get(span, one.ask.who), one.ask.who]
            firsts[span] = min(names, key=lambda name: words.find(name.lower().split()[-1]) % (len(words) + 1))
    return [
        replace(one, ask=None)
        if one.ask and _has_the_tune(one) and firsts[one.heard.start, one.heard.end] != one.ask.who
        else one
        for one in findings
    ]


def _has_the_tune(finding: Finding) -> bool:
    """Whether somebody is said to lead all through, not by turns with others."""
    return _leads_all_through(finding.ask) and not _SHARED.search(finding.heard.words)


def until_next(findings: list[Finding]) -> list[Finding]:
    """Who leads from a bar, or the second half, on, until another takes over in a place that comes later."""
    return [_until(one, findings[place + 1 :]) for place, one in enumerate(findings)]


def _until(finding: Finding, findings: Sequence[Finding]) -> Finding:
    """Who leads, until another of some who come later does."""
    ask = finding.ask
    half = ask is not None and ask.where == "second half"
    if ask is None or ask.kind not in _LEADING or not (half or _FROM_BAR.fullmatch(ask.where)):
        return finding
    goals = _LAST if half else _GOAL
    later = [one.ask for one in findings if one.ask and one.ask.kind in _LEADING and one.ask.who != ask.who]
    goal = next((one.where for one in later if goals.fullmatch(one.where) and _is_later(one.where, ask.where)), "")
    where = f"from {ask.where.removeprefix('from ')} until {goal.removeprefix('from ')}"
    return placed(finding, where) if goal else finding


def _is_later(goal: str, where: str) -> bool:
    """Whether a place lies after another, as far as both are counted in bars."""
    bars = [
        int(found[0]) for place in (where, goal) if (found := _COUNT.search(place)) and not place.startswith("last")
    ]
    return len(bars) < _PAIR or bars[1] > bars[0]


def halves(text: str, findings: list[Finding]) -> list[Finding]:
    """Two leads of the whole piece of which the second takes over: one half each."""
    leads = [one for one in findings if _leads_all_through(one.ask)]
    names = _who(leads)
    if len(names) == 1:
        return _taken_over(findings, leads)
    later = [one for one in leads if one.ask and one.ask.who == names[-1]]
    if len(names) != _PAIR or not any(_follows(text, one) for one in later):
        return findings
    places = {id(one): "second half" if one in later else "first half" for one in leads}
    return [placed(one, places[id(one)]) if id(one) in places else one for one in findings]


def themes(findings: list[Finding]) -> list[Finding]:
    """What was found, where others who lead later do so from when somebody has been heard alone with its theme."""
    alone = {one.ask.who for one in findings if one.ask and (one.ask.kind, one.ask.where) == ("only", _THEME)}
    places = {"first half": _THEME, "second half": f"outside {_THEME}"} if len(alone) == 1 else {}
    return [
        placed(one, places[one.ask.where])
        if one.ask
        and one.ask.kind == "lead"
        and one.ask.where in places
        and (one.ask.who in alone) == (one.ask.where == "first half")
        else one
        for one in findings
    ]


def _who(findings: Sequence[Finding]) -> list[str]:
    """The names of those of whom something was found."""
    return list(dict.fromkeys(one.ask.who for one in findings if one.ask))


def _taken_over(findings: list[Finding], leads: list[Finding]) -> list[Finding]:
    """What was found, where the only one who is told to lead takes over: in the second half."""
    told = any(one.ask and one.ask.kind == "lead" and one.ask.where for one in findings)
    if told or not all(_OVER.search(one.heard.words) for one in leads):
        return findings
    return [placed(one, "second half") if one in leads else one for one in findings]


def _leads_all_through(ask: Ask | None) -> bool:
    """Whether somebody is said to lead, and nothing of where."""
    return ask is not None and ask.kind == "lead" and not ask.where and ask.who not in _NOBODY


def _follows(text: str, finding: Finding) -> bool:
    """Whether words say that something comes after what was said before."""
    heard = finding.heard
    return bool(_OVER.search(heard.words) or _THEN.search(text[max(0, heard.start - _REACH) : heard.start]))


def placed(finding: Finding, where: str) -> Finding:
    """What was found, asked for in another place."""
    ask = finding.ask
    return finding if ask is None else replace(finding, ask=replace(ask, where=where))
