"""Drums of one kit that come in by bars: ``kick alone for four bars, then hi-hat, then snare``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from libretto.contract.asks import Ask
from libretto.contract.checks.strokes import LAYERS
from libretto.contract.finders.scene import Finding, Scene, finders
from libretto.contract.reckoning import NUMBER
from libretto.contract.words import fold, number_of

__all__ = ["kit_by_bars"]

_NAMES = {
    "kick": r"(?:kick|bass)[ -]?drums?|kicks?",
    "open hat": r"open(?:ed)? (?:hi[ -]?)?hats?",
    "hats": r"(?:closed )?(?:hi[ -]?hats?|hats)|closed hat",
    "snare": r"snares?(?: drums?)?|rim ?shots?|side ?sticks?",
    "claps": r"(?:hand ?)?claps?",
    "toms": r"tom(?:[ -]?tom)?s?",
    "ride": r"ride(?: cymbals?)?",
    "crash": r"crash(?: cymbals?)?",
    "cowbell": r"cow ?bells?",
    "shaker": r"shakers?|maracas?",
    "tambourine": r"tambourines?",
}
_ITEM = re.compile("|".join(rf"\b(?P<{name.replace(' ', '_')}>{words})\b" for name, words in _NAMES.items()))
_BARS = r"[ -](?:bars?|measures?)\b"
_AT_BAR = re.compile(
    r"\b(?:from|at|in|on|by|until) (?:bar|measure) (\d{1,3})\b|\b(?:bar|measure) (\d{1,3}) (?:on|onwards?)\b"
)
_AFTER = re.compile(rf"\bafter (?P<more>another |a further |the next )?(?P<n>{NUMBER})(?: more| further)?{_BARS}|"
                    rf"\b(?P<n2>{NUMBER}){_BARS} later\b")  # fmt: skip
_LASTS = re.compile(rf"\bfor (?:the first |another )?(?P<n>{NUMBER}){_BARS}|\b(?P<of>{NUMBER}){_BARS} of\b|"
                    rf"\bfirst (?P<first>{NUMBER}){_BARS}")  # fmt: skip
_EVERY = re.compile(rf"\bevery (?P<n>{NUMBER}){_BARS}|\bat (?P<at>{NUMBER})[ -]bars? intervals\b")
_AND = re.compile(r",? ?(?:and|with|plus|&|\+) ?(?:an?|the)? ?(?:[a-z]+ )?")
_STARTS = re.compile(
    r"\b(?:alone|only|just|first|by itself|on its own|solo|nothing but|"
    r"(?:start|begin|open)(?:s|ing)? (?:off )?(?:with|on)|"
    r"layer (?:by|upon|on) layer|one (?:by one|at a time|after (?:the other|another))|build(?:s|ing)?(?: up)?)\b"
)
_ONE_BY_ONE = re.compile(
    r"\b(?:layer (?:by|upon|on) layer|drum by drum|(?:one|a drum|piece) "
    r"(?:by (?:one|piece)|at a time|after (?:the other|another)))"
    r"[^.;!?]{0,24}\Z"
)
_NEXT = re.compile(r"\b(?:then|next|followed by|later|after that|finally|joins?|enters?|comes? in|add(?:s|ed|ing)?)\b")
_GONE = re.compile(
    r"\b(?:without|no|not|drops? out|cuts? out|leaves?|stops?|rests?|answers?|pattern|"
    r"on (?:two|the|beats?|every|all))\b"
)
_ALONE = re.compile(r"\b(?:alone|only|by itself|on its own|nothing but|nothing else|just (?:a |the )?\Z)")
_ONLY = re.compile(r"\b(?:only|just|nothing but)\s(?:an?\s|the\s)?(?:[a-z]+\s)?\Z")
_FEWEST = 2  # drums that come in
_STEP, _BEFORE, _GAP, _LONGEST = 4, 40, 90, 200  # bars; characters


class _Entry(NamedTuple):
    """A drum that comes in: which, where it is named, and in which bar."""

    name: str
    start: int
    end: int
    bar: int


@finders.register("kits")
def kit_by_bars(scene: Scene) -> Iterator[Finding]:
    """The drums of a kit in the order in which they come in, each with its bar; and that nobody else plays while the
    first is alone."""
    kit = next((name for name, role in scene.roles.items() if role == "drums"), "")
    for run in _runs(scene.low) if kit else ():
        first = max(scene.low.rfind(mark, 0, run[0].start()) for mark in ".;!?") + 1
        entries = _placed(scene.low, run, max(first, run[0].start() - _BEFORE))
        bars = [one.bar for one in entries]
        if len({one.name for one in entries}) < _FEWEST or len(set(bars)) < _FEWEST or bars != sorted(bars):
            continue
        start, end = _stretch(scene.low, entries, first)
        words = scene.text[start:end].strip()[:_LONGEST]
        for ask in _asks(scene, kit, entries, words):
            yield scene.finding("drums", f"{ask.who}: {ask.what or ask.where}", start, end, ask)
        return


def _asks(scene: Scene, kit: str, entries: list[_Entry], words: str) -> Iterator[Ask]:
    """What some entries ask of a kit, of those who have one of these drums besides it, and of all others while the
    first is alone."""
    own = {one: _player(scene, kit, one.name) for one in entries}
    mine = [one for one in entries if own[one] == kit]
    if mine:
        yield Ask("drums", LAYERS + ", ".join(f"{one.name} {one.bar}" for one in mine), kit, "", words)
    for one, name in own.items():
        if name != kit and one.bar > 1:
            yield Ask("enter", "", name, f"bar {one.bar}", words)
    second = next(one.bar for one in entries if one.bar > 1)
    if entries[0].bar == 1 and _is_alone(scene.low, entries):
        who = " + ".join(dict.fromkeys(name for one, name in own.items() if one.bar == 1))
        yield Ask("only", "", who, f"first {second - 1} bars", words)


def _player(scene: Scene, kit: str, drum: str) -> str:
    """Who plays a drum: somebody of that name, else the kit."""
    named = (name for name in scene.roles if name != kit and re.fullmatch(_NAMES[drum], fold(name)))
    return next(named, kit)


def _stretch(low: str, entries: list[_Entry], first: int) -> tuple[int, int]:
    """Where the words stand that tell of some entries."""
    before = max(first, entries[0].start - _BEFORE)
    lead = [
        match.start()
        for pattern in (_LASTS, _AFTER, _STARTS, _AT_BAR)
        for match in pattern.finditer(low, before, entries[0].start)
    ]
    tail = low[entries[-1].end : entries[-1].end + _BEFORE]
    after = [match.end() for pattern in (_AT_BAR, _AFTER) if (match := pattern.search(re.split(r"[.;!?]", tail)[0]))]
    return min([entries[0].start, *lead]), entries[-1].end + max(after, default=0)


def _is_alone(low: str, entries: list[_Entry]) -> bool:
    """Whether the first of some drums is told to be alone."""
    after = low[entries[0].end : entries[1].start]
    return bool(_ALONE.search(after) or _ONLY.search(low[max(0, entries[0].start - _BEFORE) : entries[0].start]))


def _runs(low: str) -> Iterator[list[re.Match[str]]]:
    """Drums that are named near one another, and of which it is told when they come."""
    items = list(_ITEM.finditer(low))
    run: list[re.Match[str]] = []
    for item in items:
        gap = low[run[-1].end() : item.start()] if run else ""
        if run and (len(gap) > _GAP or re.search(r"[.!?](?=\s)", gap) or _GONE.search(gap)):
            yield from _told(low, run)
            run = []
        if _is_a_list(low, run, item):
            run = []
        run.append(item)
    yield from _told(low, run)


def _is_a_list(low: str, run: list[re.Match[str]], item: re.Match[str]) -> bool:
    """Whether drums before one of them that is named again are no more than who plays."""
    again = item.lastgroup in [one.lastgroup for one in run]
    words = low[run[0].start() : item.start()] if again else ""
    return again and not any(pattern.search(words) for pattern in (_NEXT, _AT_BAR, _AFTER))


def _told(low: str, run: list[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    """A run of drums, where it is told when they come."""
    if len(run) < _FEWEST:
        return
    words = low[max(0, run[0].start() - _BEFORE) : run[-1].end() + _BEFORE]
    inside = low[run[0].start() : run[-1].start()]
    timed = sum(len(pattern.findall(words)) for pattern in (_AT_BAR, _AFTER, _LASTS, _EVERY))
    begins = _STARTS.search(words) or _LASTS.search(words)
    listed = _ONE_BY_ONE.search(low[: run[0].start()]) and len(run) > _FEWEST
    one_by_one = timed and begins and (_NEXT.search(inside) or timed > 1)
    if listed or one_by_one or len(_AT_BAR.findall(words)) > 1:
        yield run


def _placed(low: str, run: list[re.Match[str]], first: int) -> list[_Entry]:
    """Drums with the bars in which they come in: as told around each, else as long after the one before as that came
    after another, or as it is there before others come."""
    every = _EVERY.search(low, first)
    step = (number_of(every["n"] or every["at"]) or _STEP) if every else 0
    made: list[_Entry] = []
    for place, item in enumerate(run):
        name = (item.lastgroup or "").replace("_", " ")
        if name in [one.name for one in made]:
            continue
        before = low[(run[place - 1].end() if place else first) : item.start()]
        bar = _bar_told(before, _said_of(low, run, place), made[-1].bar if made else 0)
        made.append(_Entry(name, item.start(), item.end(), bar or _bar_after(low, made, item, first, step)))
    return made


def _said_of(low: str, run: list[re.Match[str]], place: int) -> str:
    """What is said of a drum right after its name."""
    end = run[place + 1].start() if place + 1 < len(run) else run[place].end() + _BEFORE
    return re.split(r"[,.;]|\b(?:and|then)\b", low[run[place].end() : end])[0]


def _bar_after(low: str, made: list[_Entry], item: re.Match[str], first: int, step: int) -> int:
    """The bar in which a drum comes in of which none is told: the first, with the one that *and* joins it to, or so
    long after the one before."""
    if not made:
        return 1
    if _AND.fullmatch(low, made[-1].end, item.start()):
        return made[-1].bar
    return made[-1].bar + (_length(low, made, item, first) or step or _usual(made))


def _bar_told(before: str, after: str, last: int) -> int | None:
    """The bar that is told of a drum, in the words before or after it; ``last`` is that of the one before, or 0."""
    clause = (
        re.split(r"[,;]", before)[-1] if not re.search(r"\bbar \d+,? (?:the |an? )?(?:[a-z]+ )?\Z", before) else before
    )
    for words in (after, clause):
        at = _AT_BAR.search(words)
        if at:
            return int(at[1] or at[2])
        told = _AFTER.search(words)
        if told and last:
            bars = number_of(told["n"] or told["n2"]) or _STEP
            return last + bars if told["more"] or told["n2"] or bars + 1 <= last else bars + 1
    return None


def _length(low: str, made: list[_Entry], item: re.Match[str], first: int) -> int:
    """How many bars the drum before another has to itself, where that is told beside it."""
    start = made[-2].end if len(made) > 1 else first
    told = list(_LASTS.finditer(low, start, item.start()))
    return (number_of(told[-1]["n"] or told[-1]["of"] or told[-1]["first"]) or 0) if told else 0


def _usual(made: list[_Entry]) -> int:
    """How many bars lay between the two that came last; a phrase where there are none."""
    bars = sorted({one.bar for one in made})
    return bars[-1] - bars[-2] if len(bars) > 1 else _STEP
