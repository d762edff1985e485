"""Two who sing: one and the other in answer, verse by verse, or both together: ``they harmonise in the chorus``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Player, Scene, finders
from libretto.contract.instruments import instrument_named

__all__ = ["duets"]

_FIRST = re.compile(
    r" (?:sings?|starts?|begins?|goes|opens?)(?: first| alone| the song| it)?,? (?:and |then |and then )?(?:the )?"
)
_ANSWERS = re.compile(r" (?:answers?|repl(?:y|ies)|responds?|sings? back)\b")
_TRADE = re.compile(
    r"\b(?:they|the (?:two )?(?:singers|voices)|both)?\s?(?:trad|swap|alternat|exchang)(?:e|es|ing) verses\b"
)
_BOTH = re.compile(
    r"\b(?:they|both(?: (?:voices|singers|of them))?|the (?:two )?(?:voices|singers)|and)\s"
    r"(?:then |finally |should ){0,2}(?:sing|join|harmoni[sz]e|unite|come together|blend|meet|share)\b[^.;!?]{0,48}"
)
_TOGETHER = re.compile(r"\b(?:together|share|harmon|thirds|sixths|unison|join|unite|blend|meet)")
_LONGEST = 200
_PAIR = 2


@finders.register("duets")
def duets(scene: Scene) -> Iterator[Finding]:
    """What two singers do one after the other, and where they sing together."""
    pair = _singers(scene)
    if len(pair) != _PAIR:
        return
    together = _as_one(scene, pair)
    apart = f"outside {together[0][0].where}" if together[0] else ""
    for asks, start, end in (_by_turns(scene, pair, apart), _by_verses(scene, pair), together):
        for ask in asks:
            words = scene.text[start:end].strip()[:_LONGEST]
            told = Ask(ask.kind, ask.what, ask.who, ask.where, words)
            yield scene.finding(ask.kind, ask_value(ask.kind, ask.what, ask.who, ask.where), start, end, told)


def _singers(scene: Scene) -> list[str]:
    """Who sings, in the order in which they are named."""
    named = [one.name for one in scene.players if one.name and not one.weak]
    kinds = {name: instrument_named(name.split(" #")[0]) for name in [*named, *scene.roles]}
    return [name for name in dict.fromkeys([*named, *scene.roles]) if (kind := kinds[name]) and kind.family == "voices"]


def _by_turns(scene: Scene, pair: list[str], where: str) -> tuple[list[Ask], int, int]:
    """One begins, and the other answers."""
    for one in scene.players:
        first = _FIRST.match(scene.low, one.end) if one.name in pair else None
        other = _right_there(scene, first.end()) if first else None
        if other and other.name in pair and other.name != one.name and _ANSWERS.match(scene.low, other.end):
            return [Ask("texture", "call and response", f"{one.name} + {other.name}", where)], one.start, other.end
    return [], 0, 0


def _right_there(scene: Scene, at: int) -> Player | None:
    return next((one for one in scene.players if one.start == at), None)


def _by_verses(scene: Scene, pair: list[str]) -> tuple[list[Ask], int, int]:
    """A verse each."""
    match = _TRADE.search(scene.low)
    asks = [Ask("lead", "", name, f"verse {number}") for number, name in enumerate(pair, 1)] if match else []
    return asks, *(match.span() if match else (0, 0))


def _as_one(scene: Scene, pair: list[str]) -> tuple[list[Ask], int, int]:
    """Both together in a place, in thirds unless it is in unison."""
    for match in _BOTH.finditer(scene.low):
        near = [one for one in scene.places if match.start() <= one.start < match.end() and not one.how]
        near = near or [one for one in (scene.where(match.start(), match.start()),) if one and not one.how]
        if near and _TOGETHER.search(match[0]):
            what = pair[0] if "unison" in match[0] else f"{pair[0]} in thirds"
            return [Ask("doubling", what, pair[1], near[0].text)], match.start(), max(match.end(), near[0].end)
    return [], 0, 0
