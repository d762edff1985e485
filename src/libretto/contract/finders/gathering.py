"""Who comes and who goes one after the other: ``the players leave one by one until only the cello is left``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from libretto.contract.asks import Ask
from libretto.contract.finders.leaving import AS_THEY_CAME, GO, GOES_FIRST, exits_told
from libretto.contract.finders.scene import Finding, Scene, finders
from libretto.contract.words import fold

__all__ = ["arriving", "goers", "one_by_one"]

_WHO = (
    r"(?:instruments?|players?|parts?|layers?|voices?|elements?|members|band|others?|they|everyone|sections?|sounds?|"
    r"tracks|rest)"
)
_ONE_BY_ONE = r"one (?:by one|at a time|after (?:the other|another))|in turn|layer (?:by|upon|on) layer"
_JOINING = re.compile(
    rf"(?:{_WHO} (?:\w+ ){{0,3}}?)?(?:add(?:ed|ing)?|joins?|joining|enters?|entering|appears?|com(?:e|es|ing) in|"
    rf"brought in|introduced|layered|stack(?:ed|ing)?(?: up)?|pil(?:e|es|ing) (?:in|up|on)) "
    rf"(?:{_WHO} )?(?:{_ONE_BY_ONE})|"
    rf"(?:{_ONE_BY_ONE})[, ] ?(?:the |all |more )?(?:other )?{_WHO} (?:are |get )?(?:added|joins?|enters?|comes? in)|"
    rf"(?:adds?|adding|bring(?:s|ing) in) (?:\w+ )?{_WHO} (?:{_ONE_BY_ONE})|"
    r"(?:gradually|slowly|steadily|bit by bit|little by little) (?:add|bring|layer)(?:s|ing)? (?:in |on )?"
    r"(?:more |other |further |new |the other |the )?(?:instruments|layers|players|parts|voices)|"
    r"(?:everything|everyone|everybody|instruments|layers|others|the (?:others|rest)) (?:then )?(?:gradually|slowly|"
    r"steadily) (?:pil|join|stack|enter|build|com|lay)(?:s|es|e|ing|ering)?(?: (?:in|on|up|on top)){1,2}|"
    r"(?:then )?more and more (?:voices|instruments|players|layers)|"
    r"add(?:s|ing)? (?:new |more )?(?:layers|instruments) (?:with|at|in|on) (?:each|every) [a-z]+|"
    r"(?:arriv|enter|com|join|build)(?:e|es|s|ing)?(?: in| up)? in (?:that|this) order|"
    r"build(?:s|ing)?(?: up)? (?:layer by layer|in layers|one (?:instrument|layer|part) at a time|"
    r"instrument by instrument)"
)
_GOING = re.compile(
    rf"(?:{_WHO} )?{GO}(?: in an? [a-z]+)?,? (?:{_ONE_BY_ONE})|"
    rf"(?:{_ONE_BY_ONE}),? (?:all )?(?:the )?(?:other )?{_WHO} (?:should |then )?{GO}|"
    rf"(?:tak|strip|peel|remov|mut|pull|subtract|drop|fad)(?:e|es|s|ing|ping)? (?:out |away |back )?(?:all )?(?:the )?"
    rf"(?:other )?{_WHO}(?: (?:away|out|back|off|again))? (?:{_ONE_BY_ONE})|"
    rf"{_WHO} (?:are |get )?(?:gradually|slowly) (?:are )?{GO}(?= until (?:only|just))|"
    rf"{_WHO} (?:then |all |should |will )?{GO},? in (?:this|that|the|the following) order\b|{GOES_FIRST.pattern}"
)
_STAYS = re.compile(
    r"\b(?:until|till|leaving|ending (?:on|with)|down to)(?: (?:only|just|nothing but|the|a|an|lone))+ \Z"
)
_LAST_WORD = re.compile(
    r"\s(?:[a-z]+ ){0,2}?(?:ha(?:s|ve|ving)|gets?|getting|tak(?:es?|ing)) the (?:last|final) (?:word|say)\b"
)
_ARRIVING = re.compile(  # those of a story, whom the players are
    r"\b(?:more and more|ever more|one more|another and another) (?!voices|instruments|players|layers)"
    r"(?:[a-z]+ ){1,3}?(?:arriv|join|gather|com|appear|enter|assembl|crowd|pour|swarm|turn up|show up|line up|wak|pile)"
    r"(?:e|es|s|ing)?\b|\bas (?:the|an?) (?:[a-z]+ )?(?:crowd|swarm|flock|parade|procession|army|column|queue|herd|"
    r"colony|party|crew|guests|villagers) (?:gather|grow|swell|build|assembl|arriv)(?:e|es|s)?\b"
)
_BEAT, _GROUND = ("drums", "percussion"), ("comping", "bass", "arpeggio", "pad", "chords")  # roles
_BEGINS = re.compile(r"\b(?:start|begin|open)(?:s|ing)? (?:with|on|as)\b")
_OPENS = re.compile(r"\s(?:should |then |first )?(?:starts?|begins?|opens?)\b(?! (?:with|on|as)\b)")
_FEWEST = 2  # who can come one after the other
_LONGEST = 200
_NEAR_ORDER = 64  # characters from how players go to the order that is told of them


@finders.register("one by one")
def one_by_one(scene: Scene) -> Iterator[Finding]:
    """Players who come in, or go, one after the other, in the order in which they are named."""
    for pattern, kind, word in ((_JOINING, "enter", "entry"), (_GOING, "leave", "exit")):
        match = pattern.search(scene.low)
        names = (_told_in_order(scene, match.start()) if match and kind == "enter" else []) or _in_order(scene)
        if match is None or len(names) < _FEWEST:
            continue
        told, end = exits_told(scene, *match.span(), names) if kind == "leave" else ([], match.end())
        came = AS_THEY_CAME.search(scene.low, end, end + _NEAR_ORDER) if kind == "leave" else None
        end = came.end() if came else end
        if GOES_FIRST.fullmatch(match[0]) and not told:
            continue
        words = scene.text[match.start() : end][:_LONGEST]
        leaving = told[:-1] or _going(scene, names, match.end())
        for number, name in enumerate(names[1:], 2) if kind == "enter" else enumerate(leaving, 1):
            where = f"{word} {number} of {len(names)}"
            yield scene.finding(kind, f"{name} {where}", match.start(), end, Ask(kind, "", name, where, words))


@finders.register("arriving")
def arriving(scene: Scene) -> Iterator[Finding]:
    """Players who come in one after the other as more and more arrive: a beat and an accompaniment first, then who has
    the tune, then the others."""
    match = _ARRIVING.search(scene.low)
    if match is None or _JOINING.search(scene.low) or len(scene.roles) <= _FEWEST:
        return
    rows = list(scene.roles.items())
    first = [next((name for name, role in rows if role in kinds), "") for kinds in (_BEAT, _GROUND)]
    leads = [name for name, role in rows if role == "lead" and name not in first]
    others = [name for name, _ in rows if name not in first and name not in leads]
    later = [*leads, *others] if any(first) else [*leads, *others][1:]
    words = scene.text[match.start() : match.end()][:_LONGEST]
    for number, name in enumerate(later, 2):
        where = f"entry {number} of {len(later) + 1}"
        yield scene.finding("enter", f"{name} {where}", *match.span(), Ask("enter", "", name, where, words))


def goers(scene: Scene) -> list[str]:
    """Everybody in the order in which they go one after the other, who stays last; nobody where none do."""
    match, names = _GOING.search(scene.low), _in_order(scene)
    told = exits_told(scene, *match.span(), names)[0] if match else []
    gone = told[:-1] or (_going(scene, names, match.end()) if match and len(names) >= _FEWEST else [])
    return [*gone, *(name for name in names if name not in gone)] if gone else []


def _going(scene: Scene, names: Sequence[str], at: int) -> list[str]:
    """Who goes before the last: in order as they came where that is told, else backwards; who is to be last stays."""
    sentence = re.split(r"[.;!?]", scene.low[at:])[0]
    order = list(names[::-1])
    if AS_THEY_CAME.search(sentence):
        told = dict.fromkeys(one.name for one in scene.players if one.name in names and not one.others)
        order = [*told, *(name for name in names if name not in told)]
    stays = [name for name in names if re.search(rf"\b{re.escape(fold(name).split()[-1])}s? last\b", sentence)]
    stays = stays or _left_over(scene, at, at + len(sentence))
    order.sort(key=lambda name: name in stays[:1])
    return order[:-1]


def _left_over(scene: Scene, start: int, end: int) -> list[str]:
    """Who is said to be left in the end: ``until only the kick is left``."""
    inside = [one for one in scene.players if start <= one.start < end and one.name]
    left = [
        one for one in inside if _STAYS.search(scene.low[start : one.start]) or _LAST_WORD.match(scene.low, one.end)
    ]
    return [name for one in left for name, role in scene.roles.items() if one.name in (name, role)]


def _told_in_order(scene: Scene, at: int) -> list[str]:
    """Who is named one after the other in a sentence before some words: ``the sopranos begin, then altos, tenors and
    basses enter one by one``; nobody where it names too few."""
    first = max(scene.low.rfind(mark, 0, at) for mark in ".;!?:")
    named = [one for one in scene.players if first < one.start < at and one.name and not one.weak]
    names = list(dict.fromkeys(name for one in named for name in (one.name, *one.others)))
    return names if len(names) > _FEWEST else []


def _in_order(scene: Scene) -> list[str]:
    """Everybody in the order of the band, who drums second; who is said to begin comes first."""
    begins = _BEGINS.search(scene.low)
    clause = scene.clause(begins.start()) if begins else None
    opening = [one for one in scene.players if begins and clause and begins.end() <= one.start < clause.end]
    opening += [one for one in scene.players if one.name and not one.weak and _OPENS.match(scene.low, one.end)]
    first = opening[0].name if opening else ""
    names = sorted(scene.roles, key=lambda name: name != first)
    kits = [name for name in names[1:] if scene.roles[name] == "drums"]
    return [*names[:1], *kits, *(name for name in names[1:] if name not in kits)]
