"""Lines that climb from beginning to end (``the voice begins almost spoken and rises to a cry``), and pieces that grow
to a climax and come to rest."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.character import find_moods
from libretto.contract.finders.scene import Finding, Scene, finders
from libretto.contract.riding import PASSES

__all__ = ["RISES", "arches", "arcs", "climaxes", "passing_by"]

_LOW = (
    r"(?:spoken|speech|speaking|talking|whisper(?:ed|ing|s)?|murmur(?:ed|ing|s)?|mutter(?:ed|ing|s)?|hum(?:med|ming)?|low|"
    r"hushed|mumbl(?:ed?|ing)|sigh(?:ed|ing)?|growl(?:ed|ing)?|deep|down)"
)
_CRY = (
    r"(?:cr(?:y|ies)|wail(?:s|ing)?|shout(?:s|ing)?|scream(?:s|ing)?|howl(?:s|ing)?|shriek|sob(?:s|bing)?|holler(?:s|ing)?|"
    r"belt(?:s|ed|ing)?|full voice|top of (?:its|her|his|the|their) (?:range|voice|register|lungs)|"
    r"high (?:note|register|cry))"
)
_ARC = re.compile(
    rf"\b(?:(?:begin|start|open|enter|sing|com)(?:s|es|e|ning|ting|ing)?(?: in| out| off)?\b[^.;!?]{{0,40}}?\b{_LOW}\b"
    rf"[^.;!?]{{0,60}}?\b)?"
    rf"(?:ris|climb|build|grow|soar|swell|mount|ascend|work|go|mov|rear|gather)(?:s|es|e|ing|ning)?\b[^.;!?,]{{0,30}}?"
    rf"\b(?:to|into|towards?|up to)\b[^.;!?,]{{0,24}}?\b{_CRY}\b"
    r"(?:,? (?:by|at|near|towards?|before|in) the (?:very )?end)?"
)

_CLIMB = re.compile(
    rf"\b(?:begin|start|open|enter)(?:s|ning|ing)?(?: out| off)?\b[^.;!?]{{0,40}}?\b{_LOW}\b[^.;!?]{{0,50}}?"
    r"\b(?:and|then|before|but) (?:slowly |gradually |steadily |then )*(?:climb|ris|ascend|soar|mount)(?:s|es|e|ing)?"
    r"(?: (?:gradually|slowly|steadily|upwards?|higher(?: and higher)?|step by step|little by little|"
    r"into (?:the|its) [a-z]+ register))"
)
_ADJECTIVE = re.compile(r",? (?:[a-z]+ )?(?:ending|finish|finale|close|climax|chorus|end)\b")  # what a shouting end is


@finders.register("arcs")
def arcs(scene: Scene) -> Iterator[Finding]:
    """Who begins low and ends in a cry: its line climbs, and grows louder."""
    for match in [*_ARC.finditer(scene.low), *_CLIMB.finditer(scene.low)][:4]:
        if _ADJECTIVE.match(scene.low, match.end()):
            continue
        before = [one for one in scene.players if one.name and not one.weak and one.end <= match.start() + 1]
        near = [one for one in before if not re.search(r"[.;!?]", scene.low[one.end : match.start()])]
        who = near[-1].name if near else "melody"
        start, end = match.span()
        words = scene.text[start:end][:200]
        ask = Ask("register", "rising", who, "", words)
        yield scene.finding("register", f"{who}: rising", start, end, ask)
        more = Ask("dynamics", "growing", who, "", words)
        yield scene.finding("dynamics", f"growing ({who})", start, end, more)


#: Somebody who rises to a climax, as its verb says it.
RISES = re.compile(
    r"\b(?:ris|climb|soar|swell|mount|surg|build|lead)(?:s|es|e|ing)?(?: up| slowly| gradually| steadily| us){0,2} "
    r"(?:to|into|towards?) (?:an? |the |its )?(?:[a-z-]+,? (?:and )?){0,4}"
    r"(?:climax|peak|summit|apex|high point|culmination)\b"
)
_TOWARDS = "second half"  # in which somebody who comes to a climax has the tune


@finders.register("climaxes")
def climaxes(scene: Scene) -> Iterator[Finding]:
    """Who rises to a climax, ``let the trumpet rise to a heroic climax``, has the tune from halfway on, and climbs."""
    for match in list(RISES.finditer(scene.low))[:2]:
        start, end = match.span()
        before = [one for one in scene.players if one.name and not one.weak and one.end < start <= one.end + _NEAR]
        near = [one for one in before if _SUBJECT.fullmatch(scene.low[one.end : start])]
        if not near or near[-1].others or scene.roles.get(near[-1].name) in _BEATEN:
            continue
        who, words = near[-1].name, scene.text[near[-1].start : end][:200]
        for kind, what in (("lead", ""), ("register", "rising"), ("dynamics", "growing")):
            ask = Ask(kind, what, who, _TOWARDS, words)
            yield scene.finding(kind, f"{who}: {what or kind}, {_TOWARDS}", near[-1].start, end, ask)


_NEAR = 24  # characters between somebody and what it does
_SUBJECT = re.compile(r",? (?:that |which |should |must |will |can |then |slowly |gradually |to |finally ){0,3}")
_BEATEN = ("drums", "percussion", "bass")
_ARCH = re.compile(
    r"\b(?:(?:build|grow|swell|ris|climb|work|mount|surg|lead)(?:s|es|e|ing)?(?: up| slowly| gradually| steadily){0,2} "
    r"(?:from (?:[a-z-]+ ){1,5})?(?:to|into|towards?)|reach(?:es|ing)?|hit(?:s|ting)?) (?:an? |the |its )?"
    r"(?:[a-z-]+,? ){0,3}"
    r"(?:climax|peak|crescendo|high point|outburst|fortissimo|awe|glory|grandeur|wonder|splendou?r|roar)\b"
    r"(?P<rest>[^.;!?]{0,60}?\b(?P<then>and|then|before)\b[^.;!?]{0,16}?\b(?:end|fad|subsid|resolv|clos|return|sink|settl|dissolv|"
    r"die|dying|calm|recede|ebb|quiet|soft|fall|drop)[a-z]*\b)"
)
_IN_A_BAR = re.compile(r"\b(?:in|at|by|around|near|about) (?:bars?|measures?) (?P<bar>\d+)?")  # of a climax
_NOT_SO = re.compile(r"\b(?:loud|triumph|blaz|bang|grand|epic|power|full)[a-z]*")  # how a piece ends that does not rest
_HALFWAY = re.compile(
    r"\b(?:in|at|near|towards?|around) the (?:very )?(?:middle|cent(?:er|re)|midpoint)\b|\b(?:half|mid)way\b"
)
_ROUND = (("growing", "first half"), ("fading", "second half"))
_AFTER = 24  # characters
_LAST = "last 2 bars"
_GROWS, _RESTS = "until last quarter", "end"


@finders.register("passing by")
def passing_by(scene: Scene) -> Iterator[Finding]:
    """What comes from afar, passes and is gone: it grows up to the middle and fades to nothing, with its drum alone in
    the end."""
    for match in list(PASSES.finditer(scene.low))[:1]:
        words = scene.text[match.start() : match.end()][:200]
        drums = [name for name, role in scene.roles.items() if role in ("drums", "percussion")]
        pitched = [name for name, role in scene.roles.items() if role not in ("drums", "percussion")]
        asks = [Ask("dynamics", what, "", where, words) for what, where in (*_ROUND, ("fading", "end"))]
        asks += [Ask("only", "", name, _LAST, words) for name in drums[:1] if pitched]
        asks += [Ask("dynamics", "soft", "", _LAST, words)]
        for ask in asks:
            yield scene.finding(ask.kind, f"{ask.who or ask.what}, {ask.where}", *match.span(), ask)


_THERE_AND_BACK = re.compile(
    r"\bfrom (?:an? |the )?(?P<first>(?:[a-z-]+,? (?:and )?){1,3}?)(?:opening|beginning|start|first)\b[^.;!?,]{0,16}? "
    r"(?:to|into|through) (?:an? |the )?(?P<second>(?:[a-z-]+,? (?:and )?){1,3}?)(?:middle|cent(?:er|re)|climax|"
    r"bridge)\b[^.;!?]{0,24}?\b(?:back|return\w*)\b(?: again| home)?"
)
_SOFT_LOUD = (("soft", "first third"), ("loud", "middle"), ("soft", "end"))
_LOUD_SOFT = (("loud", "first third"), ("soft", "middle"), ("loud", "last third"))


@finders.register("arches")
def arches(scene: Scene) -> Iterator[Finding]:
    """A piece that builds to a climax and ends quietly: it grows up to its last quarter, and its end is soft; or one
    that goes from one mood to another and back."""
    yield from _there_and_back(scene)
    for match in list(_ARCH.finditer(scene.low))[:1]:
        stages = _stages(scene, match)
        words = scene.text[match.start() : match.end()][:200]
        for what, where in stages:
            yield scene.finding("dynamics", f"{what}, {where}", *match.span(), Ask("dynamics", what, "", where, words))


def _there_and_back(scene: Scene) -> Iterator[Finding]:
    """A piece that goes from one mood to another in its middle, and back."""
    for match in list(_THERE_AND_BACK.finditer(scene.low))[:1]:
        first, second = (find_moods(match[name])[1].dynamics for name in ("first", "second"))
        for what, where in () if first == second else _SOFT_LOUD if first < second else _LOUD_SOFT:
            ask = Ask("dynamics", what, "", where, scene.text[match.start() : match.end()][:200])
            yield scene.finding("dynamics", f"{what}, {where}", *match.span(), ask)


def _stages(scene: Scene, match: re.Match[str]) -> tuple[tuple[str, str], ...]:
    """How loud a piece is, and where, that builds to a climax and comes to rest; nothing where it does not rest so."""
    then, last = match.start("then"), match.end("rest") + _AFTER
    placed = _IN_A_BAR.search(scene.low, match.start("rest"), last)
    later = any(then < one.start < last and one.text != "end" for one in scene.places)
    if _NOT_SO.search(scene.low, then, last) or (placed and (later or not placed["bar"])):
        return ()
    if placed:
        return ("growing", f"until bar {placed['bar']}"), ("fading", f"from bar {placed['bar']}")
    return _ROUND if _HALFWAY.search(match["rest"]) else (("growing", _GROWS), ("soft", _RESTS))
