"""Little dramas: who quarrels, who gossips about it and who makes peace, in scenes one after the other.

*The oboe and the bassoon argue, the horn tries to make peace, the flute and clarinet gossip above them* is told in so
many parts: two who snap the tune at each other, a chatter in thirds, a song in another key, and the quarrel again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.gathering import goers
from libretto.contract.finders.scene import Finding, Player, Scene, finders
from libretto.contract.progression import find_progressions
from libretto.score.keys import Key

__all__ = ["quarrels"]

_QUARREL = re.compile(
    r"\b(?:argu(?:e|es|ing)|argument|quarrel(?:s|l?ing)?|bicker(?:s|ing)?|squabbl(?:e|es|ing)|disput(?:e|es|ing)|"
    r"disagree(?:s|ing)?|debat(?:e|es|ing)|spar(?:s|ring)?|wrangl(?:e|es|ing)|"
    r"(?:snap|snarl|bark|shout|yell|grumbl)(?:s|e|es|ing|ping)? at (?:each other|one another)|"
    r"(?:contradict|interrupt|insult|nag|scold)(?:s|ing)? (?:each other|one another)|"
    r"(?:trad|exchang|hurl)(?:e|es|s|ing) (?:insults|barbs|retorts)|"
    r"(?:has|have|having) (?:words|a row|a tiff|a spat))\b"
)
_PEACE = re.compile(
    r"\b(?:(?:mak|keep|restor|bring|brok)(?:e|es|er|ers|s|ing) (?:the |some )?peace|peacemaker|"
    r"calm(?:s|ing)? (?:them|things|everyone|everybody|it|the two|both)(?: down)?|mediat(?:e|es|ing|or)|"
    r"reconcil(?:e|es|ing)|pacif(?:y|ies|ying)|appeas(?:e|es|ing)|sooth(?:e|es|ing) (?:them|things|tempers)|"
    r"smooth(?:s|ing)? (?:things |it )?over|(?:break|part|separat)(?:e|s|es|ing) them(?: up)?|referee(?:s|ing)?|"
    r"(?:plead|beg|appeal|call)(?:s|ing)? for (?:calm|peace|quiet))\b"
)
_GOSSIP = re.compile(
    r"\b(?:gossip(?:s|ing)?|chatter(?:s|ing)?|twitter(?:s|ing)?|titter(?:s|ing)?|giggl(?:e|es|ing)|snigger(?:s|ing)?|"
    r"prattl(?:e|es|ing)|natter(?:s|ing)?|tattl(?:e|es|ing)|tut[- ]tut(?:s|ting)?|"
    r"whisper(?:s|ing)? (?:about|behind|to (?:each other|one another))|"
    r"look(?:s|ing)? on and (?:laugh|comment)(?:s|ing)?)\b"
)
_AFTER = re.compile(r"\s(?:with|between|by|of) (?:the |a |an )?")
_DOES = re.compile(
    r"(?:\s(?!(?:about|like|of|describing|called|as|whose|where|for|with|a|an|the|its)\s)[a-z-]+){0,5}\s\Z"
)
_PAIR, _MOST = 2, 3  # who quarrel
_SNAP = 2  # bars in which somebody has the word
_LONGEST = 200
_REACH = 90  # characters before a verb in which those stand who do it


class _Act(NamedTuple):
    """What some do: who, and where the words stand."""

    names: tuple[str, ...]
    start: int
    end: int


@finders.register("quarrels")
def quarrels(scene: Scene) -> Iterator[Finding]:
    """The scenes of a quarrel, as far as a brief names who is in them."""
    quarrel = _act(scene, _QUARREL)
    if quarrel is None or len(quarrel.names) < _PAIR:
        return
    peace, gossip = _act(scene, _PEACE, quarrel), _act(scene, _GOSSIP, quarrel)
    apart = [one for one in (gossip, peace) if one is not None]
    parts = [2, *([1] if gossip else []), *([2] if peace else []), 1, *([3] if (gone := goers(scene)) else [])]
    edges = [sum(parts[:number]) + 1 for number in range(len(parts))]
    places = [_from(first, size, sum(parts)) for first, size in zip(edges, parts, strict=True)]
    first, *others = places[: len(apart) + _PAIR]
    for where in (first, others[len(apart)]):
        yield from _by_turns(scene, quarrel, where)
    for act, where in zip(apart, others, strict=False):
        yield from (_gossiping if act is gossip else _pleading)(scene, act, where)
    for number, name in enumerate(gone[1:-1], 1):  # who goes next has the word before
        where = f"from exit {number} of {len(gone)} until exit {number + 1} of {len(gone)}"
        yield _told(scene, quarrel, Ask("lead", "", name, where))


def _from(first: int, size: int, of: int) -> str:
    """So many parts of a piece from one of them on."""
    last = first + size
    return f"from part {first} of {of}" + (f" until part {last} of {of}" if last <= of else "")


def _act(scene: Scene, pattern: re.Pattern[str], other: _Act | None = None) -> _Act | None:
    """Who does something, named right before its words in their clause, else right after them; None where nobody is."""
    for match in list(pattern.finditer(scene.low))[:_MOST]:
        if other is not None and match.start() < other.end and other.start < match.end():
            continue
        names = _subjects(scene, match.start(), match.end())
        if names:
            return _Act(names, match.start(), match.end())
    return None


def _subjects(scene: Scene, start: int, end: int) -> tuple[str, ...]:
    """Who does what some words say."""
    named = [one for one in scene.players if one.name and not one.weak]
    mine, theirs = _doers(scene, named, start), _partners(scene, named, end)
    return tuple(dict.fromkeys(_names(mine if len(_names(mine)) >= _PAIR else [*mine, *theirs])))[:_MOST]


def _doers(scene: Scene, named: list[Player], start: int) -> list[Player]:
    """Those who are named right before a verb."""
    first = max(start - _REACH, *(scene.low.rfind(mark, 0, start) for mark in ".;!?"))
    before = [one for one in named if first <= one.start and one.end <= start]
    does = before and _DOES.fullmatch(scene.low, before[-1].end, start)
    return scene.list_back(before) if does else []


def _partners(scene: Scene, named: list[Player], end: int) -> list[Player]:
    """Those with whom something is done, or who do it, right after its words."""
    after = [one for one in named if one.start >= end and _AFTER.fullmatch(scene.low, end, one.start)]
    return scene.list_on(named[named.index(after[0]) :]) if after else []


def _names(players: list[Player]) -> list[str]:
    return [name for one in players for name in (one.name, *one.others)]


def _by_turns(scene: Scene, act: _Act, where: str) -> Iterator[Finding]:
    """Those who quarrel snap the tune at each other."""
    for number, name in enumerate(act.names, 1):
        turn = f"turns {number} of {len(act.names)} in {_SNAP} of {where}"
        yield _told(scene, act, Ask("lead", "", name, turn))
        yield _told(scene, act, Ask("articulation", "staccato", name, turn))


def _gossiping(scene: Scene, act: _Act, where: str) -> Iterator[Finding]:
    """Those who gossip have a light tune, two of them in thirds."""
    first, *others = act.names
    yield _told(scene, act, Ask("lead", "", first, where))
    for name in others:
        yield _told(scene, act, Ask("doubling", f"{first} in thirds", name, where))
    for name in act.names:
        yield _told(scene, act, Ask("articulation", "staccato", name, where))


def _pleading(scene: Scene, act: _Act, where: str) -> Iterator[Finding]:
    """Who makes peace sings, softly and in another key."""
    key = scene.key
    for name in act.names[:1]:
        yield _told(scene, act, Ask("lead", "", name, where))
        yield _told(scene, act, Ask("articulation", "legato", name, where))
    yield _told(scene, act, Ask("dynamics", "soft", "", where))
    if key is not None and not find_progressions(scene.text):
        away = Key(key.tonic - 3, "major") if key.is_minor else Key(key.tonic - 1, "major")  # on the line of fifths
        yield _told(scene, act, Ask("key_change", str(away), "", where))


def _told(scene: Scene, act: _Act, ask: Ask) -> Finding:
    """A finding with the words of what some do."""
    told = Ask(ask.kind, ask.what, ask.who, ask.where, scene.text[act.start : act.end][:_LONGEST])
    return scene.finding(ask.kind, ask_value(ask.kind, ask.what, ask.who, ask.where), act.start, act.end, told)
