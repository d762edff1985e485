"""Tempi that a piece passes through: ``begins slowly and breaks into an allegro``, ``from 80 to 140 bpm``.

What goes little by little is one ask for the whole; else the slow or fast end of it is one for its bars.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Scene, finders
from libretto.contract.pace import SLOW_THEN, paces
from libretto.contract.words import number_of

__all__ = ["after_something_slow", "fast_finishes", "numbered_journeys", "slow_beginnings", "slowing_down"]

_BEGINS = re.compile(
    r"(?:\bfrom an? (?:[a-z-]+,? )?(?=slow\b[^.;!?]{1,24} (?:to|towards?|into) an? )|"
    r"\b(?:begin|start|open|commenc)(?:s|e|es|ning|ing)?\b(?: off| out| up)?"
    r"(?:[ ,]+(?!then\b|before\b|until\b|but\b|into\b|build\w*\b|grow\w*\b|gradual\w*\b)[\w'-]+){0,5}?[ ,]+)"
    r"(?P<slow>slow(?:ly)?|unhurried(?:ly)?|adagio|lento|largo)\b"
)
_AN_INTRO = re.compile(r"[^.;!?]{0,40}?\bintro(?:duction)?\b")  # which is a place of its own
_HALF = re.compile(r"(?:,? [a-z]+)? half\b")
_TURNS = re.compile(
    r"\b(?:then|into|to|towards?|before|until|becom\w+|gets?|getting|grows?|growing|followed by|turns?|turning|"
    r"gives? way)\b"
)
_BIT_BY_BIT = re.compile(
    r"\b(?:build\w*|grow\w*|gradual\w*|accelerat\w+|increas\w+|little by little|bit by bit|steadily|gets?|getting|"
    r"becom\w+|gather\w*|work(?:s|ing)? (?:its way )?up|speed(?:s|ing)? up|quicken\w*|pick(?:s|ing)? up|ris(?:es?|ing)|"
    r"mov\w+ towards?)\b"
)
_JOYFUL = re.compile(
    r"\b(?:joyful|joyous|jubilant|exuberant|ecstatic|celebrat\w+|spirited|hand[- ]clapping|rousing|rollicking|"
    r"foot[- ]stomping|frenzy|whirlwind|furious|wild|shout|double[- ]time|stomp|"
    r"relentless|unstoppable|breathless|feverish|headlong)\b"
)
_SPEEDS_UP = re.compile(
    r"\b(?:gradually|slowly|steadily|then|and|little by little|bit by bit|,) (?:\w+ )?(?:speed(?:s|ing)? up|quickens?|"
    r"accelerat\w+|(?:gathers?|gathering|picks? up|gains?) (?:speed|pace|steam|momentum))"
)
_ON = re.compile(r"(?:faster and faster|quicker and quicker)?(?: (?:until|to|till) the (?:very )?end)?")  # and no more
_AND_BACK = re.compile(
    r"[^.;!?]{0,120}?\b(?P<back>slow(?:s|ing)? (?:down|again|back|to a (?:halt|stop|standstill|crawl|walk))|"
    r"(?:return|go|sink|settl|wind)(?:s|es|ing)? (?:back |down )?(?:to (?:a |the )?(?:slow|halt|stop|first|opening)|"
    r"slowly))\b"
)
_BACK_TO_SLOW = re.compile(
    r"[^.;!?]{0,100}?\b(?P<back>(?:back|return\w*|again) (?:down )?(?:to|into|at) (?:the |its |an? )?"
    r"(?:[a-z-]+,? ){0,2}?slow(?:er|ly)?)\b"
)
_AFTER_SLOW = re.compile(
    r"\b(?:fast|quick|lively|furious|presto|allegro|vivace|wild|brisk)\b[^.;!?]{0,30}? after an? (?:[a-z-]+,? ){0,2}?"
    r"(?P<slow>slow|adagio|lento|largo)\b(?!(?: [a-z-]+)? intro)"
)
_STILL_FASTER = re.compile(  # of what is fast already
    r"[^.;!?]{0,60}?\b(?P<more>accelerat\w+|speed(?:s|ing)? up|(?:faster and|ever|always) faster|frenzy|"
    r"gather\w* speed)\b"
)
_FINISHES = re.compile(
    r"\b(?:end|finish|clos|conclud|culminat)(?:s|es|e|ing)? (?:with|in|on|at) (?:an? |the )?(?:[\w'-]+,? ){0,2}?"
    r"(?P<fast>(?:breakneck|lightning|full|top|high) (?:speed|pace|tempo)|"
    r"fast|quick|faster|quicker|rapid|furious|frenzied|frantic|presto|vivace|allegro)\b"
    r"(?:[ ,]+(?P<bars>\d{1,2}|four|eight|twelve|sixteen)[ -]bars?\b)?"
)
_SLOWS = re.compile(
    r"\b(?:begin|start|open)(?:s|ning|ing)?\b[^.;!?]{0,30}?\b(?:fast|quick|furious|frantic|lively|energetic|driving|"
    r"presto|allegro)\w*\b[^.;!?]{0,60}?\b(?P<end>(?:end|finish|clos|conclud)(?:s|es|e|ing)? (?:up )?(?:very )?"
    r"(?:slow(?:ly)?|slow and \w+))\b"
)
_BPM = r"(?P<{0}>\d{{2,3}})(?: ?bpm)?"
_FROM_TO = re.compile(
    rf"\b(?:from|at|of)(?: about| around| a)?(?: [a-z]+)? {_BPM.format('first')}\b(?P<between>[^.;!?\d]{{1,70}}?)"
    rf"\b(?:to|at|into|until|reach\w*)(?: about| around| a)?(?: [a-z]+)? {_BPM.format('second')} ?(?P<unit>bpm)?\b"
)
_SUDDENLY = re.compile(r"\b(?:jump|leap|switch|snap|burst|break|kick|shift|drop|cut|explod|then (?:at|to))\w*\b")
_MORE, _FASTER = (
    re.compile(r"(?:faster|quicker)(?! and)"),
    106,
)  # what is only faster than slow, and quarters a minute of it
_BY_AND_BY = r"(?:gradually|slowly|steadily|little by little|bit by bit|progressively|more and more)"
_WINDS_DOWN = re.compile(
    r"\b(?:begin|start|open)(?:s|ning|ing)?\b[^.;!?]{0,60}?\b(?:and|then|before|but)\b[^.;!?]{0,20}?"
    rf"(?P<down>{_BY_AND_BY} (?:slow(?:s|ing)?(?: down)?|gets? slower|becom\w+ slower|wind(?:s|ing)? down)|"
    rf"(?:slow(?:s|ing)? down|gets? slower|winds? down) {_BY_AND_BY}|(?:gets? )?slower and slower)\b"
)
_TO_A_STOP = re.compile(r"[^.;!?]{0,50}\b(?:stop|standstill|halt|silence|nothing)\b")
_SLOWED, _STOPPED = 0.6, 0.4  # to which share of its tempo a piece slows down
_SLOW, _FAST = 66, 120  # quarters a minute, about, of what is only called slow, and of what is only called joyful
_QUICK = 104  # from which on words speak of something fast
_LEAST, _MOST = 1.3, 2.2  # how much faster a piece becomes
_FASTEST = 176.0
_SLOWEST_BPM, _FASTEST_BPM = 30, 300
_OPENING, _PART, _CLOSING = "first quarter", "first third", "last quarter"
_REACH = 90  # characters from a slow beginning to what it turns into


@finders.register("slow beginnings")
def slow_beginnings(scene: Scene) -> Iterator[Finding]:
    """A slow beginning that turns into something fast, at once or little by little."""
    begun = list(_BEGINS.finditer(scene.low))[:2]
    for match in begun or list(SLOW_THEN.finditer(scene.low))[:1]:
        end = match.end("slow")
        goal = None if _AN_INTRO.match(scene.low, end) else _goal(scene, end)
        if goal is None:
            continue
        at, bpm = goal
        if _BIT_BY_BIT.search(scene.low, end, at) or match[0].startswith("from"):
            share = min(_MOST, max(_LEAST, min(bpm, _FASTEST) / _SLOW))
            back = _AND_BACK.match(scene.low, at)
            where = f"until {_CLOSING}" if back else ""
            ask = Ask("tempo_change", f"to x{share:.2f}", "", where, scene.text[match.start() : at].strip()[:200])
            yield scene.finding("tempo_change", f"from slow to {bpm:.0f}", end, _to_the_end(scene, at), ask)
            if back:
                ask = Ask(
                    "tempo_change", f"from x{share:.2f}", "", _CLOSING, scene.text[at : back.end()].strip()[-200:]
                )
                yield scene.finding("tempo_change", "and back", back.start("back"), back.end(), ask)
            continue
        where = _slow_part(scene, end, at) or (_OPENING if begun else _PART)
        ask = Ask("tempo_change", "slow", "", where, scene.text[match.start() : at + 1].strip()[:200])
        yield scene.finding("tempo_change", f"slow at {where}", match.start(), end, ask)
        back = _BACK_TO_SLOW.match(scene.low, at)
        if back:
            ask = Ask("tempo_change", "slow", "", _CLOSING, scene.text[at : back.end()].strip()[-200:])
            yield scene.finding("tempo_change", f"slow at {_CLOSING}", back.start("back"), back.end(), ask)
        more = _STILL_FASTER.match(scene.low, at)
        if more:
            ask = Ask("tempo_change", "accelerando", "", "second half", scene.text[at : more.end()].strip()[-200:])
            yield scene.finding("tempo_change", "accelerando at second half", more.start("more"), more.end(), ask)


def _to_the_end(scene: Scene, at: int) -> int:
    """Where the words end that begin somewhere and say that it gets faster until the end."""
    more = _ON.match(scene.low, at)
    return more.end() if more else at


def _slow_part(scene: Scene, end: int, at: int) -> str:
    """Where a slow beginning is over, by the places that are told between it and what it turns into."""
    if _HALF.match(scene.low, end):
        return "first half"
    turn = [place for place in scene.places if end <= place.start < at + _REACH // 2]
    turn = [place for place in turn if "." not in scene.low[end : place.start]]
    return f"until {turn[0].text}" if turn and turn[0].text not in ("start", "end") else ""


def _goal(scene: Scene, start: int) -> tuple[int, float] | None:
    """Where the words begin for the fast that a slow beginning turns into, and about how fast that is."""
    stop = re.compile(r"[.;!?]").search(scene.low, start)
    end = min(stop.start() if stop else len(scene.low), start + _REACH)
    fast = [(word.start, sum(word.value) / 2) for word in paces(scene.text[:end]) if word.start >= start]
    fast = [(at, float(_FASTER) if _MORE.match(scene.low, at) else bpm) for at, bpm in fast if bpm >= _QUICK]
    fast += [(match.start(), float(_FAST)) for match in _JOYFUL.finditer(scene.low, start, end)]
    told = [(at, bpm) for at, bpm in sorted(fast) if _TURNS.search(scene.low, start, at)]
    faster = _SPEEDS_UP.search(scene.low, start, end)
    return told[0] if told else (faster.end(), float(_FAST)) if faster else None


@finders.register("after something slow")
def after_something_slow(scene: Scene) -> Iterator[Finding]:
    """What is slow before the rest, though it is told after it: ``a furious finale after a mournful adagio``."""
    for match in list(_AFTER_SLOW.finditer(scene.low))[:1]:
        ask = Ask("tempo_change", "slow", "", _PART, scene.text[match.start() : match.end()][-200:])
        yield scene.finding("tempo_change", f"slow at {_PART}", match.start("slow"), match.end(), ask)


@finders.register("fast finishes")
def fast_finishes(scene: Scene) -> Iterator[Finding]:
    """A fast close, or a slow one of what begins fast."""
    for pattern, group, what in ((_FINISHES, "fast", "fast"), (_SLOWS, "end", "slow")):
        for match in list(pattern.finditer(scene.low))[:1]:
            start, end = match.start() if group == "fast" else match.start(group), match.end(group)
            count = number_of(match["bars"] or "") if group == "fast" else None
            where = f"last {count} bars" if count else _CLOSING
            grown = what == "fast" and _SPEEDS_UP.search(scene.low, 0, start)  # by then it is fast
            ask = None if grown else Ask("tempo_change", what, "", where, scene.text[start:end].strip()[:200])
            yield scene.finding("tempo_change", f"{what} at {where}", start, end, ask)


@finders.register("slowing down")
def slowing_down(scene: Scene) -> Iterator[Finding]:
    """A piece that slows down from its beginning on: ``it starts at 120 and gradually slows down to a stop``."""
    for match in list(_WINDS_DOWN.finditer(scene.low))[:1]:
        share = _STOPPED if _TO_A_STOP.match(scene.low, match.end()) else _SLOWED
        start = match.start("down")
        ask = Ask("tempo_change", f"to x{share}", "", "", scene.text[match.start() : match.end()].strip()[:200])
        yield scene.finding("tempo_change", "slower and slower", start, match.end(), ask)


@finders.register("numbered journeys")
def numbered_journeys(scene: Scene) -> Iterator[Finding]:
    """From one tempo in numbers to another: ``starts at 80 BPM and accelerates to 140 BPM``."""
    for match in list(_FROM_TO.finditer(scene.low))[:1]:
        first, second = int(match["first"]), int(match["second"])
        told = match["unit"] or "bpm" in match[0]
        moves = (
            _SUDDENLY.search(match["between"]) or _BIT_BY_BIT.search(match["between"]) or match[0].startswith("from")
        )
        if not (told and moves and _SLOWEST_BPM <= min(first, second) < max(first, second) <= _FASTEST_BPM):
            continue
        start, end = match.start("between"), match.end()
        place = scene.where(start, end)
        words = scene.text[match.start() : end].strip()[:200]
        if _SUDDENLY.search(match["between"]) or place:
            where = place.where if place else "second half"
            ask = Ask("tempo_change", str(second), "", where, words)
        else:
            ask = Ask("tempo_change", f"to x{second / first:.2f}", "", "", words)
        yield scene.finding("tempo_change", f"{first} to {second}", start, end, ask)
