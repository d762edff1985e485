"""Turns: who has the tune one after the other, and who goes and comes back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from libretto.contract.asks import Ask
from libretto.contract.finders import Finding
from libretto.contract.layout import find_bars

__all__ = ["in_turn"]

_OVER = re.compile(
    r"\b(?:takes?|taking|took|picks?) (?:(?:it |the \w+ )?(?:over|up)\b|up (?:it|the|that)\b)|\bswaps?\b", re.I
)
_THEN = re.compile(r"\b(?:then|later|afterwards?|after that|next|finally|before)\W{1,3}(?:\w+ ){0,2}\Z", re.I)
_BACK = re.compile(r"\b(?:back|return(?:s|ing)?|re-?enters?|again)\b", re.I)
_A_BAR = re.compile(r"bar \d+")
_TIMES = ("half time", "double time")
_ALL_TOGETHER = ("homophony", "unison")
_EVERYONE = re.compile(
    r"\b(?:everyone|everybody|all|tutti|the (?:whole |full )?band)\b[^.;]{0,20}\btogether\b|\btutti\b", re.I
)
_SHARED = re.compile(r"\b(?:alternat|intertwin|trad|swap|exchang|shar)\w*\b|\bturns\b", re.I)  # a tune of several
_SOME_BARS = re.compile(r"\d+ bars in (.+)")
_TURNS_IN = re.compile(r"turns \d+ of \d+ in \d+ of ")
_FROM_BAR = re.compile(r"from bar \d+")
_LEADING, _LAST = ("lead", "solo"), re.compile(r"last (?:quarter|third|\d+ bars|time|chorus|verse|strain)|end|outro")
_GOAL = re.compile(r"second half|(?:from )?bar \d+|bars \d+-\d+|last \d+ bars|middle")
_REACH = 24  # characters before the words that may say that they come later
_AFTER = {"start": "second half", "first half": "second half", "intro": "after intro"}  # of who takes over there
_NOT_YET = re.compile(r"\b(?:until|till|before|then|and the)\b", re.I)  # what comes after a start
_SIDES = {"intro": "first", "outro": "last"}  # where sections at the edges of a piece lie
_SLOWLY = "first quarter"  # where a slow beginning lies
_PAIR = 2  # who lead by halves
_BARRED = {  # manners, and the closer ones beside which they mean nothing of their own
    "chops": ("beats",),
    "off-beats": ("beats",),
    "pulse": ("two-beat", "octaves", "downbeats", "eighths", "off-beats", "sixteenths", "beats", "tumbao", "gallop"),
}
_WHILE = re.compile(r"[^.;!?]{0,30}\b(?:while|as|and|so|so that|to let|letting)\b[^.;!?]{0,30}", re.I)
_AWAY_FROM = re.compile(r" (?:above|below|in thirds|in sixths)\Z")
_AWAY = ("leave", "silent")
_OPENING, _ENDING = re.compile(r"start|intro|first \d+ bars"), re.compile(r"end|outro|tag|last \d+ bars|last time")
_ALWAYS = re.compile(r"\b(?:throughout|always|never|forever|whole|end|all the)\b", re.I)  # what does not stop halfway
_NEW = re.compile(r"[.;!?]|\b(?:then|later)\b", re.I)  # where words go on to something else
_NOBODY = ("melody", "")  # of whom nothing is known


def in_turn(text: str, findings: Sequence[Finding]) -> list[Finding]:
    """What was found, with leads that follow each other in the halves of the piece, and with one silence for who leaves
    and comes back."""
    findings = _apart(_for_some_bars(_first_of_all(_closest(_edges(text, _while_slow(_taken_after(findings)))))))
    told = [_from_there(one) for finding in findings for one in _as_doublings(finding)]
    return _outside_leads(_until_next(_back_again(_meanwhile(text, _halves(text, _one_leads(_at_first(text, told)))))))


def _taken_after(findings: Sequence[Finding]) -> list[Finding]:
    """What was found, where who takes over in the place in which another leads, or comes in beside it, does so after
    it: ``the flute leads at the beginning and the horn takes over``."""
    made = []
    for number, one in enumerate(findings):
        ask = one.ask
        if ask is not None and (ask.kind, ask.where) == ("enter", "start") and _NOT_YET.search(ask.words):
            one = _at(one, "after start")
        if ask is not None and ask.kind == "lead" and ask.where in _AFTER and _OVER.search(one.heard.words):
            before = {(other.ask.kind, other.ask.where) for other in findings[:number] if other.ask}
            one = _at(one, _AFTER[ask.where]) if before & {("lead", ask.where), ("only", ask.where)} else one
        made.append(one)
    return made


def _at_first(text: str, findings: list[Finding]) -> list[Finding]:
    """What was found, with a figure that somebody repeats who begins alone in the first half: ``begin with a guitar
    playing a repeating figure, then let the drums grow``."""
    begin = [one for one in findings if one.ask and (one.ask.kind, one.ask.where) == ("only", "start")]
    return [
        _at(one, "first half")
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
        _at(one, places[one.ask.kind, one.ask.where]) if one.ask and (one.ask.kind, one.ask.where) in places else one
        for one in findings
    ]


def _one_leads(findings: list[Finding]) -> list[Finding]:
    """What was found, without the lead of who doubles another all through: of two who play a tune one has it."""
    doubles = {one.ask.who for one in findings if one.ask and one.ask.kind == "doubling" and not one.ask.where}
    return [
        replace(one, ask=None) if _leads_all_through(one.ask) and one.ask and one.ask.who in doubles else one
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
            finding = _at(finding, near[-1].ask.where) if near and near[-1].ask else finding
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
        replace(one, ask=None) if one.ask and one.ask.kind == "section_bars" else _at(one, edges[one.ask.where])
        if one.ask and one.ask.where in edges else one
        for one in findings
    ]  # fmt: skip


def _from_there(finding: Finding) -> Finding:
    """Who takes the tune at a bar, or drums in another time, does so from there on; who is left alone after a climax is
    so at the end."""
    ask = finding.ask
    if ask is not None and (ask.kind, ask.where) == ("only", "after last third"):
        return _at(finding, "end")
    at = ask is not None and (ask.kind == "lead" or ask.what in _TIMES) and _A_BAR.fullmatch(ask.where)
    return _at(finding, f"from {ask.where}") if ask and at else finding


def _as_doublings(finding: Finding) -> list[Finding]:
    """Some who play in unison, or in octaves: the others double the first."""
    ask = finding.ask
    if ask is None or (ask.kind, ask.what) != ("texture", "unison") or not ask.who:
        return [finding]
    if " + " not in ask.who:  # who joins in unison has the tune with the others
        return [replace(finding, ask=replace(ask, kind="doubling", what="melody"))]
    first, *others = ask.who.split(" + ")
    return [replace(finding, ask=replace(ask, kind="doubling", what=first, who=name)) for name in others]


def _outside_leads(findings: list[Finding]) -> list[Finding]:
    """What a part does all through, kept out of the places in which it has the tune."""
    leads: dict[str, list[str]] = {}
    for one in findings:
        if one.ask and (one.ask.kind == "solo" or (one.ask.kind == "lead" and one.ask.where)):
            leads.setdefault(one.ask.who, []).append(one.ask.where or "solo")
    return [_outside(one, leads) for one in findings]


def _outside(finding: Finding, leads: Mapping[str, Sequence[str]]) -> Finding:
    """What is asked of somebody all through, outside of where it leads."""
    ask = finding.ask
    if ask is None or ask.where or ask.kind not in ("role", "doubling", "texture"):
        return finding
    places = list(next((leads[name] for name in ask.who.split(" + ") if leads.get(name)), []))
    if ask.kind == "doubling":  # nor is who plays a solo doubled in it
        theirs, own = leads.get(_AWAY_FROM.sub("", ask.what), ()), bool(places)
        places += [place for place in theirs if own or place.startswith(("round ", "solo"))]
    places = [_TURNS_IN.sub("", place) for place in places]  # who trade there do nothing else there
    return _at(finding, f"outside {' or '.join(dict.fromkeys(places))}") if places else finding


def _first_of_all(findings: Sequence[Finding]) -> list[Finding]:
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


def _apart(findings: Sequence[Finding]) -> list[Finding]:
    """Turns that two take all through, outside of where all play together."""
    asks = [one.ask for one in findings if one.ask and one.ask.where]
    whole = [ask.where for ask in asks if ask.what in _ALL_TOGETHER or _EVERYONE.search(ask.words)]
    return [_at(one, f"outside {whole[0]}") if whole and _turns_all_through(one.ask) else one for one in findings]


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


def _until_next(findings: list[Finding]) -> list[Finding]:
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
    goal = next((one.where for one in later if goals.fullmatch(one.where)), "")
    where = f"from {ask.where.removeprefix('from ')} until {goal.removeprefix('from ')}"
    return _at(finding, where) if goal else finding


def _halves(text: str, findings: list[Finding]) -> list[Finding]:
    """Two leads of the whole piece of which the second takes over: one half each."""
    leads = [one for one in findings if _leads_all_through(one.ask)]
    names = _who(leads)
    if len(names) == 1:
        return _taken_over(findings, leads)
    later = [one for one in leads if one.ask and one.ask.who == names[-1]]
    if len(names) != _PAIR or not any(_follows(text, one) for one in later):
        return findings
    halves = {id(one): "second half" if one in later else "first half" for one in leads}
    return [_at(one, halves[id(one)]) if id(one) in halves else one for one in findings]


def _who(findings: Sequence[Finding]) -> list[str]:
    """The names of those of whom something was found."""
    return list(dict.fromkeys(one.ask.who for one in findings if one.ask))


def _taken_over(findings: list[Finding], leads: list[Finding]) -> list[Finding]:
    """What was found, where the only one who is told to lead takes over: in the second half."""
    placed = any(one.ask and one.ask.kind == "lead" and one.ask.where for one in findings)
    if placed or not all(_OVER.search(one.heard.words) for one in leads):
        return findings
    return [_at(one, "second half") if one in leads else one for one in findings]


def _leads_all_through(ask: Ask | None) -> bool:
    """Whether somebody is said to lead, and nothing of where."""
    return ask is not None and ask.kind == "lead" and not ask.where and ask.who not in _NOBODY


def _follows(text: str, finding: Finding) -> bool:
    """Whether words say that something comes after what was said before."""
    heard = finding.heard
    return bool(_OVER.search(heard.words) or _THEN.search(text[max(0, heard.start - _REACH) : heard.start]))


def _at(finding: Finding, where: str) -> Finding:
    ask = finding.ask
    return finding if ask is None else replace(finding, ask=replace(ask, where=where))


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
