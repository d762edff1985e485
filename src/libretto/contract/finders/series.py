"""Who has the tune one after the other in stretches of as many bars."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.cues import BEATEN
from libretto.contract.finders.scene import Finding, Player, Scene, finders
from libretto.contract.words import number_of

__all__ = ["in_series"]

_LONGEST = 200
_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_TAKES_NTH = re.compile(
    r"\s(?:takes?|plays?|has|gets?|leads?|carries)\s(?:over\s)?(?:for\s)?the\s(?P<nth>second|third)\s"
    r"(?P<size>four|eight|sixteen|4|8|16)(?:\s(?:bars|measures))?\b"
)
_AND_NTH = re.compile(
    r"\s(?:takes?\s|has\s|gets?\s|plays?\s)?the\s(?P<nth>third|fourth)\b(?!\s(?:strain|beat|part|verse))"
)
_BEGINS = re.compile(
    r"\s(?:should\s)?(?:kicks?|starts?|leads?|sets?|begins?|opens?|takes?\sthe\sfirst)(?:\s(?:it|things|us))?(?:\soff)?\b"
)


@finders.register("in series")
def in_series(scene: Scene) -> Iterator[Finding]:
    """Who has the tune one after the other in stretches of as many bars: ``the fiddle takes the second eight bars, the
    mandolin the third``; who is said to begin has the first."""
    for match in list(_TAKES_NTH.finditer(scene.low))[:1]:
        size = number_of(match["size"]) or 0
        for player, nth, end in _turns(scene, match):
            where = f"bars {size * (nth - 1) + 1}-{size * nth}"
            start = min(player.start, end)
            ask = Ask("lead", "", player.name, where, scene.text[start:end].strip()[:_LONGEST])
            yield scene.finding("lead", ask_value("lead", "", player.name, where), start, end, ask)


def _turns(scene: Scene, match: re.Match[str]) -> list[tuple[Player, int, int]]:
    """Whose turn is which, and where the words for it end."""
    first, last = _sentence(scene.low, match.start())
    players = [one for one in scene.players if one.name and not one.weak and scene.roles.get(one.name) not in BEATEN]
    takers = [one for one in players if first <= one.start and one.end <= match.start()]
    turns = [(one, _NTH[match["nth"]], match.end()) for one in takers[-1:]]
    for one in players:
        more = _AND_NTH.match(scene.low, one.end) if match.end() <= one.start < last else None
        turns += [(one, _NTH[more["nth"]], more.end())] if more else []
    return turns + (_begun(scene, players, first) if turns else [])


def _begun(scene: Scene, players: Sequence[Player], first: int) -> list[tuple[Player, int, int]]:
    """The first turn, of who is said to begin in a sentence or after it."""
    begins = [one for one in players if first <= one.start and _BEGINS.match(scene.low, one.end)]
    return [(one, 1, one.end) for one in begins[:1]]


def _sentence(low: str, at: int) -> tuple[int, int]:
    """Where the sentence around a position begins and ends."""
    stop = re.compile(r"[.;!?]").search(low, at)
    return max(low.rfind(mark, 0, at) for mark in ".;!?") + 1, stop.start() if stop else len(low)
