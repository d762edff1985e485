"""Those who have the tune by turns and at last together: ``first taking turns, then playing in unison``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Player, Scene, finders

__all__ = ["uniting"]

_TURNS = (
    r"(?:tak(?:e|es|ing) (?:it in )?turns|alternat(?:e|es|ing)|trad(?:e|es|ing)|swap(?:s|ping)?|by turns|in turn)\b"
)
_TOGETHER = (
    r"(?:together|in (?:unison|octaves|thirds|sixths|harmony)|as one|unit(?:e|es|ing)|"
    r"join(?:s|ing)? (?:forces|up|hands))\b"
)
_UNITE = re.compile(
    rf"\b{_TURNS}[^.;!?]{{0,60}}?\b(?:then|before|until|finally|at last)\b[^.;!?]{{0,40}}?\b{_TOGETHER}"
)
_SHARES = re.compile(r"\bshar(?:e|es|ing) the (?:main )?(?:melody|tune|theme|lead)\b")
_THIRDS = re.compile(r"\b(?:thirds|sixths|harmony)\b")
_BEATEN = ("drums", "percussion", "bass")
_PAIR, _SIZE = 2, 4  # who trade, and bars of a turn
_LONGEST = 200


@finders.register("uniting")
def uniting(scene: Scene) -> Iterator[Finding]:
    """A lead by turns for each of two in the first half, and one who doubles the other in the second."""
    for match in list(_UNITE.finditer(scene.low))[:1]:
        pair = _pair(scene, match.start())
        if len(pair) != _PAIR or _is_placed(scene, match):
            continue
        start = max((one.start() for one in _SHARES.finditer(scene.low, 0, match.start())), default=match.start())
        start = start if not re.search(r"[.;!?]", scene.low[start : match.start()]) else match.start()
        words = scene.text[start : match.end()].strip()[:_LONGEST]
        for number, name in enumerate(pair, 1):
            where = f"turns {number} of {_PAIR} in {_SIZE} of first half"
            ask = Ask("lead", "", name, where, words)
            yield scene.finding("lead", ask_value("lead", "", name, where), start, match.end(), ask)
        what = f"{pair[0]} in thirds" if _THIRDS.search(match[0]) else pair[0]
        ask = Ask("doubling", what, pair[1], "second half", words)
        yield scene.finding("doubling", ask_value("doubling", what, pair[1], "second half"), start, match.end(), ask)


def _is_placed(scene: Scene, match: re.Match[str]) -> bool:
    """Whether the sentence says where they come together."""
    stop = re.search(r"[.;!?](?=\s|\Z)", scene.low[match.end() :])
    last = match.end() + stop.start() if stop else len(scene.low)
    return any(match.start() <= one.start < last for one in scene.places)


def _pair(scene: Scene, before: int) -> list[str]:
    """The two who were named last in the sentence, or who have the tunes of the piece."""
    first = max(scene.low.rfind(mark, 0, before) for mark in ".;!?") + 1
    near = _tuneful(scene, [one for one in scene.players if first <= one.start < before])
    return near[:_PAIR] if len(near) >= _PAIR else _tuneful(scene, scene.players)[:_PAIR]


def _tuneful(scene: Scene, players: list[Player]) -> list[str]:
    named = [one.name for one in players if one.name and not one.weak]
    return list(dict.fromkeys(name for name in named if scene.roles.get(name) not in _BEATEN))
